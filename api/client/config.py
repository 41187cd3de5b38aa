"""Where the service is, and how to call it."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from ... import __version__
from .errors import ConfigurationError
from .retries import RetryPolicy

URL_VARIABLE = "EGCFOREST_URL"
TOKEN_VARIABLE = "EGCFOREST_TOKEN"  # noqa: S105
DEFAULT_URL = "http://127.0.0.1:8080"
ON_BEHALF_HEADER = "X-EGCForest-On-Behalf-Of"

TokenSource = str | Callable[[], str]
"""A token, or what hands one out before each request, such as one that renews a JWT."""

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,8192}")
_MOST_CONNECT_S = 10.0


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """How the service is called.

    Attributes:
        url: its address, without a slash at the end.
        token: what signs the requests; None for none.
        actor: on whose behalf is asked; None for one's own.
        timeout_s: seconds that one call may take, its repetitions included.
        retry: when it is repeated.
        max_connections: how many are open at a time; further calls wait for one.
        verify: how certificates are checked; False does not.
    """

    url: str
    token: TokenSource | None = field(default=None, repr=False)
    actor: str | None = None
    timeout_s: float = 60.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    max_connections: int = 20
    verify: bool | ssl.SSLContext = True

    @classmethod
    def of(cls, url: str | None, token: TokenSource | None, **options: Any) -> ClientConfig:
        """The arguments, with the environment behind them.

        Raises:
            ConfigurationError: one of them is not usable.
        """
        if url is None:
            url = os.environ.get(URL_VARIABLE) or DEFAULT_URL
        if token is None:
            token = os.environ.get(TOKEN_VARIABLE) or None
        config = cls(_checked_url(url), token, **options)
        if isinstance(token, str):
            checked_token(token)
        if config.timeout_s <= 0:
            raise ConfigurationError("timeout_s is not above 0.", "Give a number of seconds.")
        if config.max_connections < 1:
            raise ConfigurationError("max_connections is not above 0.", "Give a whole number.")
        return config.asking_for(config.actor)

    def asking_for(self, actor: str | None) -> ClientConfig:
        """The same, on behalf of `actor`.

        Raises:
            ConfigurationError: it cannot stand in a header.
        """
        if actor is not None and (not actor.strip() or not actor.isprintable()):
            raise ConfigurationError(
                "on_behalf_of is empty, or has characters that no name has.",
                "Give the id, the name or the key of an actor.",
            )
        return replace(self, actor=actor)

    def headers(self) -> dict[str, str | bytes]:
        """What every request says of who sends it.

        Raises:
            ConfigurationError: the token that was handed out is none.
        """
        headers: dict[str, str | bytes] = {"User-Agent": f"egcforest-python/{__version__}"}
        if self.token is not None:
            token = self.token if isinstance(self.token, str) else self.token()
            headers["Authorization"] = f"Bearer {checked_token(token)}"
        if self.actor is not None:
            headers[ON_BEHALF_HEADER] = self.actor.encode()
        return headers

    def http_options(self) -> dict[str, Any]:
        """What both clients of httpx are made with."""
        return {
            "base_url": self.url,
            "verify": self.verify,
            "follow_redirects": False,
            "limits": httpx.Limits(
                max_connections=self.max_connections,
                max_keepalive_connections=self.max_connections,
            ),
        }


def timeouts(left_s: float, patience_s: float | None = None) -> httpx.Timeout:
    """The time that each step of an attempt may take.

    Args:
        left_s: seconds that are left of the call.
        patience_s: how long nothing may come; as much as is left by default.
    """
    left_s = max(0.001, left_s)
    return httpx.Timeout(
        left_s if patience_s is None else min(left_s, patience_s),
        connect=min(left_s, _MOST_CONNECT_S),
        pool=left_s,
    )


def checked_token(token: object) -> str:
    """`token` without white space around it.

    Raises:
        ConfigurationError: it cannot be one. The error does not quote it.
    """
    text = token.strip() if isinstance(token, str) else ""
    if not _TOKEN.fullmatch(text):
        raise ConfigurationError(
            "The token has characters that no token has, or none at all.",
            f"Give it whole and by itself, as argument or in {TOKEN_VARIABLE}.",
        )
    return text


def _checked_url(text: str) -> str:
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigurationError(
            "The address of the service is none.",
            f"Give one such as {DEFAULT_URL}, as argument or in {URL_VARIABLE}.",
        )
    if url.userinfo:
        raise ConfigurationError(
            "The address of the service has a user in it.", "Give the token as `token`."
        )
    if url.query or url.fragment:
        raise ConfigurationError(
            "The address of the service has more than a path.", "Leave out what is behind it."
        )
    return str(url).rstrip("/").removesuffix("/graphql")
