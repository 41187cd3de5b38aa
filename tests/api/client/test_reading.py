"""Every method that reads, over real HTTP, on the sample workspace; both clients."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.api.client import (
    Actor,
    Channel,
    ForestNode,
    NotFoundError,
    SearchHit,
    Stage,
    View,
)
from tests.api.client.conftest import Connect
from tests.api.serving import Api

MAY = datetime(2026, 5, 1, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def client(connect: Connect, api: Api, reader: str) -> Any:
    return connect(api.url, reader)


def test_workspace(client: Any) -> None:
    found = client.workspace()
    assert found.name == "sample"
    assert found.asker is None
    assert found.channel_count > 0
    assert found.period.first < MAY < found.period.last


def test_evidence(client: Any) -> None:
    found = client.evidence("What happened in INC-37?", items=5, tokens=800, trace=True)
    assert 0 < len(found.items) <= 5
    assert 0 < found.tokens <= 800
    first = found.items[0]
    assert first.number == 1
    assert first.text in found.context
    assert first.at.tzinfo is not None
    assert first.stage in set(Stage)
    assert first.message is not None
    assert client.message(first.message).text == first.text
    assert client.node(found.headings[0].key).view == found.headings[0].view
    assert {stage.stage for stage in found.trace.stages} <= set(Stage)


def test_evidence_narrowed(client: Any) -> None:
    found = client.evidence("alerts", items=10, view="channel", since=MAY, until=JUNE, now=JUNE)
    assert found.items
    assert all(MAY <= item.at < JUNE for item in found.items)
    assert found.trace is None


def test_search_goes_through_pages(client: Any) -> None:
    pages = client.search("alert", page_size=7)
    hits = pages.take(20)
    assert len(hits) == 20
    assert all(isinstance(hit, SearchHit) for hit in hits)
    assert len({hit.message.id for hit in hits}) == 20
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    asked = [len(page.items) for page, _ in zip(pages.pages(), range(3), strict=False)]
    assert asked == [7, 7, 7]


def test_search_narrowed(client: Any) -> None:
    (channel,) = client.channels(name_starts_with="incid").all()
    hits = client.search(
        "queue", view=View.ARTIFACT, channels=[channel.id], since=MAY, audience="public"
    ).take(5)
    assert hits
    assert {hit.message.channel_name for hit in hits} == {channel.name}
    author = client.message(hits[0].message.id).author.id
    mine = client.search("queue", authors=author).take(5)
    assert {client.message(hit.message.id).author.id for hit in mine} == {author}


def test_lists_are_the_same_whatever_the_size_of_pages(client: Any) -> None:
    for listing in (client.channels, client.actors, client.artifacts, client.coverage):
        whole = listing(page_size=100).all()
        assert listing(page_size=7).all() == whole
        assert listing().take(2) == whole[:2]
        assert listing().take(0) == []
        (first, *_) = listing(page_size=1).pages()
        assert first.total in (None, len(whole))
    assert all(isinstance(one, Channel) for one in client.channels())
    assert all(isinstance(one, Actor) for one in client.actors())


def test_lists_narrowed_and_sorted(client: Any) -> None:
    sizes = [one.size for one in client.channels(order="size")]
    assert sizes == sorted(sizes, reverse=True)
    assert {one.kind for one in client.channels(kinds=["public"])} == {"PUBLIC"}
    assert {one.name for one in client.actors(name_starts_with="Sam")} <= {
        one.name for one in client.actors()
    }
    tickets = client.artifacts(kinds=["ticket"], text_starts_with="FW-").all()
    assert tickets
    assert {one.kind for one in tickets} == {"ticket"}


def test_a_message_with_all_that_hangs_on_it(client: Any) -> None:
    (hit,) = client.search("INC-37 root cause").take(1)
    found = client.message(hit.message.id)
    assert found.text == hit.message.text
    assert found.channel.name == found.channel_name
    assert found.author.id
    assert {one.view for one in found.placements} >= {View.CHANNEL, View.ACTOR}
    assert all(one.node and one.tree and one.subject.id for one in found.placements)
    assert [one.current for one in found.revisions].count(True) == 1
    assert not found.more_replies
    below = client.messages.below(found.placements[0].node).all()
    assert found.id in {one.id for one in below}


def test_replies_and_threads(client: Any) -> None:
    (incidents,) = client.channels(name_starts_with="incid").all()
    said = client.messages.of(incidents.id, order="oldest_first").all()
    assert [one.at for one in said] == sorted(one.at for one in said)
    assert client.messages.of(incidents.id, page_size=100).all() == said[::-1]
    threads = (client.message(one.id) for one in said)
    root = next(one for one in threads if one.replies)
    assert client.message(root.replies[0].id).reply_to.id == root.id
    in_thread = client.messages.in_thread(root.replies[0].id, page_size=3).all()
    assert len(in_thread) == root.thread.reply_count + 1
    within = client.messages.of(incidents.id, since=MAY, until=JUNE).all()
    assert within == [one for one in said[::-1] if MAY <= one.at < JUNE]


def test_trees_and_nodes(client: Any) -> None:
    tree = client.tree(View.ARTIFACT, "INC-37")
    assert tree.card
    assert tree.subject.type == "Artifact"
    assert tree == client.tree("artifact", tree.subject.id, audience="public")
    node = client.node(tree.root.id)
    assert node.tree == tree.id
    assert node.subject == tree.subject
    assert node.ancestors == ()
    assert sum(child.size for child in node.children) in (0, node.size)
    seen = client.messages.below(node.id, page_size=10).all()
    assert len({one.id for one in seen}) == node.size
    channel = client.tree("channel", "incidents")
    below = client.node(client.node(channel.root.id).children[0].id)
    assert isinstance(below.ancestors[0], ForestNode)
    assert below.ancestors[0] == channel.root


def test_statistics(client: Any) -> None:
    found = client.statistics(unit="month", time_zone="Europe/Berlin", top=3)
    assert sum(one.messages for one in found.messages_over_time) == found.messages
    assert len(found.most_active_channels) == 3
    top = found.most_active_channels[0]
    assert client.statistics(channel=top.channel.id).messages == top.messages
    author = found.most_active_actors[0]
    assert client.statistics(author=author.actor.id).messages == author.messages
    assert found.most_active_artifacts[0].artifact.identifier
    may = client.statistics(since=MAY, until=JUNE)
    assert 0 < may.messages < found.messages
    assert sum(one.messages for one in client.coverage()) == found.messages


def test_own_queries(client: Any) -> None:
    query = """query Q($first: Int!) { channels(first: $first) { nodes { name } } }
    query R { serviceVersion }"""
    found = client.execute(query, {"first": 2}, operation_name="Q")
    assert len(found["channels"]["nodes"]) == 2


def test_through_whose_eyes(connect: Connect, api: Api) -> None:
    agent = api.token(None, TokenScope.READ, TokenScope.ON_BEHALF)
    client = connect(api.url, agent)
    question = "Why was the project renamed?"
    fatima = client.on_behalf_of("Fatima Zouari")
    assert fatima.workspace().asker.real_name == "Fatima Zouari"
    private = {one.id for one in fatima.channels() if one.kind == "PRIVATE"}
    assert private
    hidden = next(
        item for item in fatima.evidence(question, items=20).items if item.channel in private
    )
    public = client.evidence(question, items=20)
    assert hidden.text not in public.context
    with pytest.raises(NotFoundError):
        client.message(hidden.message)
