"""An upload: raw bytes from a request to a file, counted, hashed and made durable.

Nothing here blocks the event loop: bytes are gathered, and written and hashed in a thread. Each
request writes to a file of its own, which takes its place only if it is exactly what was
announced; so an upload that breaks off can be sent again from its beginning at any time.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import shutil
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from ...graph.job_records import JobFile
from ..errors import ApiError, ErrorCode
from .folder import UploadFolder

GATHERED_BYTES = 1024 * 1024
"""Written at once: large enough that the hand-over to the thread does not count."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_MIB = 1024 * 1024


class StorageFullError(ApiError):
    """There is no room for the file on the disk of the service."""

    code = ErrorCode.UNAVAILABLE


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """What an upload may take.

    Attributes:
        max_bytes: of one file.
        idle_s: how long the other side may send nothing.
        reserve_bytes: what has to stay free on the disk, which the database may share.
    """

    max_bytes: int
    idle_s: float = 60.0
    reserve_bytes: int = 256 * _MIB


async def receive(
    folder: UploadFolder, file: JobFile, chunks: AsyncIterator[bytes], limits: UploadLimits
) -> None:
    """Take what `chunks` yields as the file that was announced; it is durable on return.

    Raises:
        ApiError: BAD_INPUT, it is shorter or something else than announced; TOO_LARGE, it is
            longer; TIMEOUT, it stopped coming. Nothing is left of it.
        StorageFullError: the disk is full; nothing is left of it.
    """
    try:
        await asyncio.to_thread(check_room, folder.root, file.bytes, limits)
        descriptor, part = await asyncio.to_thread(folder.new_part, file.path)
    except OSError as error:
        raise _storage_error(error) from error
    incoming = _Incoming(descriptor)
    kept = False
    try:
        await _copy(incoming, file.bytes, chunks, limits.idle_s)
        digest = await asyncio.to_thread(incoming.finish)
        if digest != file.sha256:
            raise ApiError(
                "What arrived has another SHA-256 than was announced.",
                "Send the file again, or start a new upload for another one.",
                expected=file.sha256,
                received=digest,
            )
        await asyncio.to_thread(folder.keep, part, file.path)
        kept = True
    except OSError as error:
        raise _storage_error(error) from error
    finally:
        if not kept:
            await asyncio.shield(asyncio.to_thread(incoming.abandon, part))


def check_room(root: Path, size: int, limits: UploadLimits) -> None:
    """Raise `StorageFullError` unless the disk can take `size` bytes more."""
    free = shutil.disk_usage(root).free
    if size + limits.reserve_bytes > free:
        raise StorageFullError(
            f"The service has no room for {size:,} bytes.",
            "Ask its operator to make room, and send the file again.",
        )


async def _copy(
    incoming: _Incoming, announced: int, chunks: AsyncIterator[bytes], idle_s: float
) -> None:
    gathered = bytearray()
    total = 0
    while True:
        try:
            async with asyncio.timeout(idle_s):
                chunk = await anext(chunks, None)
        except TimeoutError as error:
            raise ApiError(
                f"Nothing came for {idle_s:g} s.", "Send the file again.", code=ErrorCode.TIMEOUT
            ) from error
        if chunk is None:
            break
        total += len(chunk)
        if total > announced:
            raise ApiError(
                f"More than the {announced:,} bytes came that were announced.",
                "Start a new upload with the right number.",
                code=ErrorCode.TOO_LARGE,
                limit=announced,
            )
        gathered += chunk
        if len(gathered) >= GATHERED_BYTES:
            full, gathered = gathered, bytearray()
            await asyncio.to_thread(incoming.write, full)
    if total < announced:
        raise ApiError(
            f"Only {total:,} of {announced:,} bytes came.",
            "Send the file again.",
            expected=announced,
            received=total,
        )
    if gathered:
        await asyncio.to_thread(incoming.write, gathered)


class _Incoming:
    """A file that is being written; its methods block, and one waits for the other."""

    def __init__(self, descriptor: int) -> None:
        self._lock = threading.Lock()
        self._stream = os.fdopen(descriptor, "wb", buffering=0)
        self._digest = hashlib.sha256()

    def write(self, content: bytes | bytearray) -> None:
        with self._lock:
            self._digest.update(content)
            view = memoryview(content)
            while view:
                view = view[self._stream.write(view) :]

    def finish(self) -> str:
        """Make it durable. Returns its SHA-256 in hexadecimal."""
        with self._lock:
            os.fsync(self._stream.fileno())
            self._stream.close()
            return self._digest.hexdigest()

    def abandon(self, part: Path) -> None:
        """Leave nothing of it."""
        with self._lock:
            self._stream.close()
            part.unlink(missing_ok=True)


def _storage_error(error: OSError) -> ApiError:
    if error.errno in _FULL:
        return StorageFullError(
            "The disk of the service is full.",
            "Ask its operator to make room, and send the file again.",
        )
    return ApiError(
        "The service cannot write to its upload folder.",
        "Ask its operator to look at EGCFOREST_SERVE_UPLOAD_DIR.",
        code=ErrorCode.UNAVAILABLE,
    )
