"""The files of a Slack export, from a folder or a zip, read without trusting either.

Nothing is ever unpacked to disk. Only `.json` members are looked at.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ..errors import ArchiveLimitError, SourceError
from .base import SourceReject, clean

_MIB = 1024 * 1024
_UTF8_NAME_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1
# Below this size even a perfect ratio is harmless.
_RATIO_MATTERS_ABOVE_BYTES = 4 * _MIB


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much an archive may hold. Only its JSON files count.

    Attributes:
        max_members: number of files.
        max_member_bytes: size of one file, unpacked; it is held in memory while it is read.
        max_total_bytes: size of all files, unpacked.
        max_ratio: unpacked over packed size of one file. Chat as JSON packs 5 to 40 times.
    """

    max_members: int = 500_000
    max_member_bytes: int = 512 * _MIB
    max_total_bytes: int = 100 * 1024 * _MIB
    max_ratio: float = 250.0


class MemberError(SourceError):
    """One file of the archive cannot be read."""


@dataclass(frozen=True, slots=True)
class Member:
    """One JSON file: its path inside the archive, and how to read it."""

    path: PurePosixPath
    size: int
    read: Callable[[], bytes]
    """The content. Raises `MemberError`."""


@dataclass(slots=True)
class Archive:
    """The JSON files of an export, sorted by path, and what was left out and why."""

    name: str
    members: list[Member] = field(default_factory=list)
    rejects: list[SourceReject] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def open_archive(path: Path, limits: ArchiveLimits | None = None) -> Archive:
    """Look into the folder or zip at `path`.

    Raises:
        SourceError: it is neither, it is encrypted, or it cannot be read.
        ArchiveLimitError: it holds more than `limits` allow.
    """
    limits = limits or ArchiveLimits()
    if path.is_dir():
        archive = _open_folder(path)
    elif path.is_file():
        archive = _open_zip(path, limits)
    else:
        raise SourceError(f"There is no file or folder {str(path)!r}.", "Check the path.")
    archive.members.sort(key=lambda member: member.path.parts)
    if len(archive.members) > limits.max_members:
        raise ArchiveLimitError(
            f"{archive.name} holds {len(archive.members):,} files; the limit is "
            f"{limits.max_members:,}.",
            "Raise max_members if you trust the archive.",
        )
    total = sum(member.size for member in archive.members)
    if total > limits.max_total_bytes:
        raise ArchiveLimitError(
            f"{archive.name} unpacks to {total:,} bytes; the limit is {limits.max_total_bytes:,}.",
            "Raise max_total_bytes if you trust the archive.",
        )
    return _within_member_limit(archive, limits)


def _within_member_limit(archive: Archive, limits: ArchiveLimits) -> Archive:
    kept = []
    for member in archive.members:
        if member.size > limits.max_member_bytes:
            archive.rejects.append(
                SourceReject(
                    str(member.path),
                    f"the file has {member.size:,} bytes; the limit is {limits.max_member_bytes:,}",
                    "Raise max_member_bytes if you trust the archive.",
                )
            )
        else:
            kept.append(member)
    archive.members = kept
    return archive


def _skipped(parts: tuple[str, ...]) -> bool:
    """macOS droppings and hidden files, which no export tool writes on purpose."""
    return parts[0] == "__MACOSX" or any(part.startswith(".") for part in parts)


def _open_folder(root: Path) -> Archive:
    archive = Archive(clean(root.resolve().name))
    home = root.resolve()

    def complain(error: OSError) -> None:
        place = os.path.relpath(str(error.filename), home)
        archive.rejects.append(_unreadable(place, error.strerror or "it cannot be opened"))

    for folder, folders, files in os.walk(home, onerror=complain):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(folder, name)
            parts = file.relative_to(home).parts
            if not name.lower().endswith(".json") or _skipped(parts):
                continue
            path = PurePosixPath(*(clean(part) for part in parts))
            if not file.resolve().is_relative_to(home):
                archive.rejects.append(
                    SourceReject(
                        str(path),
                        "the link leads out of the export's folder",
                        "Replace it by the file it stands for.",
                    )
                )
            elif not file.is_file():
                archive.rejects.append(_unreadable(str(path), "it is no regular file"))
            else:
                archive.members.append(Member(path, file.stat().st_size, _file_reader(file, path)))
    return archive


def _file_reader(file: Path, path: PurePosixPath) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return file.read_bytes()
        except OSError as error:
            raise MemberError(f"{path} cannot be read: {error.strerror}.") from error

    return read


def _unreadable(place: str, reason: str) -> SourceReject:
    return SourceReject(place, f"unreadable: {reason}", "Export again, or repair the file.")


def _open_zip(path: Path, limits: ArchiveLimits) -> Archive:
    archive = Archive(clean(path.name))
    try:
        package = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise SourceError(
            f"{archive.name} is no zip that can be read ({error}).",
            "Give a Slack export as its zip file or unpacked as a folder; download it again if "
            "it was cut off.",
        ) from error
    seen: set[PurePosixPath] = set()
    for info in package.infolist():
        name = _member_name(info)
        if info.is_dir() or not name.lower().endswith(".json"):
            continue
        reason = _unsafe_name(name)
        if reason:
            archive.rejects.append(
                SourceReject(clean(name), reason, "Such a name is never read; rename the file.")
            )
            continue
        member_path = PurePosixPath(*(clean(part) for part in PurePosixPath(name).parts))
        if _skipped(member_path.parts):
            continue
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise SourceError(
                f"{archive.name} is encrypted ({member_path}).",
                "Unpack it with its password and give the folder.",
            )
        if info.file_size > _RATIO_MATTERS_ABOVE_BYTES and info.file_size > limits.max_ratio * max(
            info.compress_size, 1
        ):
            raise ArchiveLimitError(
                f"{member_path} in {archive.name} unpacks to {info.file_size:,} bytes, "
                f"{info.file_size // max(info.compress_size, 1):,} times its packed size; the "
                f"limit is {limits.max_ratio:g} times. It looks like a zip bomb.",
                "Raise max_ratio if you trust the archive.",
            )
        if member_path in seen:
            archive.notes.append(f"{member_path} stands in the zip more than once; all are read.")
        seen.add(member_path)
        archive.members.append(
            Member(member_path, info.file_size, _zip_reader(package, info, member_path))
        )
    return archive


def _member_name(info: zipfile.ZipInfo) -> str:
    name = info.filename.replace("\\", "/")
    if info.flag_bits & _UTF8_NAME_FLAG:
        return name
    # Without the flag zipfile decodes as cp437; many tools write UTF-8 and forget the flag.
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _unsafe_name(name: str) -> str:
    """Why a member's name is refused, "" if it is fine."""
    parts = name.split("/")
    if name.startswith("/") or (len(parts[0]) == 2 and parts[0][1] == ":"):
        return "its name is an absolute path"
    if ".." in parts:
        return "its name leads out of the archive"
    return ""


def _zip_reader(
    package: zipfile.ZipFile, info: zipfile.ZipInfo, path: PurePosixPath
) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with package.open(info) as stream:
                # The header may lie about the size: never unpack more than was checked.
                return stream.read(info.file_size + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as error:
            raise MemberError(f"{path} is damaged: {error}.") from error

    return read
