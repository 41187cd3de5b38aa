"""Short ways to make records for tests of the log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from egcforest.graph import keys
from egcforest.graph.log_store import LogStore
from egcforest.graph.records import (
    ActorRecord,
    ChannelKind,
    ChannelRecord,
    LogOutcome,
    MessageRecord,
)
from egcforest.graph.store import ForestStore

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def actor(workspace: str, source_id: str, name: str = "", **more: Any) -> ActorRecord:
    key = keys.actor_key(workspace, source_id)
    return ActorRecord(key, workspace, source_id, name or source_id, **more)


def channel(workspace: str, source_id: str, *, private: bool = False, **more: Any) -> ChannelRecord:
    return ChannelRecord(
        keys.channel_key(workspace, source_id),
        workspace,
        source_id,
        more.pop("name", source_id),
        ChannelKind.PRIVATE if private else ChannelKind.PUBLIC,
        keys.audience_of(source_id) if private else "public",
        **more,
    )


def message(
    workspace: str,
    source_id: str,
    text: str = "",
    *,
    channel_id: str = "C1",
    author: str = "U1",
    minute: int = 0,
    revision: str = "",
    **more: Any,
) -> MessageRecord:
    return MessageRecord(
        key=keys.message_key(workspace, channel_id, source_id, revision),
        workspace=workspace,
        channel=keys.channel_key(workspace, channel_id),
        audience="public",
        source_id=source_id,
        source_ts=source_id,
        at=START + timedelta(minutes=minute),
        author=keys.actor_key(workspace, author),
        text=text or f"message {source_id}",
        raw=text or f"message {source_id}",
        revision=revision,
        **more,
    )


async def prepared_log(store: ForestStore, workspace: str, *channels: ChannelRecord) -> LogStore:
    """A log with three actors, and the channels given or a public C1."""
    log = LogStore(store)
    await log.upsert_workspace(workspace)
    await log.upsert_actors(
        [
            actor(workspace, "U1", "Ana", real_name="Ana Silva", title="Engineer"),
            actor(workspace, "U2", "Ben", real_name="Ben Okafor", title="Designer"),
            actor(workspace, "U3", "Chi", real_name="Chi Tanaka"),
        ]
    )
    await log.upsert_channels(channels or [channel(workspace, "C1", name="general")])
    return log


async def append(
    log: LogStore, *records: MessageRecord, batch_size: int = 1000
) -> list[LogOutcome]:
    terms = [record.text.lower() for record in records]
    return await log.append_messages(records, terms, batch_size=batch_size)


async def dump(store: ForestStore, workspace: str) -> dict[str, Any]:
    """Everything the log holds of a workspace, in an order that does not depend on ids."""
    async with store._session() as session:
        nodes = await session.run(
            "MATCH (n {workspace: $w}) RETURN labels(n)[0] AS label, properties(n) AS p",
            w=workspace,
        )
        found = {(r["label"], r["p"]["key"]): dict(r["p"]) async for r in nodes}
        links = await session.run(
            "MATCH (a {workspace: $w})-[r]->(b) RETURN a.key AS a, type(r) AS t, b.key AS b",
            w=workspace,
        )
        edges = sorted([(r["a"], r["t"], r["b"]) async for r in links])
    for properties in found.values():
        properties.pop("created_at", None)
    return {"nodes": found, "edges": edges}


def edges_of(dumped: dict[str, Any], kind: str) -> set[tuple[str, str]]:
    """Pairs of keys, each without its workspace."""
    return {(a.split("/", 1)[1], b.split("/", 1)[1]) for a, t, b in dumped["edges"] if t == kind}
