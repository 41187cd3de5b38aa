"""Pages: every row once, in order, whatever arrives while a client reads on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from tests.api.graphql.conftest import HENRIKE, Asker
from tests.api.graphql.small import Small, small_workspace
from tests.retrieval.conftest import channel, message, person

WORDS = ("disk", "relay", "budget", "lunch", "latency", "screens", "alerts", "backend")


def said(number: int, minute: int, **more: Any) -> dict[str, Any]:
    """A message; several are posted in the same minute, so that the key has to decide."""
    text = f"Note {number}: the {WORDS[number % 8]} of TASK-{number % 5} and the harbour."
    hour, minute = divmod(minute, 60)
    return message("ops", f"n{number:02}", f"03-02T{9 + hour:02}:{minute:02}", "bo", text, **more)


def lines() -> list[dict[str, Any]]:
    # Even ones only: the odd ones arrive later and belong in between.
    return [
        person("bo"),
        person("ana"),
        channel("ops", "operations"),
        *(said(number, 2 * (number // 4)) for number in range(0, 40, 2)),
        *(said(100 + n, 600 + n, thread="n00") for n in range(0, 12, 2)),
    ]


@pytest.fixture(scope="module")
def small(
    connection: ConnectionConfig, store: ForestStore, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Small]:
    with small_workspace(connection, tmp_path_factory.mktemp("small"), lines()) as made:
        yield made


MESSAGES = """
query ($id: ID!, $after: String, $first: Int!, $order: MessageOrder!) {
  channel(id: $id) { messages(first: $first, after: $after, order: $order) { ...page } }
}
"""
OF_ACTOR = """
query ($id: ID!, $after: String, $first: Int!, $order: MessageOrder!) {
  actor(id: $id) { messages(first: $first, after: $after, order: $order) { ...page } }
}
"""
OF_ARTIFACT = """
query ($id: ID!, $after: String, $first: Int!, $order: MessageOrder!) {
  artifact(id: $id) { messages(first: $first, after: $after, order: $order) { ...page } }
}
"""
THREAD = """
query ($id: ID!, $after: String, $first: Int!) {
  message(key: $id) { thread { messages(first: $first, after: $after) { ...page } } }
}
"""
REPLIES = """
query ($id: ID!, $after: String, $first: Int!) {
  message(key: $id) { replies(first: $first, after: $after) { ...page } }
}
"""
BELOW = """
query ($id: ID!, $after: String, $first: Int!) {
  forestNode(key: $id) { messages(first: $first, after: $after) { ...page } }
}
"""
PAGE = """
fragment page on MessageConnection {
  edges { cursor node { id at } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
}
"""


def connection_in(data: Any) -> Any:
    while "edges" not in data:
        (data,) = data.values()
    return data


def read(ask: Asker, document: str, first: int, **variables: Any) -> Iterator[list[str]]:
    """Pages of ids, as a client follows them."""
    document += PAGE if "...page" in document else ""
    after = None
    while True:
        page = connection_in(ask(document, first=first, after=after, **variables))
        info, edges = page["pageInfo"], page["edges"]
        assert info["hasPreviousPage"] == (after is not None)
        assert info["startCursor"] == (edges[0]["cursor"] if edges else None)
        assert info["endCursor"] == (edges[-1]["cursor"] if edges else None)
        yield [edge["node"]["id"] for edge in edges]
        if not info["hasNextPage"]:
            return
        assert len(edges) == first
        after = info["endCursor"]


SEARCH = """
query ($after: String, $first: Int!) {
  search(text: "note about the harbour", first: $first, after: $after) {
    edges { cursor score node { id at } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}
"""


def test_rows_that_arrive_meanwhile_move_no_other(small: Small) -> None:
    lists = [
        (document, {"id": f"{small.workspace}/{path}", "order": order})
        for document, path in (
            (MESSAGES, "c/ops"),
            (OF_ACTOR, "a/bo"),
            (OF_ARTIFACT, "x/ticket/TASK-0"),
        )
        for order in ("NEWEST_FIRST", "OLDEST_FIRST")
    ]
    before = [next(read(small.ask, document, 100, **of)) for document, of in lists]
    readers = [read(small.ask, document, 3, **of) for document, of in lists]
    search = read(small.ask, SEARCH, 5)
    found = [next(reader) for reader in readers]
    hits = next(search)
    small.add(*(said(number, 2 * (number // 4)) for number in range(1, 40, 2)))
    for (document, of), known, rows, reader in zip(lists, before, found, readers, strict=True):
        for page in reader:
            rows += page
        assert len(rows) == len(set(rows))
        assert [key for key in rows if key in known] == known
        # Of what arrived, all that belongs behind the place that was reached is there.
        (after,) = read(small.ask, document, 100, **of)
        assert len(after) > len(known)
        assert rows == rows[:3] + after[after.index(rows[2]) + 1 :]
    for page in search:
        hits += page
    assert len(hits) == len(set(hits))
    assert {small.key("ops", f"n{number:02}") for number in range(0, 40, 2)} <= set(hits)


def test_all_kinds_of_lists_can_be_paged(small: Small) -> None:
    root = small.key("ops", "n00")
    ids = [small.key("ops", f"n{100 + n}") for n in range(0, 12, 2)]
    assert [k for page in read(small.ask, THREAD, 2, id=root) for k in page] == [root, *ids]
    assert [k for page in read(small.ask, THREAD, 4, id=ids[2]) for k in page] == [root, *ids]
    assert [k for page in read(small.ask, REPLIES, 4, id=root) for k in page] == ids
    tree = small.ask('{ tree(view: CHANNEL, subject: "operations") { size root { id level } } }')
    node = tree["tree"]["root"]
    assert node["level"] > 1
    below = [k for page in read(small.ask, BELOW, 4, id=node["id"]) for k in page]
    assert len(below) == len(set(below)) == tree["tree"]["size"] >= 26
    (oldest,) = read(small.ask, MESSAGES, 100, id=f"{small.workspace}/c/ops", order="OLDEST_FIRST")
    assert below == oldest


SUBJECTS = """
query ($after: String, $first: Int!, $order: SubjectOrder!) {
  page: %s(first: $first, after: $after, order: $order) {
    totalCount
    edges { cursor node { id name size period { last } } }
    pageInfo { hasNextPage endCursor }
  }
}
"""


@pytest.mark.parametrize("order", ["NAME", "SIZE", "LAST_ACTIVITY"])
@pytest.mark.parametrize("field", ["channels", "actors", "artifacts"])
def test_subjects_come_once_each_in_order(ask: Asker, field: str, order: str) -> None:
    nodes: list[Any] = []
    after = None
    while True:
        page = ask(SUBJECTS % field, HENRIKE, first=7, after=after, order=order)["page"]
        nodes += [edge["node"] for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    assert len({node["id"] for node in nodes}) == len(nodes) == page["totalCount"]
    if order == "NAME":
        assert [n["name"].lower() for n in nodes] == sorted(n["name"].lower() for n in nodes)
    elif order == "SIZE":
        assert [n["size"] for n in nodes] == sorted((n["size"] for n in nodes), reverse=True)
    else:
        times = [n["period"]["last"] if n["period"] else "" for n in nodes]
        assert times == sorted(times, reverse=True)


def test_a_subject_that_moves_meanwhile_is_not_met_twice(small: Small) -> None:
    """One that was read moves to where nobody looks again; one that was not may be passed by."""

    def page(first: int, after: str | None) -> tuple[list[str], str | None]:
        document = SUBJECTS % "artifacts"
        found = small.ask(document, first=first, after=after, order="LAST_ACTIVITY")["page"]
        info = found["pageInfo"]
        ids = [edge["node"]["id"] for edge in found["edges"]]
        return ids, info["endCursor"] if info["hasNextPage"] else None

    before, _ = page(100, None)
    assert len(before) == 5
    seen, after = page(2, None)
    for number, key in enumerate((before[1], before[4])):
        text = f"Again about {key.rpartition('/')[2]}."
        small.add(message("ops", f"moved{number}", f"03-04T09:{number:02}", "bo", text))
    while after is not None:
        ids, after = page(2, after)
        seen += ids
    assert seen == before[:4]


def test_a_cursor_belongs_to_its_order(ask: Asker) -> None:
    page = ask(SUBJECTS % "channels", first=1, order="NAME")["page"]
    cursor = page["pageInfo"]["endCursor"]
    error = ask.error(SUBJECTS % "channels", first=1, order="SIZE", after=cursor)
    assert error["code"] == "BAD_INPUT"
    error = ask.error(SUBJECTS % "actors", first=1, order="NAME", after=cursor)
    assert error["argument"] == "after"


def test_subjects_can_be_filtered(ask: Asker) -> None:
    found = ask(
        """
        { a: artifacts(filter: {kinds: ["incident"]}) { nodes { kind identifier } }
          b: artifacts(filter: {textStartsWith: "inc-3"}) { nodes { identifier } }
          c: artifacts(filter: {activeSince: "2026-06-30T00:00:00Z"}) { nodes { period { last } } }
          d: channels(filter: {kinds: [PRIVATE]}) { totalCount }
          e: channels(filter: {nameStartsWith: "INC"}) { nodes { name } }
          f: actors(filter: {nameStartsWith: "tobias"}) { nodes { realName } }
          g: artifacts(filter: {kinds: []}) { totalCount } }
        """
    )
    assert {node["kind"] for node in found["a"]["nodes"]} == {"incident"}
    assert "INC-37" in {node["identifier"] for node in found["b"]["nodes"]}
    assert found["c"]["nodes"]
    assert all(node["period"]["last"] >= "2026-06-30" for node in found["c"]["nodes"])
    assert found["d"] == {"totalCount": 0}
    assert found["e"]["nodes"] == [{"name": "incidents"}]
    assert [node["realName"] for node in found["f"]["nodes"]] == ["Tobias Kern"]
    assert found["g"] == {"totalCount": 0}
