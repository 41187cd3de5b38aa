import gzip
import json
from datetime import UTC, datetime

import pytest

from egcforest.builders.errors import SourceError
from egcforest.builders.sources import JsonlOptions, JsonlSource, SourceMessage
from egcforest.builders.sources import jsonl as module
from egcforest.builders.sources.base import DELETED_REVISION
from egcforest.graph.records import ChannelKind, MessageKind


class Reading:
    def __init__(self, source):
        self.source = source
        self.actors = {actor.id: actor for actor in source.actors()}
        self.channels = {channel.id: channel for channel in source.channels()}
        items = list(source.messages())
        self.messages = [item for item in items if isinstance(item, SourceMessage)]
        self.rejects = [item for item in items if not isinstance(item, SourceMessage)]


@pytest.fixture
def read(tmp_path):
    def read(*lines, content=None, **options):
        path = tmp_path / "chat.jsonl"
        if content is None:
            content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        path.write_bytes(content)
        return Reading(JsonlSource(path, JsonlOptions(**options)))

    return read


def line(**fields):
    return {
        "channel": "c", "id": "1", "time": "2026-01-31T09:30:00+01:00", "author": "ana",
        "text": "hi", **fields,
    }  # fmt: skip


def test_a_plain_line(read):
    [message] = read(line()).messages
    assert message.at == datetime(2026, 1, 31, 8, 30, tzinfo=UTC)
    assert message.source_ts == "2026-01-31T09:30:00+01:00"
    assert (message.channel_id, message.source_id, message.author_id) == ("c", "1", "ana")
    assert (message.text, message.raw, message.place) == ("hi", "hi", "chat.jsonl line 1")
    assert (message.thread, message.reply_to, message.revision) == (None, None, "")


@pytest.mark.parametrize(
    ("time", "at"),
    [
        ("2026-01-31T09:30:00Z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31 09:30:00.25-02:00", datetime(2026, 1, 31, 11, 30, 0, 250000, tzinfo=UTC)),
        (1769851800, datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        (1769851800.5, datetime(2026, 1, 31, 9, 30, 0, 500000, tzinfo=UTC)),
    ],
)
def test_times(read, time, at):
    assert read(line(time=time)).messages[0].at == at


def test_a_naive_time_needs_a_stated_zone(read):
    """Fault 17."""
    naive = line(time="2026-07-31T09:30:00")
    [reject] = read(naive).rejects
    assert "has no offset" in reject.reason
    assert "timezone" in reject.remedy
    [message] = read(naive, timezone="Europe/Berlin").messages
    assert message.at == datetime(2026, 7, 31, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize("zone", ["Nowhere/Land", "../etc/passwd", "/etc/passwd", "\x00"])
def test_an_unknown_zone_is_refused(read, zone):
    with pytest.raises(SourceError, match="unknown"):
        read(line(), timezone=zone)


def test_threads_and_replies(read):
    root, reply, other = read(
        line(thread="1", reply_to="1"), line(id="2", thread=1), line(id="3", reply_to="2")
    ).messages
    assert (root.thread, root.reply_to) == (None, None)
    assert (reply.thread, reply.reply_to) == ("1", "1")
    assert (other.thread, other.reply_to) == (None, "2")


def test_revisions_sort_and_deletions_come_last(read):
    numbers = [1, 2, 10, "2026-01-01", "v2"]
    messages = read(*(line(revision=n) for n in numbers), line(deleted=True, revision=0)).messages
    revisions = [message.revision for message in messages]
    assert revisions == sorted(revisions)
    assert revisions[-1] == DELETED_REVISION
    assert (messages[-1].kind, messages[-1].text) == (MessageKind.TOMBSTONE, "")
    assert read(line(deleted=True, revision=3)).messages[0].revision == "000000000000003"
    assert read({k: v for k, v in line(deleted=True).items() if k != "text"}).messages


def test_descriptions_anywhere_and_the_last_one_counts(read):
    reading = read(
        line(author="ana", channel="ops"),
        {"type": "actor", "id": "ana", "name": "Ana Ruiz", "title": "CTO", "aliases": ["ar"]},
        {"type": "channel", "id": "ops", "name": "Old", "kind": "public"},
        {"type": "channel", "id": "ops", "name": "Ops", "kind": "private",
         "members": ["ana", 7, 7]},
        line(id="2", author={"id": "bot1", "name": "Deploy", "bot": True},
             mentions=["ana", {"id": 9}]),
        line(id="3", channel={"id": "ops"}, author={"id": "ana"}),
    )  # fmt: skip
    assert (reading.actors["ana"].name, reading.actors["ana"].aliases) == ("Ana Ruiz", ("ar",))
    assert reading.actors["bot1"].is_bot
    assert reading.actors["9"].placeholder
    ops = reading.channels["ops"]
    assert (ops.name, ops.kind, ops.members) == ("Ops", ChannelKind.PRIVATE, ("ana", "7"))
    assert reading.channels["c"].placeholder
    assert reading.messages[1].mentions == ("ana", "9")
    assert reading.source.total_hint() == 3
    assert not reading.rejects


def test_files(read):
    [message] = read(
        line(
            text="",
            files=["  notes.txt ",
                   {"title": "Plan", "name": "p.md", "type": "md", "preview": "x " * 900},
                   {"name": "a.png"}, {}],
        )
    ).messages  # fmt: skip
    assert message.kind is MessageKind.MESSAGE
    assert message.files[0] == "notes.txt"
    assert message.files[1].startswith("Plan (p.md, md): x x")
    assert len(message.files[1]) < 530
    assert message.files[2:] == ("a.png", "file")


def test_housekeeping_and_empty_messages(read):
    kinds = [m.kind for m in read(line(kind="housekeeping"), line(text=" "), line()).messages]
    assert kinds == [MessageKind.HOUSEKEEPING, MessageKind.HOUSEKEEPING, MessageKind.MESSAGE]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"id": None}, "id of the message"),
        ({"id": ""}, "id of the message"),
        ({"id": True}, "id of the message"),
        ({"id": "x" * 256}, "id of the message"),
        ({"id": ["1"]}, "id of the message"),
        ({"channel": None}, "id of a channel"),
        ({"channel": {"name": "x"}}, "id of a channel"),
        ({"channel": {"id": "c", "kind": "secret"}}, "channel kind"),
        ({"channel": {"id": "c", "kind": ["public"]}}, "channel kind"),
        ({"channel": {"id": "c", "members": "ana"}}, "`members`"),
        ({"author": None}, "id of an actor"),
        ({"text": None}, None),
        ({"text": 7}, "`text` is no text"),
        ({"time": None}, "no time"),
        ({"time": "yesterday"}, "no ISO time"),
        ({"time": True}, "no time"),
        ({"time": 1769851800000}, "not in seconds"),
        ({"time": -5}, "not in seconds"),
        ({"time": "0001-01-01T00:00:00+14:00"}, "out of range"),
        ({"mentions": "ana"}, "`mentions` is no list"),
        ({"mentions": [None]}, "id of an actor"),
        ({"files": [7]}, "a file is"),
        ({"revision": [1]}, "`revision`"),
        ({"thread": {}}, "`thread`"),
        ({"kind": "tombstone"}, "neither message nor housekeeping"),
        ({"kind": {}}, "neither message nor housekeeping"),
        ({"type": "version"}, "type 'version' is unknown"),
        ({"type": ["message"]}, "is unknown"),
    ],
)  # fmt: skip
def test_bad_lines_are_rejected_and_the_rest_goes_on(read, bad, reason):
    reading = read(line(**bad), line(id="ok"))
    assert reading.messages[-1].source_id == "ok"
    if reason is None:
        assert not reading.rejects
        return
    [reject] = reading.rejects
    assert reason in reject.reason
    assert reject.place == "chat.jsonl line 1"
    assert reject.records == 1


def test_a_bad_description_is_no_message(read):
    reading = read({"type": "actor", "name": "x"}, {"type": "channel"}, line())
    assert [reject.records for reject in reading.rejects] == [0, 0]
    assert len(reading.messages) == 1


def test_a_line_without_text_is_rejected(read):
    fields = line()
    del fields["text"]
    assert "no text" in read(fields).rejects[0].reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json\n", "no JSON"),
        (b"[1]\n", "no JSON object"),
        (b'{"text": "\xff"}\n', "UTF-8"),
        (b"[" * 50_000 + b"\n", "no usable JSON"),
        (b'{"id": ' + b"9" * 5000 + b"}\n", "no usable JSON"),
    ],
)
def test_lines_that_are_no_json(read, content, reason):
    reading = read(content=content + json.dumps(line()).encode())
    assert reason in reading.rejects[0].reason
    assert len(reading.messages) == 1


def test_a_line_that_is_too_long_is_skipped(read, monkeypatch):
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 200)
    reading = read(line(text="x" * 1000), line(id="2"))
    assert "longer than 200 bytes" in reading.rejects[0].reason
    assert [message.source_id for message in reading.messages] == ["2"]
    assert reading.messages[0].place == "chat.jsonl line 2"


def test_bom_empty_lines_windows_line_ends_and_surrogates(read):
    text = json.dumps(line(text="a \ud83d b\x00"))
    reading = read(content=b"\xef\xbb\xbf" + f"{text}\r\n\r\n  \n{text}".encode())
    assert [m.place for m in reading.messages] == ["chat.jsonl line 1", "chat.jsonl line 4"]
    assert reading.messages[0].text == "a \ufffd b"


def test_gzip(tmp_path):
    path = tmp_path / "chat.jsonl.gz"
    packed = gzip.compress("".join(json.dumps(line(id=n)) + "\n" for n in range(5000)).encode())
    path.write_bytes(packed)
    assert len(Reading(JsonlSource(path)).messages) == 5000
    path.write_bytes(packed[:-2000])
    cut = Reading(JsonlSource(path))
    assert 0 < len(cut.messages) < 5000
    assert "from here on the file is damaged" in cut.rejects[-1].reason


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SourceError, match="no file"):
        JsonlSource(tmp_path / "none.jsonl")
