"""A small company, logged and grown by the real builders."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from egcforest.builders.log import append_source
from egcforest.builders.pipeline import ForestBuilder
from egcforest.builders.sources import open_source
from egcforest.graph.keys import actor_key
from egcforest.graph.log_store import LogStore
from egcforest.graph.records import Scope
from egcforest.graph.search import ForestSearch
from egcforest.graph.store import ForestStore
from egcforest.retrieval.answer import Answer
from egcforest.retrieval.pipeline import Retriever
from egcforest.text.encoders.hashing import HashingEncoder

ENCODER = HashingEncoder()

PEOPLE = {
    "ana": ("Ana Ruiz", "Release manager"),
    "bo": ("Bo Lind", "Engineer"),
    "cy": ("Cy Okafor", "Counsel"),
    "dee": ("Dee Park", "Engineer"),
}


def person(key: str) -> dict[str, Any]:
    name, title = PEOPLE[key]
    return {"type": "actor", "id": key, "name": name, "title": title}


def channel(key: str, name: str, members: list[str] | None = None) -> dict[str, Any]:
    line: dict[str, Any] = {"type": "channel", "id": key, "name": name}
    if members is not None:
        line |= {"kind": "private", "members": members}
    return line


def message(
    where: str, number: str, time: str, author: str, text: str, **more: Any
) -> dict[str, Any]:
    return {
        "channel": where,
        "id": number,
        "time": f"2026-{time}:00Z",
        "author": author,
        "text": text,
        **more,
    }


# What is said in the private channel is said in public in nearly the same words: a twin that must
# never stand in for the other one.
LINES: list[dict[str, Any]] = [
    *(person(key) for key in PEOPLE),
    channel("ops", "operations"),
    channel("plan", "planning-Lighthouse"),
    channel("board", "board-room", ["ana", "cy"]),
    message(
        "plan", "p1", "03-02T09:00", "ana", "We start the Beacon project: one dashboard for all."
    ),
    message("plan", "p2", "03-02T09:05", "bo", "I take the backend and the alerts."),
    message("plan", "p3", "03-02T09:09", "dee", "And I draw the screens."),
    message(
        "plan", "p4", "04-01T10:00", "ana", "Legal asked us: we are renaming Beacon to Lighthouse."
    ),
    message("plan", "p5", "04-01T10:03", "dee", "Lighthouse it is, I change the logo."),
    message("plan", "p6", "05-04T08:00", "bo", "Lighthouse shows latency per region since today."),
    message(
        "ops", "o1", "03-10T12:00", "bo", "OPS-77 is open: the disk of the mail relay fills up."
    ),
    message("ops", "o2", "03-10T12:04", "dee", "How full?", thread="o1"),
    message("ops", "o3", "03-11T07:30", "bo", "At 91 percent, I add a volume.", thread="o1"),
    message("ops", "o4", "03-20T15:00", "dee", "Lunch is at noon, bring soup."),
    message("ops", "o5", "04-15T09:00", "bo", "OPS-77 is closed, the relay moved to the new host."),
    message("ops", "o6", "04-20T09:00", "dee", "The budget for servers is 12,000 euros this year."),
    message("ops", "o7", "05-20T16:00", "bo", "昨日のサーバー障害は電源の故障が原因でした。"),
    message(
        "board", "b1", "03-11T18:00", "cy", "OPS-77 hides a theft: the disk holds stolen mail."
    ),
    message(
        "board", "b2", "03-11T18:05", "ana", "The budget for servers is 99,000 euros this year."
    ),
    message(
        "board", "b3", "04-02T18:00", "cy", "We are renaming Lighthouse to Nightfall in autumn."
    ),
    message("board", "b4", "04-03T18:00", "ana", "Nightfall needs a new backend and alerts, too."),
]


@dataclass
class Company:
    """A grown workspace with ways to ask."""

    store: ForestStore
    workspace: str

    @property
    def search(self) -> ForestSearch:
        return ForestSearch(self.store)

    def key(self, where: str, number: str) -> str:
        return f"{self.workspace}/m/{where}/{number}"

    async def scope(self, actor: str | None = None) -> Scope:
        key = None if actor is None else actor_key(self.workspace, actor)
        return await LogStore(self.store).scope(self.workspace, key)

    async def ask(self, question: str, actor: str | None = None, **options: Any) -> Answer:
        parameters = options.pop("parameters", None)
        retriever = Retriever(self.store, ENCODER, parameters)
        return await retriever.ask(question, await self.scope(actor), **options)


async def grow(
    store: ForestStore, folder: Path, workspace: str, lines: list[dict[str, Any]]
) -> Company:
    path = folder / f"{uuid.uuid4().hex}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    await append_source(open_source(path), workspace, LogStore(store))
    await ForestBuilder(store, ENCODER).build(workspace)
    return Company(store, workspace)


@pytest.fixture(scope="session")
async def company(
    store: ForestStore, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Company]:
    """The small company; tests only read it."""
    workspace = f"r{uuid.uuid4().hex[:12]}"
    yield await grow(store, tmp_path_factory.mktemp("company"), workspace, LINES)
    await LogStore(store).wipe(workspace)
