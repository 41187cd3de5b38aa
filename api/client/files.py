"""The file of an upload: read in pieces, once to be hashed and once to be sent."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING

from .errors import BadInputError

if TYPE_CHECKING:
    from .job_models import Job

CHUNK_BYTES = 1024 * 1024


class UploadPhase(StrEnum):
    """What an upload is at."""

    HASHING = "hashing"
    """The file is read to know its SHA-256; counted in bytes."""
    SENDING = "sending"
    """It is sent; counted in bytes."""
    INGESTING = "ingesting"
    """The service works on it; counted in the items of its stage, of which there may be many."""


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """How far an upload has come.

    Attributes:
        phase: what it is at.
        done, total: how much of it; `total` is None where it is not known.
        job: the job behind it, once there is one.
    """

    phase: UploadPhase
    done: int
    total: int | None
    job: Job | None = None


class UploadFile:
    """A file that is read from its beginning; its methods block.

    Attributes:
        size: bytes, as they were when it was opened.
        done: bytes that were read.

    Raises:
        BadInputError: it is not there, no file, or cannot be read.
    """

    def __init__(self, path: Path, expected: int | None = None) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        self.done = 0
        try:
            self._stream: IO[bytes] = path.open("rb")
            self.size = os.fstat(self._stream.fileno()).st_size
        except OSError as error:
            raise BadInputError(
                f"{path.name} cannot be read: {error.strerror}.", "Name a file that can."
            ) from error
        if expected is not None and self.size != expected:
            self.close()
            raise self._changed()

    def read(self) -> bytes:
        """The next piece; empty at the end.

        Raises:
            BadInputError: it cannot be read on, or is not as long as it was.
        """
        try:
            chunk = self._stream.read(CHUNK_BYTES)
        except OSError as error:
            raise BadInputError(
                f"{self._path.name} cannot be read: {error.strerror}.", "Look at the disk."
            ) from error
        self.done += len(chunk)
        if self.done > self.size or (not chunk and self.done < self.size):
            raise self._changed()
        self._digest.update(chunk)
        return chunk

    def sha256(self) -> str:
        """SHA-256 of what was read, in hexadecimal."""
        return self._digest.hexdigest()

    def close(self) -> None:
        """Close it; safe to repeat."""
        self._stream.close()

    def _changed(self) -> BadInputError:
        return BadInputError(
            f"{self._path.name} changed while it was read.",
            "Upload it when nobody writes to it any more.",
        )
