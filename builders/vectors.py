"""Vectors of messages and nodes that have none yet or whose words changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from ..graph.forest_records import PendingMessage, PendingNode
from ..graph.forest_store import TreeStore
from ..text.encoders.base import Encoder, Vectors
from .progress import Report

_BATCH = 512
_EPISODES = 64
_WINDOW = 8
"""Batches read at once: the next one is encoded while the one before it is written."""

_NEIGHBOUR_CHARACTERS = 200
_MAX_CHARACTERS = 2000

T = TypeVar("T")


def message_text(episode: Sequence[PendingMessage], position: int) -> str:
    """What is encoded of a message: who says it, what, and the messages beside it.

    A chat message says little by itself ("yes, do that"), and without the speaker's name
    questions about people miss it.
    """
    message = episode[position]
    parts = [f"{message.author}: {message.text}"[:_MAX_CHARACTERS]]
    if position > 0:
        before = episode[position - 1]
        parts.insert(0, f"{before.author}: {before.text}"[:_NEIGHBOUR_CHARACTERS])
    if position + 1 < len(episode):
        after = episode[position + 1]
        parts.append(f"{after.author}: {after.text}"[:_NEIGHBOUR_CHARACTERS])
    return "\n".join(parts)


async def encode_pending(trees: TreeStore, encoder: Encoder, report: Report) -> tuple[int, int]:
    """Encode whatever is marked, messages first. Returns how many messages and nodes.

    Each batch is encoded in a thread while the one before it is written. Broken off, it goes on
    with what is still marked.
    """
    messages, nodes = await trees.count_pending()
    if not messages + nodes:
        return 0, 0
    report.step("Encoding", messages + nodes)
    done_messages = await _encode_messages(trees, encoder, report) if messages else 0
    done_nodes = await _encode_nodes(trees, encoder, report) if nodes else 0
    return done_messages, done_nodes


async def _encode_messages(trees: TreeStore, encoder: Encoder, report: Report) -> int:
    done = 0
    limit = _WINDOW * _EPISODES
    episodes = await trees.pending_messages(limit)
    while episodes:
        todo = [
            (message.key, message_text(episode, i))
            for episode in episodes
            for i, message in enumerate(episode)
            if message.pending
        ]
        if not todo:
            break

        async def write(part: Sequence[tuple[str, str]], vectors: Vectors) -> None:
            await trees.set_message_vectors(
                [(key, vector.tolist()) for (key, _), vector in zip(part, vectors, strict=True)]
            )

        await _encode_and_write(encoder, todo, lambda item: item[1], write, report)
        done += len(todo)
        episodes = await trees.pending_messages(limit) if len(episodes) == limit else []
    return done


async def _encode_nodes(trees: TreeStore, encoder: Encoder, report: Report) -> int:
    done = 0
    limit = _WINDOW * _BATCH
    nodes = await trees.pending_nodes(limit)
    while nodes:

        async def write(part: Sequence[PendingNode], vectors: Vectors) -> None:
            await trees.set_node_vectors(
                [
                    (node.key, vector.tolist(), node.digest)
                    for node, vector in zip(part, vectors, strict=True)
                ]
            )

        await _encode_and_write(encoder, nodes, _node_text, write, report)
        done += len(nodes)
        nodes = await trees.pending_nodes(limit) if len(nodes) == limit else []
    return done


def _node_text(node: PendingNode) -> str:
    return (node.summary or node.caption)[:_MAX_CHARACTERS]


async def _encode_and_write(
    encoder: Encoder,
    items: Sequence[T],
    text: Callable[[T], str],
    write: Callable[[Sequence[T], Vectors], Awaitable[None]],
    report: Report,
) -> None:
    """Encode a window of items batch by batch, each in a thread while the last one is written."""
    writing: asyncio.Task[None] | None = None
    try:
        for start in range(0, len(items), _BATCH):
            part = items[start : start + _BATCH]
            texts = [text(item) for item in part]
            vectors = await asyncio.to_thread(encoder.encode_documents, texts)
            if writing is not None:
                await writing
            writing = asyncio.create_task(_written(write(part, vectors)))
            report.advance(len(part))
    finally:
        if writing is not None:
            await writing


async def _written(work: Awaitable[None]) -> None:
    await work
