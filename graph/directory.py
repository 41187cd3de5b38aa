"""Who somebody is, for sign-in: exact, or nobody.

`LogStore.find_actor` helps a person who types a name: case does not matter, one word of a name
will do, somebody who left gives way. Here a wrong guess would open another person's private
conversations, so nothing is guessed and two who fit are as good as none.
"""

from __future__ import annotations

from enum import StrEnum

from .keys import actor_key
from .log_rows import actor_record
from .records import ActorRecord
from .store import ForestStore

_LONGEST = 1000  # of a key or a name, in characters


class ActorMatch(StrEnum):
    """What of an actor a text must equal."""

    ID = "id"
    ALIAS = "alias"
    NAME = "name"


class ActorDirectory:
    """Looks actors up. Those who left are never found."""

    def __init__(self, store: ForestStore) -> None:
        self._store = store

    async def by_key(self, workspace: str, key: str) -> ActorRecord | None:
        """The actor with that key, if it belongs to `workspace` and has not left."""
        return _present(await self._read(workspace, key))

    async def matching(self, workspace: str, text: str, rule: ActorMatch) -> ActorRecord | None:
        """The one actor of `workspace` that `text` means under `rule`, None if not exactly one.

        An id is compared to the letter. Aliases and names are, too, save that the case of ASCII
        letters does not matter if both sides are ASCII alone: lower case of all scripts would
        make `K` (Kelvin) a `k`.

        Args:
            workspace: where to look.
            text: what somebody is called.
            rule: `ID` for the id of the source; `NAME` for name or real name; `ALIAS` for
                one of the aliases, where exports put addresses of email, or either name.
        """
        if not text.strip() or len(text) > _LONGEST or not _encodable(text):
            return None
        if rule is ActorMatch.ID:
            return await self.by_key(workspace, actor_key(workspace, text))
        rows = await self._store.read(
            "access/actors_called",
            {"prefix": f"{workspace}/a/", "text": text, "lower": text.lower()},
        )
        found = [actor_record(node) for node in rows[0]["nodes"]]
        fitting = [
            actor for actor in found if any(_same(name, text) for name in _names(actor, rule))
        ]
        # One who left still counts: a name that was theirs must not open another's eyes.
        return _present(fitting[0]) if len(fitting) == 1 else None

    async def named(self, workspace: str, text: str) -> ActorRecord | None:
        """The actor that a service names by key, by id, or by a name or alias in full."""
        if not text.strip():
            return None
        prefix = f"{workspace}/a/"
        key = text if text.startswith(prefix) else actor_key(workspace, text)
        # An id means its owner even after they left, never somebody who took it for a name.
        if (actor := await self._read(workspace, key)) is not None:
            return _present(actor)
        return await self.matching(workspace, text, ActorMatch.ALIAS)

    async def _read(self, workspace: str, key: str) -> ActorRecord | None:
        if len(key) > _LONGEST or not key.startswith(f"{workspace}/a/") or not _encodable(key):
            return None
        rows = await self._store.read("access/actor", {"key": key})
        return next((actor_record(node) for node in rows[0]["nodes"]), None)


def _present(actor: ActorRecord | None) -> ActorRecord | None:
    return actor if actor is not None and not actor.deleted else None


def _names(actor: ActorRecord, rule: ActorMatch) -> tuple[str, ...]:
    names = (actor.name, actor.real_name)
    return (*names, *actor.aliases) if rule is ActorMatch.ALIAS else names


def _same(name: str, text: str) -> bool:
    if name == text:
        return True
    return name.isascii() and text.isascii() and name.lower() == text.lower()


def _encodable(text: str) -> bool:
    """Whether it can go over Bolt: half a surrogate pair cannot, and is in nobody's name."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
