import os
import struct
import zipfile

import pytest

from egcforest.builders.errors import ArchiveLimitError, SourceError
from egcforest.builders.sources import ArchiveLimits, SlackOptions, SlackSource
from egcforest.builders.sources.slack_archive import open_archive

DAY = [{"type": "message", "user": "U1", "ts": "1.1", "text": "hello"}]
PATH = "general/2024-01-02.json"


def texts(source):
    return [item.text for item in source.messages() if hasattr(item, "source_id")]


def rejects(source):
    return {item.place: item for item in source.messages() if hasattr(item, "reason")}


@pytest.mark.parametrize("wrapper", ["", "My export Jan 1/", "a/b/"])
def test_zip_and_folder_with_and_without_a_wrapper(export, wrapper):
    files = {
        f"{wrapper}{PATH}": DAY,
        f"{wrapper}users.json": [{"id": "U1", "name": "ana"}],
        f"__MACOSX/{wrapper}general/._2024-01-02.json": b"\x00\x05",
        f"{wrapper}general/.DS_Store": b"x",
        f"{wrapper}general/picture.png": b"x",
    }
    for path in (export.zip(files), export.folder(files)):
        source = SlackSource(path)
        assert texts(source) == ["hello"]
        assert not rejects(source)
        assert [channel.id for channel in source.channels() if hasattr(channel, "id")] == [
            "general"
        ]


@pytest.mark.parametrize(
    "name",
    ["../evil/2024-01-01.json", "/etc/2024-01-01.json", "C:/x/2024-01-01.json",
     "..\\evil\\2024-01-01.json", "general/../../2024-01-01.json"],
)  # fmt: skip
def test_names_that_lead_outside_are_refused_and_the_rest_is_read(export, name):
    source = SlackSource(export.zip({name: DAY, PATH: DAY}))
    assert texts(source) == ["hello"]
    assert len(rejects(source)) == 1


def test_backslashes_of_windows_tools_are_separators(export):
    assert texts(SlackSource(export.zip({"export\\general\\2024-01-02.json": DAY}))) == ["hello"]


def test_a_zip_bomb_is_refused_before_it_is_unpacked(export):
    path = export.zip({PATH: b"[" + b" " * 30_000_000 + b"]"})
    with pytest.raises(ArchiveLimitError, match=r"zip bomb.*Raise max_ratio"):
        SlackSource(path)
    assert texts(SlackSource(path, SlackOptions(limits=ArchiveLimits(max_ratio=5000)))) == []


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (ArchiveLimits(max_total_bytes=10), "max_total_bytes"),
        (ArchiveLimits(max_members=0), "max_members"),
    ],
)
def test_limits_of_the_whole_archive(export, limits, words):
    files = {PATH: DAY}
    for path in (export.zip(files), export.folder(files)):
        with pytest.raises(ArchiveLimitError, match=words):
            SlackSource(path, SlackOptions(limits=limits))


def test_a_file_that_is_too_large_is_rejected_by_name(export):
    files = {PATH: DAY, "general/2024-01-03.json": DAY * 50}
    source = SlackSource(
        export.zip(files), SlackOptions(limits=ArchiveLimits(max_member_bytes=200))
    )
    assert texts(source) == ["hello"]
    assert "max_member_bytes" in rejects(source)["general/2024-01-03.json"].remedy


def test_a_header_that_lies_about_the_size_gets_no_more_than_it_says(export):
    path = export.zip({PATH: b"[" + b'{"ts":"1.1","text":"x"},' * 1000 + b"{}]"})
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", 50)
    path.write_bytes(content)
    source = SlackSource(path)
    assert texts(source) == []
    assert "damaged" in rejects(source)[f"{PATH} #1"].reason


def test_a_damaged_member_is_named_and_the_others_are_read(export):
    path = export.zip({"general/2024-01-01.json": DAY * 100, PATH: DAY})
    content = bytearray(path.read_bytes())
    at = content.index(b"2024-01-01.json") + 40
    content[at : at + 8] = b"\xff" * 8
    path.write_bytes(content)
    source = SlackSource(path)
    assert texts(source) == ["hello"]
    assert "damaged" in rejects(source)["general/2024-01-01.json #1"].reason


def test_an_encrypted_zip_is_refused_with_the_remedy(export):
    path = export.zip({PATH: DAY})
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"encrypted.*password"):
        SlackSource(path)


def test_members_of_one_name_are_all_read_and_noted(export):
    path = export.root / "twice.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(PATH, '[{"ts": "1.1", "text": "first"}]')
        with pytest.warns(UserWarning, match="Duplicate"):
            package.writestr(PATH, '[{"ts": "2.1", "text": "second"}]')
    source = SlackSource(path)
    messages = [item.text for item in source.messages() if hasattr(item, "source_id")]
    assert sorted(messages) == ["first", "second"]
    assert any("more than once" in getattr(item, "text", "") for item in source.messages())


def test_names_without_the_utf8_flag(export):
    path = export.zip({"büro/2024-01-02.json": DAY})
    content = path.read_bytes()
    for mark, offset in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        at = content.index(mark) + offset
        content = content[:at] + bytes([content[at] & ~0x08]) + content[at + 1 :]
    path.write_bytes(content)
    assert [member.path.parts[0] for member in open_archive(path).members] == ["büro"]


def test_links_that_lead_out_of_the_folder_are_not_followed(export, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('[{"ts": "9.9", "text": "secret"}]')
    folder = export.folder({PATH: DAY, "general/2024-01-05.json": DAY})
    os.symlink(secret, folder / "general" / "2024-01-03.json")
    os.symlink(folder / PATH, folder / "general" / "2024-01-04.json")
    os.symlink(tmp_path, folder / "loop")
    os.mkfifo(folder / "general" / "2024-01-06.json")
    source = SlackSource(folder)
    assert texts(source) == ["hello"] * 3
    assert set(rejects(source)) == {"general/2024-01-03.json", "general/2024-01-06.json"}


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 cut off"])
def test_what_is_no_zip_is_refused(tmp_path, content):
    path = tmp_path / "export.zip"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="no zip that can be read"):
        SlackSource(path)


def test_nothing_there_and_nothing_in_it(export, tmp_path):
    with pytest.raises(SourceError, match="no file or folder"):
        SlackSource(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="holds no Slack export"):
        SlackSource(export.zip({"other/thing.json": {}}))
