"""API keys in the graph. The secret of a key never comes here, only its digest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .errors import UnknownActorError, UnknownWorkspaceError
from .keys import check_workspace, token_key
from .log_rows import as_utc
from .store import ForestStore, Row


@dataclass(frozen=True, slots=True)
class StoredToken:
    """One API key. Times are aware, UTC.

    Attributes:
        token_id: public id; names the token in logs.
        workspace: the one that it opens.
        name: what it is for, in its maker's words.
        actor: key of the actor through whose eyes it reads; None sees what is public.
        scopes: what it is good for, as `api.access.principal.TokenScope` writes them.
        secret_sha256: SHA-256 of the secret, in hexadecimal.
        created_at: when it was made.
        expires_at: from then on it is no good; None if never.
        revoked_at: since then it is no good; None if it was not revoked.
        last_used_at: within the last minutes before or at its last use; None if never used.
        owner_there: its workspace exists, and its actor does and has not left.
    """

    token_id: str
    workspace: str
    name: str
    actor: str | None
    scopes: tuple[str, ...]
    secret_sha256: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    owner_there: bool = True

    def good_at(self, moment: datetime) -> bool:
        """Whether it opens anything at `moment`."""
        return (
            self.owner_there
            and self.revoked_at is None
            and (self.expires_at is None or moment < self.expires_at)
        )


class TokenStore:
    """Reads and writes API keys through a `ForestStore`."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def create(self, token: StoredToken) -> None:
        """Keep a new token.

        Raises:
            UnknownWorkspaceError: its workspace does not exist.
            UnknownActorError: its actor does not exist in that workspace, or has left.
        """
        workspace = check_workspace(token.workspace)
        properties = {
            "key": token_key(workspace, token.token_id),
            "workspace": workspace,
            "token_id": token.token_id,
            "name": token.name,
            "actor": token.actor,
            "scopes": list(token.scopes),
            "secret_sha256": token.secret_sha256,
            "created_at": token.created_at,
            "expires_at": token.expires_at,
        }
        rows = await self._store.write(
            "access/create_token", {"workspace": workspace, "token": properties}
        )
        if not rows[0]["workspace_exists"]:
            raise UnknownWorkspaceError(
                f"There is no workspace {workspace!r}.", "Ingest something into it first."
            )
        if not rows[0]["actor_there"]:
            raise UnknownActorError(
                f"The workspace {workspace!r} has no actor with the key {token.actor!r} who has "
                "not left.",
                "Name somebody who is there.",
            )

    async def find(self, token_id: str) -> StoredToken | None:
        """The token with that public id, good or not; None if there is none."""
        rows = await self._store.read("access/find_token", {"token_id": token_id})
        return _token(rows[0]) if rows else None

    async def list(self, workspace: str | None = None) -> list[StoredToken]:
        """The tokens of a workspace, or of all, newest first: the operator's view."""
        prefix = f"{workspace}/k/" if workspace else ""
        return [
            _token(row) for row in await self._store.read("access/list_tokens", {"prefix": prefix})
        ]

    async def revoke(self, token_id: str, at: datetime) -> bool:
        """Make the token no good, for good; again is harmless. False if there is none."""
        return bool(
            await self._store.write("access/revoke_token", {"token_id": token_id, "at": at})
        )

    async def touch(self, token_id: str, at: datetime) -> None:
        """Note that the token was in use at `at`."""
        await self._store.write("access/touch_token", {"token_id": token_id, "at": at})

    async def has_workspace(self, workspace: str) -> bool:
        """Whether there is a workspace of that name."""
        rows = await self._store.read("access/has_workspace", {"workspace": workspace})
        return bool(rows[0]["there"])


def _token(row: Row) -> StoredToken:
    node: dict[str, Any] = row["token"]

    def moment(name: str) -> datetime | None:
        return as_utc(node[name]) if node.get(name) is not None else None

    return StoredToken(
        token_id=node["token_id"],
        workspace=node["workspace"],
        name=node["name"],
        actor=node.get("actor"),
        scopes=tuple(node["scopes"]),
        secret_sha256=node["secret_sha256"],
        created_at=as_utc(node["created_at"]),
        expires_at=moment("expires_at"),
        revoked_at=moment("revoked_at"),
        last_used_at=moment("last_used_at"),
        owner_there=row["workspace_exists"] and row["actor_there"],
    )
