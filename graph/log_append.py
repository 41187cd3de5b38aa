"""Appending to the log: one transaction per batch, safe beside other appends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from .errors import GraphError
from .keys import sibling_key, source_id_of
from .log_plan import AppendPlan, FillIn, NewEntry, StoredEntry, base_key, plan_append
from .log_rows import message_row
from .records import LogOutcome, MessageRecord
from .store import ForestStore, Transaction

LANES = 2
"""Batches written at the same time. They share no channel, so neither waits for the other."""


async def append_messages(
    store: ForestStore,
    records: Sequence[MessageRecord],
    terms: Sequence[str],
    *,
    batch_size: int,
    introducer: str | None = None,
) -> list[LogOutcome]:
    """See `LogStore.append_messages`."""
    if len(records) != len(terms):
        raise ValueError("There must be one string of terms for each record.")
    outcomes = [LogOutcome.REJECTED] * len(records)

    async def write_lane(lane: list[int]) -> None:
        for start in range(0, len(lane), batch_size):
            batch = lane[start : start + batch_size]
            done = await _append_batch(
                store, [records[i] for i in batch], [terms[i] for i in batch], introducer
            )
            for index, outcome in zip(batch, done, strict=True):
                outcomes[index] = outcome

    try:
        async with asyncio.TaskGroup() as group:
            for lane in _lanes(records):
                group.create_task(write_lane(lane))
    except ExceptionGroup as errors:
        # One lane's error stops the other; the caller wants to see the error, not the group.
        raise errors.exceptions[0] from errors
    return outcomes


def _lanes(records: Sequence[MessageRecord]) -> list[list[int]]:
    """Indexes of the records, in key order, in lanes that share no channel."""
    order = sorted(range(len(records)), key=lambda i: (records[i].channel, base_key(records[i])))
    sizes: dict[str, int] = {}
    for record in records:
        sizes[record.channel] = sizes.get(record.channel, 0) + 1
    lanes: list[list[int]] = [[] for _ in range(LANES)]
    planned = [0] * LANES
    lane_of: dict[str, int] = {}
    for channel in sorted(sizes, key=lambda c: (-sizes[c], c)):
        lane = planned.index(min(planned))
        lane_of[channel] = lane
        planned[lane] += sizes[channel]
    for index in order:
        lanes[lane_of[records[index].channel]].append(index)
    return [lane for lane in lanes if lane]


async def _append_batch(
    store: ForestStore, records: list[MessageRecord], terms: list[str], introducer: str | None
) -> list[LogOutcome]:
    async def work(tx: Transaction) -> list[LogOutcome]:
        keys = sorted({record.channel for record in records})
        rows = await tx.run("log/lock_channels", {"channels": keys})
        channels = {channel["key"]: channel for channel in rows[0]["channels"]}
        if introducer is not None:
            for channel in channels.values():
                # Who writes into a channel that another brought does not get to read it.
                channel["authors_are_members"] &= channel["introduced_by"] == introducer
        missing = [key for key in keys if key not in channels]
        if missing:
            raise GraphError(
                f"Messages arrived for the channel {missing[0]!r}, which is not in the graph.",
                "Call upsert_channels before append_messages.",
            )
        plan = plan_append(records, await _stored(tx, records))
        if plan.created:
            await _create(tx, plan, terms, channels)
        if plan.filled:
            await _fill_in(tx, plan.filled)
        return plan.outcomes

    return await store.write_transaction(work)


async def _stored(
    tx: Transaction, records: Sequence[MessageRecord]
) -> dict[str, list[StoredEntry]]:
    bases = sorted({base_key(record) for record in records})
    rows = await tx.run("log/entries", {"bases": bases})
    stored: dict[str, list[StoredEntry]] = {}
    for base, *values in rows[0]["entries"]:
        stored.setdefault(base, []).append(StoredEntry(*values))
    return stored


async def _create(
    tx: Transaction, plan: AppendPlan, terms: Sequence[str], channels: dict[str, dict[str, Any]]
) -> None:
    entries = plan.created
    names = await _ensure_actors(tx, entries)
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        channel = channels[entry.record.channel]
        groups.setdefault(entry.record.channel, []).append(
            message_row(
                entry,
                terms[entry.index],
                channel["audience"],
                names[entry.record.author],
                channel["name"],
            )
        )
    rows = await tx.run(
        "log/create_entries",
        {"groups": [{"channel": key, "rows": groups[key]} for key in sorted(groups)]},
    )
    if rows[0]["created"] != len(entries):
        raise GraphError(
            f"Only {rows[0]['created']} of {len(entries)} entries could be written.",
            "Do not delete channels or actors during an ingest; run it again.",
        )
    if plan.demoted:
        await tx.run("log/demote", {"keys": plan.demoted})
    if plan.chains:
        await tx.run("log/chain", {"chains": plan.chains})
    live = [entry.record for entry in entries if entry.live]
    await _link_replies(tx, live)
    await _link_channel_mentions(tx, live)
    await _link_actors(tx, entries)
    await _add_members(tx, entries, channels)


async def _ensure_actors(tx: Transaction, entries: Sequence[NewEntry]) -> dict[str, str]:
    keys = {entry.record.author for entry in entries}
    for entry in entries:
        keys.update(entry.record.mentions)
    rows = await tx.run(
        "log/ensure_actors",
        {
            "workspace": entries[0].record.workspace,
            "rows": [{"key": key, "source_id": source_id_of(key)} for key in sorted(keys)],
        },
    )
    return dict(rows[0]["names"])


async def _link_actors(tx: Transaction, entries: Sequence[NewEntry]) -> None:
    rows: dict[str, dict[str, Any]] = {}

    def row(actor: str) -> dict[str, Any]:
        return rows.setdefault(actor, {"key": actor, "by": [], "mentioned": []})

    for entry in entries:
        row(entry.record.author)["by"].append(entry.record.key)
        if entry.live:
            for actor in dict.fromkeys(entry.record.mentions):
                row(actor)["mentioned"].append(entry.record.key)
    await tx.run("log/link_actors", {"rows": [rows[actor] for actor in sorted(rows)]})


async def _link_channel_mentions(tx: Transaction, live: Sequence[MessageRecord]) -> None:
    rows = [
        {"key": record.key, "targets": sorted(set(record.channel_mentions))}
        for record in live
        if record.channel_mentions
    ]
    if rows:
        await tx.run("log/link_channel_mentions", {"rows": rows})


async def _link_replies(tx: Transaction, live: Sequence[MessageRecord]) -> None:
    if replies := [row for record in live if (row := _reply_row(record, record.key))]:
        await tx.run("log/link_replies", {"rows": replies})
    if live:
        rows = [
            {"key": record.key, "channel": record.channel, "source_id": record.source_id}
            for record in live
        ]
        await tx.run("log/link_earlier_replies", {"rows": rows})


def _reply_row(record: MessageRecord, key: str) -> dict[str, str] | None:
    if record.reply_to is None or record.reply_to == record.source_id:
        return None
    return {"key": key, "parent": sibling_key(record.key, record.reply_to)}


async def _fill_in(tx: Transaction, filled: Sequence[FillIn]) -> None:
    rows = [
        {
            "key": fill.key,
            "thread": fill.record.thread,
            "reply_to": fill.record.reply_to,
            "link": fill.record.link or None,
        }
        for fill in filled
    ]
    await tx.run("log/fill_in", {"rows": rows})
    structural = [fill for fill in filled if fill.structural]
    if structural:
        channels = sorted({fill.record.channel for fill in structural})
        await tx.run("log/mark_channels", {"channels": channels})
    replies = [
        row for fill in structural if fill.live and (row := _reply_row(fill.record, fill.key))
    ]
    if replies:
        await tx.run("log/link_replies", {"rows": replies})


async def _add_members(
    tx: Transaction, entries: Sequence[NewEntry], channels: dict[str, dict[str, Any]]
) -> None:
    authors: dict[str, set[str]] = {}
    for entry in entries:
        if channels[entry.record.channel]["authors_are_members"]:
            authors.setdefault(entry.record.channel, set()).add(entry.record.author)
    if authors:
        rows = [{"channel": key, "authors": sorted(authors[key])} for key in sorted(authors)]
        await tx.run("log/authors_are_members", {"rows": rows})
