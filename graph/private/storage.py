"""Files only this user may read, written whole, and what a disk may refuse."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import PrivateNeo4jError

_FULL = {errno.ENOSPC, errno.EDQUOT}
START_BYTES = 64 * 2**20
"""Free space below which Neo4j is not started; an empty store and its logs take 3 MB."""
_FULL_BYTES = 2**20


@contextmanager
def disk_errors(folder: Path, task: str) -> Iterator[None]:
    """Turn an `OSError` of the disk into a `PrivateNeo4jError` that names `folder`."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise PrivateNeo4jError(
                f"The disk that holds {folder} is full: could not {task}.",
                "Free some space, or choose another folder "
                "(EGCFOREST_DATA_DIR, EGCFOREST_CACHE_DIR).",
            ) from error
        if isinstance(error, PermissionError) or error.errno == errno.EROFS:
            raise PrivateNeo4jError(
                f"{error.filename or folder} is not writable for this user: could not {task}.",
                "Change its permissions, or choose another folder "
                "(EGCFOREST_DATA_DIR, EGCFOREST_CACHE_DIR).",
            ) from error
        raise PrivateNeo4jError(
            f"Could not {task} in {folder}: {error.strerror or error}.",
            "Choose another folder (EGCFOREST_DATA_DIR, EGCFOREST_CACHE_DIR).",
        ) from error


def require_space(folder: Path) -> None:
    """Raise `PrivateNeo4jError` if there is too little space to start a server in `folder`."""
    free = shutil.disk_usage(folder).free
    if free < START_BYTES:
        raise PrivateNeo4jError(
            f"The disk that holds {folder} is full: {free // 2**20} MiB are free, and Neo4j needs "
            f"{START_BYTES // 2**20} MiB to start.",
            "Free some space, or choose another folder with EGCFOREST_DATA_DIR.",
        )


def disk_is_full(folder: Path) -> bool:
    """Whether nothing can be written: on a full disk a starting Neo4j hangs, it does not end."""
    return shutil.disk_usage(folder).free < _FULL_BYTES


def private_folder(path: Path) -> Path:
    """Make `path` if need be, for this user alone (mode 0700; on Windows the profile's ACL)."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.stat().st_mode & 0o077:
        path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """Write `text` whole or not at all, readable for this user alone (mode 0600)."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def folder_size_bytes(*folders: Path) -> int:
    """Bytes of all files below `folders`; files that vanish meanwhile count nothing."""
    total = 0
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in names:
                with suppress(OSError):
                    total += os.stat(os.path.join(root, name)).st_size
    return total
