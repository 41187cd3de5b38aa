"""What somebody asks for, checked before anything is stored of it."""

from __future__ import annotations

import hashlib
import re
import uuid
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from ...graph.job_records import JobFile
from ..access.principal import Principal
from ..errors import ApiError, ErrorCode
from .folder import format_of

_SHA256 = re.compile(r"[0-9a-f]{64}")
_WEB_ADDRESS = re.compile(r"https?://[^\s/?#]+/?")
_MAX_REQUEST_ID = 200


@dataclass(frozen=True, slots=True)
class UploadRequest:
    """A file to come.

    Attributes:
        filename: what it is called; its ending tells the format.
        bytes, sha256: what will come; the digest in hexadecimal.
        timezone: JSONL: zone of times without one. permalink_base: Slack: for links.
    """

    filename: str
    bytes: int
    sha256: str
    timezone: str | None = None
    permalink_base: str = ""

    def checked(self, max_bytes: int) -> str:
        """The ending that the file is stored with.

        Raises:
            ApiError: BAD_INPUT, a field is not usable, which `argument` names; TOO_LARGE.
        """
        _, suffix = format_of(self.filename)
        if self.bytes < 1:
            raise ApiError("The file is empty.", "Give its size in bytes.", argument="bytes")
        if self.bytes > max_bytes:
            raise ApiError(
                f"The file has {self.bytes:,} bytes; the limit is {max_bytes:,}.",
                "Split it, or ask the operator to raise serve_max_upload_bytes.",
                code=ErrorCode.TOO_LARGE,
                argument="bytes",
                limit=max_bytes,
            )
        if not _SHA256.fullmatch(self.sha256.lower()):
            raise ApiError(
                "The SHA-256 is none.", "Give it as 64 hexadecimal digits.", argument="sha256"
            )
        if self.permalink_base and not _WEB_ADDRESS.fullmatch(self.permalink_base):
            raise ApiError(
                "The address for links is not usable.",
                "Give one such as https://acme.slack.com.",
                argument="permalinkBase",
            )
        check_zone(self.timezone)
        return suffix

    def file(self, folder: str, path: str) -> JobFile:
        """What the job reads, once it has come to `path` in the upload folder."""
        form, _ = format_of(self.filename)
        return JobFile(
            folder,
            path,
            self.filename,
            form,
            self.bytes,
            self.sha256.lower(),
            self.timezone,
            self.permalink_base,
        )


def job_id_of(principal: Principal, request_id: str | None) -> str:
    """A new id; with a client's id for its request, always the same one for that token.

    Raises:
        ApiError: the client's id is empty or too long.
    """
    if request_id is None:
        return uuid.uuid4().hex
    if not request_id.strip() or len(request_id) > _MAX_REQUEST_ID:
        raise ApiError(
            f"The clientRequestId is empty or longer than {_MAX_REQUEST_ID} characters.",
            "Give a UUID, for instance.",
            argument="clientRequestId",
        )
    made_of = "\x1f".join((principal.workspace, principal.token_id, request_id))
    return hashlib.sha256(made_of.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def check_zone(name: str | None) -> None:
    """Raise `ApiError` unless it is the name of a time zone."""
    if name is None:
        return
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ApiError(
            "The time zone is unknown.", "Give a name such as Europe/Berlin.", argument="timezone"
        ) from error
