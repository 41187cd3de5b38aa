"""What the forest builder reads from the graph and writes to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .heads import ActorName, ChannelName, MessageHead, MessageText
from .keys import sibling_key
from .records import View
from .store import ForestStore, Transaction
from .tree_changes import RELATIONSHIPS_PER_TRANSACTION, TreeChange, write_changes

Sized = tuple[str, int]


@dataclass(frozen=True, slots=True)
class StoredTree:
    """What is stored of a tree: enough to tell what changed."""

    key: str
    subject: str
    digest: str | None
    nodes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChannelState:
    """A channel as the last build left it.

    Attributes:
        reading: digest of how its identifiers and project names were read; None if never built.
        built_name: what it was called then.
        counts: live messages for each identifier named in it.
        renames: encoded renames said in it.
    """

    name: ChannelName
    reading: str | None
    built_name: str | None
    counts: Mapping[str, int]
    renames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChannelScan:
    """What the messages of a channel name: see `TreeStore.scan_channels`."""

    key: str
    counts: Mapping[str, int]
    said: tuple[tuple[str, str], ...]
    live: frozenset[str]


@dataclass(frozen=True, slots=True)
class ArtifactContext:
    """An artifact's naming messages with the episodes and threads around them."""

    key: str
    naming: tuple[MessageHead, ...]
    episodes: tuple[tuple[MessageHead, ...], ...]
    threads: tuple[tuple[MessageHead, ...], ...]


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A message of an episode in which some are to be encoded; `pending` says whether it is."""

    key: str
    author: str
    text: str
    pending: bool


@dataclass(frozen=True, slots=True)
class PendingNode:
    """A node to encode."""

    key: str
    digest: str
    caption: str
    summary: str


@dataclass(frozen=True, slots=True)
class Naming:
    """That messages name an artifact, or no longer do."""

    key: str
    kind: str
    identifier: str
    messages: tuple[str, ...]


class TreeStore:
    """The builder's side of the graph. All methods may be repeated after an interruption.

    Args:
        store: the graph, opened.
        workspace: the tenant; no method touches another.
    """

    def __init__(self, store: ForestStore, workspace: str) -> None:
        self._store = store
        self.workspace = workspace

    # Leases and marks

    async def take_lease(self, owner: str, gone: Sequence[str], seconds: int) -> bool:
        """Whether `owner` may build now. `gone` are owners known to have died."""
        rows = await self._store.write(
            "forest/take_lease",
            {"workspace": self.workspace, "owner": owner, "gone": list(gone), "seconds": seconds},
        )
        return bool(rows[0]["owner"] == owner)

    async def lease_owner(self) -> str | None:
        """Who holds the lease now, None if nobody does or it ran out."""
        rows = await self._store.read("forest/lease_owner", {"workspace": self.workspace})
        return rows[0]["owner"] if rows else None

    async def release_lease(self, owner: str) -> None:
        """Give the lease back."""
        await self._store.write(
            "forest/release_lease", {"workspace": self.workspace, "owner": owner}
        )

    async def mark_all_unless_built_with(self, identity: str) -> None:
        """Mark every subject if the trees were built otherwise than `identity` says."""
        await self._store.write(
            "forest/built_with",
            {"workspace": self.workspace, "identity": identity, "prefix": f"{self.workspace}/"},
        )

    async def mark_renamed_actors(self) -> None:
        """Mark the channels in which an actor appears who is now called otherwise."""
        await self._store.write("forest/renamed_actors", {"workspace": self.workspace})

    async def claim(self, view: View) -> list[Sized]:
        """Subjects whose trees are stale, with about how many messages each has, by key."""
        rows = await self._store.write(f"forest/claim_{view}s", {"workspace": self.workspace})
        return sorted((key, size) for key, size in rows[0]["items"])

    async def finish_channels(self, readings: Mapping[str, str]) -> None:
        """Channels are up to date; `readings` by key is what their identifiers were read by."""
        rows = [{"key": key, "reading": reading} for key, reading in sorted(readings.items())]
        await self._store.write("forest/finish_channels", {"rows": rows})

    async def finish(self, view: View, keys: Iterable[str]) -> None:
        """Actors or artifacts are up to date. An artifact that nothing names goes away."""
        await self._store.write(f"forest/finish_{view}s", {"keys": sorted(keys)})

    # Reading

    async def channels(self) -> dict[str, ChannelState]:
        """All channels of the workspace by key."""
        rows = await self._store.read("forest/channel_names", {"prefix": f"{self.workspace}/c/"})
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

    async def actors(self, keys: Iterable[str]) -> dict[str, ActorName]:
        """Names of actors by key."""
        rows = await self._store.read("forest/actor_names", {"keys": sorted(keys)})
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

    async def scan_channels(
        self, known: Mapping[str, Sequence[str]], cues: Sequence[str]
    ) -> list[ChannelScan]:
        """What the live messages of channels name.

        Args:
            known: messages by channel whose being live is asked.
            cues: words one of which must be in a message's text for it to be among `said`, with
                text, if it stands in no tree yet.
        """
        rows = await self._store.read(
            "forest/scan_channels",
            {
                "rows": [{"key": key, "known": list(known[key])} for key in sorted(known)],
                "cues": list(cues),
            },
        )
        return [
            ChannelScan(
                row["key"],
                dict(sorted(row["items"])),
                tuple((key, text) for key, text in row["said"]),
                frozenset(row["live"]),
            )
            for row in rows
        ]

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

    async def heads(self, view: View, keys: Iterable[str]) -> dict[str, list[MessageHead]]:
        """Live messages by channel, or by actor who wrote, is addressed in, or replied to."""
        rows = await self._store.read(f"forest/{view}_heads", {"keys": sorted(keys)})
        return {row["key"]: [_head(item) for item in row["heads"]] for row in rows}

    async def artifacts(self, around: Mapping[str, bool]) -> list[ArtifactContext]:
        """Artifacts with what names them and, where `around` says so, what is said around it."""
        rows = await self._store.read(
            "forest/artifact_heads",
            {"rows": [{"key": key, "around": around[key]} for key in sorted(around)]},
        )
        naming = {row["key"]: tuple(_head(item) for item in row["naming"]) for row in rows}
        threads = await self._threads(
            head for key, heads in naming.items() if around[key] for head in heads
        )
        return [
            ArtifactContext(
                row["key"],
                naming[row["key"]],
                tuple(tuple(_head(item) for item in heads) for heads in row["episodes"]),
                tuple(
                    threads[thread]
                    for thread in dict.fromkeys(map(_thread, naming[row["key"]]))
                    if thread in threads
                ),
            )
            for row in rows
        ]

    async def _threads(
        self, heads: Iterable[MessageHead]
    ) -> dict[tuple[str, str], tuple[MessageHead, ...]]:
        """The threads in which `heads` stand, if they have more than one message."""
        roots = {_thread(head): sibling_key(head.key, _thread(head)[1]) for head in heads}
        rows = await self._store.read(
            "forest/threads",
            {
                "rows": [
                    {"channel": channel, "thread": thread, "root": root}
                    for (channel, thread), root in sorted(roots.items())
                ]
            },
        )
        return {
            (row["channel"], row["thread"]): tuple(_head(item) for item in row["heads"])
            for row in rows
            if len(row["heads"]) > 1
        }

    async def texts(self, keys: Sequence[str]) -> dict[str, MessageText]:
        """Words of messages by key, read in slices so that no answer is huge."""
        found: dict[str, MessageText] = {}
        for start in range(0, len(keys), 5000):
            rows = await self._store.read(
                "forest/texts", {"keys": list(keys[start : start + 5000])}
            )
            for key, text, terms in rows[0]["items"]:
                found[key] = MessageText(key, text, terms or "")
        return found

    async def stored_trees(self, subjects: Iterable[str]) -> list[StoredTree]:
        """What is stored of the subjects' trees, all audiences."""
        rows = await self._store.read("forest/stored_trees", {"subjects": sorted(subjects)})
        return [
            StoredTree(row["key"], row["subject"], row["digest"], dict(row["nodes"]))
            for row in rows
        ]

    async def summaries(self, keys: Iterable[str]) -> dict[str, str]:
        """Stored summaries of nodes by key."""
        rows = await self._store.read("forest/summaries", {"keys": sorted(keys)})
        return {key: summary or "" for key, summary in rows[0]["items"]}

    # Writing

    async def change_naming(self, added: Sequence[Naming], removed: Sequence[Naming]) -> None:
        """Relate messages to the artifacts they name, and mark those artifacts."""

        async def work(tx: Transaction) -> None:
            for query, naming in (("unname_artifacts", removed), ("name_artifacts", added)):
                if naming:
                    rows = [
                        {
                            "key": n.key,
                            "kind": n.kind,
                            "identifier": n.identifier,
                            "messages": list(n.messages),
                        }
                        for n in sorted(naming, key=lambda n: n.key)
                    ]
                    await tx.run(f"forest/{query}", {"rows": rows, "workspace": self.workspace})

        if added or removed:
            await self._store.write_transaction(work)

    async def change_trees(
        self, changes: Sequence[TreeChange], gone_trees: Sequence[StoredTree] = ()
    ) -> None:
        """Make stored trees what was planned, in one transaction if that is not too large.

        A node's digest is written with its own children, and a tree's last of all: what an
        interruption leaves half-written differs from the plan and is written again.
        """
        gone = [node for tree in gone_trees for node in tree.nodes]
        for start in range(0, len(gone), RELATIONSHIPS_PER_TRANSACTION):
            part = gone[start : start + RELATIONSHIPS_PER_TRANSACTION]
            await self._store.write("forest/delete_nodes", {"keys": sorted(part)})
        if gone_trees:
            keys = sorted(tree.key for tree in gone_trees)
            await self._store.write("forest/delete_trees", {"keys": keys})
        await write_changes(self._store, changes)

    async def change_bridges(
        self, rows: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]
    ) -> None:
        """Make the SAME_IDENTIFIER bridges of artifacts exactly those given.

        Args:
            rows: (artifact key, identifier, pairs of a later and an earlier message's key).
        """
        await self._store.write(
            "forest/bridges",
            {
                "rows": [
                    {"key": key, "identifier": identifier, "pairs": [list(p) for p in pairs]}
                    for key, identifier, pairs in rows
                ]
            },
        )

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


def _thread(head: MessageHead) -> tuple[str, str]:
    return head.channel, head.thread or head.source_id
