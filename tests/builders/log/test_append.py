import asyncio
import random
import threading

import pytest

from egcforest.builders import log as builders_log
from egcforest.builders.log import append_source
from egcforest.builders.progress import SilentReport
from egcforest.builders.sources import open_source
from egcforest.graph.errors import InvalidKeyError
from egcforest.graph.keys import actor_key, channel_key
from egcforest.text.analyzer import analyze


def line(number, **fields):
    return {
        "channel": "general",
        "id": str(number),
        "time": f"2026-01-{1 + number % 28:02}T10:00:00Z",
        "author": "ana",
        "text": f"message {number} about OPS-{number}",
        **fields,
    }


async def test_a_second_run_adds_nothing(log):
    lines = [line(n) for n in range(25)] + [line(3, revision=1, text="edited")]
    first = await log.ingest(*lines)
    before = await log.contents()
    second = await log.ingest(*lines)
    assert await log.contents() == before
    assert (first.total.read, first.total.added, first.total.superseded) == (26, 25, 1)
    assert (second.total.read, second.total.unchanged) == (26, 26)


async def test_batches_do_not_matter(log):
    lines = [line(n, reply_to=str(n - 1) if n else None) for n in range(23)]
    receipt = await log.ingest(*lines, batch_size=4)
    before = await log.contents()
    assert receipt.total.added == 23
    assert (await log.ingest(*lines, batch_size=1000)).total.unchanged == 23
    assert await log.contents() == before


async def test_order_does_not_matter(log):
    lines = [
        {"type": "actor", "id": "ana", "name": "Ana"},
        {"type": "channel", "id": "ops", "kind": "private", "members": ["ana", "eve"]},
        *(line(n) for n in range(12)),
        *(line(n, channel="ops", thread="0", author="bo") for n in range(12)),
        *(line(n, revision=r, text=f"edit {r}") for n in range(4) for r in (1, 2, 10)),
        line(5, deleted=True, revision="9"),
        line(6, deleted=True),
        line(6, revision=3, text="after"),
    ]
    random.Random(7).shuffle(lines)
    await log.ingest(*lines)
    expected = await log.contents()
    for seed in range(3):
        await log.log_store.wipe(log.workspace)
        random.Random(seed).shuffle(lines)
        await log.ingest(*lines[:15], batch_size=3)
        # What the first part does not describe, the second one does.
        await log.ingest(*lines)
        assert await log.contents() == expected


async def test_edits_and_deletions(log):
    receipt = await log.ingest(line(1), line(1, revision=2, text="two"), line(2))
    assert (receipt.total.added, receipt.total.superseded) == (2, 1)
    receipt = await log.ingest(line(1, revision=1, text="one"), line(2, deleted=True))
    assert (receipt.total.added, receipt.total.superseded) == (0, 2)
    live = await log.cypher("MATCH (m:Message {workspace: $w, live: true}) RETURN m.text AS text")
    assert [row["text"] for row in live] == ["two"]
    # Fault 26: what was deleted does not come back with an old export.
    assert (await log.ingest(line(2))).total.unchanged == 1
    live = await log.cypher("MATCH (m:Message {workspace: $w, live: true}) RETURN m.text AS text")
    assert [row["text"] for row in live] == ["two"]


async def test_terms_identifiers_and_files(log):
    await log.ingest(
        line(
            1, text="see OPS-214 and the plan", files=[{"title": "Budget", "name": "budget.xlsx"}]
        ),
        line(2, kind="housekeeping", text="joined"),
    )
    rows = await log.cypher(
        "MATCH (m:Message {workspace: $w}) RETURN m.terms AS terms, m.identifiers AS found "
        "ORDER BY m.source_id"
    )
    assert {"ops-214", "plan", "budget"} <= set(rows[0]["terms"].split())
    assert {"ticket:OPS-214"} <= set(rows[0]["found"])
    assert any("budget" in name for name in rows[0]["found"])
    assert rows[1]["terms"] is None


async def test_a_private_channel_without_a_list_belongs_to_those_who_wrote_there(log):
    quiet = {"id": "quiet", "kind": "private"}
    listed = {"id": "listed", "kind": "private", "members": ["ana", "cy"]}
    await log.ingest(
        line(1, channel=quiet, author="ana"),
        line(2, channel=quiet, author="bo"),
        line(3, channel=listed, author="bo"),
        line(4),
    )
    scopes = {}
    for name in ("ana", "bo", "cy"):
        scope = await log.log_store.scope(log.workspace, actor_key(log.workspace, name))
        scopes[name] = set(scope.audiences)
    assert scopes == {
        "ana": {"public", "quiet", "listed"},
        "bo": {"public", "quiet"},
        "cy": {"public", "listed"},
    }
    rows = await log.cypher(
        "MATCH (m:Message {workspace: $w}) RETURN m.source_id AS i, m.audience AS a"
    )
    assert {row["i"]: row["a"] for row in rows} == {
        "1": "quiet", "2": "quiet", "3": "listed", "4": "public",
    }  # fmt: skip


async def test_a_bare_id_does_not_open_a_channel_that_was_described_as_private(log):
    await log.ingest(line(1, channel={"id": "ops", "name": "Ops", "kind": "private"}))
    await log.ingest(line(2, channel="ops"))
    rows = await log.cypher("MATCH (m:Message {workspace: $w}) RETURN DISTINCT m.audience AS a")
    assert [row["a"] for row in rows] == ["ops"]


async def test_a_channel_described_as_private_later_takes_its_messages_along(log):
    await log.ingest(line(1, channel="ops"))
    await log.ingest({"type": "channel", "id": "ops", "name": "Ops", "kind": "private"})
    rows = await log.cypher("MATCH (m:Message {workspace: $w}) RETURN DISTINCT m.audience AS a")
    assert [row["a"] for row in rows] == ["ops"]


async def test_a_guess_never_opens_what_another_guess_kept_closed(log):
    hello = [{"ts": "1.1", "user": "U1", "text": "hello"}]
    day = "secret/2024-01-01.json"
    await log.slack({"channels.json": [{"id": "C1", "name": "general"}], day: hello})
    await log.slack({day: hello})
    rows = await log.cypher(
        "MATCH (c:Channel {workspace: $w, name: 'secret'}) RETURN c.audience AS a"
    )
    assert [row["a"] for row in rows] == ["secret"]


async def test_the_receipt_accounts_for_every_record(log):
    receipt = await log.slack(
        {
            "users.json": [{"id": "U1", "name": "ana"}, {"name": "nobody"}],
            "general/2024-01-01.json": [
                {"ts": "1.1", "user": "U1", "text": "hello"},
                {"ts": "1.1", "user": "U1", "text": "hello"},
                {"ts": "2.1", "user": "U1", "text": "joined", "subtype": "channel_join"},
                {"user": "U1", "text": "no time"},
                "nonsense",
                {
                    "ts": "5.1", "subtype": "message_changed",
                    "message": {"ts": "3.1", "user": "U1", "text": "b", "edited": {"ts": "4.1"}},
                    "previous_message": {"ts": "3.1", "user": "U1", "text": "a"},
                },
            ],
            "general/2024-01-02.json": '[{"ts": "7.1", "user": "U1", "text": "x"}, {"ts": "8',
        }
    )  # fmt: skip
    total = receipt.total
    assert (total.read, total.added, total.unchanged, total.superseded, total.rejected) == (
        8, 3, 1, 1, 3,
    )  # fmt: skip
    assert (total.housekeeping, total.recovered) == (1, 1)
    assert receipt.rejections_total == 4
    assert [rejection.place for rejection in receipt.rejections] == [
        "users.json #2",
        "general/2024-01-01.json #4",
        "general/2024-01-01.json #5",
        "general/2024-01-02.json #2",
    ]
    assert "hello" not in str(receipt) + str(receipt.as_dict())
    general = receipt.channels["general"]
    assert (str(general.first), str(general.last)) == (
        "1970-01-01 00:00:01.100000+00:00",
        "1970-01-01 00:00:07.100000+00:00",
    )


async def test_a_later_export_brings_replies_edits_and_deletions(log):
    """Fault 19: a reply that comes after its parent's file is attached."""
    root = {"ts": "1.1", "user": "U1", "text": "root"}
    await log.slack({"general/2024-01-01.json": [root, {"ts": "2.1", "user": "U1", "text": "x"}]})
    receipt = await log.slack(
        {
            "general/2024-01-01.json": [
                {
                    **root,
                    "thread_ts": "1.1",
                    "edited": {"user": "U1", "ts": "8.1"},
                    "text": "better",
                },
                {"ts": "2.1", "subtype": "tombstone", "user": "USLACKBOT", "text": "deleted"},
            ],
            "general/2024-01-09.json": [
                {"ts": "9.1", "user": "U2", "text": "reply", "thread_ts": "1.1"}
            ],
        }
    )
    assert (receipt.total.added, receipt.total.superseded) == (1, 2)
    rows = await log.cypher(
        "MATCH (m:Message {workspace: $w, live: true}) "
        "OPTIONAL MATCH (m)-[:REPLIES_TO]->(p) "
        "RETURN m.text AS text, p.text AS parent ORDER BY text"
    )
    assert [(row["text"], row["parent"]) for row in rows] == [("better", None), ("reply", "better")]


async def test_a_reply_read_before_its_root_is_attached(log):
    await log.ingest(line(9, thread="1"), batch_size=1)
    await log.ingest(line(1), batch_size=1)
    rows = await log.cypher(
        "MATCH (m:Message {workspace: $w})-[:REPLIES_TO]->(p) "
        "RETURN m.source_id AS m, p.source_id AS p"
    )
    assert rows == [{"m": "9", "p": "1"}]


async def test_broken_off_and_started_again_it_ends_in_the_same_log(log):
    lines = [line(n, author=f"u{n % 3}", reply_to=str(n - 1) if n else None) for n in range(30)]
    await log.ingest(*lines)
    expected = await log.contents()
    await log.log_store.wipe(log.workspace)

    class Stop(SilentReport):
        seen = 0

        def advance(self, count=1):
            self.seen += count
            if self.seen >= 10:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await log.ingest(*lines, batch_size=5, report=Stop())
    receipt = await log.ingest(*lines, batch_size=7)
    assert await log.contents() == expected
    assert receipt.total.unchanged == 10


async def test_any_id_is_accepted(log):
    """Fault 10, and ids that would be mistaken for structure."""
    ids = ["a/b", "a~b", "a%2Fb", "ключ", "a b", "🎉", "\u2028x" * 127, "a\u2028b"]
    receipt = await log.ingest(*(line(1, id=i, author=i, channel=i) for i in ids))
    assert receipt.total.added == len(ids)
    assert (
        await log.ingest(*(line(1, id=i, author=i, channel=i) for i in ids))
    ).total.unchanged == 8


async def test_a_channel_that_cannot_have_an_audience_costs_only_its_messages(log):
    private = {"id": "public", "name": "odd", "kind": "private"}
    receipt = await log.ingest(line(1, channel=private), line(2))
    assert (receipt.total.added, receipt.total.rejected) == (1, 1)
    assert receipt.channels["public"].rejected == 1
    receipt.check()


async def test_a_long_text_is_written(log):
    """Fault 14."""
    receipt = await log.ingest(line(1, text="word " * 40_000))
    assert receipt.total.added == 1


async def test_two_ingests_at_once(log, tmp_path):
    """Fault 12."""
    lines = [line(n, channel=f"c{n % 3}", author=f"u{n % 5}") for n in range(60)]
    receipts = await asyncio.gather(*(log.ingest(*lines, batch_size=7) for _ in range(3)))
    outcomes = [receipt.total for receipt in receipts]
    assert sum(total.added for total in outcomes) == 60
    assert all(total.read == 60 for total in outcomes)


async def test_the_event_loop_stays_free(log, monkeypatch):
    """Fault 27: reading and analysing happen in another thread."""
    threads = set()

    def watched(text):
        threads.add(threading.current_thread())
        return analyze(text)

    monkeypatch.setattr(builders_log, "analyze", watched)
    await log.ingest(*(line(n) for n in range(10)), batch_size=3)
    assert threads
    assert threading.current_thread() not in threads


async def test_a_bad_workspace_is_refused_before_anything_is_read(log, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("{}")
    with pytest.raises(InvalidKeyError):
        await append_source(open_source(path), "Not OK", log.log_store)


async def test_channels_are_marked_for_building(log):
    await log.ingest(line(1))
    rows = await log.cypher(
        "MATCH (c:Channel {key: $key}) RETURN c.build_pending AS pending",
        key=channel_key(log.workspace, "general"),
    )
    assert rows == [{"pending": log.workspace}]
