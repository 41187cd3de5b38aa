"""The messages around an episode: its sitting, no further, and for nobody who may not see it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from egcforest.graph.log_store import LogStore
from egcforest.graph.lucene import TermWeight
from egcforest.graph.records import Scope, View
from egcforest.graph.search_records import TimeRange, WordSearch
from egcforest.graph.store import ForestStore
from egcforest.retrieval.parameters import RetrievalParameters
from egcforest.retrieval.trace import Stage

from .conftest import Company, channel, grow, message, person

SILENCE = 60.0
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
AFTERNOON = BEGAN + timedelta(hours=6)
MORNING = 100


def _lines() -> list[dict[str, Any]]:
    """A morning of a hundred messages a minute apart, then one of the afternoon."""
    times = [BEGAN + timedelta(minutes=number) for number in range(MORNING)] + [AFTERNOON]
    said = [
        message("room", f"r{number}", f"{at:%m-%dT%H:%M}", "ana", f"Remark number{number} of ours.")
        for number, at in enumerate(times)
    ]
    return [person("ana"), person("bo"), channel("room", "closed-room", ["ana"]), *said]


@pytest.fixture(scope="module")
async def room(
    store: ForestStore, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Company]:
    workspace = f"s{uuid.uuid4().hex[:12]}"
    yield await grow(store, tmp_path_factory.mktemp("room"), workspace, _lines())
    await LogStore(store).wipe(workspace)


async def _episode_of(room: Company, scope: Scope, number: int) -> str:
    words = WordSearch(
        terms=[TermWeight(f"number{number}")],
        fields={"terms": 1.0},
        limit=1,
        views=(View.CHANNEL,),
    )
    ((hit,),) = await room.search.nodes_by_words(scope, [words])
    return hit.key


async def _opened(room: Company, numbers: range, **options: Any) -> list[int]:
    """The numbers of the messages around those of `numbers`, in the order they came in."""
    scope = await room.scope("ana")
    leaves = list({await _episode_of(room, scope, number): None for number in numbers})
    found = await room.search.sittings(scope, leaves, silence=SILENCE, **options)
    return [int(m.key.rpartition("/r")[2]) for m in found]


async def test_an_episode_comes_with_the_one_before_and_the_one_after_it(room: Company) -> None:
    scope = await room.scope("ana")
    episodes: dict[str, list[int]] = {}
    for number in range(MORNING):
        episodes.setdefault(await _episode_of(room, scope, number), []).append(number)
    keys = list(episodes)
    assert len(keys) >= 5
    for place in range(1, len(keys) - 1):
        found = await room.search.sittings(scope, [keys[place]], silence=SILENCE)
        expected = [n for key in keys[place - 1 : place + 2] for n in episodes[key]]
        assert sorted(int(m.key.rpartition("/r")[2]) for m in found) == expected
        assert {m.leaf for m in found} == set(keys[place - 1 : place + 2])
        assert all(m.terms for m in found)


async def test_messages_of_neighbours_that_were_both_opened_come_once(room: Company) -> None:
    found = await _opened(room, range(MORNING))
    assert sorted(found) == list(range(MORNING))


async def test_a_silence_ends_a_sitting(room: Company) -> None:
    assert await _opened(room, range(MORNING, MORNING + 1)) == [MORNING]
    assert MORNING not in await _opened(room, range(MORNING - 1, MORNING))


async def test_nothing_outside_of_the_times_given(room: Company) -> None:
    within = TimeRange(BEGAN + timedelta(minutes=30), BEGAN + timedelta(minutes=40))
    assert sorted(await _opened(room, range(25, 45), within=within)) == list(range(30, 40))


async def test_whoever_may_not_see_the_channel_gets_nothing(room: Company) -> None:
    inside, outside = await room.scope("ana"), await room.scope("bo")
    episode = await _episode_of(room, inside, 50)
    assert await room.search.sittings(inside, [episode], silence=SILENCE)
    assert await room.search.sittings(outside, [episode], silence=SILENCE) == []
    elsewhere = Scope("another", inside.audiences, inside.actor)
    assert await room.search.sittings(elsewhere, [episode], silence=SILENCE) == []


async def test_a_question_proposes_the_talk_around_what_it_opened(room: Company) -> None:
    parameters = RetrievalParameters(
        stages=("s1",), leaves_opened=1, messages_by_words=1, messages_by_vector=1, items=40
    )
    answer = await room.ask("Who said number50?", "ana", parameters=parameters)
    opened = set(await _opened(room, range(50, 51)))
    candidates = answer.trace.stages[Stage.S1].candidates
    proposed = {int(one.key.rpartition("/r")[2]) for one in candidates}
    # No search met more than two messages: the rest comes from the sitting alone.
    assert len(opened) > 20
    assert opened <= proposed
    episode = await _episode_of(room, await room.scope("ana"), 50)
    beside = [
        one
        for one in candidates
        if any(step.key not in (episode, one.key) for step in one.path)
        and one.why[0].startswith("talk around it")
    ]
    assert beside
