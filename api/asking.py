"""Where a served process answers questions: beside the loop that serves."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..graph.store import ForestStore
from ..retrieval.answer import Answer
from ..retrieval.pipeline import Retriever
from .loop_thread import LoopThread, loop_thread
from .service import Service

logger = logging.getLogger("egcforest.questions")

THREAD = "egcforest-questions"
WARMING_S = 5.0
"""Seconds that a start waits, at most, until the database knows what questions look like."""

_WARMING = "Who decided what about the release last week, and why?"


@dataclass(frozen=True, slots=True)
class _Desk:
    """What there is on the thread's own loop; the driver belongs to the loop it was opened on."""

    store: ForestStore
    retriever: Retriever
    turns: asyncio.Semaphore

    async def answer(self, ask: Callable[[Retriever], Coroutine[Any, Any, Answer]]) -> Answer:
        # A question that was given up keeps its turn until it has let go of the database.
        async with self.turns:
            return await ask(self.retriever)


class Questions:
    """Answers questions on a thread with an event loop and a driver of its own.

    Retrieval computes for some tens of milliseconds a question, in steps of several. On the loop
    that serves, everybody else would wait for each step.
    """

    def __init__(self, thread: LoopThread[_Desk]) -> None:
        self._thread = thread

    @property
    def store(self) -> ForestStore:
        """The thread's connection to the graph, to look at its figures; to use it is for the thread
        alone."""
        return self._thread.opened.store

    async def answer(self, ask: Callable[[Retriever], Coroutine[Any, Any, Answer]]) -> Answer:
        """What `ask` gets from the retriever, when its turn has come.

        Whoever is cancelled while waiting cancels the question.

        Raises:
            Whatever `ask` raises.
        """
        return await self._thread.run(lambda desk: desk.answer(ask))


@asynccontextmanager
async def open_questions(service: Service, *, at_once: int) -> AsyncIterator[Questions]:
    """What answers questions over the graph of `service`, for as long as the context lasts.

    Args:
        service: the graph and the encoder.
        at_once: as many questions are answered at the same time; others wait for their turn.

    Raises:
        ConnectionFailedError: the graph does not answer or refuses the credentials.
    """

    @asynccontextmanager
    async def open_desk() -> AsyncIterator[_Desk]:
        async with await ForestStore.open(service.store.config) as store:
            retriever = Retriever(store, service.encoder)
            yield _Desk(store, retriever, asyncio.Semaphore(at_once))

    async with loop_thread(THREAD, open_desk) as thread:
        yield Questions(thread)


@asynccontextmanager
async def warming(service: Service, questions: Questions) -> AsyncIterator[None]:
    """Ask one question in each workspace before the body runs, as far as there is time.

    A database that has just started plans each query when it first comes, which takes the first
    question ten times as long as the others behind it. What is not done after `WARMING_S` seconds
    goes on beside the body, and ends with it at the latest; that it fails is logged, no more.
    """
    task = asyncio.create_task(_warm(service, questions))
    try:
        await asyncio.wait({task}, timeout=WARMING_S)
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _warm(service: Service, questions: Questions) -> None:
    began = time.monotonic()
    try:
        for workspace in await service.log.workspaces():
            scope = await service.log.scope(workspace)
            await questions.answer(partial(Retriever.ask, question=_WARMING, scope=scope))
            if time.monotonic() - began > WARMING_S:
                return
    except Exception as error:
        # Whoever asks next hears what is wrong; /readyz tells of a database that is away.
        logger.warning("The first question was not answered.", exc_info=error)
