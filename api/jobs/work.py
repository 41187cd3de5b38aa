"""One attempt at one job: what it does, and what an error means for it."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import dataclass
from enum import StrEnum

from ...builders.errors import BuilderError
from ...builders.pipeline import ForestBuilder, ingest
from ...builders.receipt import Receipt
from ...builders.sources import JsonlOptions, JsonlSource, Source, open_source
from ...graph.errors import (
    ConnectionFailedError,
    DatabaseMemoryError,
    GraphError,
    InvalidKeyError,
    LeaseLostError,
    QueryTimeoutError,
)
from ...graph.job_records import (
    Job,
    JobCounts,
    JobFile,
    JobKind,
    JobProgress,
    JobReceipt,
    JobRejection,
)
from ...graph.job_store import JobStore
from ...graph.store import ForestStore
from ...text.encoders import Encoder
from .folder import UploadFolder
from .order import WorkOrder

MAX_ATTEMPTS = 5
LISTED_REJECTIONS = 100
_LISTED_CHARACTERS = 300
_LONGEST_DELAY_S = 60.0


class JobReport:
    """What the builders say of their progress, for whoever writes it down now and then."""

    def __init__(self) -> None:
        self.progress = JobProgress()

    def step(self, name: str, total: int | None = None) -> None:
        """Begin a step."""
        self.progress = JobProgress(name, 0, total)

    def advance(self, count: int = 1) -> None:
        """Count."""
        now = self.progress
        self.progress = JobProgress(now.stage, now.done + count, now.total)

    def note(self, line: str) -> None:
        """Ignore it: notes are in the receipt."""

    def close(self) -> None:
        """Nothing to finish: the next step follows, or the job ends."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """What a worker has at hand."""

    store: ForestStore
    encoder: Encoder
    folder: UploadFolder
    order: WorkOrder


async def perform(job: Job, bench: Workbench, report: JobReport) -> JobReceipt:
    """Do the job, from its beginning. Whatever an earlier attempt has done is found done.

    Raises:
        BuilderError: the file cannot be used.
        GraphError: the database fails.
    """
    if job.kind is JobKind.REBUILD or job.file is None:
        await JobStore(bench.store).mark_for_rebuild(job.workspace, job.channels)
        builder = ForestBuilder(bench.store, bench.encoder, report=report)
        await builder.build(job.workspace)
        return JobReceipt()
    source = await asyncio.to_thread(_open, job.kind, job.file, bench)
    receipt, _ = await ingest(
        source,
        job.workspace,
        bench.store,
        bench.encoder,
        report=report,
        # The actor, so that a token that was renewed goes on with what the former one brought.
        introducer=None if job.may_open else job.actor or job.token,
    )
    return receipt_of(receipt)


def _open(kind: JobKind, file: JobFile, bench: Workbench) -> Source:
    if not bench.folder.holds(file.path):
        raise BuilderError("The job's file is not there any more.", "Send it again.")
    path = bench.folder.path(file.path)
    if kind is JobKind.APPEND:
        return JsonlSource(path, JsonlOptions(file.timezone, file.filename, places=True))
    return open_source(
        path,
        file.format,
        timezone=file.timezone,
        permalink_base=file.permalink_base,
        limits=bench.order.limits(),
        name=file.filename,
    )


def receipt_of(receipt: Receipt) -> JobReceipt:
    """What of a receipt is kept with the job. It holds no text of any message."""
    total = receipt.total
    return JobReceipt(
        JobCounts(total.read, total.added, total.unchanged, total.superseded, total.rejected),
        tuple(
            JobRejection(
                one.place[:_LISTED_CHARACTERS],
                one.reason[:_LISTED_CHARACTERS],
                one.remedy[:_LISTED_CHARACTERS],
            )
            for one in receipt.rejections[:LISTED_REJECTIONS]
        ),
        receipt.rejections_total,
    )


class Verdict(StrEnum):
    """What an error means for the job."""

    FAIL = "fail"
    """It would come again."""
    RETRY = "retry"
    """It may pass."""
    WAIT = "wait"
    """The database is away: nothing is known about the job."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an error means, and how it is told to whoever asked for the job."""

    verdict: Verdict
    message: str
    remedy: str
    delay_s: float = 0.0


def judge(error: BaseException, job: Job) -> Judgement:
    """What becomes of `job` after an attempt that ended in `error`.

    Nothing is told of an error that may quote what somebody wrote.
    """
    if isinstance(error, ConnectionFailedError):
        return Judgement(
            Verdict.WAIT, "The database went away.", "The job goes on when it is back."
        )
    if isinstance(error, DatabaseMemoryError | MemoryError):
        where = "The database" if isinstance(error, GraphError) else "The worker"
        return Judgement(
            Verdict.FAIL,
            f"{where} ran out of memory.",
            "Give it more, then retry the job; what was logged stays.",
        )
    if isinstance(error, BuilderError | InvalidKeyError):
        return Judgement(Verdict.FAIL, error.message, error.remedy)
    if isinstance(error, LeaseLostError):
        message, remedy = "Another builder took over the workspace.", "Retry the job."
    elif isinstance(error, QueryTimeoutError):
        message, remedy = "The database took too long.", "Retry the job when it is less busy."
    else:
        message = f"Something unforeseen happened ({type(error).__name__})."
        remedy = "The log of the service says where; retry the job."
        if job.error == message:
            # It came twice in the same place: a third time would be no different.
            return Judgement(Verdict.FAIL, message, remedy)
    if job.attempt >= MAX_ATTEMPTS:
        return Judgement(Verdict.FAIL, message, remedy)
    return Judgement(
        Verdict.RETRY, message, remedy, min(2.0 ** (job.attempt - 1), _LONGEST_DELAY_S)
    )


def trace_of(error: BaseException) -> str:
    """Where it happened, for the log: no values, and not what the error says, which may quote."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    places = " < ".join(f"{f.name} ({f.filename}:{f.lineno})" for f in reversed(frames))
    cause = error.__cause__
    because = f" because of {trace_of(cause)}" if cause is not None else ""
    return f"{type(error).__name__} in {places}{because}"
