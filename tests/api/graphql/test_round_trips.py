"""A list of many rows costs as many round trips as a list of few, whatever hangs on the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from egcforest.graph.connection import ConnectionConfig
from tests.api.graphql.conftest import HENRIKE, Asker
from tests.api.serving import Api, serving

CHANNELS = """
query ($few: Int!, $more: Int!) {
  channels(first: $few) { nodes { id messages(first: $more) { nodes {
    id
    author { name }
    channel { name }
    replies(first: 5) { nodes { id author { name } } }
    placements(first: 6) { view node { summary tree { name } } }
  } } } }
}
"""
ARTIFACTS = """
query ($few: Int!, $more: Int!) {
  artifacts(first: $few, order: SIZE) { nodes { id trees(first: 2) { id root { id
    children(first: $more) { nodes { id summary ancestors { id } messages(first: $more) { nodes {
      id author { name }
    } } } }
  } } } }
}
"""
THREADS = """
query ($few: Int!, $more: Int!) {
  channel(id: "sample/c/C07PLAT002") { messages(first: $few) { nodes {
    id
    thread { root { id author { name } } messages(first: $more) { nodes { id author { name } } } }
    replyTo { id }
    revisions { text }
    bridges { kind message { id channel { name } } }
    mentions { __typename name }
  } } }
}
"""
SEARCH = """
query ($few: Int!, $more: Int!) {
  search(text: "the buffer before the release", first: $few) { edges { score node {
    id
    author { name }
    placements(first: $more) { position node { caption tree { subject { name } } } }
  } } }
}
"""
EVIDENCE = """
query ($few: Int!, $more: Int!) {
  evidence(question: "What happened to the ingest buffer?", items: $few) {
    items {
      number
      author { name }
      channel { name }
      message { id replies(first: $more) { nodes { id } } }
    }
    headings { name node { parent { caption } } }
  }
}
"""
ACTIVE = """
query ($few: Int!, $more: Int!) {
  statistics {
    mostActiveChannels(first: $few) { messages channel { name coverage { messages } } }
    mostActiveActors(first: $few) { messages actor { name trees(first: $more) { name } } }
    mostActiveArtifacts(first: $few) { messages artifact { name } }
  }
}
"""
# Each with the number of places in it that need a query of their own, whatever they return.
DOCUMENTS = {
    "channels": (CHANNELS, 8),
    "artifacts": (ARTIFACTS, 7),
    "threads": (THREADS, 17),
    "search": (SEARCH, 10),
    "evidence": (EVIDENCE, 22),
    "active": (ACTIVE, 8),
}


# Rows at the root. In a few messages there is no thread.
FEW, MANY = 3, 20
ROWS = {"threads": (12, 60)}


@pytest.fixture(scope="module")
def ask_much(api: Api, connection: ConnectionConfig) -> Iterator[Asker]:
    """Asks a server that has nothing against long answers."""
    with serving(connection, api.workspace, serve_max_cost=10**6) as running:
        yield Asker(running)


def counted(
    ask: Asker, trips: list[str], document: str, few: int, more: int
) -> tuple[Counter[str], int]:
    """How often each query of the document itself was sent, and how much came back."""
    trips.clear()
    data = ask(document, HENRIKE, few=few, more=more)
    names = (name for name in trips if name.startswith(("reading/", "search/")))
    return Counter(names), len(str(data))


# Places that want one kind of thing may or may not meet in a batch, so that two of them make one
# query more or less. Channels are asked for at the top, by bridges and by mentions.
MEETING = {"threads": {"reading/channels_by_key": 2}}


def apart(name: str, few: Counter[str], many: Counter[str]) -> dict[str, tuple[int, int]]:
    """Queries of which more or fewer were sent for many rows."""
    meeting = MEETING.get(name, {})
    return {
        query: (few[query], many[query])
        for query in few.keys() | many.keys()
        if abs(few[query] - many[query]) > meeting.get(query, int(query.endswith("_by_key")))
    }


@pytest.mark.parametrize("name", DOCUMENTS)
def test_round_trips_do_not_grow_with_the_rows(
    ask_much: Asker, round_trips: list[str], name: str
) -> None:
    document, places = DOCUMENTS[name]
    fewer, more = ROWS.get(name, (FEW, MANY))
    few, small = counted(ask_much, round_trips, document, fewer, fewer)
    many, large = counted(ask_much, round_trips, document, more, more)
    assert large > 2 * small
    assert set() < few.keys() == many.keys()
    assert not apart(name, few, many)
    assert max(few.total(), many.total()) <= places, (few, many)


def test_what_is_asked_for_twice_is_read_once(ask: Asker, round_trips: list[str]) -> None:
    document = """
    { a: channel(id: "sample/c/C07PLAT002") { name messages(first: 3) { nodes { id } } }
      b: channel(id: "sample/c/C07PLAT002") { topic messages(first: 3) { nodes { text } } } }
    """
    ask(document)
    round_trips.clear()
    ask(document)
    reads = Counter(name for name in round_trips if name.startswith("reading/"))
    assert reads == {"reading/channels_by_key": 1, "reading/channel_messages_newest": 1}


def test_pages_that_differ_are_read_apart(ask: Asker) -> None:
    found = ask(
        """
        { channels(first: 3) { nodes {
            few: messages(first: 1) { nodes { id } }
            more: messages(first: 3) { nodes { id } }
            first: messages(first: 1, order: OLDEST_FIRST) { nodes { id } }
        } } }
        """
    )
    for channel in found["channels"]["nodes"]:
        assert len(channel["few"]["nodes"]) == 1
        assert len(channel["more"]["nodes"]) == 3
        assert channel["more"]["nodes"][0] == channel["few"]["nodes"][0]
        assert channel["first"]["nodes"] != channel["few"]["nodes"]
