"""HERB: the Slack of an invented enterprise.

Layout: `products/*.json` (each with `slack`), `metadata/employee.json`, `qa/answerable.jsonl`.
Of a question's citations, those that are ids of Slack messages of its product are the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...builders.sources import SourceActor, SourceChannel, SourceMessage
from ...builders.sources.slack_text import Named, render_mrkdwn
from ...graph.records import ChannelKind
from ..errors import DatasetError
from ..questions import BenchQuestion, Dataset, MessageRef
from .base import Evidence, RecordedSource, after, json_files, message, read_json, read_jsonl, utc

_EMPLOYEE = re.compile(r"""@?["']?\b(eid_\w+)["']?""")
_BOT = "slack_admin_bot"


class _NoNames:
    """HERB writes people as employee ids, never in Slack's own markup."""

    def actor_name(self, actor_id: str, label: str) -> str:
        return label or actor_id

    def channel_name(self, channel_id: str, label: str) -> str:
        return label or channel_id


class _Log:
    """Messages and channels, collected product by product."""

    def __init__(self, employees: Mapping[str, Any]) -> None:
        self.people = {
            key: SourceActor(key, str(data.get("name") or key), title=str(data.get("role") or ""))
            for key, data in employees.items()
        }
        self.records: dict[MessageRef, SourceMessage] = {}
        self.by_product: dict[tuple[str, str], MessageRef] = {}
        self._names: dict[str, tuple[str, str]] = {}

    def add(self, product: str, item: Mapping[str, Any]) -> None:
        channel, user = item["Channel"], item["Message"]["User"]
        # Some ids carry quotes that belong to no id.
        author = str(user["userId"]).strip("'\" ")
        if author not in self.people:
            self.people[author] = SourceActor(
                author, author, is_bot=author == _BOT, placeholder=True
            )
        channel_id, stamp = str(channel["channelID"]), str(user["timestamp"])
        # A channel that was renamed keeps its id; its name is the latest one.
        self._names[channel_id] = max(
            self._names.get(channel_id, ("", "")), (stamp, str(channel["name"]))
        )
        ref = (channel_id, str(item["id"]))
        self.by_product[product, ref[1]] = ref
        if ref not in self.records:
            self.records[ref] = self._message(ref, author, stamp, str(user["text"]))

    def _message(self, ref: MessageRef, author: str, stamp: str, raw: str) -> SourceMessage:
        mentions: dict[str, None] = {}

        def shown(match: re.Match[str]) -> str:
            person = self.people.get(match[1])
            if person is None:
                return match[0]
            mentions[person.id] = None
            return f"@{person.name}"

        text = _EMPLOYEE.sub(shown, render_mrkdwn(raw, _NoNames(), Named()))
        return message(
            *ref, utc(stamp), author, text, raw=raw, source_ts=stamp, mentions=tuple(mentions)
        )

    def source(self) -> RecordedSource:
        return RecordedSource(
            "herb",
            tuple(self.people.values()),
            tuple(
                SourceChannel(key, name, ChannelKind.PUBLIC)
                for key, (_, name) in self._names.items()
            ),
            tuple(self.records.values()),
        )


def load_herb(folder: Path) -> Dataset:
    """Read HERB; see the module."""
    try:
        log = _Log(read_json(folder / "metadata" / "employee.json"))
        for path in json_files(folder / "products", "one JSON file per product"):
            for item in read_json(path).get("slack") or ():
                log.add(path.stem, item)
        source = log.source()
        evidence, now = Evidence(log.records), after(source.records)
        asked = read_jsonl(folder / "qa" / "answerable.jsonl")
        questions = tuple(
            BenchQuestion(
                id=f"{row['product']}-{number}",
                text=str(row["question"]),
                kind=str(row["type"]),
                # Citations that are no message name documents, meetings, pull requests.
                evidence=evidence.of(
                    ref
                    for citation in row["citations"]
                    if (ref := log.by_product.get((str(row["product"]), str(citation))))
                ),
                now=now,
            )
            for number, row in enumerate(asked, start=1)
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DatasetError(
            f"{folder} is not laid out as HERB is: {error!r}.",
            "Expected are products/*.json, metadata/employee.json and qa/answerable.jsonl.",
        ) from error
    return Dataset("herb", source, questions)
