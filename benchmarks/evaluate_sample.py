"""Ask the sample's questions and report how much of the evidence comes back.

    python benchmarks/evaluate_sample.py --uri bolt://… [--user neo4j] [--workspace sample]

The sample must be ingested (`egcforest ingest examples/workspace --workspace sample`). The
password is read from EGCFOREST_NEO4J_PASSWORD. Reported are, by kind, the share of questions with
all their evidence among the items and the mean share of evidence; leaks, looked for in items,
headings and trace of every question; latencies in milliseconds, split by stage. Exits with 1 if
anything leaked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.keys import actor_key
from egcforest.graph.log_store import LogStore
from egcforest.graph.records import PUBLIC_AUDIENCE, Scope
from egcforest.graph.store import ForestStore
from egcforest.retrieval.answer import Answer
from egcforest.retrieval.pipeline import Retriever
from egcforest.text.encoders.usem3 import UseM3Encoder

QUESTIONS = Path(__file__).resolve().parent.parent / "examples" / "questions.jsonl"
UNANSWERABLE = frozenset({"no_answer", "no_access"})

__all__ = ["Outcome", "Summary", "evaluate", "leaks", "read_questions"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question answered."""

    id: str
    kind: str
    question: str
    wanted: frozenset[tuple[str, str]]
    found: frozenset[tuple[str, str]]
    leaked: tuple[str, ...]
    stage_ms: dict[str, float]

    @property
    def complete(self) -> bool:
        """Whether all the evidence is among the items."""
        return self.wanted <= self.found

    @property
    def recall(self) -> float:
        """Share of the evidence among the items; 1 where none is wanted."""
        return len(self.wanted & self.found) / len(self.wanted) if self.wanted else 1.0


@dataclass(slots=True)
class Summary:
    """All questions answered."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def answerable(self) -> list[Outcome]:
        """Those that have an answer their asker may see."""
        return [o for o in self.outcomes if o.kind not in UNANSWERABLE]

    @property
    def complete_share(self) -> float:
        """Share of the answerable questions with all their evidence among the items."""
        return statistics.fmean(o.complete for o in self.answerable) if self.answerable else 0.0

    @property
    def leaked(self) -> list[str]:
        """Keys of what was shown to somebody who may not see it."""
        return [key for outcome in self.outcomes for key in outcome.leaked]

    def lines(self) -> list[str]:
        """The report as a person reads it."""
        out = ["kind          questions  all evidence  recall"]
        for kind in [*sorted({o.kind for o in self.answerable}), "all"]:
            some = [o for o in self.answerable if kind in ("all", o.kind)]
            share = statistics.fmean(o.complete for o in some)
            recall = statistics.fmean(o.recall for o in some)
            out.append(f"{kind:14}{len(some):9}{share:14.1%}{recall:8.1%}")
        out += [f"missed {o.id} {o.kind}: {o.question}" for o in self.answerable if not o.complete]
        out.append(_latency("all", [sum(o.stage_ms.values()) for o in self.outcomes]))
        for stage in self.outcomes[0].stage_ms if self.outcomes else ():
            out.append(_latency(stage, [o.stage_ms.get(stage, 0.0) for o in self.outcomes]))
        out.append(f"leaks: {len(self.leaked)}")
        return out


def _latency(stage: str, times_ms: Sequence[float]) -> str:
    times = sorted(times_ms)
    return (
        f"{stage:14} median {_quantile(times, 0.5):6.1f} ms, p95 {_quantile(times, 0.95):6.1f} ms"
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def read_questions(path: Path = QUESTIONS) -> list[dict[str, Any]]:
    """The sample's questions."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def leaks(answer: Answer, scope: Scope, closed: Collection[str]) -> tuple[str, ...]:
    """Keys in items, headings and trace that belong to an audience the asker is not of.

    Trees and their nodes carry their audience in the key, messages their channel, which is the
    audience where it is private.

    Args:
        closed: all audiences of the workspace but the public one.
    """
    bad = [item.key for item in answer.items if item.audience not in scope.audiences]
    keys = [heading.key for heading in answer.headings]
    for record in answer.trace.stages.values():
        keys += [weighed.key for weighed in record.weighed]
        keys += [candidate.key for candidate in record.candidates]
        keys += [step.key for candidate in record.candidates for step in candidate.path]
        keys += [dropped.key for dropped in record.dropped]
    return (*bad, *(key for key in keys if _is_hidden(key, scope, closed)))


def _is_hidden(key: str, scope: Scope, closed: Collection[str]) -> bool:
    parts = key.split("/")
    if parts[1] == "t":
        return (parts[6] if parts[3] == "x" else parts[5]) not in scope.audiences
    return parts[2] in closed and parts[2] not in scope.audiences


async def evaluate(
    retriever: Retriever,
    log: LogStore,
    workspace: str,
    questions: Sequence[dict[str, Any]],
    *,
    items: int = 20,
) -> Summary:
    """Ask every question as its asker."""
    summary = Summary()
    channels = [known.channel for known in await log.coverage(workspace)]
    closed = {channel.audience for channel in channels} - {PUBLIC_AUDIENCE}
    for question in questions:
        scope = await log.scope(workspace, actor_key(workspace, question["asker"]))
        answer = await retriever.ask(question["question"], scope, items=items)
        found = frozenset((i.channel.rsplit("/", 1)[-1], i.source_id) for i in answer.items)
        summary.outcomes.append(
            Outcome(
                question["id"],
                question["kind"],
                question["question"],
                frozenset((e["channel"], e["ts"]) for e in question["evidence"]),
                found,
                leaks(answer, scope, closed),
                {str(stage): record.ms for stage, record in answer.trace.stages.items()},
            )
        )
    return summary


async def _run(arguments: argparse.Namespace) -> int:
    config = ConnectionConfig(
        arguments.uri, arguments.user, os.environ.get("EGCFOREST_NEO4J_PASSWORD", "")
    )
    async with await ForestStore.open(config) as store:
        encoder = UseM3Encoder()
        encoder.encode_query("warm")
        retriever = Retriever(store, encoder)
        questions = read_questions()
        log = LogStore(store)
        await evaluate(retriever, log, arguments.workspace, questions[:5])
        summary = await evaluate(
            retriever, log, arguments.workspace, questions, items=arguments.items
        )
    sys.stdout.write("\n".join(summary.lines()) + "\n")
    return 1 if summary.leaked else 0


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--uri", required=True)
    parser.add_argument("--user", default="neo4j")
    parser.add_argument("--workspace", default="sample")
    parser.add_argument("--items", type=int, default=20)
    return asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
