# Made from ../_async by `make client`; change that instead.
"""`client.messages`: adding messages, and going through those of a subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from .. import reading, writing
from ..enums import MessageOrder
from ..errors import JobFailedError
from ..inputs import NewActor, NewChannel, NewMessage
from ..job_models import Job
from ..models import Message
from .connection import Connection
from .jobs import Jobs
from .pages import Pages


class Messages:
    """The messages of the workspace."""

    def __init__(self, connection: Connection, jobs: Jobs) -> None:
        self._connection = connection
        self._jobs = jobs

    def append(
        self,
        messages: Iterable[NewMessage | Mapping[str, Any]],
        *,
        channels: Iterable[NewChannel | Mapping[str, Any]] = (),
        actors: Iterable[NewActor | Mapping[str, Any]] = (),
        wait: bool | float = True,
        time_zone: str | None = None,
        client_request_id: str | None = None,
    ) -> Job:
        """Add messages; they are durable when this returns.

        Args:
            messages: at most 1,000, in any order.
            channels: channels that are new, or described anew.
            actors: actors that are new, or described anew.
            wait: True returns when they can be searched; a number does so too, or after so many
                seconds with the job as it is then; False does not wait.
            time_zone: zone of times without an offset, such as `Europe/Berlin`.
            client_request_id: an id of your own: whoever repeats it gets the same job.

        Returns:
            The job. What could not be used is among its `rejections`; the others landed.

        Raises:
            BadInputError: something has not the right form; nothing was added.
            JobFailedError: it was waited for, and has failed; it can be retried.
            ForestClientError: they cannot be added.
        """
        wait_s = writing.LONGEST_APPEND_WAIT_S if wait is True else float(wait)
        operation = writing.append(messages, channels, actors, time_zone, wait_s, client_request_id)
        job = self._connection.run(operation)
        if wait is not False and job.ended and not job.done:
            raise JobFailedError(job)
        if job.ended or (wait is not True and wait_s <= writing.LONGEST_APPEND_WAIT_S):
            return job
        if wait is True:
            return self._jobs.wait(job)
        return self._jobs.wait_at_most(job, wait_s - writing.LONGEST_APPEND_WAIT_S)

    def of(
        self,
        subject: str,
        *,
        order: MessageOrder | str = MessageOrder.NEWEST_FIRST,
        since: datetime | None = None,
        until: datetime | None = None,
        page_size: int = 50,
    ) -> Pages[Message]:
        """The messages in a channel, by an actor, or about an artifact, given by its key."""
        listing = reading.messages_of(subject, order, since, until)
        return Pages(self._connection, listing, page_size)

    def below(self, key: str, *, page_size: int = 50) -> Pages[Message]:
        """The messages below a forest node, in order of time."""
        return Pages(self._connection, reading.messages_below(key), page_size)

    def in_thread(self, key: str, *, page_size: int = 50) -> Pages[Message]:
        """The messages of the thread that a message belongs to, given by its key, the root first.

        Going through them raises NotFoundError where it belongs to none.
        """
        return Pages(self._connection, reading.messages_in_thread(key), page_size)
