"""Turn the chat of a HERB data folder into the JSONL that `egcforest ingest` reads.

    python benchmarks/herb_messages.py FOLDER OUTPUT.jsonl

FOLDER holds `products/*.json` and `metadata/employee.json`; `datasets/herb.py` says how they are
read. Nothing of the data belongs into the repository: OUTPUT must lie outside of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from egcforest.benchmarks.datasets.base import RecordedSource
from egcforest.benchmarks.datasets.herb import read_herb_chat


def lines(source: RecordedSource) -> Iterator[dict[str, Any]]:
    """The lines of the JSONL: people, then messages."""
    for person in source.people:
        line: dict[str, Any] = {"type": "actor", "id": person.id, "name": person.name}
        yield line | ({"bot": True} if person.is_bot else {"title": person.title})
    names = {channel.id: channel.name for channel in source.places}
    for said in source.records:
        channel = {"id": said.channel_id, "name": names[said.channel_id], "kind": "public"}
        yield {
            "channel": channel,
            "id": said.source_id,
            "time": said.at.isoformat(),
            "author": said.author_id,
            "text": said.text,
            "mentions": list(said.mentions),
        }


def main(arguments: list[str]) -> int:
    """Write the file; says how many lines of which kind."""
    if len(arguments) != 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    folder, output = map(Path, arguments)
    source = read_herb_chat(folder)
    with output.open("w", encoding="utf-8") as stream:
        for line in lines(source):
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    counts = (len(source.people), len(source.places), len(source.records))
    sys.stdout.write("{:,} people, {:,} channels, {:,} messages\n".format(*counts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
