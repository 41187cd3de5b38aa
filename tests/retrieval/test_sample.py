"""The sample workspace, its questions and the real encoder, on a Neo4j of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from egcforest.benchmarks.evaluate_sample import Summary, evaluate, leaks, read_questions
from egcforest.builders.pipeline import ingest
from egcforest.builders.sources import open_source
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.identity import EncoderIdentity
from egcforest.graph.log_store import LogStore
from egcforest.graph.records import Scope
from egcforest.graph.store import ForestStore
from egcforest.retrieval.answer import Answer
from egcforest.retrieval.pipeline import Retriever
from egcforest.retrieval.trace import Candidate, Dropped, DropReason, Stage, Trace, Weighed
from egcforest.text.encoders.usem3 import UseM3Encoder
from tests.neo4j_server import private_neo4j

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
async def summary() -> AsyncIterator[Summary]:
    """Every question of the sample asked once, with the defaults that users have.

    The session's database holds the vectors of the unit tests' encoder, so this one is another.
    """
    with private_neo4j() as server:
        config = ConnectionConfig(server.bolt_uri, server.user, server.password)
        encoder = UseM3Encoder()
        async with await ForestStore.open(config) as store:
            await store.prepare(EncoderIdentity.of(encoder))
            await ingest(open_source(EXAMPLES / "workspace"), "sample", store, encoder)
            yield await evaluate(
                Retriever(store, encoder), LogStore(store), "sample", read_questions()
            )


def test_nine_in_ten_questions_have_all_their_evidence(summary: Summary):
    assert len(summary.answerable) >= 40
    assert summary.complete_share >= 0.9, "\n".join(summary.lines())


def test_a_leak_is_noticed_wherever_it_is():
    trace = Trace()
    with trace.stage(Stage.S1) as record:
        record.weighed = [
            Weighed("w/t/channel/c/C2/C2", 1.0, {}),
            Weighed("w/t/artifact/x/pr/1/public", 1.0, {}),
        ]
        record.candidates = [
            Candidate(f"w/m/{channel}/1", 1.0, Stage.S1) for channel in ("C1", "C2", "C3")
        ]
        record.dropped = [Dropped("w/m/C2/2", Stage.S1, 1.0, DropReason.ITEM_CAP)]
    # C1 and C2 are private, and the asker is in C1 alone.
    found = leaks(Answer("?", (), (), 0, trace), Scope("w", ("public", "C1")), {"C1", "C2"})
    assert found == ("w/t/channel/c/C2/C2", "w/m/C2/1", "w/m/C2/2")


def test_nobody_sees_what_they_may_not(summary: Summary):
    assert summary.leaked == []


def test_what_was_hidden_from_the_asker_stays_hidden(summary: Summary):
    hidden = {
        question["id"]: {(e["channel"], e["ts"]) for e in question["hidden"]}
        for question in read_questions()
        if question["kind"] == "no_access"
    }
    assert len(hidden) >= 3
    for outcome in summary.outcomes:
        assert not outcome.found & hidden.get(outcome.id, set())
