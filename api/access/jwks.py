"""The public keys of an OIDC provider: fetched, kept, fetched again when they change."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from ..errors import SettingsError

logger = logging.getLogger(__name__)

FRESH_S = 300.0
"""Keys older than this are fetched again, beside the requests that use them."""
KEPT_S = 3600.0
"""Keys older than this are not used any more: the provider has been away for too long."""
RETRY_S = 10.0
"""From one fetch to the next, whatever unknown key ids are asked for."""

_TIMEOUT_S = 5.0
_LARGEST_BYTES = 256 * 1024
_MOST_KEYS = 64
_DISCOVERY = "/.well-known/openid-configuration"
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}

Jwk = Mapping[str, Any]


class ProviderError(Exception):
    """The provider did not answer, or not with what it should."""


def check_url(url: str) -> str:
    """Return `url` if keys may be fetched from it.

    Raises:
        SettingsError: it is no address, or goes over a network without TLS.
    """
    parts = urlsplit(url)
    plain = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if not parts.hostname or not (parts.scheme == "https" or plain) or "@" in parts.netloc:
        raise SettingsError(
            f"{url!r} is no address of an OIDC provider.",
            "Use https:// without credentials; http:// for this machine alone.",
        )
    return url


class KeySet:
    """The signing keys of one provider by their ids.

    Args:
        issuer: the provider, as its tokens name it.
        url: where its keys are; empty to ask the provider.
        client: does the fetching; closed with `close`.
        fresh_s, kept_s, retry_s: see the constants of this module.
    """

    def __init__(
        self,
        issuer: str,
        url: str = "",
        *,
        client: httpx.AsyncClient | None = None,
        fresh_s: float = FRESH_S,
        kept_s: float = KEPT_S,
        retry_s: float = RETRY_S,
    ) -> None:
        self._issuer = issuer
        self._url = url
        # Never through a redirect: where the keys are is the operator's word.
        self._client = client or httpx.AsyncClient(timeout=_TIMEOUT_S, follow_redirects=False)
        self._fresh_s = fresh_s
        self._kept_s = kept_s
        self._retry_s = retry_s
        self._keys: dict[str, Jwk] = {}
        self._fetched_at = -float("inf")
        self._tried_at = -float("inf")
        self._fetching: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stop fetching."""
        if self._fetching is not None:
            self._fetching.cancel()
        await self._client.aclose()

    async def key(self, key_id: str) -> Jwk | None:
        """The key called `key_id`, None if the provider has none or none can be had."""
        age = time.monotonic() - self._fetched_at
        if age >= self._kept_s:
            self._keys = {}
        if key_id not in self._keys:
            # Once for a key that the provider may just have begun to use.
            if (fetching := self._fetch_if_due()) is not None:
                await asyncio.shield(fetching)
        elif age >= self._fresh_s:
            self._fetch_if_due()
        return self._keys.get(key_id)

    def _fetch_if_due(self) -> asyncio.Task[None] | None:
        if self._fetching is not None and not self._fetching.done():
            return self._fetching
        now = time.monotonic()
        if now - self._tried_at < self._retry_s:
            return None
        self._tried_at = now
        self._fetching = asyncio.create_task(self._fetch())
        return self._fetching

    async def _fetch(self) -> None:
        started = time.monotonic()
        try:
            async with asyncio.timeout(2 * _TIMEOUT_S):
                found = await self._get(self._url or await self._discover())
            keys = _signing_keys(found)
        except (ProviderError, httpx.HTTPError, TimeoutError, SettingsError) as error:
            logger.warning("No keys from the OIDC provider: %s", type(error).__name__)
            return
        self._keys, self._fetched_at = keys, started

    async def _discover(self) -> str:
        found = await self._get(self._issuer.rstrip("/") + _DISCOVERY)
        if found.get("issuer") != self._issuer or not isinstance(found.get("jwks_uri"), str):
            raise ProviderError
        return check_url(found["jwks_uri"])

    async def _get(self, url: str) -> dict[str, Any]:
        content = bytearray()
        async with self._client.stream("GET", url, headers={"Accept": "application/json"}) as got:
            if got.status_code != httpx.codes.OK:
                raise ProviderError
            async for part in got.aiter_bytes():
                content += part
                if len(content) > _LARGEST_BYTES:
                    raise ProviderError
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            raise ProviderError from None
        if not isinstance(found, dict):
            raise ProviderError
        return found


def _signing_keys(found: dict[str, Any]) -> dict[str, Jwk]:
    listed = found.get("keys")
    if not isinstance(listed, list) or len(listed) > _MOST_KEYS:
        raise ProviderError
    keys: dict[str, Jwk] = {}
    for key in listed:
        if not isinstance(key, dict) or key.get("use", "sig") != "sig":
            continue
        # A symmetric key in a public place signs nothing.
        if key.get("kty") not in ("RSA", "EC", "OKP"):
            continue
        key_id = key.get("kid")
        if isinstance(key_id, str) and key_id not in keys:
            keys[key_id] = key
    if not keys:
        raise ProviderError
    return keys
