import pytest

from egcforest.builders.sources import open_source
from egcforest.graph.records import ChannelKind, MessageKind

HELLO = {"type": "message", "user": "U1", "ts": "1.1", "text": "hello"}
USERS = [{"id": "U1", "name": "ana", "real_name": "Ana Ruiz"}, {"id": "U2", "name": "bo"}]


def test_all_kinds_of_channels_and_their_audiences(export):
    reading = export.read(
        {
            "users.json": USERS,
            "channels.json": [
                {"id": "C1", "name": "general", "purpose": {"value": "all"},
                 "topic": {"value": "now"}, "is_archived": True},
                {"id": "C2", "name": "converted", "is_private": True, "members": ["U1"]},
            ],
            "groups.json": [{"id": "G1", "name": "secret", "members": ["U1", "U2", "U1", None]}],
            "dms.json": [{"id": "D1", "members": ["U1", "U2"]}],
            "mpims.json": [{"id": "G2", "name": "mpdm-ana--bo--cy-1", "members": ["U1"]}],
            "general/2024-01-01.json": [HELLO],
            "C2/2024-01-01.json": [HELLO],
            "secret/2024-01-01.json": [HELLO],
            "D1/2024-01-01.json": [HELLO],
            "mpdm-ana--bo--cy-1/2024-01-01.json": [HELLO],
        }
    )  # fmt: skip
    channels = reading.channels
    assert {key: channel.kind for key, channel in channels.items()} == {
        "C1": ChannelKind.PUBLIC,
        "C2": ChannelKind.PRIVATE,
        "G1": ChannelKind.PRIVATE,
        "D1": ChannelKind.DIRECT,
        "G2": ChannelKind.GROUP_DIRECT,
    }
    assert channels["C1"].members is None
    assert (channels["C1"].purpose, channels["C1"].topic, channels["C1"].archived) == (
        "all", "now", True,
    )  # fmt: skip
    assert channels["G1"].members == ("U1", "U2")
    assert channels["D1"].name == "Ana Ruiz, bo"
    assert {entry.channel_id for entry in reading.messages} == set(channels)
    assert not reading.rejects


@pytest.mark.parametrize(
    ("folder", "lists", "kind"),
    [
        ("general", {}, ChannelKind.PUBLIC),
        ("general", {"channels.json": [{"id": "C9", "name": "other"}]}, ChannelKind.PRIVATE),
        ("D024BE91L", {}, ChannelKind.DIRECT),
        ("G024BE91L", {}, ChannelKind.PRIVATE),
        ("mpdm-a--b-1", {}, ChannelKind.GROUP_DIRECT),
    ],
)
def test_a_folder_that_no_list_names_is_a_channel_of_its_own(export, folder, lists, kind):
    reading = export.read({f"{folder}/2024-01-01.json": [HELLO], **lists})
    assert reading.only.channel_id == folder
    assert (reading.channels[folder].kind, reading.channels[folder].members) == (kind, None)
    assert reading.channels[folder].placeholder
    [note] = [note for note in reading.notes if folder in note]
    assert ("public" in note) is (kind is ChannelKind.PUBLIC)


def test_of_two_entries_for_one_folder_the_more_private_one_counts(export):
    for names in (("channels.json", "groups.json"), ("groups.json", "channels.json")):
        lists = {name: [{"id": f"X-{name}", "name": "x", "members": []}] for name in names}
        reading = export.read({**lists, "x/2024-01-01.json": [HELLO]})
        assert reading.only.channel_id == "X-groups.json"


def test_the_name_of_a_private_channel_is_not_given_away(export):
    reading = export.read(
        {
            "channels.json": [{"id": "C1", "name": "general"}],
            "groups.json": [{"id": "G1", "name": "layoffs", "members": ["U1"]}],
            "general/2024-01-01.json": [
                {**HELLO, "text": "see <#G1> <#C1>"},
                {**HELLO, "ts": "9.1", "text": "see <#G1|layoffs> <#G1234567|buyout> <#C9|old>"},
            ],
            "layoffs/2024-01-01.json": [{**HELLO, "text": "here <#G1|layoffs> <#C1>"}],
        }
    )
    public, labelled, private = reading.messages
    assert (public.text, public.channel_mentions) == ("see #private-channel #general", ("C1",))
    assert labelled.text == "see #private-channel #private-channel #old"
    assert (private.text, private.channel_mentions) == ("here #layoffs #general", ("G1", "C1"))


def test_a_grid_export_has_lists_above_and_beside_its_teams(export):
    reading = export.read(
        {
            "org_users.json": USERS,
            "channels.json": [{"id": "C0", "name": "all"}],
            "all/2024-01-01.json": [HELLO],
            "teams/east/channels.json": [{"id": "C1", "name": "general"}],
            "teams/west/groups.json": [{"id": "G1", "name": "general", "members": []}],
            "teams/east/general/2024-01-01.json": [HELLO],
            "teams/west/general/2024-01-01.json": [HELLO],
        }
    )
    assert [entry.channel_id for entry in reading.messages] == ["C0", "C1", "G1"]


def test_the_folder_of_one_channel(export):
    folder = export.folder({"general/2024-01-01.json": [HELLO]}) / "general"
    [entry] = open_source(folder).messages()
    assert (entry.channel_id, entry.place) == ("general", "2024-01-01.json #1")


@pytest.mark.parametrize(
    ("content", "kept", "reason"),
    [
        (b'[{"ts": "1.1", "text": "a"}, {"ts": "2.1", "te', 1, "from here on the file is damaged"),
        (b'[{"ts": "1.1", "text": "a"}', 1, "cut off"),
        (b'[{"ts": "1.1", "text": "a"} {"ts": "2.1"}]', 1, "damaged"),
        (b"[", 0, "damaged"),
        (b"", 0, "no JSON list"),
        (b'{"ts": "1.1"}', 0, "no JSON list"),
        ('[{"ts": "1.1", "text": "größe"}]'.encode("latin-1"), 0, "not in UTF-8"),
        ('[{"ts": "1.1", "text": "a"}]'.encode("utf-16"), 0, "UTF-16"),
        (b"[" * 100_000, 0, "nested too deeply"),
        (b'[{"ts": "1.1", "text": "a", "n": ' + b"9" * 5000 + b"}]", 0, "number is too long"),
    ],
)  # fmt: skip
def test_a_damaged_day_is_rejected_with_its_place_and_what_can_be_read_is_kept(
    export, content, kept, reason
):
    reading = export.read({"general/2024-01-01.json": content, "general/2024-01-02.json": [HELLO]})
    assert len(reading.messages) == kept + 1
    [reject] = reading.rejects
    assert reject.place == f"general/2024-01-01.json #{kept + 1}"
    assert reason in reject.reason
    assert (reject.channel_id, reject.records) == ("general", 1)


def test_a_byte_order_mark_is_fine(export):
    content = b"\xef\xbb\xbf" + b'[{"ts": "1.1", "text": "a"}]'
    assert export.read({"general/2024-01-01.json": content}).only.text == "a"


def test_broken_lists_cost_no_message(export):
    reading = export.read(
        {
            "users.json": b"[{",
            "channels.json": {"no": "list"},
            "groups.json": ["x", {"name": "without id"}],
            "general/2024-01-01.json": [HELLO],
        }
    )
    assert reading.only.text == "hello"
    assert len(reading.rejects) == 4
    assert all(reject.records == 0 for reject in reading.rejects)


def test_files_beside_the_days_are_named_as_left_out(export):
    reading = export.read(
        {"general/2024-01-01.json": [HELLO], "general/canvas_in_the_conversation.json": [{}]}
    )
    assert len(reading.messages) == 1
    assert any("canvas_in_the_conversation.json" in note for note in reading.notes)


def test_the_hint_counts_every_record(export):
    reading = export.read(
        {"a/2024-01-01.json": [HELLO, "x"], "b/2024-01-01.json": [HELLO], "users.json": USERS}
    )
    assert reading.source.total_hint() == 3


def test_an_export_is_read_the_same_way_twice(export):
    reading = export.day(HELLO, {**HELLO, "subtype": "channel_join", "user": "U9"})
    assert list(reading.source.messages()) == list(reading.source.messages())
    assert [entry.kind for entry in reading.messages] == [
        MessageKind.MESSAGE, MessageKind.HOUSEKEEPING,
    ]  # fmt: skip


def test_one_day_is_in_memory_at_a_time(export):
    """The messages of the first day come before the second day is read."""
    days = {f"general/2024-01-0{day}.json": [HELLO] for day in (1, 2, 3)}
    source = export.read(days).source
    for day in (2, 3):
        (export.root / "export" / f"general/2024-01-0{day}.json").unlink()
    stream = source.messages()
    assert next(item for item in stream if hasattr(item, "source_id")).text == "hello"
    assert [item.reason for item in stream if hasattr(item, "reason")] == [
        f"general/2024-01-0{day}.json cannot be read: No such file or directory." for day in (2, 3)
    ]
