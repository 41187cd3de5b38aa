"""What an append decides; pure."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from egcforest.graph.log_plan import StoredEntry, base_key, content_digest, plan_append
from egcforest.graph.records import LogOutcome, MessageKind, MessageRecord
from tests.graph.log_records import message

Stored = dict[str, list[StoredEntry]]


def apply(stored: Stored, records: list[MessageRecord]) -> list[LogOutcome]:
    """Do to `stored` what the store does to the graph."""
    plan = plan_append(records, stored)
    for new in plan.created:
        record = new.record
        stored.setdefault(base_key(record), []).append(
            StoredEntry(
                record.key, record.revision, new.content, new.live, record.thread,
                record.reply_to, record.link,
            )
        )  # fmt: skip
    for base, entries in stored.items():
        stored[base] = [replace(e, live=e.live and e.key not in plan.demoted) for e in entries]
    return plan.outcomes


entries = st.builds(
    lambda source_id, revision, kind: message(
        "w", source_id, f"{source_id} at {revision}", revision=revision, kind=kind
    ),
    st.sampled_from("12"),
    st.sampled_from(["", "1", "2", "3"]),
    st.just(MessageKind.MESSAGE),
)


@given(st.lists(entries, max_size=12), st.randoms(use_true_random=False), st.integers(1, 5))
def test_order_and_batches_do_not_matter(
    records: list[MessageRecord], rng: object, size: int
) -> None:
    whole: Stored = {}
    apply(whole, records)
    shuffled = list(records)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    parts: Stored = {}
    for start in range(0, len(shuffled), size):
        apply(parts, shuffled[start : start + size])
    assert {b: set(e) for b, e in whole.items()} == {b: set(e) for b, e in parts.items()}
    for found in whole.values():
        live = [entry for entry in found if entry.live]
        assert live == [max(found, key=lambda entry: entry.revision)]


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=10))
def test_unmarked_edits_lose_nothing(texts: list[str]) -> None:
    stored: Stored = {}
    for text in texts:
        apply(stored, [message("w", "1", text)])
    (found,) = stored.values()
    assert {entry.content for entry in found} == {
        content_digest(message("w", "1", t)) for t in texts
    }
    assert len(found) == len(set(texts))
    # Of those in the order of first arrival, the last is current.
    (live,) = [entry for entry in found if entry.live]
    assert live.content == content_digest(message("w", "1", list(dict.fromkeys(texts))[-1]))


def test_content_is_what_the_source_said() -> None:
    given_ = message("w", "1", "hello @Ana")
    same = [
        replace(given_, text="hello @Anna"),
        replace(given_, link="https://x", thread="1", identifiers=("url:x",)),
    ]
    other = [
        replace(given_, raw="hello"),
        replace(given_, author="w/a/U2"),
        replace(given_, files=("f",)),
        replace(given_, kind=MessageKind.TOMBSTONE),
    ]
    digest = content_digest(given_)
    assert [content_digest(record) == digest for record in same] == [True, True]
    assert [content_digest(record) == digest for record in other] == [False] * 4


def test_outcomes_stand_in_the_order_of_the_input() -> None:
    records = [message("w", "2"), message("w", "1"), message("w", "2"), message("w", "1", "x")]
    assert apply({}, records) == [
        LogOutcome.ADDED,
        LogOutcome.ADDED,
        LogOutcome.UNCHANGED,
        LogOutcome.SUPERSEDED,
    ]
