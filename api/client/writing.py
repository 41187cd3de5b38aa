"""The operations that change something. Each can be repeated, unless it says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .errors import BadInputError
from .inputs import NewActor, NewChannel, NewMessage, records
from .job_models import Job, StartedUpload
from .operations import Operation, given, one, request_id

LONGEST_APPEND_WAIT_S = 25.0
"""How long one append waits in the service; for longer, its job is followed."""


def append(
    messages: Iterable[NewMessage | Mapping[str, Any]],
    channels: Iterable[NewChannel | Mapping[str, Any]],
    actors: Iterable[NewActor | Mapping[str, Any]],
    time_zone: str | None,
    wait_s: float,
    client_request_id: str | None,
) -> Operation[Job]:
    """Append messages; repeated with the same id, it is the same job."""
    wait_s = min(wait_s, LONGEST_APPEND_WAIT_S)
    if wait_s < 0:
        raise BadInputError("wait is below 0.", "Give seconds, True or False.")
    described_channels = records(NewChannel, channels, "channels")
    described_actors = records(NewActor, actors, "actors")
    variables = {
        "messages": records(NewMessage, messages, "messages"),
        "channels": described_channels or None,
        "actors": described_actors or None,
        "timeZone": time_zone,
        "waitSeconds": wait_s,
        "clientRequestId": request_id(client_request_id),
    }
    return one("append_messages", Job, "appendMessages", _input(variables), extra_s=wait_s)


def start_upload(
    filename: str,
    size: int,
    sha256: str,
    time_zone: str | None,
    permalink_base: str | None,
    client_request_id: str | None,
) -> Operation[StartedUpload]:
    """Announce a file; repeated with the same id, it is the same job."""
    variables = {
        "filename": filename,
        "bytes": size,
        "sha256": sha256,
        "timeZone": time_zone,
        "permalinkBase": permalink_base,
        "clientRequestId": request_id(client_request_id),
    }
    return one("start_upload", StartedUpload, "startUpload", _input(variables))


def rebuild(channels: Sequence[str] | None, client_request_id: str | None) -> Operation[Job]:
    """Grow forests anew; repeated with the same id, it is the same job."""
    if isinstance(channels, str):
        channels = [channels]
    variables = {"channels": channels, "clientRequestId": request_id(client_request_id)}
    return one("rebuild", Job, "rebuild", _input(variables))


def cancel(job_id: str) -> Operation[Job]:
    """Cancel a job: one that has ended stays as it is."""
    return one("cancel_job", Job, "cancelJob", {"id": job_id})


def retry(job_id: str) -> Operation[Job]:
    """Do a job again. Not repeated: it might have failed anew in between."""
    return one("retry_job", Job, "retryJob", {"id": job_id}, safe=False)


def _input(variables: Mapping[str, Any]) -> dict[str, Any]:
    return {"input": given(variables)}
