"""The log: workspaces, actors, channels and messages; who may see what; what there is.

A message is never changed once logged. What an entry that is not the current one, or that no
person wrote, has in the graph: its properties, and IN, BY and SUPERSEDES. Everything that a
search or a traversal could meet it by belongs to live entries alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..text.cleaning import without_surrogates
from .errors import UnknownActorError, UnknownWorkspaceError
from .keys import check_workspace
from .log_append import append_messages
from .log_describe import upsert_actors, upsert_channels
from .log_rows import actor_record, as_utc, channel_record
from .people import choose_actor
from .records import (
    PUBLIC_AUDIENCE,
    ActorRecord,
    ChannelRecord,
    LogOutcome,
    MessageRecord,
    Scope,
)
from .store import ForestStore

BATCH_SIZE = 1000
WIPE_BATCH = 2000


@dataclass(frozen=True, slots=True)
class ChannelCoverage:
    """What the log holds of one channel. Times are UTC, None where it is empty.

    `entries` counts by kind: "message", "housekeeping", "tombstone", and "superseded" for
    entries that a newer one stands over.
    """

    channel: ChannelRecord
    first: datetime | None
    last: datetime | None
    entries: dict[str, int]

    @property
    def messages(self) -> int:
        """Live messages."""
        return self.entries.get("message", 0)


class LogStore:
    """Reads and writes the log through a `ForestStore`.

    Args:
        store: opened; stays the caller's.
        introducer: who writes, if that may bring new channels, but let nobody into one that
            another brought: such a private channel keeps its audience and its members, whatever
            is said of it. None: whoever writes may do so.
    """

    def __init__(self, store: ForestStore, *, introducer: str | None = None) -> None:
        self._store = store
        self._introducer = introducer

    async def upsert_workspace(self, workspace: str) -> None:
        """Make sure that the workspace exists.

        Raises:
            InvalidKeyError: the name is not usable.
        """
        await self._store.write("log/upsert_workspace", {"workspace": check_workspace(workspace)})

    async def upsert_actors(self, actors: Sequence[ActorRecord]) -> None:
        """Write who the actors are. A later description updates an earlier one: what it leaves
        empty stays, a former name becomes an alias, a placeholder overwrites nothing. Messages
        follow a new name, and what was built from it is marked for building."""
        await upsert_actors(self._store, actors)

    async def upsert_channels(self, channels: Sequence[ChannelRecord]) -> None:
        """Write what the channels are, and who is a member. Call it after `upsert_actors`.

        A list of members replaces the former one. An empty one does too; where there was none
        before it says nothing, and then whoever writes in a private channel is one of its
        members. Where a channel's audience has changed, its messages follow, and the trees that
        held them for the former audience are withdrawn until they are built anew.

        Raises:
            InvalidKeyError: an audience is neither `public` nor made by `keys.audience_of`.
        """
        await upsert_channels(self._store, channels, self._introducer)

    async def append_messages(
        self,
        records: Sequence[MessageRecord],
        terms: Sequence[str],
        *,
        batch_size: int = BATCH_SIZE,
    ) -> list[LogOutcome]:
        """Append entries; what is there already stays as it is. Safe beside other appends.

        All records are of one workspace; their channels must exist (`upsert_channels`). The
        audience stored is the channel's. Each batch is one transaction that also marks its
        channels for building; two batches are written at a time.

        Args:
            records: in any order, revisions and replies before what they belong to included.
            terms: the analysed terms of each record's text, separated by white space.
            batch_size: entries to a transaction.

        Returns:
            What became of each record: ADDED, the first entry of a message; SUPERSEDED, stored
            as a further entry of a message that is known (whichever has the greatest revision
            is the current one); UNCHANGED, its content was there.

        Raises:
            GraphError: a channel is missing.
        """
        return await append_messages(
            self._store, records, terms, batch_size=batch_size, introducer=self._introducer
        )

    async def scope(self, workspace: str, actor: str | None = None) -> Scope:
        """What the actor with the key `actor` may see; without one, what is public.

        Raises:
            UnknownWorkspaceError: there is no such workspace.
            UnknownActorError: there is no such actor in it.
        """
        rows = await self._store.read(
            "status/scope", {"workspace": workspace, "actor": actor or ""}
        )
        row = rows[0]
        if not row["workspace_exists"]:
            raise await self._unknown_workspace(workspace)
        if actor is not None and not (row["actor_exists"] and actor.startswith(f"{workspace}/a/")):
            raise UnknownActorError(
                f"The workspace {workspace!r} has no actor with the key {actor!r}.",
                "Look the actor up by id or name first.",
            )
        return Scope(workspace, (PUBLIC_AUDIENCE, *sorted(row["audiences"])), actor)

    async def find_actor(self, workspace: str, text: str) -> ActorRecord:
        """The one actor that goes by `text`: an id, else a name, else a real name or alias,
        else one word of a name. Case and a leading "@" do not matter.

        Raises:
            UnknownWorkspaceError: there is no such workspace.
            UnknownActorError: there is none, or more than one (listed with their titles).
        """
        text = without_surrogates(text)
        wanted = " ".join(text.strip().removeprefix("@").lower().split())
        if not wanted:
            # Many have no real name: an empty one would mean them.
            raise UnknownActorError("No name was given.", "Give an id, a name or a real name.")
        rows = await self._store.read(
            "status/find_actors", {"prefix": f"{workspace}/a/", "wanted": wanted}
        )
        found = [actor_record(node) for node in rows[0]["nodes"]]
        if not found and workspace not in await self.workspaces():
            raise await self._unknown_workspace(workspace)
        return choose_actor(text, wanted, found)

    async def coverage(self, workspace: str) -> list[ChannelCoverage]:
        """What the log holds, channel by channel in order of name: the operator's view, which
        names private channels too."""
        rows = await self._store.read("status/coverage", {"prefix": f"{workspace}/c/"})
        return [
            ChannelCoverage(
                channel_record(row["channel"]),
                row["first"] and as_utc(row["first"]),
                row["last"] and as_utc(row["last"]),
                dict(row["kinds"]),
            )
            for row in rows
        ]

    async def counts(self, workspace: str) -> dict[str, int]:
        """Numbers of channels, actors, artifacts, entries, live messages, trees and nodes, and
        of what is pending: the operator's view."""
        rows = await self._store.read(
            "status/counts", {"workspace": workspace, "prefix": f"{workspace}/"}
        )
        return dict(rows[0])

    async def workspaces(self) -> list[str]:
        """The names of all workspaces, sorted."""
        rows = await self._store.read("status/workspaces")
        return list(rows[0]["names"])

    async def wipe(self, workspace: str) -> int:
        """Delete everything of the workspace, in bounded transactions; nothing else is touched.
        Started again after an interruption, it goes on. Returns the number of nodes deleted."""
        params = {
            "workspace": check_workspace(workspace),
            "prefix": f"{workspace}/",
            "limit": WIPE_BATCH,
        }
        total = 0
        while deleted := (await self._store.write("status/wipe", params))[0]["deleted"]:
            total += deleted
        return total

    async def _unknown_workspace(self, workspace: str) -> UnknownWorkspaceError:
        names = await self.workspaces()
        known = f"There are: {', '.join(names)}." if names else "There is none yet."
        return UnknownWorkspaceError(f"There is no workspace {workspace!r}.", known)
