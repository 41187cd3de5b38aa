"""The files of a Slack export, from a folder or a zip, read without trusting either.

Nothing is ever unpacked to disk. Only `.json` members are looked at.
"""

from __future__ import annotations

import os
import stat
import struct
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
# Below these sizes even a perfect ratio is harmless.
_RATIO_MATTERS_ABOVE_BYTES = 4 * _MIB
_TOTAL_RATIO_MATTERS_ABOVE_BYTES = 64 * _MIB
# What Slack and the tools of operating systems write. A packed file of the others may ask for
# gigabytes of memory before its first byte.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ARCHIVE_ENDINGS = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")
_DIRECTORY_ENTRY = struct.Struct("<4s24xHHH12x")
_SHOWN_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much an archive may hold. Only JSON files are ever unpacked.

    Attributes:
        max_members: number of entries, of whatever kind: each takes half a kilobyte of memory.
            Ten years of a thousand channels are a few hundred thousand days.
        max_member_bytes: size of one JSON file, unpacked; it is held in memory while it is read.
        max_total_bytes: size of all JSON files, unpacked.
        max_ratio: unpacked over packed size, of one file and of all together. Chat as JSON packs
            5 to 40 times. Entries of a bomb that share their packed bytes look innocent one by
            one, but not together.
        max_name_bytes: length of an entry's name; file systems end at 255 for each of its parts.
        max_depth: folders in each other. An export has two, a wrapper or two around it.
    """

    max_members: int = 500_000
    max_member_bytes: int = 512 * _MIB
    max_total_bytes: int = 100 * 1024 * _MIB
    max_ratio: float = 250.0
    max_name_bytes: int = 1024
    max_depth: int = 16


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
    nested: list[str] = field(default_factory=list)
    """Archives inside it, which are never opened."""


def open_archive(path: Path, limits: ArchiveLimits | None = None, name: str = "") -> Archive:
    """Look into the folder or zip at `path`.

    Args:
        path: folder or zip.
        limits: how much it may hold.
        name: what a person calls it, if that is not the name of the file.

    Raises:
        SourceError: it is neither, it is encrypted, or it cannot be read.
        ArchiveLimitError: it holds more than `limits` allow.
    """
    limits = limits or ArchiveLimits()
    if path.is_dir():
        archive = _open_folder(path, name)
    elif path.is_file():
        archive = _open_zip(path, limits, name)
    else:
        raise SourceError(f"There is no file or folder {str(path)!r}.", "Check the path.")
    archive.members.sort(key=lambda member: member.path.parts)
    if len(archive.members) > limits.max_members:
        raise _too_many(archive.name, f"{len(archive.members):,}", limits)
    total = sum(member.size for member in archive.members)
    if total > limits.max_total_bytes:
        raise ArchiveLimitError(
            f"{archive.name} unpacks to {total:,} bytes; the limit is {limits.max_total_bytes:,}.",
            "Raise max_total_bytes if you trust the archive.",
        )
    for inner in archive.nested:
        archive.notes.append(f"{inner} is an archive inside the archive and was left out.")
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


def _open_folder(root: Path, name: str) -> Archive:
    archive = Archive(clean(name or root.resolve().name))
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


def _open_zip(path: Path, limits: ArchiveLimits, name: str) -> Archive:
    archive = Archive(clean(name or path.name))
    try:
        _check_directory(path, archive.name, limits)
        package = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise SourceError(
            f"{archive.name} is no zip that can be read ({error}).",
            "Give a Slack export as its zip file or unpacked as a folder; download it again if "
            "it was cut off.",
        ) from error
    seen: set[PurePosixPath] = set()
    total = 0
    for info in package.infolist():
        entry = _member_name(info)
        if info.is_dir():
            continue
        if entry.lower().endswith(_ARCHIVE_ENDINGS):
            archive.nested.append(_shown(entry))
        if not entry.lower().endswith(".json"):
            continue
        reason = _unsafe_name(entry, limits) or _unreadable_kind(info)
        if reason:
            archive.rejects.append(SourceReject(_shown(entry), *reason))
            continue
        member_path = PurePosixPath(*(clean(part) for part in PurePosixPath(entry).parts))
        if _skipped(member_path.parts):
            continue
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise SourceError(
                f"{archive.name} is encrypted ({member_path}).",
                "Unpack it with its password and give the folder.",
            )
        total += info.file_size
        _check_ratio(archive.name, str(member_path), info, limits)
        if total > _TOTAL_RATIO_MATTERS_ABOVE_BYTES and total > limits.max_ratio * _size(path):
            raise _bomb(archive.name, f"it, up to {member_path},", total, _size(path), limits)
        if member_path in seen:
            archive.notes.append(f"{member_path} stands in the zip more than once; all are read.")
        seen.add(member_path)
        archive.members.append(
            Member(member_path, info.file_size, _zip_reader(package, info, member_path))
        )
    return archive


def _size(path: Path) -> int:
    return max(path.stat().st_size, 1)


def _check_directory(path: Path, name: str, limits: ArchiveLimits) -> None:
    """Walk the zip's directory before zipfile takes all of it into memory."""
    with path.open("rb") as stream:
        # zipfile's own reading: another one might find another directory in a forged file.
        end = zipfile._EndRecData(stream)  # type: ignore[attr-defined]
        if end is None:
            return
        size, position = end[zipfile._ECD_SIZE], end[zipfile._ECD_LOCATION]  # type: ignore[attr-defined]
        if end[zipfile._ECD_SIGNATURE] == zipfile.stringEndArchive64:  # type: ignore[attr-defined]
            position -= zipfile.sizeEndCentDir64 + zipfile.sizeEndCentDir64Locator  # type: ignore[attr-defined]
        stream.seek(max(position - size, 0))
        entries = 0
        while size > 0 and len(head := stream.read(_DIRECTORY_ENTRY.size)) == _DIRECTORY_ENTRY.size:
            mark, name_bytes, extra, comment = _DIRECTORY_ENTRY.unpack(head)
            if mark != b"PK\x01\x02":
                return
            entries += 1
            if entries > limits.max_members:
                raise _too_many(name, f"more than {limits.max_members:,}", limits)
            if name_bytes > limits.max_name_bytes:
                start = stream.read(_SHOWN_CHARACTERS).decode("utf-8", "replace")
                raise ArchiveLimitError(
                    f"The name of entry {entries:,} in {name} has {name_bytes:,} bytes "
                    f"({clean(start)!r} …); the limit is {limits.max_name_bytes:,}.",
                    "Raise max_name_bytes if you trust the archive.",
                )
            stream.seek(position - size + _DIRECTORY_ENTRY.size + name_bytes + extra + comment)
            size -= _DIRECTORY_ENTRY.size + name_bytes + extra + comment


def _too_many(name: str, number: str, limits: ArchiveLimits) -> ArchiveLimitError:
    return ArchiveLimitError(
        f"{name} holds {number} files; the limit is {limits.max_members:,}.",
        "Raise max_members if you trust the archive.",
    )


def _check_ratio(name: str, member: str, info: zipfile.ZipInfo, limits: ArchiveLimits) -> None:
    packed = max(info.compress_size, 1)
    if info.file_size > _RATIO_MATTERS_ABOVE_BYTES and info.file_size > limits.max_ratio * packed:
        raise _bomb(name, f"{member} in it", info.file_size, packed, limits)


def _bomb(name: str, what: str, size: int, packed: int, limits: ArchiveLimits) -> ArchiveLimitError:
    return ArchiveLimitError(
        f"{name} looks like a zip bomb: {what} unpacks to {size:,} bytes, {size // packed:,} "
        f"times its packed size; the limit is {limits.max_ratio:g} times.",
        "Raise max_ratio if you trust the archive.",
    )


def _shown(name: str) -> str:
    name = clean(name)
    return name if len(name) <= _SHOWN_CHARACTERS else f"{name[:_SHOWN_CHARACTERS]}…"


def _member_name(info: zipfile.ZipInfo) -> str:
    name = info.filename.replace("\\", "/")
    if info.flag_bits & _UTF8_NAME_FLAG:
        return name
    # Without the flag zipfile decodes as cp437; many tools write UTF-8 and forget the flag.
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _unsafe_name(name: str, limits: ArchiveLimits) -> tuple[str, str] | None:
    """Why a member's name is refused, and the remedy; None if it is fine."""
    parts = name.split("/")
    if name.startswith("/") or (len(parts[0]) == 2 and parts[0][1] == ":"):
        reason = "its name is an absolute path"
    elif ".." in parts:
        reason = "its name leads out of the archive"
    elif len(parts) > limits.max_depth:
        reason = f"it lies more than {limits.max_depth} folders deep"
    else:
        return None
    return reason, "Such a name is never read; rename the file."


def _unreadable_kind(info: zipfile.ZipInfo) -> tuple[str, str] | None:
    """Why a member is not read whatever it is called, and the remedy; None if it is fine."""
    # The upper half is Unix's mode, where the tool that packed it knew of one.
    kind = stat.S_IFMT(info.external_attr >> 16)
    if stat.S_ISLNK(kind):
        return "it is a link", "Pack the file that it stands for."
    if kind and not stat.S_ISREG(kind):
        return "it is no regular file", "Pack nothing but files."
    if info.compress_type not in _METHODS:
        return "it is packed by a method that is not read", "Pack it with deflate, as Slack does."
    return None


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
