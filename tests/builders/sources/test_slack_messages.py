import json
from datetime import UTC, datetime

import pytest

from egcforest.builders.errors import SourceError
from egcforest.builders.sources.base import DELETED_REVISION
from egcforest.builders.sources.slack_messages import HOUSEKEEPING_SUBTYPES, time_of
from egcforest.graph.records import MessageKind

TS = "1704189600.000200"


def message(**fields):
    return {"type": "message", "user": "U1", "ts": TS, "text": "hello", **fields}


def test_a_plain_message(export):
    entry = export.day(message(text="<@U2> see <#C1|general> &amp; go")).only
    assert entry.source_id == entry.source_ts == TS
    assert entry.at == datetime(2024, 1, 2, 10, 0, 0, 200, tzinfo=UTC)
    assert entry.text == "@Bo see #general & go"
    assert entry.raw == "<@U2> see <#C1|general> &amp; go"
    assert entry.mentions == ("U2",)
    assert entry.channel_mentions == ("C1",)
    assert entry.kind is MessageKind.MESSAGE
    assert (entry.revision, entry.thread, entry.reply_to, entry.link) == ("", None, None, "")
    assert entry.place == "general/2024-01-02.json #1"
    assert entry.introduces == ()


@pytest.mark.parametrize(
    ("ts", "at"),
    [
        ("1704189600.000200", datetime(2024, 1, 2, 10, 0, 0, 200, tzinfo=UTC)),
        ("1704189600", datetime(2024, 1, 2, 10, tzinfo=UTC)),
        ("1704189600.5", datetime(2024, 1, 2, 10, 0, 0, 500000, tzinfo=UTC)),
        ("999999999999.0", None),
        ("-1", None),
        ("soon", None),
        ("", None),
        ("1e9", None),
        ("١٢", None),
    ],
)
def test_timestamps(ts, at):
    assert time_of(ts) == at


@pytest.mark.parametrize("ts", [1704189600.000200, 1704189600])
def test_a_time_written_as_a_number_keeps_its_digits(export, ts):
    reading = export.read({"general/2024-01-02.json": f'[{{"ts": {ts:.6f}, "text": "x"}}]'})
    assert reading.only.source_id == f"{ts:.6f}"


def test_threads_and_broadcasts(export):
    root = message(ts="10.1", thread_ts="10.1", replies=[{"user": "U2", "ts": "11.1"}])
    reply = message(ts="11.1", thread_ts="10.1", user="U2")
    shown = message(ts="12.1", thread_ts="10.1", subtype="thread_broadcast", root=root)
    entries = {entry.source_id: entry for entry in export.day(reply, root, shown).messages}
    assert (entries["10.1"].thread, entries["10.1"].reply_to) == (None, None)
    assert (entries["11.1"].thread, entries["11.1"].reply_to) == ("10.1", "10.1")
    assert (entries["12.1"].thread, entries["12.1"].kind) == ("10.1", MessageKind.MESSAGE)


def test_an_edit_is_a_revision(export):
    entry = export.day(message(edited={"user": "U1", "ts": "1704189700.000000"})).only
    assert entry.revision == "1704189700.000000"
    assert entry.source_id == TS


def test_message_changed_gives_the_new_state_and_recovers_the_old_one(export):
    event = {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "ts": "1704189800.000000",
        "message": message(text="new", edited={"user": "U1", "ts": "1704189799.000000"}),
        "previous_message": message(text="old"),
    }
    old, new = export.day(event).messages
    assert (old.text, old.revision, old.recovered) == ("old", "", True)
    assert (new.text, new.revision, new.recovered) == ("new", "1704189799.000000", False)
    assert old.source_id == new.source_id == TS
    assert new.kind is MessageKind.MESSAGE


def test_message_changed_without_an_edit_takes_the_time_of_the_event(export):
    edited = {"edited": {"user": "U1", "ts": "1704189700.0"}}
    event = {
        "subtype": "message_changed",
        "ts": "1704189800.0",
        "message": message(**edited, attachments=[{"title": "Unfurled"}]),
        "previous_message": message(**edited),
    }
    old, new = export.day(event).messages
    assert (old.revision, new.revision) == ("1704189700.0", "1704189800.0")
    assert new.files == ("Unfurled",)


def test_message_deleted_is_a_tombstone_with_the_author_of_the_message(export):
    event = {
        "subtype": "message_deleted",
        "hidden": True,
        "ts": "1704189900.0",
        "deleted_ts": TS,
        "previous_message": message(user="U2", text="a secret", thread_ts="10.1"),
    }
    old, stone = export.day(event).messages
    assert (old.text, old.recovered) == ("a secret", True)
    assert (stone.kind, stone.text, stone.raw) == (MessageKind.TOMBSTONE, "", "")
    assert (stone.source_id, stone.revision, stone.author_id) == (TS, "1704189900.0", "U2")
    assert stone.thread == "10.1"


def test_a_tombstone_sorts_after_every_edit(export):
    stone = export.day(
        message(subtype="tombstone", user="USLACKBOT", text="This message was deleted.")
    ).only
    assert (stone.kind, stone.text, stone.revision) == (MessageKind.TOMBSTONE, "", DELETED_REVISION)
    assert stone.revision > "9999999999.999999"


@pytest.mark.parametrize("subtype", sorted(HOUSEKEEPING_SUBTYPES))
def test_housekeeping_is_kept_and_marked(export, subtype):
    entry = export.day(message(subtype=subtype, text="<@U1> did it")).only
    assert entry.kind is MessageKind.HOUSEKEEPING
    assert entry.text == "@Ana Ruiz did it"


@pytest.mark.parametrize("subtype", ["me_message", "file_share", "slackbot_response", "brand_new"])
def test_other_subtypes_with_text_are_messages(export, subtype):
    assert export.day(message(subtype=subtype)).only.kind is MessageKind.MESSAGE


@pytest.mark.parametrize(
    "fields",
    [{"text": ""}, {"text": None}, {"type": "event"}, {"hidden": True}, {"is_ephemeral": True}],
)
def test_what_nobody_said_stays_out_of_the_trees(export, fields):
    assert export.day(message(**fields)).only.kind is MessageKind.HOUSEKEEPING


class TestAuthors:
    def test_bots_without_a_user_are_kept_apart(self, export):
        def said(ts, **fields):
            return {"type": "message", "subtype": "bot_message", "ts": ts, "text": "x", **fields}

        reading = export.day(
            said("1.1", bot_id="B7"),
            said("2.1", bot_id="B8", bot_profile={"name": "Deployer"}),
            said("3.1", bot_id="B9", username="alerts"),
            said("4.1", bot_id="B9", username="builds"),
            said("5.1", username="alerts"),
            said("6.1"),
            said("7.1", bot_id="B2", username="bo"),
            said("8.1", bot_id="B2", username="somebody"),
        )
        authors = [entry.author_id for entry in reading.messages]
        assert authors == [
            "B7", "B8", "B9:alerts", "B9:builds", "bot:alerts", "unknown", "U2", "B2:somebody",
        ]  # fmt: skip
        assert reading.actors["B8"].name == "Deployer"
        assert reading.actors["B9:alerts"].name == "alerts"
        assert reading.actors["B7"].placeholder
        assert reading.actors["B7"].is_bot
        assert reading.messages[5].introduces[0].id == "unknown"

    def test_a_bot_is_called_as_its_integration_was(self, export):
        reading = export.day(
            {"ts": "1.1", "subtype": "bot_message", "bot_id": "B0JL6RASU", "text": "x"},
            message(
                ts="2.1",
                subtype="bot_add",
                text="added: <https://a.slack.com/services/B0JL6RASU|github>",
            ),
        )
        assert reading.actors["B0JL6RASU"].name == "github"

    def test_slackbot_and_unknown_users(self, export):
        reading = export.day(
            message(user="USLACKBOT", ts="1.1"),
            message(user="U77", ts="2.1"),
            message(user="U78", ts="3.1", user_profile={"real_name": "Guest", "name": "guest"}),
            message(ts="4.1", text="<@U79|Eve> and <@U80>, <@U78>"),
            message(user="U81", ts="5.1", bot_id="B5", bot_profile={"name": "Helper"}),
        )
        assert reading.actors["USLACKBOT"].name == "Slackbot"
        assert reading.actors["USLACKBOT"].is_bot
        assert reading.actors["U77"].placeholder
        assert (reading.actors["U78"].name, reading.actors["U78"].aliases) == ("Guest", ("guest",))
        assert (reading.actors["U81"].name, reading.actors["U81"].is_bot) == ("Helper", True)
        entry = reading.messages[3]
        assert entry.text == "@Eve and @U80, @Guest"
        assert [(a.id, a.name) for a in entry.introduces] == [("U79", "Eve"), ("U80", "U80")]

    def test_the_newest_profile_names_an_unlisted_author_everywhere(self, export):
        reading = export.day(
            message(user="U9", ts="1.1", user_profile={"real_name": "Old"}, text="<@U9>"),
            message(user="U9", ts="2.1", user_profile={"real_name": "New"}),
            message(user="U9", ts="3.1"),
        )
        assert reading.messages[0].text == "@New"

    def test_old_exports_name_the_author_of_a_comment_inside(self, export):
        reading = export.day(
            {"ts": "1.1", "text": "x", "subtype": "file_comment", "comment": {"user": "U2"}},
            {"ts": "2.1", "text": "x", "subtype": "file_share", "file": {"user": "U1", "id": "F"}},
        )
        assert [entry.author_id for entry in reading.messages] == ["U2", "U1"]


class TestContent:
    def test_files(self, export):
        long = "word " * 300
        entry = export.day(
            message(
                text="",
                files=[
                    {"id": "F1", "title": "Plan &amp; dates", "name": "plan.md",
                     "filetype": "markdown", "preview": long, "url_private": "https://files.x.test/plan.md?t=xoxe-secret"},
                    {"id": "F2", "mode": "tombstone"},
                    {"id": "F3", "name": "a.png", "title": "a.png", "pretty_type": "PNG"},
                    "nonsense",
                ],
            )
        ).only  # fmt: skip
        assert entry.kind is MessageKind.MESSAGE
        assert entry.text == ""
        plan, gone, image = entry.files
        assert plan.startswith("Plan & dates (plan.md, markdown): word word")
        assert len(plan) < 550
        assert plan.endswith("…")
        assert "secret" not in str(entry)
        assert gone == "file F2 (deleted)"
        assert image == "a.png (PNG)"

    def test_an_unfurled_link_is_a_line_and_addresses_nobody(self, export):
        entry = export.day(
            message(
                attachments=[
                    {"service_name": "GitHub", "title": "Fix it", "title_link": "https://x.test/1",
                     "text": "by <@U2>", "from_url": "https://x.test/1"}
                ]
            )
        ).only  # fmt: skip
        assert entry.text == "hello"
        assert entry.files == ("GitHub: Fix it (https://x.test/1) by @Bo",)
        assert entry.mentions == ()

    def test_attachments_carry_the_text_where_there_is_no_other(self, export):
        attachment = {
            "fallback": "not this",
            "pretext": "[repo] 1 new commit",
            "text": "<https://x.test/c|abc>: fix",
            "fields": [{"title": "Status", "value": "green"}, {"value": "alone"}],
        }
        entry = export.day(message(text="", attachments=[attachment, {"fallback": "second"}])).only
        assert entry.text == (
            "[repo] 1 new commit\nabc (https://x.test/c): fix\nStatus: green\nalone\nsecond"
        )
        assert entry.files == ()
        assert json.loads(entry.raw)["attachments"][0] == attachment

    def test_rich_text_blocks(self, export):
        def part(kind, *elements, **fields):
            return {"type": kind, "elements": list(elements), **fields}

        def text(words):
            return {"type": "text", "text": words}

        blocks = [
            part(
                "rich_text",
                part(
                    "rich_text_section",
                    text("Hi "),
                    {"type": "user", "user_id": "U2"},
                    text(" <b> "),
                    {"type": "emoji", "name": "tada"},
                    {"type": "link", "url": "https://x.test", "text": "doc"},
                    {"type": "broadcast", "range": "here"},
                    {"type": "channel", "channel_id": "C1"},
                    {"type": "date", "timestamp": 0, "fallback": "today"},
                    {"type": "usergroup", "usergroup_id": "S1"},
                ),
                part(
                    "rich_text_list",
                    part("rich_text_section", text("one")),
                    part("rich_text_section", text("two")),
                    style="ordered",
                    indent=1,
                ),
                part("rich_text_preformatted", text("a < b")),
            )
        ]
        entry = export.day(message(text="", blocks=blocks)).only
        assert entry.text == (
            "Hi @Bo <b> :tada:doc (https://x.test)@here#generaltoday@S1\n"
            "  1. one\n  2. two\n```a < b```"
        )
        assert entry.mentions == ("U2",)
        assert export.day(message(blocks=blocks)).only.text == "hello"

    def test_blocks_of_an_app_are_what_a_person_reads(self, export):
        blocks = [
            {"type": "header", "text": {"type": "plain_text", "text": "Incident 7 & co"}},
            {"type": "section", "text": {"type": "mrkdwn", "text": "*Owner* <@U1>"},
             "fields": [{"type": "mrkdwn", "text": "Sev 2"}]},
            {"type": "divider"},
            {"type": "actions", "elements": [{"type": "button", "text": {"text": "Ack"}}]},
            {"type": "context", "elements": [{"type": "mrkdwn", "text": "since 9:00"}]},
            {"type": "image", "title": {"type": "plain_text", "text": "Graph"}},
            {"type": "table", "rows": [[{"type": "raw_text", "text": cell} for cell in "ab"]]},
        ]  # fmt: skip
        shown = "Incident 7 & co\n*Owner* @Ana Ruiz\nSev 2\nsince 9:00\nGraph\na | b"
        assert export.day(message(text="Incident 7 & co", blocks=blocks)).only.text == shown
        other = export.day(message(text="Page sent", blocks=blocks)).only
        assert other.text == f"Page sent\n{shown}"
        assert json.loads(other.raw)["text"] == "Page sent"

    def test_what_no_database_takes_is_taken_out(self, export):
        entry = export.day(message(text="a\x00b \ud83d c\n\td")).only
        assert entry.text == "ab \ufffd c\n\td"
        entry.raw.encode()


def test_links_to_messages(export):
    reading = export.day(
        message(), message(ts="1.2", thread_ts="1.1"), permalink_base="https://acme.slack.com/"
    )
    assert [entry.link for entry in reading.messages] == [
        "https://acme.slack.com/archives/C1/p1704189600000200",
        "https://acme.slack.com/archives/C1/p12?thread_ts=1.1&cid=C1",
    ]


@pytest.mark.parametrize("base", ["acme", "javascript:alert(1)", "https://acme.slack.com/x?y"])
def test_an_address_that_is_none_is_refused(export, base):
    with pytest.raises(SourceError, match=r"https://acme\.slack\.com"):
        export.day(message(), permalink_base=base)


def test_bad_records_are_rejected_with_their_place_and_the_rest_goes_on(export):
    reading = export.day("text", None, {"text": "no time"}, message(ts="soon"), message())
    assert [reject.place for reject in reading.rejects] == [
        f"general/2024-01-02.json #{number}" for number in (1, 2, 3, 4)
    ]
    assert all(reject.records == 1 and reject.channel_id == "C1" for reject in reading.rejects)
    assert reading.only.text == "hello"


def test_different_messages_of_one_timestamp_are_both_kept(export):
    join = message(subtype="channel_join", text="<@U1> has joined")
    for records in ([join, message(), join], [message(), join, message()]):
        reading = export.day(*records)
        ids = {entry.source_id: entry.kind for entry in reading.messages}
        assert len(ids) == 2
        assert ids[TS] is MessageKind.MESSAGE
        assert len(reading.messages) == 3
