"""What of jobs can be tried without a whole service: the disk, the folder, errors, housekeeping."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from egcforest.api.errors import ApiError, ErrorCode
from egcforest.api.jobs.attempts import Worker
from egcforest.api.jobs.folder import UploadFolder
from egcforest.api.jobs.housekeeping import ABANDONED_S, BROKEN_OFF_S, Housekeeping
from egcforest.api.jobs.order import WorkOrder
from egcforest.api.jobs.uploads import StorageFullError, UploadLimits, receive
from egcforest.api.jobs.work import MAX_ATTEMPTS, Verdict, Workbench, judge, trace_of
from egcforest.builders.errors import SourceError
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.errors import (
    ConnectionFailedError,
    DatabaseMemoryError,
    GraphError,
    LeaseLostError,
)
from egcforest.graph.job_records import (
    Job,
    JobFile,
    JobKind,
    JobProgress,
    JobReceipt,
    JobState,
    NewJob,
    job_key,
)
from egcforest.graph.job_store import JobStore
from egcforest.graph.store import ForestStore
from egcforest.text.encoders.hashing import HashingEncoder

LIMITS = UploadLimits(10**9, idle_s=0.2, reserve_bytes=0)


def a_file(folder: UploadFolder, content: bytes, name: str = "a" * 32) -> JobFile:
    sha256 = hashlib.sha256(content).hexdigest()
    return JobFile(folder.id, f"w/{name}.zip", "x.zip", "slack", len(content), sha256)


async def chunks(*parts: bytes | None) -> AsyncIterator[bytes]:
    for part in parts:
        if part is None:
            await asyncio.sleep(5)
        else:
            yield part


async def test_a_file_is_whole_and_private(tmp_path: Path):
    folder = UploadFolder(tmp_path / "uploads")
    content = os.urandom(3_000_000)
    file = a_file(folder, content)
    await receive(
        folder, file, chunks(content[:7], content[7:2_000_000], content[2_000_000:]), LIMITS
    )
    stored = folder.path(file.path)
    assert stored.read_bytes() == content
    assert stored.stat().st_mode & 0o777 == 0o600
    assert folder.root.stat().st_mode & 0o777 == 0o700
    # Wherever the folder is mounted, it is the same one.
    assert UploadFolder(folder.root).id == folder.id != UploadFolder(tmp_path / "other").id


async def test_who_stops_sending_is_not_waited_for(tmp_path: Path):
    folder = UploadFolder(tmp_path)
    with pytest.raises(ApiError) as caught:
        await receive(folder, a_file(folder, b"xy"), chunks(b"x", None), LIMITS)
    assert caught.value.code is ErrorCode.TIMEOUT
    assert list((tmp_path / "w").iterdir()) == []


async def test_a_disk_without_room_is_said_before_anything_is_read(tmp_path: Path):
    folder = UploadFolder(tmp_path)
    read = chunks(b"x")
    with pytest.raises(StorageFullError, match="no room for 1 bytes"):
        await receive(folder, a_file(folder, b"x"), read, UploadLimits(10, reserve_bytes=2**60))
    assert await anext(read) == b"x"


def test_a_disk_that_becomes_full_leaves_nothing(tmp_path: Path):
    """In a process of its own, which may not write files above 1 MiB: the kernel says EFBIG."""
    script = textwrap.dedent(
        """
        import asyncio, resource, sys
        from pathlib import Path
        from egcforest.api.jobs.folder import UploadFolder
        from egcforest.api.jobs.uploads import StorageFullError, UploadLimits, receive
        from egcforest.graph.job_records import JobFile

        async def chunks():
            for _ in range(4):
                yield b"x" * 700_000

        async def main():
            folder = UploadFolder(Path(sys.argv[1]))
            file = JobFile(folder.id, "w/" + "a" * 32 + ".zip", "x", "slack", 2_800_000, "00")
            resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))
            try:
                await receive(folder, file, chunks(), UploadLimits(10**9, reserve_bytes=0))
            except StorageFullError as error:
                print(error)

        asyncio.run(main())
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True
    )
    assert "disk of the service is full" in done.stdout, done.stderr
    assert list((tmp_path / "w").iterdir()) == []


@pytest.mark.parametrize(
    "name", ["../x", "w/../../x", "w/x.zip", "/etc/passwd", "w/" + "a" * 32 + ".exe", "w", ""]
)
def test_no_other_path_is_taken_from_a_row(tmp_path: Path, name: str):
    with pytest.raises(ValueError, match="no file of the upload folder"):
        UploadFolder(tmp_path).path(name)


def a_job(attempt: int = 1, error: str = "") -> Job:
    now = datetime.now(UTC)
    return Job(
        "w/j/1", "w", JobKind.UPLOAD, JobState.RUNNING, "t", None, now, now, None, None, attempt,
        "me", False, "", None, (), False, JobProgress(), JobReceipt(), error, "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("error", "attempt", "verdict"),
    [
        (SourceError("chat.zip holds nothing.", "Send it again."), 1, Verdict.FAIL),
        (DatabaseMemoryError("out of memory over secret words"), 1, Verdict.FAIL),
        (MemoryError(), 1, Verdict.FAIL),
        (ConnectionFailedError("no Neo4j at secret.example.org"), 4, Verdict.WAIT),
        (LeaseLostError("x"), 1, Verdict.RETRY),
        (LeaseLostError("x"), MAX_ATTEMPTS, Verdict.FAIL),
        (GraphError("secret words"), 1, Verdict.RETRY),
        (KeyError("secret words"), 1, Verdict.RETRY),
    ],
)
def test_what_an_error_means(error: Exception, attempt: int, verdict: Verdict):
    found = judge(error, a_job(attempt))
    assert found.verdict is verdict
    assert found.remedy
    assert "secret" not in found.message + found.remedy + trace_of(error)


def test_what_comes_again_is_not_tried_a_third_time():
    first = judge(KeyError("secret words"), a_job(1))
    assert judge(KeyError("others"), a_job(2, first.message)).verdict is Verdict.FAIL
    assert judge(ValueError(), a_job(2, first.message)).verdict is Verdict.RETRY


def test_the_order_goes_through_the_pipe_and_shows_no_password():
    order = WorkOrder("bolt://x", "neo4j", "pass\nword", None, "hashing", "/tmp/x")
    assert order.line().count(b"\n") == 1
    assert WorkOrder.parse(order.line()) == order
    assert "pass" not in repr(order)


@pytest.fixture
def folder(tmp_path: Path) -> UploadFolder:
    return UploadFolder(tmp_path / "uploads")


class Bench:
    """The jobs of a workspace, and a worker in this process."""

    def __init__(self, store: ForestStore, workspace: str, folder: UploadFolder) -> None:
        self.jobs = JobStore(store)
        self.workspace = workspace
        self.folder = folder
        order = WorkOrder("", "", "", None, "hashing", str(folder.root))
        self.bench = Workbench(store, HashingEncoder(), folder, order)

    async def add(self, number: int, **more: Any) -> Job:
        job_id = f"{number:032x}"
        relative = self.folder.relative(self.workspace, job_id, ".jsonl")
        file = JobFile(self.folder.id, relative, "x.jsonl", "jsonl", 1, "00")
        made = {"kind": JobKind.UPLOAD, "state": JobState.QUEUED, "file": file} | more
        key = job_key(self.workspace, job_id)
        return await self.jobs.create(NewJob(key, self.workspace, token="t", **made))

    async def state(self, job: Job) -> JobState | None:
        return (await self.jobs.states([job.key])).get(job.key)

    def file(self, job: Job, content: bytes = b"x") -> Path:
        assert job.file is not None
        self.folder.write(job.file.path, content)
        return self.folder.path(job.file.path)

    async def work(self, *jobs: Job) -> None:
        """Let a worker run until they have ended."""
        waking, stopping = asyncio.Event(), asyncio.Event()
        worker = asyncio.create_task(Worker(self.bench, lambda _: None, waking, stopping).run())
        async with asyncio.timeout(60):
            for job in jobs:
                while (state := await self.state(job)) is None or not state.ended:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        stopping.set()
        await worker


@pytest.fixture
def bench(store: ForestStore, workspace: str, folder: UploadFolder) -> Bench:
    return Bench(store, workspace, folder)


async def test_housekeeping_takes_up_and_clears_away(bench: Bench, connection: ConnectionConfig):
    came = await bench.add(1, state=JobState.WAITING, lasts_s=60)
    late = await bench.add(2, state=JobState.WAITING, lasts_s=-1)
    waits = await bench.add(3, state=JobState.WAITING, lasts_s=60)
    done = await bench.add(4, state=JobState.DONE)
    failed = await bench.add(5, state=JobState.FAILED)
    files = {job.key: bench.file(job) for job in (came, done, failed)}
    nobodys = bench.folder.path(f"{bench.workspace}/{9:032x}.zip")
    fresh = bench.folder.path(f"{bench.workspace}/{8:032x}.zip")
    broken_off = bench.folder.path(f"{bench.workspace}/{3:032x}.0123abcd.part")
    arriving = bench.folder.path(f"{bench.workspace}/{3:032x}.89abcdef.part")
    for file, idle_s in (
        (nobodys, ABANDONED_S + 9), (fresh, 0), (broken_off, BROKEN_OFF_S + 9), (arriving, 0),
    ):  # fmt: skip
        file.write_bytes(b"x")
        os.utime(file, (file.stat().st_mtime - idle_s,) * 2)
    other = bench.folder.root / "notes.txt"
    other.write_text("not ours")
    keeping = Housekeeping(bench.jobs, bench.folder, retention_days=14)
    assert await keeping.once()
    assert await bench.state(came) is JobState.QUEUED
    assert await bench.state(late) is JobState.FAILED
    assert await bench.state(waits) is JobState.WAITING
    kept = {files[came.key], files[failed.key], fresh, arriving}
    assert set((bench.folder.root / bench.workspace).iterdir()) == kept
    assert other.exists()
    assert not await keeping.once()


async def test_a_job_that_kills_its_worker_again_and_again_fails(bench: Bench):
    job = await bench.add(1)
    bench.file(job)
    for number in range(MAX_ATTEMPTS):
        claimed = await bench.jobs.claim(f"o{number}", bench.folder.id, lambda owner: True)
        assert claimed is not None
        assert claimed.attempt == number + 1
    await bench.jobs.try_again(job.key, f"o{MAX_ATTEMPTS - 1}", "", "", delay_s=0)
    await bench.work(job)
    assert await bench.state(job) is JobState.FAILED


async def test_a_file_that_is_gone_fails_its_job(bench: Bench):
    job = await bench.add(1)
    await bench.work(job)
    assert await bench.state(job) is JobState.FAILED


async def test_a_worker_that_is_stopped_leaves_its_job(bench: Bench):
    job = await bench.add(1)
    bench.file(job, b'{"type": "actor", "id": "u1"}\n' * 2000)
    waking, stopping = asyncio.Event(), asyncio.Event()
    worker = asyncio.create_task(
        Worker(bench.bench, lambda _: stopping.set(), waking, stopping).run()
    )
    async with asyncio.timeout(30):
        await worker
    assert await bench.state(job) in (JobState.QUEUED, JobState.DONE)


def test_errors_of_the_disk_are_told_apart():
    from egcforest.api.jobs.uploads import _storage_error

    assert isinstance(_storage_error(OSError(errno.ENOSPC, "")), StorageFullError)
    assert not isinstance(_storage_error(OSError(errno.EACCES, "/secret")), StorageFullError)
    assert "/secret" not in str(_storage_error(OSError(errno.EACCES, "/secret")))
