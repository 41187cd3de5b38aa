"""What the forest builder reads from the graph, and its marks and leases in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .forest_records import (
    ArtifactContext,
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
from .forest_writes import write_batch
from .heads import ActorName, ChannelName, MessageHead, MessageText
from .keys import sibling_key
from .store import ForestStore, Row, Transaction

ACTORS_HELD = 2000
"""Up to so many actors are read at once at the start of a round."""

_TEXTS_AT_ONCE = 5000


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
        return str(rows[0]["owner"])

    async def release_lease(self, owner: str) -> None:
        """Give the lease back."""
        await self._store.write(
            "forest/release_lease", {"workspace": self.workspace, "owner": owner}
        )

    async def begin(self, identity: str) -> list[Sized]:
        """Claim the stale channels, by key.

        Everything is stale if the trees were built otherwise than `identity` says, and channels
        in which an actor appears who is called otherwise by now.
        """
        params = {"workspace": self.workspace}

        async def work(tx: Transaction) -> list[Sized]:
            prefix = f"{self.workspace}/"
            await tx.run("forest/built_with", {**params, "identity": identity, "prefix": prefix})
            await tx.run("forest/renamed_actors", params)
            return _sized(await tx.run("forest/claim_channels", params))

        return await self._store.write_transaction(work)

    async def claim_others(self) -> tuple[list[Sized], list[Sized]]:
        """Claim the stale actors and artifacts, each by key."""
        params = {"workspace": self.workspace}

        async def work(tx: Transaction) -> tuple[list[Sized], list[Sized]]:
            actors = _sized(await tx.run("forest/claim_actors", params))
            return actors, _sized(await tx.run("forest/claim_artifacts", params))

        return await self._store.write_transaction(work)

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
            channels = await tx.run("forest/channel_names", {"prefix": f"{self.workspace}/c/"})
            actors = await tx.run(
                "forest/all_actor_names",
                {"prefix": f"{self.workspace}/a/", "limit": ACTORS_HELD + 1},
            )
            scans = await tx.run("forest/scan_channels", _scan_params(scanned, cues))
            known = _actors(actors)
            return Survey(
                _channels(channels),
                known if len(known) <= ACTORS_HELD else {},
                [_scan(row) for row in scans],
            )

        return await self._store.read_transaction(work)

    async def scan_channels(
        self, channels: Sequence[str], cues: Sequence[str]
    ) -> list[ChannelScan]:
        """What is said in further channels; see `survey`."""
        rows = await self._store.read("forest/scan_channels", _scan_params(channels, cues))
        return [_scan(row) for row in rows]

    async def actors(self, keys: Iterable[str]) -> dict[str, ActorName]:
        """Names of actors by key."""
        return _actors(await self._store.read("forest/actor_names", {"keys": sorted(keys)}))

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
        await self._store.write("forest/save_names", {"rows": rows, "stale": sorted(stale)})

    async def channel_material(self, keys: Sequence[str]) -> ChannelMaterial:
        """What the trees of channels are made from."""

        async def work(tx: Transaction) -> ChannelMaterial:
            rows = await tx.run("forest/channel_heads", {"keys": sorted(keys)})
            stored = await self._stored(tx, keys)
            texts = {
                item[0]: MessageText(item[0], item[-2], item[-1] or "")
                for row in rows
                for item in row["heads"]
                if item[-2] is not None
            }
            heads = {row["key"]: [_head(item[:-2]) for item in row["heads"]] for row in rows}
            return ChannelMaterial(heads, texts, stored)

        return await self._store.read_transaction(work)

    async def actor_material(
        self, keys: Sequence[str]
    ) -> tuple[dict[str, list[MessageHead]], list[StoredTree]]:
        """Live messages that an actor wrote, is addressed in, or was replied to with, by actor;
        and the stored trees."""

        async def work(
            tx: Transaction,
        ) -> tuple[dict[str, list[MessageHead]], list[StoredTree]]:
            rows = await tx.run("forest/actor_heads", {"keys": sorted(keys)})
            stored = await self._stored(tx, keys)
            return {row["key"]: _heads(row["heads"]) for row in rows}, stored

        return await self._store.read_transaction(work)

    async def artifact_material(
        self, around: Mapping[str, bool]
    ) -> tuple[list[ArtifactContext], list[StoredTree]]:
        """What names artifacts and, where `around` says so, what is said around it; and the
        stored trees."""

        async def work(tx: Transaction) -> tuple[list[ArtifactContext], list[StoredTree]]:
            rows = await tx.run(
                "forest/artifact_heads",
                {"rows": [{"key": key, "around": around[key]} for key in sorted(around)]},
            )
            naming = {row["key"]: tuple(_heads(row["naming"])) for row in rows}
            threads = await self._threads(
                tx, (head for key, heads in naming.items() if around[key] for head in heads)
            )
            contexts = [
                ArtifactContext(
                    row["key"],
                    naming[row["key"]],
                    tuple(tuple(_heads(heads)) for heads in row["episodes"]),
                    tuple(
                        threads[thread]
                        for thread in dict.fromkeys(map(_thread, naming[row["key"]]))
                        if thread in threads
                    ),
                    frozenset((later, earlier) for later, earlier in row["bridges"]),
                )
                for row in rows
            ]
            return contexts, await self._stored(tx, list(around))

        return await self._store.read_transaction(work)

    async def words(
        self, messages: Sequence[str], nodes: Iterable[str]
    ) -> tuple[dict[str, MessageText], dict[str, str]]:
        """Texts of messages and stored summaries of nodes, by key."""

        async def work(tx: Transaction) -> tuple[dict[str, MessageText], dict[str, str]]:
            texts: dict[str, MessageText] = {}
            # In slices, so that no answer is huge.
            for start in range(0, len(messages), _TEXTS_AT_ONCE):
                part = list(messages[start : start + _TEXTS_AT_ONCE])
                rows = await tx.run("forest/texts", {"keys": part})
                for key, text, terms in rows[0]["items"]:
                    texts[key] = MessageText(key, text, terms or "")
            wanted = sorted(nodes)
            summaries: dict[str, str] = {}
            if wanted:
                rows = await tx.run("forest/summaries", {"keys": wanted})
                summaries = {key: summary or "" for key, summary in rows[0]["items"]}
            return texts, summaries

        return await self._store.read_transaction(work)

    async def _stored(self, tx: Transaction, subjects: Sequence[str]) -> list[StoredTree]:
        rows = await tx.run("forest/stored_trees", {"subjects": sorted(subjects)})
        return [
            StoredTree(row["key"], row["subject"], row["digest"], row["root"], dict(row["nodes"]))
            for row in rows
        ]

    async def _threads(
        self, tx: Transaction, heads: Iterable[MessageHead]
    ) -> dict[tuple[str, str], tuple[MessageHead, ...]]:
        """The threads in which `heads` stand, if they have more than one message."""
        roots = {_thread(head): sibling_key(head.key, _thread(head)[1]) for head in heads}
        if not roots:
            return {}
        rows = await tx.run(
            "forest/threads",
            {
                "rows": [
                    {"channel": channel, "thread": thread, "root": root}
                    for (channel, thread), root in sorted(roots.items())
                ]
            },
        )
        return {
            (row["channel"], row["thread"]): tuple(_heads(row["heads"]))
            for row in rows
            if len(row["heads"]) > 1
        }

    # Writing

    async def write(self, batch: TreeBatch) -> None:
        """Make what is stored what was planned; see `forest_writes`."""
        await write_batch(self._store, self.workspace, batch)

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
                PendingMessage(key, author or "", "\n".join((text, *(files or ()))), pending)
                for key, author, text, files, pending in episode
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
        await self._store.write("forest/set_message_vectors", {"rows": [list(r) for r in rows]})

    async def set_node_vectors(self, rows: Sequence[tuple[str, list[float], str]]) -> None:
        """Store vectors by node key, unless the node's digest is another by now."""
        await self._store.write("forest/set_node_vectors", {"rows": [list(r) for r in rows]})


def _sized(rows: Sequence[Row]) -> list[Sized]:
    return sorted((key, size) for key, size in rows[0]["items"])


def _channels(rows: Sequence[Row]) -> dict[str, ChannelState]:
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
        ) in rows[0]["items"]
    }  # fmt: skip


def _actors(rows: Sequence[Row]) -> dict[str, ActorName]:
    return {
        key: ActorName(
            key,
            name,
            title or "",
            tuple(dict.fromkeys(filter(None, [name, real_name, *(aliases or ())]))),
            bool(is_bot),
        )
        for key, name, real_name, title, aliases, is_bot in rows[0]["items"]
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
        mentions, identifiers, titles, named, placed,
    ) = item  # fmt: skip
    return MessageHead(
        key, channel, audience, author, source_id, at_ms, thread, reply_author,
        tuple(mentions or ()), tuple(identifiers or ()), tuple(titles or ()),
        tuple(sorted(named)),  # relationships come in no order
        placed,
    )  # fmt: skip


def _heads(items: Iterable[Sequence[Any]]) -> list[MessageHead]:
    return [_head(item) for item in items]


def _thread(head: MessageHead) -> tuple[str, str]:
    return head.channel, head.thread or head.source_id
