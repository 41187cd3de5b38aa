"""From what a request carries to who asks. The same for HTTP, WebSocket and events."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from neo4j.exceptions import DriverError, Neo4jError

from ...graph.directory import ActorDirectory
from ...graph.errors import GraphError
from ...graph.records import ActorRecord
from ...graph.store import ForestStore
from ...graph.token_store import StoredToken, TokenStore
from ..errors import ApiError
from .cache import ShortCache
from .credentials import ON_BEHALF_HEADER
from .oidc import LONGEST_JWT, OIDC_PREFIX, OidcConfig, OidcSignIn, nobody
from .principal import (
    ForbiddenError,
    Principal,
    TokenScope,
    TooManyFailuresError,
    UnauthenticatedError,
)
from .rate import FailureLimit
from .tokens import ApiKey, looks_like_api_key

logger = logging.getLogger("egcforest.access")

CACHE_S = 1.0
"""Seconds after which a revoked token, or an actor who left, is refused at the latest. It spares a
busy client's reads still: one look-up by key each second, where each operation makes several."""

_BEARER = re.compile(rf"bearer ([A-Za-z0-9._-]{{1,{LONGEST_JWT}}})", re.IGNORECASE)
_TOUCH_EVERY = timedelta(minutes=5)
_REMEMBERED = 10_000
# Compared with where there is no token of that id, so that this takes as long.
_NO_DIGEST = "0" * 64
_JWT_DOTS = 2


class Authenticator:
    """Tells who asks. One for the life of an app, on its event loop.

    Args:
        store: the graph.
        oidc: which JWTs are taken; None for API keys alone.
        sign_in: takes JWTs instead of what `oidc` would make.
        cache_s: seconds that an answer of the database is believed.
        failures: limit on bad tokens for each address.
    """

    def __init__(
        self,
        store: ForestStore,
        oidc: OidcConfig | None = None,
        *,
        sign_in: OidcSignIn | None = None,
        cache_s: float = CACHE_S,
        failures: FailureLimit | None = None,
    ) -> None:
        self._tokens = TokenStore(store)
        self._directory = ActorDirectory(store)
        self._oidc = sign_in or (OidcSignIn(oidc, self._directory) if oidc else None)
        self._stored: ShortCache[StoredToken | None] = ShortCache(cache_s)
        self._signed_in: ShortCache[Principal | Callable[[], ApiError]] = ShortCache(cache_s)
        self._actors: ShortCache[ActorRecord | None] = ShortCache(cache_s)
        self._failures = failures or FailureLimit()
        # Ids of tokens that were good a while ago: they pass where their address has to wait.
        self._seen: OrderedDict[str, datetime] = OrderedDict()
        self._notes: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop what goes on in the background."""
        for note in tuple(self._notes):
            note.cancel()
        if self._oidc is not None:
            await self._oidc.close()

    async def authenticate(
        self,
        authorization: str | None,
        *,
        on_behalf_of: str | None = None,
        client: str = "",
        request_id: str = "",
    ) -> Principal:
        """Who asks.

        Args:
            authorization: the header `Authorization`, None if there is none.
            on_behalf_of: the header X-EGCForest-On-Behalf-Of, None if there is none.
            client: address of the other side, for the limit on bad tokens.
            request_id: for the log of who asks on behalf of whom.

        Raises:
            UnauthenticatedError: no token, or none that is good; the error is the same for all.
            TooManyFailuresError: none that is good, again and again.
            ForbiddenError: it is good, but may not ask on behalf of that actor.
            GraphError: the database cannot be asked.
        """
        if authorization is None:
            raise UnauthenticatedError
        try:
            principal = await self._principal(authorization, client)
        except UnauthenticatedError:
            self._failures.count(client)
            if (wait_s := self._failures.retry_after_s(client)) is not None:
                raise TooManyFailuresError(wait_s) from None
            raise
        if on_behalf_of is None:
            return principal
        return await self._on_behalf(principal, on_behalf_of, request_id)

    async def renew(self, principal: Principal) -> Principal:
        """`principal` as it is now: for each operation of a connection that stays open, and
        for each event of a stream.

        Raises:
            UnauthenticatedError: the token was revoked, has expired, or its actor has left.
            ForbiddenError: it may not ask on behalf of that actor any more.
            GraphError: the database cannot be asked.
        """
        if principal.token_id.startswith(OIDC_PREFIX):
            await self._check_signed_in(principal)
            return principal
        stored = await self._stored_token(principal.token_id)
        if stored is None or stored.workspace != principal.workspace:
            raise UnauthenticatedError
        now = _of_token(stored)
        if principal.behind is None:
            return now
        return _behind(now, await self._actor(now.workspace, principal.actor))

    async def _principal(self, authorization: str, client: str) -> Principal:
        found = _BEARER.fullmatch(authorization)
        if found is None:
            raise UnauthenticatedError
        token = found[1]
        if looks_like_api_key(token):
            return await self._of_api_key(token, client)
        if self._oidc is None or token.count(".") != _JWT_DOTS:
            raise UnauthenticatedError
        return await self._of_jwt(token, self._oidc)

    async def _of_api_key(self, text: str, client: str) -> Principal:
        key = ApiKey.parse(text)
        if key is None:
            raise UnauthenticatedError
        if key.token_id not in self._seen and self._failures.retry_after_s(client) is not None:
            raise UnauthenticatedError  # without asking the database
        stored = await self._stored_token(key.token_id)
        if not key.fits(stored.secret_sha256 if stored else _NO_DIGEST) or stored is None:
            raise UnauthenticatedError
        principal = _of_token(stored)
        self._note_use(stored)
        return principal

    async def _of_jwt(self, token: str, sign_in: OidcSignIn) -> Principal:
        async def load() -> Principal | Callable[[], ApiError]:
            try:
                return await sign_in.principal(token)
            except UnauthenticatedError:
                return UnauthenticatedError
            except ForbiddenError:
                return nobody

        found = await self._signed_in.get(hashlib.sha256(token.encode()).digest(), load)
        if not isinstance(found, Principal):
            raise found()
        self._check_not_expired(found)
        return found

    async def _check_signed_in(self, principal: Principal) -> None:
        """What a JWT is good for does not change until it ends; who is here does."""
        self._check_not_expired(principal)
        for key in {principal.actor, principal.behind or principal.actor}:
            if await self._actor(principal.workspace, key) is None:
                raise UnauthenticatedError

    def _check_not_expired(self, principal: Principal) -> None:
        leeway = timedelta(seconds=self._oidc.leeway_s if self._oidc else 0)
        if principal.expires is None or datetime.now(UTC) >= principal.expires + leeway:
            raise UnauthenticatedError

    async def _on_behalf(self, principal: Principal, text: str, request_id: str) -> Principal:
        principal.require(TokenScope.ON_BEHALF)
        workspace = principal.workspace
        target = await self._actors.get(
            (workspace, "named", text), lambda: self._directory.named(workspace, text)
        )
        asking = _behind(principal, target)
        # Keys and ids only. What is asked is nobody's business here.
        logger.info(
            "on behalf of another actor",
            extra={
                "token_id": principal.token_id,
                "agent": asking.behind,
                "actor": asking.actor,
                "request_id": request_id,
            },
        )
        return asking

    async def _actor(self, workspace: str, key: str | None) -> ActorRecord | None:
        return await self._actors.get(
            (workspace, "key", key), lambda: self._directory.by_key(workspace, key or "")
        )

    async def _stored_token(self, token_id: str) -> StoredToken | None:
        return await self._stored.get(token_id, lambda: self._tokens.find(token_id))

    def _note_use(self, stored: StoredToken) -> None:
        """Remember that the token is in use; the graph hears of it every few minutes."""
        now = datetime.now(UTC)
        noted = self._seen.get(stored.token_id) or stored.last_used_at
        due = noted is None or now - noted >= _TOUCH_EVERY
        self._seen[stored.token_id] = now if due or noted is None else noted
        self._seen.move_to_end(stored.token_id)
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        if due:
            note = asyncio.create_task(self._touch(stored.token_id, now))
            self._notes.add(note)
            note.add_done_callback(self._notes.discard)

    async def _touch(self, token_id: str, now: datetime) -> None:
        # Nobody waits for it, and a database that cannot write can still be read.
        with contextlib.suppress(GraphError, Neo4jError, DriverError, OSError):
            await self._tokens.touch(token_id, now.replace(second=0, microsecond=0))


class InsecureAuthenticator:
    """Takes everybody for the same: `--insecure`. They read what is public, and write as an
    administrator, who also says what is public.

    Args:
        workspace: the one that is open.
    """

    def __init__(self, workspace: str) -> None:
        self._principal = Principal(
            workspace=workspace,
            actor=None,
            scopes=frozenset({TokenScope.READ, TokenScope.INGEST, TokenScope.ADMIN}),
            token_id="insecure",  # noqa: S106
            name="insecure",
        )

    async def close(self) -> None:
        """Nothing goes on in the background."""

    async def authenticate(
        self,
        authorization: str | None,
        *,
        on_behalf_of: str | None = None,
        client: str = "",
        request_id: str = "",
    ) -> Principal:
        """Anybody, whatever they show.

        Raises:
            ForbiddenError: somebody else's eyes are asked for; that takes a token.
        """
        if on_behalf_of is not None:
            self._principal.require(TokenScope.ON_BEHALF)
        return self._principal

    async def renew(self, principal: Principal) -> Principal:
        """The same."""
        return principal


def _of_token(stored: StoredToken) -> Principal:
    if not stored.good_at(datetime.now(UTC)):
        raise UnauthenticatedError
    known = {scope.value: scope for scope in TokenScope}
    return Principal(
        workspace=stored.workspace,
        actor=stored.actor,
        # A scope of a later release opens nothing here.
        scopes=frozenset(known[name] for name in stored.scopes if name in known),
        token_id=stored.token_id,
        name=stored.name,
        expires=stored.expires_at,
    )


def _behind(principal: Principal, target: ActorRecord | None) -> Principal:
    """`principal` with the eyes of `target`: theirs alone, and only to read."""
    principal.require(TokenScope.ON_BEHALF)
    if target is None:
        # The same for who is not there, who has left, who is one of several, and who
        # belongs to another workspace.
        raise ForbiddenError(
            "Nobody can be asked for by that name.",
            f"Give the id or the key of one actor of this workspace in {ON_BEHALF_HEADER}.",
        )
    return replace(
        principal,
        actor=target.key,
        # Writing and running the place is done in one's own name.
        scopes=frozenset({TokenScope.READ}) if principal.may(TokenScope.READ) else frozenset(),
        behind=principal.actor or f"token:{principal.token_id}",
    )
