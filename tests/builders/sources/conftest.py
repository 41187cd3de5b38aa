"""Small exports, written by each test."""

import json
import zipfile

import pytest

from egcforest.builders.sources import SlackOptions, SlackSource, SourceMessage


class Export:
    """Writes the files of an export as a folder or a zip and reads it back."""

    def __init__(self, root):
        self.root = root

    def folder(self, files, name="export"):
        base = self.root / name
        for path, content in files.items():
            target = base / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content_of(content))
        return base

    def zip(self, files, name="export.zip"):
        path = self.root / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            for member, content in files.items():
                package.writestr(member, content_of(content))
        return path

    def read(self, files, **options):
        """All that the export yields, messages by id."""
        return Reading(SlackSource(self.folder(files), SlackOptions(**options)))

    def day(self, *records, **options):
        """An export of one public channel with one day."""
        lists = {
            "users.json": [
                {"id": "U1", "name": "ana", "profile": {"real_name": "Ana Ruiz", "title": "CTO"}},
                {"id": "U2", "name": "bo", "profile": {"display_name": "Bo", "bot_id": "B2"}},
            ],
            "channels.json": [{"id": "C1", "name": "general", "members": ["U1", "U2"]}],
        }
        return self.read({**lists, "general/2024-01-02.json": list(records)}, **options)


class Reading:
    def __init__(self, source):
        self.source = source
        self.actors = {}
        self.channels = {}
        self.messages = []
        self.others = []
        for target, items in (
            (self.actors, source.actors()),
            (self.channels, source.channels()),
        ):
            for item in items:
                if hasattr(item, "id"):
                    target[item.id] = item
                else:
                    self.others.append(item)
        for item in source.messages():
            (self.messages if isinstance(item, SourceMessage) else self.others).append(item)

    @property
    def only(self):
        assert len(self.messages) == 1, self.messages
        return self.messages[0]

    @property
    def rejects(self):
        return [item for item in self.others if hasattr(item, "reason")]

    @property
    def notes(self):
        return [item.text for item in self.others if hasattr(item, "text")]


def content_of(content):
    if isinstance(content, bytes):
        return content
    return content.encode() if isinstance(content, str) else json.dumps(content).encode()


@pytest.fixture
def export(tmp_path):
    return Export(tmp_path)
