# Made from ../_async by `make client`; change that instead.
"""`client.jobs`: the work that brings messages in."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing

from .. import protocol, reading, writing
from ..enums import JobState
from ..errors import ClientTimeoutError, ForestClientError, JobFailedError, TransportError
from ..job_models import Job
from ..retries import Retries
from ..waiting import sleep
from .connection import Connection
from .pages import Pages


class Jobs:
    """Jobs that the asker may see: their own, or with the scope `admin` all."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, job: str) -> Job:
        """A job as it is now, by its id.

        Raises:
            NotFoundError: there is none that the asker may see.
            ForestClientError: it cannot be had.
        """
        return self._connection.run(reading.job(job))

    def list(self, *, state: JobState | str | None = None, page_size: int = 20) -> Pages[Job]:
        """The jobs, the newest first; only those in `state`, if it is given."""
        return Pages(self._connection, reading.jobs(state), page_size)

    def watch(self, job: Job | str, *, timeout_s: float | None = None) -> Generator[Job, None]:
        """The job as it is now, then each change of it, until it has ended.

        Where the connection breaks, for instance because the service is started again, it is
        followed on.

        Args:
            job: the job, or its id.
            timeout_s: seconds that it may take; None for any.

        Raises:
            NotFoundError: there is none that the asker may see.
            ClientTimeoutError: it takes longer than `timeout_s`.
            ForestClientError: it cannot be followed.
        """
        operation = reading.job_progress(_id(job))
        policy = self._connection.config.retry
        retries = Retries(policy, safe=True, timeout_s=timeout_s, attempts=policy.stream_attempts)
        began = time.monotonic()
        last: Job | None = None
        connected = began
        while last is None or not last.ended:
            left_s = retries.left_s(time.monotonic() - began)
            if left_s == 0:
                raise protocol.timed_out(timeout_s or 0.0, None)
            try:
                connected = time.monotonic()
                with closing(self._connection.events(operation, left_s)) as states:
                    for state in states:
                        if state != last:
                            retries.again()
                            last = state
                            yield state
                if last is None or not last.ended:
                    # A service that shuts down ends its streams in order.
                    raise TransportError("The job's events ended before it.", "Follow it again.")
            except ForestClientError as error:
                if time.monotonic() - connected > policy.cap_s:
                    retries.again()  # a proxy that ends what is quiet for a while
                wait_s = retries.wait_s(error, time.monotonic() - began)
                if wait_s is None and retries.late:
                    raise protocol.timed_out(timeout_s or 0.0, error.request_id) from error
                if wait_s is None:
                    raise
                sleep(wait_s)

    def wait(
        self,
        job: Job | str,
        *,
        timeout_s: float | None = None,
        on_change: Callable[[Job], None] | None = None,
    ) -> Job:
        """The job when it is done.

        Args:
            job: the job, or its id.
            timeout_s: seconds that it may take; None for any.
            on_change: told of each change.

        Raises:
            JobFailedError: it has failed, or was cancelled.
            ClientTimeoutError: it takes longer than `timeout_s`.
            ForestClientError: it cannot be followed.
        """
        with closing(self.watch(job, timeout_s=timeout_s)) as states:
            for state in states:
                if on_change is not None:
                    on_change(state)
                if state.done:
                    return state
                if state.ended:
                    raise JobFailedError(state)
        raise AssertionError("A job is watched until it has ended.")

    def wait_at_most(self, job: Job, seconds: float) -> Job:
        """The job when it is done, or as it is after so many seconds.

        Raises:
            JobFailedError: it has failed, or was cancelled.
            ForestClientError: it cannot be followed.
        """
        latest = job

        def changed(state: Job) -> None:
            nonlocal latest
            latest = state

        try:
            return self.wait(job, timeout_s=seconds, on_change=changed)
        except ClientTimeoutError:
            return latest

    def cancel(self, job: Job | str) -> Job:
        """End a job that has not ended. What it has logged stays. Safe to repeat.

        Raises:
            ForestClientError: it cannot be cancelled.
        """
        return self._connection.run(writing.cancel(_id(job)))

    def retry(self, job: Job | str) -> Job:
        """Do a job again that has failed or was cancelled; any other one stays as it is.

        Raises:
            ConflictError: its file is not kept any more.
            ForestClientError: it cannot be retried.
        """
        return self._connection.run(writing.retry(_id(job)))


def _id(job: Job | str) -> str:
    return job.id if isinstance(job, Job) else job
