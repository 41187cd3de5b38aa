"""Archives made to do harm: refused by name, before much of them is read."""

from __future__ import annotations

import gzip
import json
import stat
import struct
import time
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from egcforest.builders.errors import ArchiveLimitError, SourceError
from egcforest.builders.sources import ArchiveLimits, JsonlOptions, SlackSource, open_source
from egcforest.builders.sources.jsonl import JsonlSource
from egcforest.builders.sources.slack_archive import open_archive
from egcforest.builders.sources.slack_json import JsonError, parse_list

DAY = b'[{"type": "message", "user": "U1", "ts": "1.1", "text": "hello"}]'
PATH = "general/2024-01-02.json"
MIB = 1024 * 1024


def rejected(source: SlackSource) -> dict[str, str]:
    return {item.place: item.reason for item in source.messages() if hasattr(item, "reason")}


def texts(source: SlackSource) -> list[str]:
    return [item.text for item in source.messages() if hasattr(item, "source_id")]


def packed(path: Path, files: dict[str | zipfile.ZipInfo, bytes], method: int = 8) -> Path:
    with zipfile.ZipFile(path, "w", method) as package:
        for name, content in files.items():
            package.writestr(name, content)
    return path


def overlapping(path: Path, files: int, unpacked: int) -> Path:
    """A bomb whose entries all share the same packed bytes, after David Fifield."""
    # Hard to pack, so that each file by itself looks innocent.
    seed, noise = b"1", bytearray()
    while len(noise) < unpacked // 100:
        seed = zlib.crc32(seed).to_bytes(4, "big") + seed[:8]
        noise += seed.hex().encode()
    body = b'["' + bytes(noise) + b" " * (unpacked - len(noise) - 4) + b'"]'
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeeze.compress(body) + squeeze.flush()
    first = b"general/2024-01-01.json"
    crc = zlib.crc32(body)
    sizes = struct.pack("<LLL", crc, len(data), len(body))
    local = struct.pack("<4sHHHHH", b"PK\3\4", 20, 0, 8, 0, 33) + sizes
    local += struct.pack("<HH", len(first), 0) + first + data
    directory = b""
    for number in range(files):
        name = f"general/2024-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}.json".encode()
        name = b"c%d/" % number + name.partition(b"/")[2]
        directory += struct.pack("<4sHHHHHH", b"PK\1\2", 20, 20, 0, 8, 0, 33) + sizes
        directory += struct.pack("<HHHHHLL", len(name), 0, 0, 0, 0, 0, 0) + name
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, files, files, len(directory), len(local), 0)
    path.write_bytes(local + directory + end)
    return path


def test_entries_that_share_their_bytes_are_weighed_together(tmp_path: Path):
    path = overlapping(tmp_path / "bomb.zip", 300, 2 * MIB)
    assert path.stat().st_size < 100_000
    with pytest.raises(ArchiveLimitError, match=r"bomb\.zip looks like a zip bomb: it, up to c"):
        open_archive(path)


def test_a_directory_without_end_is_not_taken_into_memory(tmp_path: Path):
    path = tmp_path / "many.zip"
    entry = struct.pack("<4sHHHHHH", b"PK\1\2", 20, 20, 0, 0, 0, 33) + struct.pack("<LLL", 0, 0, 0)
    entry += struct.pack("<HHHHHLL", 1, 0, 0, 0, 0, 0, 0) + b"x"
    directory = entry * 400_000
    # It even lies about the number.
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 1, 1, len(directory), 0, 0)
    path.write_bytes(directory + end)
    tracemalloc.start()
    began = time.monotonic()
    with pytest.raises(ArchiveLimitError, match=r"more than 10,000 files.*max_members"):
        open_archive(path, ArchiveLimits(max_members=10_000))
    assert time.monotonic() - began < 2
    assert tracemalloc.get_traced_memory()[1] < MIB
    tracemalloc.stop()


def test_zip64_directories_are_walked_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 3)
    path = packed(tmp_path / "large.zip", {f"general/2024-01-0{n}.json": DAY for n in range(1, 9)})
    assert len(open_archive(path, ArchiveLimits(max_members=8)).members) == 8
    with pytest.raises(ArchiveLimitError, match="more than 7 files"):
        open_archive(path, ArchiveLimits(max_members=7))


def test_a_name_of_thirty_kilobytes_is_refused_and_shown_in_part(tmp_path: Path):
    path = packed(tmp_path / "names.zip", {PATH: DAY, "n" * 30_000 + ".json": DAY})
    with pytest.raises(ArchiveLimitError, match=r"entry 2 in names\.zip has 30,005 bytes") as error:
        open_archive(path)
    assert len(str(error.value)) < 400


def test_a_thousand_folders_deep_is_refused_by_name(tmp_path: Path):
    deep = "d/" * 200 + "2024-01-01.json"
    source = SlackSource(packed(tmp_path / "deep.zip", {PATH: DAY, deep: DAY}))
    assert texts(source) == ["hello"]
    ((place, reason),) = rejected(source).items()
    assert place.startswith("d/d/d")
    assert len(place) < 200
    assert "16 folders deep" in reason


@pytest.mark.parametrize(
    ("mode", "words"),
    [(stat.S_IFLNK, "a link"), (stat.S_IFIFO, "no regular file"), (stat.S_IFCHR, "no regular")],
)
def test_links_and_devices_in_a_zip_are_refused_by_name(tmp_path: Path, mode: int, words: str):
    info = zipfile.ZipInfo("general/2024-01-01.json")
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    source = SlackSource(packed(tmp_path / "l.zip", {info: b"/etc/passwd", PATH: DAY}))
    assert texts(source) == ["hello"]
    assert words in rejected(source)["general/2024-01-01.json"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_methods_are_not_unpacked(tmp_path: Path, method: int):
    source = SlackSource(packed(tmp_path / "m.zip", {PATH: DAY}, method))
    assert texts(source) == []
    assert "method" in rejected(source)[PATH]


def test_an_archive_in_an_archive_is_never_opened(tmp_path: Path):
    inner = packed(tmp_path / "inner.zip", {PATH: DAY}).read_bytes()
    with pytest.raises(SourceError, match=r"another archive: exports/inner\.zip.*inner one"):
        SlackSource(packed(tmp_path / "outer.zip", {"exports/inner.zip": inner}))
    both = SlackSource(packed(tmp_path / "both.zip", {"inner.zip": inner, PATH: DAY}))
    assert texts(both) == ["hello"]
    notes = [item.text for item in both.messages() if type(item).__name__ == "SourceNote"]
    assert notes == ["inner.zip is an archive inside the archive and was left out."]


def test_a_file_is_read_an_item_at_a_time():
    content = b"[" + b"{}," * 20_000 + b"{}]"
    tracemalloc.start()
    assert sum(1 for _ in parse_list(content)) == 20_001
    assert tracemalloc.get_traced_memory()[1] < 3 * len(content)
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("content", "items", "fault"),
    [
        (b"[]", 0, ""),
        (b" [ ] ", 0, ""),
        (b"[1, 2]\n", 2, ""),
        (b"[1, 2] x", 2, "damaged"),
        (b"[1, 2", 2, "damaged"),
        (b"[1, 2,]", 2, "damaged"),
        (b"[", 0, "damaged"),
        (b"[]]", 0, "damaged"),
        (b"[" * 100_000, 0, "nested too deeply"),
    ],
)
def test_lists_whole_and_broken(content: bytes, items: int, fault: str):
    found = list(parse_list(content))
    errors = [item.message for item in found if isinstance(item, JsonError)]
    assert len(found) - len(errors) == items
    assert [fault in error for error in errors] == ([True] if fault else [])


def test_a_packed_jsonl_that_is_a_bomb_is_refused_with_its_line(tmp_path: Path):
    path = tmp_path / "bomb.jsonl.gz"
    line = json.dumps({"type": "actor", "id": "u", "name": "x" * 1_000_000}).encode() + b"\n"
    path.write_bytes(gzip.compress(line * 100))
    with pytest.raises(ArchiveLimitError, match=r"bomb\.jsonl\.gz looks like a bomb: up to line 6"):
        JsonlSource(path).total_hint()
    limits = ArchiveLimits(max_ratio=10_000, max_total_bytes=10 * MIB)
    with pytest.raises(ArchiveLimitError, match=r"more than 10,485,760 bytes \(line 11\)"):
        JsonlSource(path, JsonlOptions(limits=limits)).total_hint()


def test_what_an_export_is_called_may_differ_from_its_file(tmp_path: Path):
    path = packed(tmp_path / "3f9a.zip", {"2024-01-02.json": DAY})
    source = open_source(path, name="launch.zip")
    assert source.name == "launch.zip"
    # The export of a single channel has no other name to give it.
    plain = open_source(packed(tmp_path / "launch.zip", {"2024-01-02.json": DAY}))
    assert list(source.channels()) == list(plain.channels())
    lines = tmp_path / "3f9a.jsonl"
    lines.write_text("nonsense\n")
    (reject,) = open_source(lines, name="chat.jsonl").messages()
    assert getattr(reject, "place", "") == "chat.jsonl line 1"
