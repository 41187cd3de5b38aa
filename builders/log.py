"""Ingest, first step: from an export into the log, with a receipt.

Batches are read, analysed and written one after another, so that an export of any size takes
bounded memory. Each batch is committed whole and everything has a natural key: broken off at
any point and started again, it ends in the same log.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..graph.errors import InvalidKeyError
from ..graph.keys import actor_key, audience_of, channel_key, message_key
from ..graph.log_store import LogStore
from ..graph.records import (
    PUBLIC_AUDIENCE,
    ActorRecord,
    ChannelKind,
    ChannelRecord,
    LogOutcome,
    MessageKind,
    MessageRecord,
)
from ..text.analyzer import analyze
from ..text.identifiers import find_identifiers
from .progress import Report, SilentReport
from .receipt import Receipt, Rejection
from .sources.base import (
    Source,
    SourceActor,
    SourceChannel,
    SourceMessage,
    SourceNote,
    SourceReject,
)

# Four transactions of a thousand, in two lanes: loading took half the time of one at a time.
BATCH_SIZE = 4000

Item = SourceMessage | SourceActor | SourceChannel | SourceReject | SourceNote


async def append_source(
    source: Source,
    workspace: str,
    log_store: LogStore,
    *,
    report: Report | None = None,
    batch_size: int = BATCH_SIZE,
) -> Receipt:
    """Log everything that `source` holds; what is logged already stays as it is.

    Args:
        source: an opened export.
        workspace: where to; it is made if it does not exist.
        log_store: the log of the graph.
        report: is told the progress in messages.
        batch_size: messages to a batch.

    Returns:
        What became of every record; `receipt.check()` has passed.

    Raises:
        InvalidKeyError: the workspace's name is not usable.
        GraphError: the database fails; what was committed stays, and a new start goes on.
    """
    return await _Ingest(source, workspace, log_store, report or SilentReport()).run(batch_size)


def actor_record(workspace: str, actor: SourceActor) -> ActorRecord:
    """The graph's record of an actor of an export."""
    return ActorRecord(
        key=actor_key(workspace, actor.id),
        workspace=workspace,
        source_id=actor.id,
        name=actor.name or actor.id,
        real_name=actor.real_name,
        title=actor.title,
        aliases=actor.aliases,
        is_bot=actor.is_bot,
        deleted=actor.deleted,
        placeholder=actor.placeholder,
    )


def channel_record(workspace: str, channel: SourceChannel) -> ChannelRecord:
    """The graph's record of a channel. Raises `InvalidKeyError` if its id names no audience."""
    public = channel.kind is ChannelKind.PUBLIC
    return ChannelRecord(
        key=channel_key(workspace, channel.id),
        workspace=workspace,
        source_id=channel.id,
        name=channel.name or channel.id,
        kind=channel.kind,
        audience=PUBLIC_AUDIENCE if public else audience_of(channel.id),
        purpose=channel.purpose,
        topic=channel.topic,
        members=tuple(actor_key(workspace, member) for member in channel.members or ()),
        archived=channel.archived,
        placeholder=channel.placeholder,
        members_listed=channel.members is not None,
    )


def message_record(
    workspace: str, message: SourceMessage, audience: str
) -> tuple[MessageRecord, str]:
    """The graph's record of a message, and the terms it is found by."""
    searched = "\n".join((message.text, *message.files))
    found: dict[str, str] = {}
    terms = ""
    if message.kind is MessageKind.MESSAGE:
        terms = " ".join(analyze(searched))
        for identifier in find_identifiers(searched):
            name = f"{identifier.kind.value}:{identifier.value}"
            found[name] = found.get(name) or identifier.title or ""
    record = MessageRecord(
        key=message_key(workspace, message.channel_id, message.source_id, message.revision),
        workspace=workspace,
        channel=channel_key(workspace, message.channel_id),
        audience=audience,
        source_id=message.source_id,
        source_ts=message.source_ts,
        at=message.at,
        author=actor_key(workspace, message.author_id),
        text=message.text,
        raw=message.raw,
        kind=message.kind,
        revision=message.revision,
        thread=message.thread,
        reply_to=message.reply_to,
        mentions=tuple(actor_key(workspace, actor) for actor in message.mentions),
        channel_mentions=tuple(channel_key(workspace, c) for c in message.channel_mentions),
        identifiers=tuple(found),
        identifier_titles=tuple(found.values()),
        files=message.files,
        link=message.link,
    )
    return record, terms


@dataclass(slots=True)
class _Batch:
    """Some items of the stream, analysed and ready to be written."""

    messages: list[SourceMessage] = field(default_factory=list)
    records: list[MessageRecord] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    others: list[SourceChannel | SourceReject | SourceNote] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.messages or self.others)


class _Ingest:
    def __init__(self, source: Source, workspace: str, log_store: LogStore, report: Report) -> None:
        self._source = source
        self._workspace = workspace
        self._log = log_store
        self._report = report
        self._receipt = Receipt(workspace, source.name)
        self._audiences: dict[str, str] = {}
        self._actors: dict[str, SourceActor] = {}

    async def run(self, batch_size: int) -> Receipt:
        started = time.monotonic()
        await self._log.upsert_workspace(self._workspace)
        # Reading and analysing are work for the processor: in a thread, beside the writing.
        self._report.step(f"Looking through {self._source.name}")
        hint = await asyncio.to_thread(self._source.total_hint)
        await self._describe()
        self._report.step(f"Logging {self._source.name}", hint)
        batches = self._batches(self._source.messages(), batch_size)
        batch = await asyncio.to_thread(next, batches, None)
        while batch is not None:
            ahead = asyncio.create_task(asyncio.to_thread(next, batches, None))
            try:
                await self._write(batch)
            finally:
                batch = await ahead
        self._report.close()
        self._receipt.actors = len(self._actors)
        self._receipt.elapsed_s = time.monotonic() - started
        self._receipt.check()
        return self._receipt

    async def _describe(self) -> None:
        """Write the actors and the channels that are known before the messages are read."""
        described = await asyncio.to_thread(lambda: list(self._source.actors()))
        await self._introduce(item for item in described if isinstance(item, SourceActor))
        self._account(item for item in described if not isinstance(item, SourceActor))
        listed = await asyncio.to_thread(lambda: list(self._source.channels()))
        await self._open_channels(item for item in listed if isinstance(item, SourceChannel))
        self._account(item for item in listed if not isinstance(item, SourceChannel))

    def _batches(self, items: Iterable[Item], batch_size: int) -> Iterator[_Batch]:
        batch = _Batch()
        for item in items:
            if isinstance(item, SourceMessage):
                batch.messages.append(item)
                record, terms = message_record(
                    self._workspace, item, self._audiences.get(item.channel_id, "")
                )
                batch.records.append(record)
                batch.terms.append(terms)
            elif not isinstance(item, SourceActor):
                batch.others.append(item)
            if len(batch.messages) + len(batch.others) >= batch_size:
                yield batch
                batch = _Batch()
        if batch:
            yield batch

    async def _write(self, batch: _Batch) -> None:
        self._account(item for item in batch.others if not isinstance(item, SourceChannel))
        await self._open_channels(item for item in batch.others if isinstance(item, SourceChannel))
        await self._introduce(actor for m in batch.messages for actor in m.introduces)
        kept: list[SourceMessage] = []
        records: list[MessageRecord] = []
        terms: list[str] = []
        for message, record, words in zip(batch.messages, batch.records, batch.terms, strict=True):
            if message.channel_id in self._audiences:
                kept.append(message)
                records.append(record)
                terms.append(words)
            elif not message.recovered:
                reason = f"its channel {message.channel_id[:40]!r} could not be logged"
                self._receipt.reject(message.channel_id, Rejection(message.place, reason, ""))
        outcomes = await self._log.append_messages(records, terms)
        for message, outcome in zip(kept, outcomes, strict=True):
            self._tally(message, outcome)
        self._report.advance(sum(not message.recovered for message in batch.messages))

    def _tally(self, message: SourceMessage, outcome: LogOutcome) -> None:
        tally = self._receipt.tally(message.channel_id)
        if message.recovered:
            tally.recovered += outcome is not LogOutcome.UNCHANGED
            return
        tally.count(outcome)
        tally.housekeeping += message.kind is MessageKind.HOUSEKEEPING
        tally.cover(message.at)

    async def _introduce(self, actors: Iterable[SourceActor]) -> None:
        """Write the actors that this run has not written yet, or only under a poorer name."""
        new: dict[str, SourceActor] = {}
        for actor in actors:
            known = new.get(actor.id) or self._actors.get(actor.id)
            if known is None or (known.name == known.id and actor.name != actor.id):
                new[actor.id] = actor
        if new:
            self._actors.update(new)
            await self._log.upsert_actors(
                [actor_record(self._workspace, actor) for actor in new.values()]
            )

    async def _open_channels(self, channels: Iterable[SourceChannel]) -> None:
        records = []
        members: dict[str, SourceActor] = {}
        for channel in channels:
            tally = self._receipt.tally(channel.id)
            tally.name, tally.kind = channel.name, channel.kind.value
            try:
                record = channel_record(self._workspace, channel)
            except InvalidKeyError as error:
                rejection = Rejection(f"channel {channel.id[:40]}", error.message, error.remedy)
                self._receipt.reject(channel.id, rejection, records=0)
                continue
            self._audiences[channel.id] = record.audience
            records.append(record)
            for member in channel.members or ():
                members[member] = SourceActor(member, member, placeholder=True)
        # A member whom no list describes is a member all the same.
        await self._introduce(members.values())
        if records:
            await self._log.upsert_channels(records)

    def _account(self, items: Iterable[SourceActor | SourceReject | SourceNote]) -> None:
        for item in items:
            if isinstance(item, SourceReject):
                rejection = Rejection(item.place, item.reason, item.remedy)
                self._receipt.reject(item.channel_id, rejection, item.records)
                self._report.advance(item.records)
            elif isinstance(item, SourceNote):
                self._receipt.note(item.text)
