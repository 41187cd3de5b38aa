"""What an append does to the log: a pure function of what is stored and what arrives.

All entries of one message share channel and source id; the current one has the greatest
revision ("" is the least). An entry is never changed. Where a source sends other content under
the key of a stored entry (an edit that the export does not mark), the arrival becomes a further
entry whose revision is the stored one's plus "#0001-<digest>": nothing is lost, it sorts right
behind the entry it varies and before every marked edit, and the same content again adds nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .keys import revised_key
from .records import LogOutcome, MessageKind, MessageRecord


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """What the planner needs to know of an entry that is in the graph."""

    key: str
    revision: str
    content: str
    live: bool
    thread: str | None
    reply_to: str | None
    link: str | None


@dataclass(frozen=True, slots=True)
class FillIn:
    """Facts that a later export knew of an entry whose content is unchanged."""

    key: str
    record: MessageRecord
    live: bool
    structural: bool


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to create; `index` is that of the input it comes from."""

    record: MessageRecord
    index: int
    content: str
    live: bool


@dataclass(slots=True)
class AppendPlan:
    """What to write for one batch.

    Attributes:
        outcomes: one per input, in the order of the input.
        created: new entries.
        demoted: keys of stored entries that stop being live.
        chains: for each message with new entries and more than one in all, the keys of its
            entries from the oldest to the newest.
        filled: stored entries that learn a thread, a reply or a link.
    """

    outcomes: list[LogOutcome]
    created: list[NewEntry] = field(default_factory=list)
    demoted: list[str] = field(default_factory=list)
    chains: list[list[str]] = field(default_factory=list)
    filled: list[FillIn] = field(default_factory=list)


def base_key(record: MessageRecord) -> str:
    """The key that all entries of the record's message start with."""
    return record.key.partition("~")[0]


def content_digest(record: MessageRecord) -> str:
    """Changes exactly when what the source said changes.

    It covers `raw` rather than `text`: a person who is renamed reads differently in the text of
    old messages, which does not make those messages edited.
    """
    digest = hashlib.sha256()
    for part in (record.kind, record.author, record.raw or record.text, *record.files):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x00")
    return digest.hexdigest()[:32]


def plan_append(
    records: Sequence[MessageRecord], stored: Mapping[str, Sequence[StoredEntry]]
) -> AppendPlan:
    """Decide for each of `records`; `stored` holds the entries by `base_key`."""
    plan = AppendPlan([LogOutcome.UNCHANGED] * len(records))
    groups: dict[str, list[int]] = {}
    for index, record in enumerate(records):
        groups.setdefault(base_key(record), []).append(index)
    for base in sorted(groups):
        _plan_message(plan, records, groups[base], list(stored.get(base, ())))
    return plan


def _plan_message(
    plan: AppendPlan,
    records: Sequence[MessageRecord],
    arrivals: Iterable[int],
    stored: list[StoredEntry],
) -> None:
    entries = {entry.key: (entry.revision, entry.content) for entry in stored}
    stored_by_key = {entry.key: entry for entry in stored}
    fresh: list[tuple[MessageRecord, int, str]] = []
    for index in arrivals:
        record, content = records[index], content_digest(records[index])
        same = _holding(entries, record, content)
        if same is not None:
            if same in stored_by_key:
                _plan_fill_in(plan, stored_by_key[same], record)
            continue
        if record.key in entries:
            record = _variant(entries, record, content)
        plan.outcomes[index] = LogOutcome.SUPERSEDED if entries else LogOutcome.ADDED
        entries[record.key] = (record.revision, content)
        fresh.append((record, index, content))
    if not fresh:
        return
    chain = sorted(entries, key=lambda key: entries[key][0])
    for record, index, content in fresh:
        live = record.key == chain[-1] and record.kind is MessageKind.MESSAGE
        plan.created.append(NewEntry(record, index, content, live))
    plan.demoted += [entry.key for entry in stored if entry.live and entry.key != chain[-1]]
    if len(chain) > 1:
        plan.chains.append(chain)


def _holding(
    entries: Mapping[str, tuple[str, str]], record: MessageRecord, content: str
) -> str | None:
    """The key of the entry, or variant of it, that already has the record's content."""
    for key, (revision, known) in entries.items():
        if known == content and (
            revision == record.revision or revision.startswith(f"{record.revision}#")
        ):
            return key
    return None


def _variant(
    entries: Mapping[str, tuple[str, str]], record: MessageRecord, content: str
) -> MessageRecord:
    mark = f"{record.revision}#"
    number = 1 + sum(revision.startswith(mark) for revision, _ in entries.values())
    revision = f"{mark}{number:04d}-{content[:12]}"
    key = revised_key(base_key(record), revision)
    return replace(record, key=key, revision=revision)


def _plan_fill_in(plan: AppendPlan, entry: StoredEntry, record: MessageRecord) -> None:
    thread = record.thread is not None and entry.thread is None
    reply = record.reply_to is not None and entry.reply_to is None
    if thread or reply or (record.link and not entry.link):
        plan.filled.append(FillIn(entry.key, record, entry.live, thread or reply))
