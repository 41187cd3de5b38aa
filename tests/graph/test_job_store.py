"""The queue of jobs: one claim at a time, nothing from who has lost a job, stable pages."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest

from egcforest.graph.fingerprint import fingerprint
from egcforest.graph.job_records import (
    Job,
    JobAccess,
    JobCounts,
    JobFile,
    JobKind,
    JobProgress,
    JobReceipt,
    JobRejection,
    JobState,
    NewJob,
    job_key,
)
from egcforest.graph.job_store import JobStore
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore


def nobody_died(owner: str) -> bool:
    return False


class Queue:
    """The jobs of one workspace and one upload folder of its own."""

    def __init__(self, store: ForestStore, workspace: str, stale_s: int = 30) -> None:
        self.jobs = JobStore(store, stale_s=stale_s)
        self.store = store
        self.workspace = workspace
        self.folder = f"folder-{workspace}"

    async def add(self, token: str = "t1", **more: Any) -> Job:
        key = job_key(self.workspace, uuid.uuid4().hex)
        file = JobFile(self.folder, f"{key}.zip", "Export.zip", "slack", 10, "ab" * 32)
        made = {"kind": JobKind.UPLOAD, "state": JobState.QUEUED, "file": file} | more
        return await self.jobs.create(NewJob(key, self.workspace, token=token, **made))

    async def claim(self, owner: str, is_gone: Any = nobody_died) -> Job | None:
        while True:
            job = await self.jobs.claim(owner, self.folder, is_gone)
            # A rebuild needs no folder, so other tests' may come by.
            if job is None or job.workspace == self.workspace:
                return job

    async def state(self, job: Job) -> JobState:
        return (await self.jobs.states([job.key]))[job.key]


@pytest.fixture
def queue(store: ForestStore, workspace: str) -> Queue:
    return Queue(store, workspace)


async def test_a_job_comes_back_as_it_was_stored(queue: Queue):
    job = await queue.add(actor="w/a/u1", request_digest="d")
    everything = JobAccess(queue.workspace, "", everything=True)
    assert await queue.jobs.get(job.key, everything) == job
    assert job.file is not None
    assert (job.file.filename, job.file.bytes) == ("Export.zip", 10)
    assert (job.attempt, job.progress, job.receipt) == (0, JobProgress(), JobReceipt())
    # The second time it is the same one, whatever is said of it now.
    again = NewJob(job.key, queue.workspace, JobKind.REBUILD, JobState.QUEUED, "other")
    assert await queue.jobs.create(again) == job


async def test_of_many_claims_one_wins_and_one_job_runs_at_a_time(queue: Queue):
    first, second = await queue.add(), await queue.add()
    claims = await asyncio.gather(*(queue.claim(f"o{n}") for n in range(8)))
    won = [job for job in claims if job is not None]
    assert [job.key for job in won] == [first.key]
    assert won[0].attempt == 1
    assert won[0].owner is not None
    assert await queue.claim("late") is None
    await queue.jobs.finish(first.key, won[0].owner, JobReceipt())
    following = await queue.claim("late")
    assert following is not None
    assert following.key == second.key


async def test_who_is_silent_or_dead_loses_the_job_and_its_word(store: ForestStore, workspace: str):
    queue = Queue(store, workspace, stale_s=1)
    job = await queue.add()
    assert await queue.claim("one") is not None
    assert await queue.claim("two") is None
    taken = await queue.claim("two", lambda owner: owner == "one")
    assert taken is not None
    assert (taken.owner, taken.attempt) == ("two", 2)
    await asyncio.sleep(1.2)
    assert (await queue.claim("three") or taken).owner == "three"
    for lost in ("one", "two"):
        assert await queue.jobs.heartbeat(job.key, lost, JobProgress()) is None
        assert await queue.jobs.finish(job.key, lost, JobReceipt()) is None
        assert await queue.jobs.fail(job.key, lost, "e", "r") is None
        assert await queue.jobs.release(job.key, lost) is None
    assert await queue.state(job) is JobState.RUNNING


async def test_a_job_whose_file_is_elsewhere_is_left_and_holds_nobody_up(
    store: ForestStore, workspace: str
):
    queue = Queue(store, workspace, stale_s=1)
    elsewhere = await queue.add(file=JobFile("another", "x", "x.zip", "slack", 1, "00"))
    here = await queue.add()
    job = await queue.claim("me")
    assert job is not None
    assert job.key == here.key
    await queue.jobs.finish(here.key, "me", JobReceipt())
    assert await queue.jobs.claim("they", "another", nobody_died) is not None
    third = await queue.add()
    assert await queue.claim("me") is None
    await asyncio.sleep(1.2)
    job = await queue.claim("me")
    assert job is not None
    assert job.key == third.key
    assert await queue.state(elsewhere) is JobState.RUNNING


async def test_progress_result_and_errors_are_kept(queue: Queue):
    job = await queue.add()
    await queue.claim("me")
    assert await queue.jobs.heartbeat(job.key, "me", JobProgress("Logging", 5, 10)) is False
    access = JobAccess(queue.workspace, "t1")
    seen = await queue.jobs.get(job.key, access)
    assert seen is not None
    assert seen.progress == JobProgress("Logging", 5, 10)
    await queue.jobs.try_again(job.key, "me", "It broke.", "Wait.", delay_s=0.05)
    await asyncio.sleep(0.1)
    again = await queue.claim("me2")
    assert again is not None
    assert (again.attempt, again.error, again.remedy) == (2, "It broke.", "Wait.")
    assert again.progress == JobProgress()
    receipt = JobReceipt(JobCounts(3, 1, 1, 0, 1), (JobRejection("#3", "no time", "Give one."),), 1)
    done = await queue.jobs.finish(job.key, "me2", receipt)
    assert done is not None
    assert (done.state, done.receipt, done.error) == (JobState.DONE, receipt, "")
    assert done.finished_at is not None
    assert await queue.jobs.heartbeat(job.key, "me2", JobProgress()) is None


async def test_what_is_due_later_waits_and_lets_others_pass(queue: Queue):
    first, second = await queue.add(), await queue.add()
    await queue.claim("me")
    await queue.jobs.try_again(first.key, "me", "e", "r", delay_s=60)
    job = await queue.claim("me")
    assert job is not None
    assert job.key == second.key


async def test_a_release_does_not_count_as_an_attempt(queue: Queue):
    job = await queue.add()
    for _ in range(3):
        claimed = await queue.claim("me")
        assert claimed is not None
        assert claimed.attempt == 1
        await queue.jobs.release(job.key, "me")
    assert await queue.state(job) is JobState.QUEUED


async def test_cancel_and_retry(queue: Queue):
    job = await queue.add()
    cancelled = await queue.jobs.cancel(job.key)
    assert cancelled is not None
    assert cancelled.state is JobState.CANCELLED
    assert await queue.claim("me") is None
    retried = await queue.jobs.retry(job.key)
    assert retried is not None
    assert (retried.state, retried.finished_at) == (JobState.QUEUED, None)
    await queue.claim("me")
    asked = await queue.jobs.cancel(job.key)
    assert asked is not None
    assert (asked.state, asked.cancel_requested) == (JobState.RUNNING, True)
    assert await queue.jobs.heartbeat(job.key, "me", JobProgress()) is True
    # Who takes over is told as well.
    taken = await queue.claim("you", lambda owner: True)
    assert taken is not None
    assert taken.cancel_requested
    await queue.jobs.cancelled(job.key, "you")
    assert await queue.state(job) is JobState.CANCELLED
    assert await queue.jobs.cancel("nowhere/j/1") is None
    await queue.jobs.retry(job.key)
    await queue.claim("me")
    await queue.jobs.fail(job.key, "me", "e", "r")
    again = await queue.jobs.retry(job.key)
    assert again is not None
    assert (again.state, again.attempt, again.error) == (JobState.QUEUED, 0, "")


async def test_a_cancellation_and_a_claim_at_once_never_both_win(queue: Queue):
    for _ in range(10):
        job = await queue.add()
        claimed, cancelled = await asyncio.gather(queue.claim("me"), queue.jobs.cancel(job.key))
        assert cancelled is not None
        if claimed is None:
            assert await queue.state(job) is JobState.CANCELLED
        else:
            assert cancelled.cancel_requested
            await queue.jobs.cancelled(job.key, "me")


async def test_pages_are_complete_and_stable_while_jobs_are_added(queue: Queue):
    keys = [(await queue.add(token=f"t{n % 2}")).key for n in range(7)]
    everything = JobAccess(queue.workspace, "", everything=True)
    seen: list[str] = []
    after = None
    while page := await queue.jobs.page(everything, 2, after=after):
        seen += [job.key for job in page]
        after = (page[-1].created_at, page[-1].key)
        await queue.add()
    assert sorted(seen) == sorted(keys)
    created = {job.key: job.created_at for job in await queue.jobs.page(everything, 100)}
    assert seen == sorted(keys, key=lambda key: (created[key], key), reverse=True)


async def test_only_ones_own_jobs_are_seen(queue: Queue, store: ForestStore):
    mine = await queue.add(token="mine", actor="w/a/u1")
    by_another_token = await queue.add(token="second", actor="w/a/u1")
    of_nobody = await queue.add(token="third")

    async def seen(access: JobAccess) -> set[str]:
        listed = {job.key for job in await queue.jobs.page(access, 10)}
        every = [mine, by_another_token, of_nobody]
        assert listed == {job.key for job in every if await queue.jobs.get(job.key, access)}
        return listed

    assert await seen(JobAccess(queue.workspace, "mine")) == {mine.key}
    both = {mine.key, by_another_token.key}
    assert await seen(JobAccess(queue.workspace, "mine", "w/a/u1")) == both
    assert await seen(JobAccess(queue.workspace, "none")) == set()
    assert await seen(JobAccess("elsewhere", "mine", "w/a/u1", everything=True)) == set()
    assert len(await seen(JobAccess(queue.workspace, "none", everything=True))) == 3
    done = await queue.jobs.page(JobAccess(queue.workspace, "mine"), 10, state=JobState.DONE)
    assert done == []


async def test_waiting_jobs_are_queued_by_their_file_or_expire(queue: Queue):
    came = await queue.add(state=JobState.WAITING, lasts_s=60)
    late = await queue.add(state=JobState.WAITING, lasts_s=-1)
    assert await queue.claim("me") is None
    waiting = {one.key: one.late for one in await queue.jobs.waiting(queue.folder)}
    assert waiting == {came.key: False, late.key: True}
    for job in (came, late):
        await queue.jobs.expire(job.key, "It never came.", "Send it again.")
    await queue.jobs.arrived(came.key)
    await queue.jobs.arrived(late.key)
    assert await queue.state(came) is JobState.QUEUED
    assert await queue.state(late) is JobState.FAILED


async def test_ended_jobs_are_forgotten_and_a_wipe_takes_all(queue: Queue, store: ForestStore):
    ended, running = await queue.add(), await queue.add()
    await queue.jobs.cancel(ended.key)
    await queue.claim("me")
    await queue.jobs.forget(1)
    assert await queue.state(ended) is JobState.CANCELLED
    before = await fingerprint(store, queue.workspace)
    # Days may be negative here: what ends up to tomorrow counts as long ago.
    await store.run_autocommit(
        "MATCH (j:Job {key: $key}) SET j.finished_at = datetime() - duration({days: 3})",
        {"key": ended.key},
    )
    assert await queue.jobs.forget(2) >= 1
    assert set(await queue.jobs.states([ended.key, running.key])) == {running.key}
    assert await fingerprint(store, queue.workspace) == before
    await LogStore(store).wipe(queue.workspace)
    assert await queue.jobs.states([running.key]) == {}
