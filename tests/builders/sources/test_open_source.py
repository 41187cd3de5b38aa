import pytest

from egcforest.builders.errors import SourceError
from egcforest.builders.sources import JsonlSource, SlackSource, open_source

DAY = {"general/2024-01-01.json": [{"ts": "1.1", "text": "x"}]}


def test_formats_are_recognised(export, tmp_path):
    assert isinstance(open_source(export.zip(DAY)), SlackSource)
    assert isinstance(open_source(str(export.folder(DAY))), SlackSource)
    for name in ("a.jsonl", "b.NDJSON", "c.jsonl.gz"):
        (tmp_path / name).write_bytes(b"")
        assert isinstance(open_source(tmp_path / name), JsonlSource)


def test_a_stated_format_counts(export, tmp_path):
    odd = tmp_path / "messages.txt"
    odd.write_text('{"channel": "c", "id": 1, "time": 1, "author": "a", "text": "t"}')
    assert len(list(open_source(odd, "jsonl").messages())) == 1
    renamed = export.zip(DAY).rename(tmp_path / "export.dat")
    assert isinstance(open_source(renamed, "slack"), SlackSource)


def test_options_reach_the_source(export, tmp_path):
    [message] = open_source(
        export.folder({**DAY, "channels.json": [{"id": "C1", "name": "general"}]}),
        permalink_base="https://acme.slack.com",
    ).messages()
    assert message.link.startswith("https://acme.slack.com/archives/C1/")
    path = tmp_path / "a.jsonl"
    path.write_text('{"channel":"c","id":1,"time":"2026-01-01T00:00","author":"a","text":"t"}')
    assert hasattr(next(iter(open_source(path, timezone="UTC").messages())), "text")


def test_what_is_unknown_is_refused_with_what_is_accepted(export, tmp_path):
    other = tmp_path / "discord.json"
    other.write_text("{}")
    for path in (other, export.zip({"x/y.json": {}}, "z.zip"), tmp_path / "empty"):
        path.name == "empty" and path.mkdir()
        with pytest.raises(SourceError, match="Accepted are a Slack export"):
            open_source(path)
    with pytest.raises(SourceError, match="Accepted are"):
        open_source(other, "teams")
    with pytest.raises(SourceError, match="no file or folder"):
        open_source(tmp_path / "nowhere")
