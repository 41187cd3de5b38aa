"""Vectors of messages and nodes that have none yet or whose words changed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar, cast

import numpy as np

from ..graph.forest_records import PendingMessage, PendingNode
from ..graph.forest_store import TreeStore
from ..text.encoders.base import Encoder, Vectors
from .errors import EncodingStuckError
from .progress import Report

_BATCH = 512
_EPISODES = 64
_WINDOW = 8
"""Batches read at once: the next one is encoded while the one before it is written."""

_MAX_CHARACTERS = 2000
_NEIGHBOUR = 0.4
"""Share of the message before and the one after. LoCoMo R@20 of the dense ranking alone: 43.7
without, 59.5 with, 58.5 where the neighbours' words were encoded together with the message's,
which also takes twice as long."""
_ROOT = 0.6
"""Share of the message that opened the thread. On the sample, R@50 of the dense ranking alone rose
from 68 to 78 % with it."""

Episode = list[PendingMessage]
T = TypeVar("T")


def message_text(message: PendingMessage) -> str:
    """What is encoded of a message: without the speaker's name questions about people miss it."""
    return f"{message.author}: {message.text}"[:_MAX_CHARACTERS]


def in_context(episode: Sequence[PendingMessage], own: Vectors) -> Vectors:
    """Vectors of an episode's messages, each with its surroundings mixed in.

    A chat message says little by itself ("yes, do that"): its neighbours and what its thread is
    about speak for it.

    Args:
        episode: the messages in order.
        own: (n, dimension), what the encoder made of each by itself.

    Returns:
        (n, dimension), unit length.
    """
    mixed = own.copy()
    mixed[1:] += _NEIGHBOUR * own[:-1]
    mixed[:-1] += _NEIGHBOUR * own[1:]
    opened = {message.source_id: i for i, message in enumerate(episode)}
    for i, message in enumerate(episode):
        root = opened.get(message.thread) if message.thread else None
        if root is not None and root != i:
            mixed[i] += _ROOT * own[root]
    lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
    return cast("Vectors", mixed / np.maximum(lengths, 1e-12))


async def encode_pending(trees: TreeStore, encoder: Encoder, report: Report) -> tuple[int, int]:
    """Encode whatever is marked, messages first. Returns how many messages and nodes.

    Each batch is encoded in a thread while the one before it is written. Broken off, it goes on
    with what is still marked.
    """
    messages, nodes = await trees.count_pending()
    if not messages + nodes:
        return 0, 0
    report.step("Encoding", messages + nodes)
    once = Once(encoder)
    done_messages = await _encode_messages(trees, once, report) if messages else 0
    done_nodes = await _encode_nodes(trees, once, report) if nodes else 0
    return done_messages, done_nodes


class Once:
    """Encodes a text once, however often it comes: the same summary stands in several trees.

    On HERB every seventh node says what another one says. Used by one thread at a time.

    Args:
        encoder: makes the vectors.
        remembered: so many texts' vectors are kept, the latest: 2 KB for each at 512 dimensions.
    """

    def __init__(self, encoder: Encoder, remembered: int = 1 << 14) -> None:
        self._encoder = encoder
        self._remembered = remembered
        self._known: dict[bytes, Vectors] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, shape (len(texts), dimension); `texts` must not be empty."""
        named = [(_digest(text), text) for text in texts]
        new = {digest: text for digest, text in named if digest not in self._known}
        if new:
            vectors = self._encoder.encode_documents(list(new.values()))
            self._known.update(zip(new, vectors, strict=True))
        found = np.stack([self._known[digest] for digest, _ in named])
        for digest in list(self._known)[: max(0, len(self._known) - self._remembered)]:
            del self._known[digest]
        return found


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


async def _encode_messages(trees: TreeStore, encoder: Once, report: Report) -> int:
    done = 0
    limit = _WINDOW * _EPISODES
    progress = _Progress("messages")
    while episodes := await trees.pending_messages(limit):
        progress.check(
            message.key for episode in episodes for message in episode if message.pending
        )

        async def write(part: Sequence[Episode], vectors: Vectors) -> None:
            rows, start = [], 0
            for episode in part:
                mixed = in_context(episode, vectors[start : start + len(episode)])
                start += len(episode)
                rows += [
                    (message.key, vector.tolist())
                    for message, vector in zip(episode, mixed, strict=True)
                    if message.pending
                ]
            await trees.set_message_vectors(rows)

        def texts(part: Sequence[Episode]) -> list[str]:
            return [message_text(message) for episode in part for message in episode]

        def count(part: Sequence[Episode]) -> int:
            return sum(message.pending for episode in part for message in episode)

        await _encode_and_write(encoder, episodes, _EPISODES, texts, write, count, report)
        done += count(episodes)
        if len(episodes) < limit:
            break
    return done


async def _encode_nodes(trees: TreeStore, encoder: Once, report: Report) -> int:
    done = 0
    limit = _WINDOW * _BATCH
    nodes = await trees.pending_nodes(limit)
    progress = _Progress("nodes")
    while nodes:
        progress.check(node.key for node in nodes)

        async def write(part: Sequence[PendingNode], vectors: Vectors) -> None:
            await trees.set_node_vectors(
                [
                    (node.key, vector.tolist(), node.digest)
                    for node, vector in zip(part, vectors, strict=True)
                ]
            )

        def texts(part: Sequence[PendingNode]) -> list[str]:
            return [_node_text(node) for node in part]

        await _encode_and_write(encoder, nodes, _BATCH, texts, write, len, report)
        done += len(nodes)
        nodes = await trees.pending_nodes(limit) if len(nodes) == limit else []
    return done


class _Progress:
    """Sees to it that no window is the one before it once more: that would never end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._before: frozenset[str] = frozenset()

    def check(self, keys: Iterable[str]) -> None:
        """Take note of the keys of a window.

        Raises:
            EncodingStuckError: they are those of the last one.
        """
        now = frozenset(keys)
        if now == self._before:
            raise EncodingStuckError(
                f"The vectors of {len(now)} {self._what} could not be stored, "
                f"that of {min(now)!r} for one.",
                "Ingest again. If it stays so, delete the workspace and ingest its exports anew.",
            )
        self._before = now


def _node_text(node: PendingNode) -> str:
    return (node.summary or node.caption)[:_MAX_CHARACTERS]


async def _encode_and_write(
    encoder: Once,
    items: Sequence[T],
    batch: int,
    texts: Callable[[Sequence[T]], list[str]],
    write: Callable[[Sequence[T], Vectors], Awaitable[None]],
    count: Callable[[Sequence[T]], int],
    report: Report,
) -> None:
    """Encode a window of items batch by batch, each in a thread while the last one is written."""
    writing: asyncio.Task[None] | None = None
    try:
        for start in range(0, len(items), batch):
            part = items[start : start + batch]
            vectors = await asyncio.to_thread(encoder.encode, texts(part))
            if writing is not None:
                await writing
            writing = asyncio.create_task(_written(write(part, vectors)))
            report.advance(count(part))
    finally:
        if writing is not None:
            await writing


async def _written(work: Awaitable[None]) -> None:
    await work
