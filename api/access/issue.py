"""Making API keys: by the operator, who has the database."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from ...graph.directory import ActorDirectory
from ...graph.errors import UnknownActorError
from ...graph.log_store import LogStore
from ...graph.store import ForestStore
from ...graph.token_store import StoredToken, TokenStore
from ..errors import ApiError
from .principal import TokenScope
from .tokens import ApiKey

DEFAULT_LIFETIME = "90d"

_LIFETIME = re.compile(r"([1-9][0-9]{0,6})([mhdw])")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_LONGEST_LIFETIME = timedelta(days=3650)
_LONGEST_NAME = 100


def parse_lifetime(text: str) -> timedelta | None:
    """The span that `text` writes, such as `90d`, `12h` or `30m`; None for `never`.

    Raises:
        ApiError: it writes none, or one longer than ten years.
    """
    if text == "never":
        return None
    found = _LIFETIME.fullmatch(text)
    span = int(found[1]) * _UNITS[found[2]] if found else None
    if span is None or span > _LONGEST_LIFETIME:
        raise ApiError(
            f"{text!r} is not how long a token can last.",
            "Write 30m, 12h, 90d or 8w, ten years at most; or never.",
        )
    return span


async def issue_token(
    store: ForestStore,
    workspace: str,
    *,
    scopes: Iterable[TokenScope],
    actor: str | None = None,
    name: str = "",
    lifetime: timedelta | None,
) -> tuple[ApiKey, StoredToken]:
    """Make a token and keep its digest. The key that comes back is in no other place.

    Args:
        store: the graph.
        workspace: the one that it opens; it must exist.
        scopes: what it is good for, at least one.
        actor: id, name or key of the actor through whose eyes it reads; None for the public's.
        name: what it is for; who and what, if empty.
        lifetime: how long it is good; None for ever.

    Raises:
        ApiError: there is no scope, or the name is too long.
        UnknownWorkspaceError: the workspace is not there.
        UnknownActorError: nobody goes by `actor`, several do, or who does has left.
    """
    held = tuple(sorted(set(scopes)))
    if not held:
        raise ApiError("A token without a scope opens nothing.", "Add --scope read.")
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise ApiError(
            "That is no name for a token.",
            f"Use at most {_LONGEST_NAME} characters, all of them printable.",
        )
    known = None
    if actor is not None:
        known = await ActorDirectory(store).by_key(workspace, actor)
        known = known or await LogStore(store).find_actor(workspace, actor)
        if known.deleted:
            raise UnknownActorError(
                f"{known.real_name or known.name} ({known.source_id}) has left the workspace.",
                "Name somebody who is there.",
            )
    key = ApiKey.new()
    now = datetime.now(UTC).replace(microsecond=0)
    token = StoredToken(
        token_id=key.token_id,
        workspace=workspace,
        name=name or f"{known.name if known else 'public'}: {', '.join(held)}"[:_LONGEST_NAME],
        actor=known.key if known else None,
        scopes=held,
        secret_sha256=key.digest,
        created_at=now,
        expires_at=now + lifetime if lifetime else None,
    )
    await TokenStore(store).create(token)
    return key, token
