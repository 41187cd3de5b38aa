"""Messages with their history, threads and bridges; and when they were posted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from tests.api.graphql.small import Small, small_workspace
from tests.retrieval.conftest import channel, message, person

# Clocks in Berlin go forward on 29 March 2026 and back on 25 October.
LINES: list[dict[str, Any]] = [
    person("ana"),
    person("bo"),
    person("cy"),
    channel("ops", "operations"),
    channel("board", "board-room", ["ana", "cy"]),
    message("ops", "edited", "03-02T09:00", "bo", "The disk is full."),
    message("ops", "edited", "03-02T09:00", "bo", "The disk is nearly full.", revision=1),
    message("ops", "edited", "03-02T09:00", "bo", "The disk of OPS-77 is full.", revision=2),
    message("ops", "deleted", "03-02T09:01", "bo", "My password is kumquat."),
    message("ops", "deleted", "03-02T09:01", "bo", "", deleted=True),
    message("ops", "again", "03-02T09:02", "bo", "The code is tangerine."),
    message("ops", "again", "03-02T09:02", "bo", "", deleted=True, revision=1),
    message("ops", "again", "03-02T09:02", "bo", "What I said is gone.", revision=2),
    message("ops", "root", "03-02T10:00", "bo", "Lunch?"),
    message("ops", "reply1", "03-02T10:01", "ana", "At noon.", thread="root"),
    message("ops", "reply2", "03-02T10:02", "bo", "Soup again?", thread="root", reply_to="reply1"),
    message("ops", "lost", "03-02T11:00", "bo", "Nobody needs this."),
    message("ops", "lost", "03-02T11:00", "bo", "", deleted=True),
    message("ops", "left", "03-02T11:01", "ana", "I do need it.", thread="lost"),
    message("ops", "later", "03-03T09:00", "ana", "OPS-77 is closed, @bo.", mentions=["bo"]),
    message("board", "secret", "03-03T10:00", "cy", "OPS-77 was a theft.", mentions=["ana"]),
    message("ops", "spring1", "03-28T23:30", "bo", "Half past midnight in Berlin."),
    message("ops", "spring2", "03-29T21:59", "bo", "A minute to midnight in Berlin."),
    message("ops", "spring3", "03-29T22:01", "ana", "A minute past midnight in Berlin."),
    message("ops", "autumn1", "10-25T00:30", "bo", "Half past two, summer time."),
    message("ops", "autumn2", "10-25T01:30", "bo", "Half past two, winter time."),
]  # fmt: skip


@pytest.fixture(scope="module")
def small(
    connection: ConnectionConfig, store: ForestStore, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Small]:
    with small_workspace(connection, tmp_path_factory.mktemp("history"), LINES) as made:
        yield made


def one(small: Small, number: str, fields: str, actor: str | None = None) -> Any:
    document = f"query ($key: ID!) {{ message(key: $key) {{ {fields} }} }}"
    return small.ask(document, actor, key=small.key("ops", number))["message"]


HISTORY = "id text edited revisions { key kind current text }"


def test_an_edited_message_keeps_its_history(small: Small) -> None:
    found = one(small, "edited~2", HISTORY) or one(small, "edited", HISTORY)
    assert found["text"] == "The disk of OPS-77 is full."
    assert found["edited"] is True
    assert [(entry["kind"], entry["current"], entry["text"]) for entry in found["revisions"]] == [
        ("EDITED", True, "The disk of OPS-77 is full."),
        ("EDITED", False, "The disk is nearly full."),
        ("POSTED", False, "The disk is full."),
    ]
    assert found["revisions"][0]["key"] == found["id"]


def test_a_citation_from_before_an_edit_finds_the_message(small: Small) -> None:
    # But only by `message`: `node` gives back what has the id that was asked for, or nothing.
    old = small.key("ops", "edited")
    found = small.ask(
        "query ($key: ID!) { message(key: $key) { id } node(id: $key) { id } }", key=old
    )
    assert found["message"]["id"].startswith(f"{old}~")
    assert found["node"] is None


def test_what_was_deleted_is_not_there(small: Small) -> None:
    assert one(small, "deleted", HISTORY) is None
    assert one(small, "lost", HISTORY) is None


def test_what_was_said_before_a_deletion_is_not_told(small: Small) -> None:
    found = one(small, "again", HISTORY)
    assert [(entry["kind"], entry["text"]) for entry in found["revisions"]] == [
        ("EDITED", "What I said is gone."),
        ("DELETED", None),
        ("POSTED", None),
    ]


THREAD = """
thread { key replyCount lastReplyAt root { id } messages { nodes { id } } }
replyTo { id } replies { nodes { id } }
"""


def test_threads_have_a_root_and_replies(small: Small) -> None:
    keys = [small.key("ops", number) for number in ("root", "reply1", "reply2")]
    threads = [one(small, number, THREAD) for number in ("root", "reply1", "reply2")]
    for found in threads:
        assert found["thread"] == {
            "key": keys[0],
            "replyCount": 2,
            "lastReplyAt": "2026-03-02T10:02:00+00:00",
            "root": {"id": keys[0]},
            "messages": {"nodes": [{"id": key} for key in keys]},
        }
    assert [found["replyTo"] for found in threads] == [None, {"id": keys[0]}, {"id": keys[1]}]
    assert [found["replies"]["nodes"] for found in threads] == [
        [{"id": keys[1]}],
        [{"id": keys[2]}],
        [],
    ]


def test_a_thread_outlives_its_root(small: Small) -> None:
    found = one(small, "left", THREAD)
    assert found["thread"]["root"] is None
    assert found["thread"]["replyCount"] == 1
    assert found["thread"]["messages"]["nodes"] == [{"id": small.key("ops", "left")}]
    assert found["replyTo"] is None


def test_outside_of_threads_there_is_none(small: Small) -> None:
    assert one(small, "later", THREAD)["thread"] is None


BRIDGES = """
bridges { kind identifier toEarlier message { text channelName } }
mentions { __typename name }
placements(view: ACTOR) { view tree { name } message { id } }
"""


def test_bridges_and_mentions_are_those_that_the_asker_may_see(small: Small) -> None:
    outside = one(small, "later", BRIDGES)
    assert outside["bridges"] == [
        {
            "kind": "SAME_IDENTIFIER",
            "identifier": "ticket:OPS-77",
            "toEarlier": True,
            "message": {"text": "The disk of OPS-77 is full.", "channelName": "operations"},
        }
    ]
    assert {(m["__typename"], m["name"]) for m in outside["mentions"]} == {
        ("Actor", "Bo Lind"),
        ("Artifact", "OPS-77"),
    }
    assert {p["tree"]["name"] for p in outside["placements"]} == {"Ana Ruiz", "Bo Lind"}
    inside = one(small, "later", BRIDGES, "cy")
    assert [(b["toEarlier"], b["message"]["channelName"]) for b in inside["bridges"]] == [
        (True, "operations"),
        (False, "board-room"),
    ]


def test_who_spoke_in_private_only_is_not_there_for_others(small: Small) -> None:
    document = """
    query ($id: ID!) {
      actors { totalCount nodes { name } } actor(id: $id) { name } workspace { actorCount }
      statistics { actorCount mostActiveActors { actor { name } } }
    }
    """
    key = f"{small.workspace}/a/cy"
    outside = small.ask(document, "bo", id=key)
    assert [node["name"] for node in outside["actors"]["nodes"]] == ["Ana Ruiz", "Bo Lind"]
    assert outside["actor"] is None
    assert outside["workspace"]["actorCount"] == outside["actors"]["totalCount"] == 2
    assert outside["statistics"]["actorCount"] == 2
    inside = small.ask(document, "ana", id=key)
    assert inside["actor"] == {"name": "Cy Okafor"}
    assert inside["workspace"]["actorCount"] == inside["actors"]["totalCount"] == 3


def test_an_asker_without_a_word_is_there(small: Small) -> None:
    small.add(person("dee"))
    document = "{ workspace { asker { name size period { first } } actorCount } }"
    found = small.ask(document, "dee")["workspace"]
    assert found["asker"] == {"name": "Dee Park", "size": 0, "period": None}
    assert found["actorCount"] == 3


STATISTICS = """
query ($since: DateTime, $until: DateTime, $unit: TimeUnit!, $zone: String!, $author: ID) {
  statistics(since: $since, until: $until, author: $author) {
    messages
    messagesOverTime(unit: $unit, timeZone: $zone) { start end messages }
  }
}
"""


def over_time(small: Small, **variables: Any) -> list[tuple[str, str, int]]:
    found = small.ask(STATISTICS, **variables)["statistics"]
    buckets = found["messagesOverTime"]
    assert sum(bucket["messages"] for bucket in buckets) == found["messages"]
    for before, after in pairwise(buckets):
        assert before["end"] == after["start"]
    return [(bucket["start"], bucket["end"], bucket["messages"]) for bucket in buckets]


def test_days_are_those_of_the_time_zone(small: Small) -> None:
    spring = {"since": "2026-03-28T00:00:00+00:00", "until": "2026-03-31T00:00:00+00:00"}
    assert over_time(small, **spring, unit="DAY", zone="UTC") == [
        ("2026-03-28T00:00:00+00:00", "2026-03-29T00:00:00+00:00", 1),
        ("2026-03-29T00:00:00+00:00", "2026-03-30T00:00:00+00:00", 2),
        ("2026-03-30T00:00:00+00:00", "2026-03-31T00:00:00+00:00", 0),
    ]
    # The day on which the clocks go forward has 23 hours.
    assert over_time(small, **spring, unit="DAY", zone="Europe/Berlin") == [
        ("2026-03-28T00:00:00+01:00", "2026-03-29T00:00:00+01:00", 0),
        ("2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00", 2),
        ("2026-03-30T00:00:00+02:00", "2026-03-31T00:00:00+02:00", 1),
        ("2026-03-31T00:00:00+02:00", "2026-04-01T00:00:00+02:00", 0),
    ]


def test_an_hour_that_comes_twice_is_two_hours(small: Small) -> None:
    autumn = {"since": "2026-10-25T00:00:00+00:00", "until": "2026-10-25T02:00:00+00:00"}
    assert over_time(small, **autumn, unit="HOUR", zone="Europe/Berlin") == [
        ("2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", 1),
        ("2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00", 1),
    ]


def test_weeks_begin_on_monday_and_months_with_the_first(small: Small) -> None:
    weeks = over_time(small, unit="WEEK", zone="UTC", until="2026-04-01T00:00:00Z")
    assert [(start[:10], number) for start, _, number in weeks] == [
        ("2026-03-02", 7),
        ("2026-03-09", 0),
        ("2026-03-16", 0),
        ("2026-03-23", 3),
        ("2026-03-30", 0),
    ]
    months = over_time(small, unit="MONTH", zone="UTC")
    assert [start[:7] for start, _, _ in months] == [f"2026-{m:02}" for m in range(3, 11)]
    assert [number for _, _, number in months] == [10, 0, 0, 0, 0, 0, 0, 2]


@pytest.mark.parametrize("unit", ["HOUR", "DAY", "WEEK", "MONTH"])
@pytest.mark.parametrize(
    "zone", ["Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia"]
)
def test_every_message_is_in_a_bucket_of_any_zone(small: Small, unit: str, zone: str) -> None:
    # `over_time` checks that the sum is that of all.
    over_time(small, unit=unit, zone=zone, until="2026-04-05T00:00:00Z")


def test_counts_by_author(small: Small) -> None:
    author = f"{small.workspace}/a/ana"
    months = over_time(small, unit="MONTH", zone="UTC", author=author)
    assert sum(number for _, _, number in months) == 4
    document = """
    query ($channel: ID, $author: ID) { statistics(channel: $channel, author: $author) {
      messages mostActiveActors { messages actor { name } } mostActiveChannels { messages }
    } }
    """
    found = small.ask(document, author=author, channel=f"{small.workspace}/c/ops")["statistics"]
    assert found["mostActiveActors"] == [{"messages": 4, "actor": {"name": "Ana Ruiz"}}]
    assert found["mostActiveChannels"] == [{"messages": 4}]
