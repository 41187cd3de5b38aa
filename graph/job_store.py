"""Ingest jobs in the graph: a queue that outlives every process that works at it.

A job is claimed by one owner at a time, one job of a workspace at a time. The owner's heartbeat
keeps it; what has been silent for too long, or whose owner is known to be dead, is claimed by
the next one, which begins it again from its file. All of an owner's writes name the owner, so
who has lost a job changes nothing any more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .job_records import (
    Job,
    JobAccess,
    JobProgress,
    JobReceipt,
    JobState,
    NewJob,
    job_of,
    properties_of,
    receipt_properties,
)
from .keys import check_workspace
from .records import Scope
from .store import ForestStore, Row, Transaction

STALE_S = 30
"""A running job whose owner has been silent for so long is taken over: longer than any pause of a
healthy process."""

_LATEST = datetime(9999, 1, 1, tzinfo=UTC)
_FORGET_BATCH = 1000


@dataclass(frozen=True, slots=True)
class WaitingJob:
    """A job whose file is still to come; `late`: it should have come by now."""

    key: str
    file: str
    late: bool


class JobStore:
    """Reads and writes jobs through a `ForestStore`. All methods are safe beside each other."""

    def __init__(self, store: ForestStore, *, stale_s: int = STALE_S) -> None:
        self._store = store
        self._stale_s = stale_s

    # For whoever asks

    async def create(self, job: NewJob) -> Job:
        """Store a job, and its workspace if it is new. One of that key stays as it is."""
        check_workspace(job.workspace)
        rows = await self._store.write(
            "jobs/create",
            {
                "key": job.key,
                "workspace": job.workspace,
                "properties": properties_of(job),
                "lasts_s": job.lasts_s if job.state is JobState.WAITING else None,
            },
        )
        return job_of(rows[0]["job"])

    async def get(self, key: str, access: JobAccess) -> Job | None:
        """The job of that key; None if there is none that may be seen."""
        rows = await self._store.read("jobs/get", {"key": key, **_access(access)})
        return job_of(rows[0]["job"]) if rows else None

    async def not_ended(self) -> int:
        """How many jobs of all workspaces wait, or are being worked on: the operator's view."""
        return int((await self._store.read("jobs/not_ended"))[0]["number"])

    async def backlog(self, workspace: str, limit: int) -> int:
        """How many jobs of the workspace wait for their file or their turn, at most `limit`."""
        rows = await self._store.read("jobs/backlog", {"workspace": workspace, "limit": limit})
        return int(rows[0]["number"])

    async def page(
        self,
        access: JobAccess,
        limit: int,
        *,
        after: tuple[datetime, str] | None = None,
        state: JobState | None = None,
    ) -> list[Job]:
        """The newest jobs first, at most `limit`, after the one of that time and key."""
        before, before_key = after or (_LATEST, "")
        rows = await self._store.read(
            "jobs/page",
            {
                **_access(access),
                "before": before,
                "before_key": before_key,
                "state": state,
                "limit": limit,
            },
        )
        return [job_of(row["job"]) for row in rows]

    async def arrived(self, key: str) -> Job | None:
        """The job's file is there: it is queued. None if there is no such job any more."""
        return await self._one("jobs/arrived", {"key": key})

    async def cancel(self, key: str) -> Job | None:
        """End a job that is not running; ask one that is to stop. Ended ones stay as they are."""
        return await self._one("jobs/cancel", {"key": key})

    async def retry(self, key: str) -> Job | None:
        """Queue a job again that has failed or was cancelled. Others stay as they are."""
        return await self._one("jobs/retry", {"key": key})

    async def find_channels(self, scope: Scope, names: Collection[str]) -> dict[str, list[str]]:
        """Keys of the visible channels that go by each of `names`: a key, an id or a name."""
        wanted = {name.strip().removeprefix("#").lower(): name for name in names}
        rows = await self._store.read(
            "jobs/channels",
            {
                "prefix": f"{scope.workspace}/c/",
                "audiences": list(scope.audiences),
                "names": list(wanted),
            },
        )
        found: dict[str, list[str]] = {name: [] for name in names}
        for key, name, source_id in rows[0]["found"]:
            for called in {key.lower(), name, source_id} & wanted.keys():
                found[wanted[called]].append(key)
        return found

    # For whoever does the work

    async def claim(self, owner: str, folder: str, is_gone: Callable[[str], bool]) -> Job | None:
        """Begin a job: the oldest one of the workspace that has waited longest.

        Args:
            owner: who begins it; a name for this one attempt.
            folder: the upload folder that is at hand.
            is_gone: whether an owner is known to have died.
        """
        rows = await self._store.read("jobs/open", {"folder": folder, "stale_s": self._stale_s})
        for row in rows:
            gone = [one[1] for one in row["running"] if is_gone(one[1])]
            key = _next(row, gone)
            if key is not None:
                params = {"owner": owner, "gone": gone, "stale_s": self._stale_s}
                job = await self._begin(row["workspace"], {"key": key, **params})
                if job is not None:
                    return job
        return None

    async def _begin(self, workspace: str, params: dict[str, Any]) -> Job | None:
        async def work(tx: Transaction) -> Job | None:
            await tx.run("jobs/lock", {"workspace": workspace})
            rows = await tx.run("jobs/claim", params)
            return job_of(rows[0]["job"]) if rows else None

        return await self._store.write_transaction(work)

    async def heartbeat(self, key: str, owner: str, progress: JobProgress) -> bool | None:
        """Keep the job. Returns whether it is to be cancelled; None if it was lost."""
        rows = await self._store.write(
            "jobs/heartbeat",
            {
                "key": key,
                "owner": owner,
                "stage": progress.stage,
                "done": progress.done,
                "total": progress.total,
            },
        )
        return bool(rows[0]["cancel"]) if rows else None

    async def finish(self, key: str, owner: str, receipt: JobReceipt) -> Job | None:
        """The work is done. None, here and below, if the job was no longer the owner's."""
        # What an earlier attempt failed of is over.
        properties = {**receipt_properties(receipt), "error": None, "remedy": None}
        return await self._end(key, owner, JobState.DONE, properties)

    async def fail(self, key: str, owner: str, error: str, remedy: str) -> Job | None:
        """It cannot be done."""
        properties = {"error": error, "remedy": remedy}
        return await self._end(key, owner, JobState.FAILED, properties)

    async def cancelled(self, key: str, owner: str) -> Job | None:
        """It was stopped, as somebody has asked."""
        return await self._end(key, owner, JobState.CANCELLED, {})

    async def try_again(
        self, key: str, owner: str, error: str, remedy: str, *, delay_s: float
    ) -> Job | None:
        """The attempt failed of what may pass: another one is due in `delay_s` seconds."""
        properties = {"error": error, "remedy": remedy}
        return await self._requeue(key, owner, properties, delay_s, 0)

    async def release(self, key: str, owner: str) -> Job | None:
        """Leave the job to the next worker: nothing is wrong, so this attempt does not count."""
        return await self._requeue(key, owner, {}, 0.0, 1)

    # Housekeeping

    async def waiting(self, folder: str) -> list[WaitingJob]:
        """The jobs whose files are to come into that upload folder."""
        rows = await self._store.read("jobs/waiting", {"folder": folder})
        return [WaitingJob(row["key"], row["file"], bool(row["late"])) for row in rows]

    async def expire(self, key: str, error: str, remedy: str) -> None:
        """End a waiting job that is late."""
        await self._store.write("jobs/expire", {"key": key, "error": error, "remedy": remedy})

    async def states(self, keys: Sequence[str]) -> dict[str, JobState]:
        """The states of those of the jobs that are there."""
        rows = await self._store.read("jobs/states", {"keys": list(keys)})
        return {row["key"]: JobState(row["state"]) for row in rows}

    async def forget(self, days: int) -> int:
        """Delete the rows of jobs that ended more than `days` days ago. Returns how many."""
        total = 0
        while True:
            rows = await self._store.write("jobs/forget", {"days": days, "limit": _FORGET_BATCH})
            forgotten = int(rows[0]["forgotten"])
            total += forgotten
            if forgotten < _FORGET_BATCH:
                return total

    async def mark_for_rebuild(self, workspace: str, channels: Sequence[str]) -> None:
        """Mark those channels, or without any the whole workspace, for being built anew."""
        if channels:
            params = {"workspace": workspace, "channels": sorted(channels)}
            await self._store.write("jobs/mark_channels", params)
        else:
            params = {"workspace": workspace, "prefix": f"{workspace}/"}
            await self._store.write("jobs/mark_all", params)

    async def _end(
        self, key: str, owner: str, state: JobState, properties: dict[str, Any]
    ) -> Job | None:
        params = {"key": key, "owner": owner, "state": state.value, "properties": properties}
        return await self._one("jobs/end", params)

    async def _requeue(
        self, key: str, owner: str, properties: dict[str, Any], delay_s: float, uncounted: int
    ) -> Job | None:
        return await self._one(
            "jobs/requeue",
            {
                "key": key,
                "owner": owner,
                "properties": properties,
                "delay_ms": round(delay_s * 1000),
                "uncounted": uncounted,
            },
        )

    async def _one(self, name: str, params: dict[str, Any]) -> Job | None:
        rows = await self._store.write(name, params)
        return job_of(rows[0]["job"]) if rows else None


def _access(access: JobAccess) -> dict[str, Any]:
    return {
        "workspace": access.workspace,
        "all": access.everything,
        "token": access.token,
        "actor": access.actor,
    }


def _next(row: Row, gone: Collection[str]) -> str | None:
    """Which job of a workspace can be begun: one that was given up, else the next in line."""
    given_up = None
    for key, owner, silent, here in row["running"]:
        if not silent and owner not in gone:
            return None
        # One whose file is elsewhere waits for a worker there, and nobody waits for it.
        if here and given_up is None:
            given_up = str(key)
    return given_up or row["next"]
