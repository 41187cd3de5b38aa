"""Records of ingest jobs. No database here; times are aware datetimes in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from .log_rows import as_utc


class JobKind(StrEnum):
    """What a job does."""

    APPEND = "append"
    UPLOAD = "upload"
    REBUILD = "rebuild"


class JobState(StrEnum):
    """Where a job stands. WAITING: for its file. QUEUED: for its turn, or for another attempt."""

    WAITING = "waiting"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        """Whether nothing will happen any more, unless somebody wants another attempt."""
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True)
class JobFile:
    """What a job reads.

    Attributes:
        folder: id of the upload folder; only a worker that has it can do the job.
        path: the file in that folder.
        filename: what whoever sent it calls it; never part of a path.
        format: `slack` or `jsonl`.
        bytes, sha256: what was announced, and what has to arrive.
        timezone, permalink_base: as for `builders.sources.open_source`.
    """

    folder: str
    path: str
    filename: str
    format: str
    bytes: int
    sha256: str
    timezone: str | None = None
    permalink_base: str = ""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be.

    Attributes:
        token: id of the token that asked for it; `actor`: key of the actor it was asked as.
        request_digest: tells whether a repeated request is the same one.
        channels: of a rebuild: keys of channels; none means all.
        lasts_s: how long a waiting job waits for its file.
        may_open: whether it may say who sees a private channel that another token brought.
    """

    key: str
    workspace: str
    kind: JobKind
    state: JobState
    token: str
    actor: str | None = None
    request_digest: str = ""
    file: JobFile | None = None
    channels: tuple[str, ...] = ()
    lasts_s: int = 0
    may_open: bool = False


@dataclass(frozen=True, slots=True)
class JobCounts:
    """Numbers of message records, as in a receipt: `read` is the sum of the others."""

    read: int = 0
    added: int = 0
    unchanged: int = 0
    superseded: int = 0
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class JobRejection:
    """Something that was not logged: where it stands, why, and what can be done."""

    place: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class JobProgress:
    """What a running job is at: `done` of `total` (None: unknown) items of `stage`."""

    stage: str = ""
    done: int = 0
    total: int | None = None


@dataclass(frozen=True, slots=True)
class JobReceipt:
    """What came of a job.

    Attributes:
        rejections: the first of `rejections_total`.
    """

    counts: JobCounts = field(default_factory=JobCounts)
    rejections: tuple[JobRejection, ...] = ()
    rejections_total: int = 0


@dataclass(frozen=True, slots=True)
class JobAccess:
    """Whose jobs may be seen: all of the workspace, or those of one token and one actor."""

    workspace: str
    token: str
    actor: str | None = None
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is stored.

    Attributes:
        attempt: how many times it was begun.
        owner: who is at it, while it runs.
        error, remedy: why it failed, or why the attempt before this one did.
    """

    key: str
    workspace: str
    kind: JobKind
    state: JobState
    token: str
    actor: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None
    attempt: int
    owner: str | None
    cancel_requested: bool
    request_digest: str
    file: JobFile | None
    channels: tuple[str, ...]
    may_open: bool
    progress: JobProgress
    receipt: JobReceipt
    error: str
    remedy: str

    @property
    def id(self) -> str:
        """The last part of the key: what stands in addresses."""
        return self.key.rpartition("/")[2]


def job_key(workspace: str, job_id: str) -> str:
    """Key of a `Job` node."""
    return f"{workspace}/j/{job_id}"


def properties_of(job: NewJob) -> dict[str, Any]:
    """The properties of the node of a new job."""
    found: dict[str, Any] = {
        "workspace": job.workspace,
        "kind": job.kind.value,
        "state": job.state.value,
        "token": job.token,
        "actor": job.actor,
        "attempt": 0,
        "request_digest": job.request_digest,
        "channels": list(job.channels) or None,
        "may_open": job.may_open or None,
    }
    if job.file is not None:
        found |= {
            "folder": job.file.folder,
            "file": job.file.path,
            "filename": job.file.filename,
            "format": job.file.format,
            "bytes": job.file.bytes,
            "sha256": job.file.sha256,
            "timezone": job.file.timezone,
            "permalink_base": job.file.permalink_base,
        }
    return {name: value for name, value in found.items() if value is not None}


def receipt_properties(receipt: JobReceipt) -> dict[str, Any]:
    """What a receipt is stored as."""
    counts = receipt.counts
    return {
        "read": counts.read,
        "added": counts.added,
        "unchanged": counts.unchanged,
        "superseded": counts.superseded,
        "rejected": counts.rejected,
        "rejections_total": receipt.rejections_total,
        "rejection_places": [one.place for one in receipt.rejections],
        "rejection_reasons": [one.reason for one in receipt.rejections],
        "rejection_remedies": [one.remedy for one in receipt.rejections],
    }


def job_of(node: Mapping[str, Any]) -> Job:
    """A job from the properties of its node."""
    file = None
    if node.get("file"):
        file = JobFile(
            folder=node["folder"],
            path=node["file"],
            filename=node["filename"],
            format=node["format"],
            bytes=node["bytes"],
            sha256=node["sha256"],
            timezone=node.get("timezone"),
            permalink_base=node.get("permalink_base") or "",
        )
    return Job(
        key=node["key"],
        workspace=node["workspace"],
        kind=JobKind(node["kind"]),
        state=JobState(node["state"]),
        token=node["token"],
        actor=node.get("actor"),
        created_at=as_utc(node["created_at"]),
        started_at=_time(node, "started_at"),
        finished_at=_time(node, "finished_at"),
        expires_at=_time(node, "expires_at"),
        attempt=node["attempt"],
        owner=node.get("owner"),
        cancel_requested=bool(node.get("cancel_requested")),
        request_digest=node.get("request_digest") or "",
        file=file,
        channels=tuple(node.get("channels") or ()),
        may_open=bool(node.get("may_open")),
        progress=JobProgress(node.get("stage") or "", node.get("done") or 0, node.get("total")),
        receipt=JobReceipt(
            JobCounts(
                node.get("read") or 0,
                node.get("added") or 0,
                node.get("unchanged") or 0,
                node.get("superseded") or 0,
                node.get("rejected") or 0,
            ),
            tuple(
                JobRejection(*parts)
                for parts in zip(
                    node.get("rejection_places") or (),
                    node.get("rejection_reasons") or (),
                    node.get("rejection_remedies") or (),
                    strict=True,
                )
            ),
            node.get("rejections_total") or 0,
        ),
        error=node.get("error") or "",
        remedy=node.get("remedy") or "",
    )


def _time(node: Mapping[str, Any], name: str) -> datetime | None:
    value = node.get(name)
    return None if value is None else as_utc(value)
