"""The folder that files wait in between arriving and being ingested.

    folder-id             names the folder in the graph, wherever it is mounted
    WORKSPACE/JOB.zip     a file that has arrived whole
    WORKSPACE/JOB.x.part  one that is arriving

All names are made here; what a client calls its file is never part of a path.
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...graph.job_records import job_key
from ..errors import ApiError

_ID_FILE = "folder-id"
_PART = ".part"
_FILE = re.compile(r"([0-9a-f]{32})(?:\.[0-9a-f]{8})?(\.zip|\.jsonl|\.part)")

FORMATS = {
    ".zip": ("slack", ".zip"),
    ".jsonl": ("jsonl", ".jsonl"),
    ".ndjson": ("jsonl", ".jsonl"),
    ".jsonl.gz": ("jsonl", ".jsonl"),
    ".ndjson.gz": ("jsonl", ".jsonl"),
}
"""By what a client's name for its file ends with: the format, and the ending it has here."""

_MAX_FILENAME = 255


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of the folder.

    Attributes:
        path: relative to the folder.
        key: of the job that it belongs to.
        part: it has not arrived whole.
        modified: seconds since 1970.
    """

    path: str
    key: str
    part: bool
    modified: float


class UploadFolder:
    """An opened folder; only this user can read what is in it.

    Args:
        root: the folder; it is made if it is not there.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.id = self._identity()

    def relative(self, workspace: str, job_id: str, suffix: str) -> str:
        """Where the file of a job stands in the folder."""
        return f"{workspace}/{job_id}{suffix}"

    def path(self, relative: str) -> Path:
        """The file of that name; it may come from a row of the graph, so it is looked at.

        Raises:
            ValueError: it is none that `relative` makes.
        """
        workspace, _, name = relative.partition("/")
        if not workspace or "." in workspace or not _FILE.fullmatch(name):
            raise ValueError(f"{relative!r} is no file of the upload folder.")
        return self.root / workspace / name

    def new_part(self, relative: str) -> tuple[int, Path]:
        """An empty file to write to, opened, which only this user can read; and its path."""
        final = self.path(relative)
        final.parent.mkdir(mode=0o700, exist_ok=True)
        part = final.with_name(f"{final.stem}.{uuid.uuid4().hex[:8]}{_PART}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        return os.open(part, flags, 0o600), part

    def keep(self, part: Path, relative: str) -> None:
        """What has arrived takes its place; once this returns, it outlives a loss of power."""
        final = self.path(relative)
        part.rename(final)
        _sync_folder(final.parent)

    def write(self, relative: str, content: bytes) -> None:
        """A whole file at once, as durable as one that arrived."""
        descriptor, part = self.new_part(relative)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            self.keep(part, relative)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def holds(self, relative: str) -> bool:
        """Whether that file is there, whole."""
        return self.path(relative).is_file()

    def remove(self, relative: str) -> None:
        """Delete a file; harmless if it is not there."""
        with suppress(FileNotFoundError):
            self.path(relative).unlink()

    def files(self) -> Iterator[StoredFile]:
        """Everything in the folder that is a job's."""
        for folder in self.root.iterdir():
            if not folder.is_dir() or folder.is_symlink():
                continue
            for file in folder.iterdir():
                match = _FILE.fullmatch(file.name)
                with suppress(FileNotFoundError):
                    if match is not None:
                        yield StoredFile(
                            f"{folder.name}/{file.name}",
                            job_key(folder.name, match[1]),
                            match[2] == _PART,
                            file.stat().st_mtime,
                        )

    def _identity(self) -> str:
        file = self.root / _ID_FILE
        if not file.exists():
            own = self.root / f".{uuid.uuid4().hex}"
            own.write_text(uuid.uuid4().hex, encoding="ascii")
            # Whoever is first has named it; a link is there whole or not at all.
            with suppress(FileExistsError):
                os.link(own, file)
            own.unlink()
            _sync_folder(self.root)
        return file.read_text(encoding="ascii").strip()


def format_of(filename: str) -> tuple[str, str]:
    """The format of a file by its name, and the ending it is stored with.

    Raises:
        ApiError: the name is too long, or ends as none of the formats does.
    """
    lowered = filename.lower()
    if not filename.strip() or len(filename) > _MAX_FILENAME:
        raise ApiError(
            f"The filename is empty or longer than {_MAX_FILENAME} characters.",
            "Give the name that the file has.",
            argument="filename",
        )
    for ending, found in FORMATS.items():
        if lowered.endswith(ending):
            return found
    raise ApiError(
        "The filename ends as that of no known format.",
        f"Accepted are a Slack export (.zip) and JSONL ({', '.join(list(FORMATS)[1:])}).",
        argument="filename",
    )


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # folders cannot be opened there
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
