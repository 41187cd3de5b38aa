"""Turn the chat of a HERB data folder into the JSONL that `egcforest ingest` reads.

    python benchmarks/herb_messages.py FOLDER OUTPUT.jsonl

FOLDER holds `products/*.json` and `metadata/employee.json`. Times are read as UTC from
`timestamp`; channels are told apart by their id; ids lose stray quotes; `@eid_…` in a text
becomes the person's name, and the person a mention. Nothing of the data belongs into the
repository: OUTPUT must lie outside of it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from egcforest.builders.sources.slack_text import Named, render_mrkdwn

_MENTION = re.compile(r"""@["']?(eid_[0-9a-f]+)["']?""")
_ADMIN_BOT = "slack_admin_bot"


class _People:
    """Names of HERB's employees, for the renderer."""

    def __init__(self, employees: dict[str, dict[str, Any]]) -> None:
        self._names = {key: entry["name"] for key, entry in employees.items()}

    def actor_name(self, actor_id: str, label: str) -> str:
        return self._names.get(actor_id) or label or actor_id

    def channel_name(self, channel_id: str, label: str) -> str:
        return label or channel_id


def lines(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of the JSONL: people, then messages."""
    employees = json.loads((folder / "metadata" / "employee.json").read_text("utf-8"))
    for key, entry in employees.items():
        yield {"type": "actor", "id": key, "name": entry["name"], "title": entry["role"]}
    yield {"type": "actor", "id": _ADMIN_BOT, "name": _ADMIN_BOT, "bot": True}
    people = _People(employees)
    for product in sorted((folder / "products").glob("*.json")):
        for item in json.loads(product.read_text("utf-8"))["slack"]:
            yield message_line(item, people)


def message_line(item: dict[str, Any], people: _People) -> dict[str, Any]:
    """One message of HERB as a line."""
    user = item["Message"]["User"]
    named = Named()
    # HERB writes mentions bare; in Slack's form the one renderer reads them.
    marked = _MENTION.sub(r"<@\1>", user["text"])
    text = render_mrkdwn(marked, people, named)
    channel = item["Channel"]
    return {
        "channel": {"id": channel["channelID"], "name": channel["name"], "kind": "public"},
        "id": item["id"],
        "time": user["timestamp"] + "+00:00",
        "author": user["userId"].strip("\"'"),
        "text": text,
        "mentions": list(named.actors),
    }


def main(arguments: list[str]) -> int:
    """Write the file; says how many lines of which kind."""
    if len(arguments) != 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    folder, output = map(Path, arguments)
    actors = messages = 0
    channels = set()
    with output.open("w", encoding="utf-8") as stream:
        for line in lines(folder):
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")
            if line.get("type") == "actor":
                actors += 1
            else:
                messages += 1
                channels.add(line["channel"]["id"])
    sys.stdout.write(f"{actors:,} people, {len(channels):,} channels, {messages:,} messages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
