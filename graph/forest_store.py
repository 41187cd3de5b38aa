"""What the forest builder reads from the graph, and its marks and leases in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from .errors import AudienceChangedError, LeaseLostError
from .forest_records import (
    ArtifactMentions,
    ChannelMaterial,
    ChannelScan,
    ChannelState,
    PendingMessage,
    PendingNode,
    Sized,
    StoredTree,
    Survey,
    TreeBatch,
)
from .forest_writes import Query, write_steps
from .heads import ActorName, ChannelName, MessageHead, MessageText
from .keys import sibling_key
from .store import ForestStore, Params, Row, Transaction

ACTORS_HELD = 2000
"""Up to so many actors are read at once at the start of a round."""

_AT_ONCE = 5000

_TIMEOUT_S = 300.0
"""A batch is large on purpose; the store's own limit is for questions."""

T = TypeVar("T")


class TreeStore:
    """The builder's side of the graph. All methods may be repeated after an interruption.

    Queries that belong together run in one transaction: what a build of one message costs is
    round trips.

    Args:
        store: the graph, opened.
        workspace: the tenant; no method touches another.
    """

    def __init__(self, store: ForestStore, workspace: str) -> None:
        self._store = store
        self.workspace = workspace
        self.owner: str | None = None
        """Who writes, while they hold the lease: all writes but the lease's need one."""
        self._audience_changes = 0

    # Leases and marks

    async def take_lease(self, owner: str, gone: Sequence[str], seconds: int) -> str:
        """Try to become the one who builds. Returns who is: `owner` if it worked.

        Args:
            gone: owners that are known to have died.
            seconds: how long the lease lasts unless it is taken again.
        """
        rows = await self._store.write(
            "forest/take_lease",
            {"workspace": self.workspace, "owner": owner, "gone": list(gone), "seconds": seconds},
        )
        if self.owner is None:
            # Not when the lease is renewed: what counts is when the reading began.
            self._audience_changes = rows[0]["audience_changes"]
        return str(rows[0]["owner"])

    async def release_lease(self, owner: str) -> None:
        """Give the lease back."""
        await self._store.write(
            "forest/release_lease", {"workspace": self.workspace, "owner": owner}
        )

    def lease_lost(self) -> LeaseLostError:
        """The error that says so."""
        return LeaseLostError(
            f"Another builder took over the workspace {self.workspace!r}.",
            "Build again; nothing is lost.",
        )

    async def begin(self, identity: str) -> list[Sized]:
        """Claim the stale channels, by key.

        Everything is stale if the trees were built otherwise than `identity` says, and channels
        in which an actor appears who is called otherwise by now.
        """
        rows = await self._write(
            "forest/begin",
            {
                "workspace": self.workspace,
                "prefix": f"{self.workspace}/",
                "identity": identity,
            },
        )
        return _sized(rows[0]["items"])

    async def claim(self) -> tuple[list[Sized], list[Sized]]:
        """Claim the stale actors and artifacts, each by key."""
        rows = await self._write("forest/claim", {"workspace": self.workspace})
        return _sized(rows[0]["actors"]), _sized(rows[0]["artifacts"])

    async def is_pending(self) -> bool:
        """Whether anything is stale by now."""
        rows = await self._store.read("forest/is_pending", {"workspace": self.workspace})
        return bool(rows[0]["pending"])

    # Reading

    async def survey(self, scanned: Sequence[str], cues: Sequence[str]) -> Survey:
        """All channels and actors, and what is said in the channels `scanned`.

        Args:
            cues: words one of which a message's text must hold to be among `said`.
        """

        async def work(tx: Transaction) -> Survey:
            rows = await tx.run(
                "forest/survey",
                {
                    "channel_prefix": f"{self.workspace}/c/",
                    "actor_prefix": f"{self.workspace}/a/",
                    "limit": ACTORS_HELD + 1,
                },
            )
            scans: list[Row] = []
            if scanned:
                scans = await tx.run("forest/scan_channels", _scan_params(scanned, cues))
            actors = _actors(rows[0]["actors"])
            return Survey(
                _channels(rows[0]["channels"]),
                actors if len(actors) <= ACTORS_HELD else {},
                [_scan(row) for row in scans],
            )

        return await self._read(work)

    async def scan_channels(
        self, channels: Sequence[str], cues: Sequence[str]
    ) -> list[ChannelScan]:
        """What is said in further channels; see `survey`."""
        rows = await self._store.read("forest/scan_channels", _scan_params(channels, cues))
        return [_scan(row) for row in rows]

    async def actors(self, keys: Iterable[str]) -> dict[str, ActorName]:
        """Names of actors by key."""
        rows = await self._store.read("forest/actor_names", {"keys": sorted(keys)})
        return _actors(rows[0]["items"])

    async def save_names(self, states: Iterable[ChannelState], stale: Iterable[str]) -> None:
        """Keep what channels name, and mark those that are read anew by it."""
        rows = [
            {
                "key": state.name.key,
                "identifiers": list(state.counts),
                "counts": list(state.counts.values()),
                "renames": list(state.renames),
            }
            for state in states
        ]
        await self._write("forest/save_names", {"rows": rows, "stale": sorted(stale)})

    async def channel_material(self, keys: Sequence[str]) -> ChannelMaterial:
        """What the trees of channels are made from."""
        rows = await self._rows("forest/channel_heads", keys)
        texts = {
            item[0]: MessageText(item[0], item[-2], item[-1] or "")
            for row in rows
            for item in row["heads"]
            if item[-2] is not None
        }
        heads = {row["key"]: [_head(item[:-2]) for item in row["heads"]] for row in rows}
        return ChannelMaterial(heads, texts, _stored(rows))

    async def actor_messages(
        self, keys: Sequence[str]
    ) -> tuple[dict[str, list[str]], list[StoredTree]]:
        """Keys of the live messages that an actor wrote, is addressed in, or was replied to
        with, by actor; and the stored trees."""
        rows = await self._rows("forest/actor_messages", keys)
        return {row["key"]: row["messages"] for row in rows}, _stored(rows)

    async def artifact_messages(
        self, keys: Sequence[str]
    ) -> tuple[list[ArtifactMentions], list[StoredTree]]:
        """What names artifacts, with the bridges between; and the stored trees."""
        rows = await self._rows("forest/artifact_messages", keys)
        mentions = [
            ArtifactMentions(
                row["key"],
                tuple(row["messages"]),
                frozenset((later, earlier) for later, earlier in row["bridges"]),
            )
            for row in rows
        ]
        return mentions, _stored(rows)

    async def heads(self, keys: Iterable[str]) -> dict[str, MessageHead]:
        """Live messages by key. Their `reply_author` is left out."""
        wanted = sorted(keys)
        found: dict[str, MessageHead] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            rows = await self._store.read(
                "forest/heads", {"keys": wanted[start : start + _AT_ONCE]}, timeout_s=_TIMEOUT_S
            )
            found |= {item[0]: _head(item) for item in rows[0]["heads"]}
        return found

    async def surroundings(
        self, episodes: Iterable[str], threads: Mapping[tuple[str, str], str]
    ) -> tuple[dict[str, list[str]], dict[tuple[str, str], list[str]]]:
        """Keys of the live messages of channel episodes and of threads, each in order.

        Args:
            threads: for each (channel, thread), the key of any message of it.
        """

        asked = [
            {"channel": thread[0], "thread": thread[1], "root": sibling_key(key, thread[1])}
            for thread, key in sorted(threads.items())
        ]
        rows = await self._store.read(
            "forest/surroundings",
            {"episodes": sorted(episodes), "threads": asked},
            timeout_s=_TIMEOUT_S,
        )
        in_threads = {(c, thread): keys for c, thread, keys in rows[0]["threads"]}
        return dict(rows[0]["episodes"]), in_threads

    async def words(
        self, messages: Sequence[str], nodes: Iterable[str]
    ) -> tuple[dict[str, MessageText], dict[str, str]]:
        """Texts of messages and stored summaries of nodes, by key."""

        texts: dict[str, MessageText] = {}
        summaries: dict[str, str] = {}
        wanted = sorted(nodes)
        # In slices, so that no answer is huge.
        for start in range(0, max(len(messages), len(wanted)), _AT_ONCE):
            rows = await self._store.read(
                "forest/words",
                {
                    "messages": list(messages[start : start + _AT_ONCE]),
                    "nodes": wanted[start : start + _AT_ONCE],
                },
                timeout_s=_TIMEOUT_S,
            )
            for key, text, terms in rows[0]["texts"]:
                texts[key] = MessageText(key, text, terms or "")
            for key, summary in rows[0]["summaries"]:
                summaries[key] = summary or ""
        return texts, summaries

    async def _rows(self, query: str, keys: Sequence[str]) -> list[Row]:
        return await self._store.read(query, {"keys": sorted(keys)}, timeout_s=_TIMEOUT_S)

    async def _read(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._store.read_transaction(work, timeout_s=_TIMEOUT_S)

    # Writing

    async def write(self, batch: TreeBatch) -> None:
        """Make what is stored what was planned; see `forest_writes`."""
        for step in write_steps(batch):
            await self._write_all(step)

    async def _write(self, name: str, params: Params) -> list[Row]:
        return (await self._write_all([(name, params)]))[0]

    async def _write_all(self, queries: Sequence[Query]) -> list[list[Row]]:
        """Run queries in one transaction, if the lease is still held."""

        async def work(tx: Transaction) -> list[list[Row]]:
            fence = {"workspace": self.workspace, "owner": self.owner}
            rows = await tx.run("forest/fence", fence)
            if not rows or not rows[0]["held"]:
                raise self.lease_lost()
            if rows[0]["audience_changes"] != self._audience_changes:
                raise AudienceChangedError(
                    f"The audience of a channel of {self.workspace!r} changed during the build.",
                    "Build again; nothing is lost.",
                )
            return [
                await tx.run(name, {**params, "workspace": self.workspace})
                for name, params in queries
            ]

        return await self._store.write_transaction(work, timeout_s=_TIMEOUT_S)

    # Vectors

    async def count_pending(self) -> tuple[int, int]:
        """How many messages and nodes are to be encoded."""
        rows = await self._store.read("forest/count_pending", {"workspace": self.workspace})
        return rows[0]["messages"], rows[0]["nodes"]

    async def pending_messages(self, limit: int) -> list[list[PendingMessage]]:
        """At most `limit` episodes with messages to encode, whole and in order."""
        rows = await self._store.read(
            "forest/pending_messages", {"workspace": self.workspace, "limit": limit}
        )
        return [
            [
                PendingMessage(
                    key, author or "", "\n".join((text, *(files or ()))), source_id, thread, pending
                )
                for key, author, text, files, source_id, thread, pending in episode
            ]
            for episode in rows[0]["items"]
        ]

    async def pending_nodes(self, limit: int) -> list[PendingNode]:
        """At most `limit` nodes to encode."""
        rows = await self._store.read(
            "forest/pending_nodes", {"workspace": self.workspace, "limit": limit}
        )
        return [
            PendingNode(key, digest or "", caption or "", summary or "")
            for key, digest, caption, summary in rows[0]["items"]
        ]

    async def set_message_vectors(self, rows: Sequence[tuple[str, list[float]]]) -> None:
        """Store vectors by message key."""
        await self._write("forest/set_message_vectors", {"rows": [list(r) for r in rows]})

    async def set_node_vectors(self, rows: Sequence[tuple[str, list[float], str]]) -> None:
        """Store vectors by node key, unless the node's digest is another by now."""
        await self._write("forest/set_node_vectors", {"rows": [list(r) for r in rows]})


def _stored(rows: Iterable[Row]) -> list[StoredTree]:
    return [
        StoredTree(key, row["key"], digest, root, dict(nodes))
        for row in rows
        for key, digest, root, nodes in row["stored"]
    ]


def _sized(items: Iterable[Sequence[Any]]) -> list[Sized]:
    return sorted((key, size) for key, size in items)


def _channels(items: Iterable[Sequence[Any]]) -> dict[str, ChannelState]:
    return {
        key: ChannelState(
            ChannelName(key, source_id, name, audience, purpose or "", topic or ""),
            reading,
            built_name,
            dict(zip(identifiers or (), counts or (), strict=True)),
            tuple(renames or ()),
        )
        for (
            key, source_id, name, audience, purpose, topic, reading, built_name,
            identifiers, counts, renames,
        ) in items
    }  # fmt: skip


def _actors(items: Iterable[Sequence[Any]]) -> dict[str, ActorName]:
    return {
        key: ActorName(
            key,
            name,
            title or "",
            tuple(dict.fromkeys(filter(None, [name, real_name, *(aliases or ())]))),
            bool(is_bot),
        )
        for key, name, real_name, title, aliases, is_bot in items
    }


def _scan_params(channels: Sequence[str], cues: Sequence[str]) -> dict[str, Any]:
    return {"keys": sorted(channels), "cues": list(cues)}


def _scan(row: Row) -> ChannelScan:
    return ChannelScan(
        row["key"],
        dict(sorted(row["items"])),
        tuple((key, text) for key, text in row["said"]),
        tuple(row["renames"]),
    )


def _head(item: Sequence[Any]) -> MessageHead:
    (
        key, channel, audience, author, source_id, at_ms, thread, reply_author,
        mentions, identifiers, titles, named, episode,
    ) = item  # fmt: skip
    return MessageHead(
        key, channel, audience, author, source_id, at_ms, thread, reply_author,
        tuple(mentions or ()), tuple(identifiers or ()), tuple(titles or ()),
        tuple(sorted(named)),  # relationships come in no order
        episode,
    )  # fmt: skip
