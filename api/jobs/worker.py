"""The worker: a process beside the API that does the jobs.

Started by the API as `python -m egcforest.api.jobs.worker`. Its first line of input is the
`WorkOrder`; each further line says that there is something to do; the end of the input means that
the API is gone, and ends the worker as SIGTERM does: what it is at is left to the next one. It
says on its output, one line each, which jobs have changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from pathlib import Path

from ...graph.errors import ConnectionFailedError
from ...graph.identity import EncoderIdentity
from ...graph.store import ForestStore
from ...text.encoders import load_encoder
from ..server.logs import configure_logging
from .attempts import Worker
from .folder import UploadFolder
from .order import WorkOrder
from .work import Workbench, trace_of

logger = logging.getLogger("egcforest.jobs")

_AWAY_S = 2.0
_LONGEST_LINE_BYTES = 1024 * 1024
# Out of 1000: where memory ends, the worker goes before the API and the database.
_OOM_SCORE = "500"


def main() -> None:
    """Work until the input ends or SIGTERM comes."""
    configure_logging()
    # Ctrl-C in a terminal goes to the API and to its worker; the API tells the worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_main())


async def _main() -> None:
    code = 0
    try:
        await _work()
    except Exception as error:
        logger.error("The worker cannot work: %s", trace_of(error))  # noqa: TRY400
        code = 1
    # A thread may be in the midst of a large file; nobody waits for what it reads.
    sys.stderr.flush()
    os._exit(code)


async def _work() -> None:
    commands = await _input()
    line = await commands.readline()
    if not line:
        return
    order = WorkOrder.parse(line)
    _stand_back(order.niceness)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # on Windows the end of the input has to do
        loop.add_signal_handler(signal.SIGTERM, stopping.set)
    waking = asyncio.Event()
    listening = asyncio.create_task(_listen(commands, waking, stopping))
    try:
        encoder = await asyncio.to_thread(load_encoder, order.encoder, **order.encoder_options)
        identity = await asyncio.to_thread(EncoderIdentity.of, encoder)
        store = await _open(order, stopping)
        if store is None:
            return
        async with store:
            await store.prepare(identity)
            folder = UploadFolder(order.folder())
            worker = Worker(Workbench(store, encoder, folder, order), _say, waking, stopping)
            await worker.run()
    finally:
        listening.cancel()


async def _input() -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=_LONGEST_LINE_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    return reader


async def _listen(
    commands: asyncio.StreamReader, waking: asyncio.Event, stopping: asyncio.Event
) -> None:
    while await commands.readline():
        waking.set()
    stopping.set()


async def _open(order: WorkOrder, stopping: asyncio.Event) -> ForestStore | None:
    """The graph, when it answers; None if the worker is to stop before."""
    while not stopping.is_set():
        try:
            return await ForestStore.open(order.connection())
        except ConnectionFailedError:
            logger.warning("The database does not answer; trying again")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_AWAY_S):
                    await stopping.wait()
    return None


def _say(key: str) -> None:
    # Nobody listens any more when the API is gone; the end of the input says so as well.
    with contextlib.suppress(OSError):
        os.write(1, f"{key}\n".encode())


def _stand_back(niceness: int) -> None:
    """Let whoever answers questions go first."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(niceness)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE, encoding="ascii")


if __name__ == "__main__":
    main()
