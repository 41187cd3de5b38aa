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

# Some ids carry quotes that belong to no id, in texts too.
_MENTION = re.compile(r"""@["']?(eid_[0-9a-f]+)["']?""")
_QUOTES = "\"' "
_BOT = "slack_admin_bot"
_LAYOUT = "Expected are products/*.json, metadata/employee.json and qa/answerable.jsonl."


class _Log:
    """Messages and channels, collected product by product; names people for the renderer."""

    def __init__(self, employees: Mapping[str, Any]) -> None:
        self._people = {
            key: SourceActor(key, str(data.get("name") or key), title=str(data.get("role") or ""))
            for key, data in employees.items()
        }
        self._names: dict[str, tuple[str, str]] = {}
        self.records: dict[MessageRef, SourceMessage] = {}
        self.by_product: dict[tuple[str, str], MessageRef] = {}

    def actor_name(self, actor_id: str, label: str) -> str:
        person = self._people.get(actor_id)
        return person.name if person else label or actor_id

    def channel_name(self, channel_id: str, label: str) -> str:
        return label or channel_id

    def add(self, product: str, item: Mapping[str, Any]) -> None:
        channel, user = item["Channel"], item["Message"]["User"]
        author = str(user["userId"]).strip(_QUOTES)
        if author not in self._people:
            self._people[author] = SourceActor(
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
        named = Named()
        # HERB writes mentions bare; in Slack's form the one renderer reads them.
        text = render_mrkdwn(_MENTION.sub(r"<@\1>", raw), self, named)
        return message(
            *ref,
            utc(stamp),
            author,
            text,
            raw=raw,
            source_ts=stamp,
            mentions=tuple(named.actors),
            introduces=tuple(
                SourceActor(key, key, placeholder=True)
                for key in named.actors
                if key not in self._people
            ),
        )

    def source(self) -> RecordedSource:
        return RecordedSource(
            "herb",
            tuple(self._people.values()),
            tuple(
                SourceChannel(key, name, ChannelKind.PUBLIC)
                for key, (_, name) in self._names.items()
            ),
            tuple(self.records.values()),
        )


def _read_log(folder: Path) -> _Log:
    log = _Log(read_json(folder / "metadata" / "employee.json"))
    for path in json_files(folder / "products", "one JSON file per product"):
        for item in read_json(path).get("slack") or ():
            log.add(path.stem, item)
    return log


def read_herb_chat(folder: Path) -> RecordedSource:
    """The chat of HERB alone, without the questions.

    Raises:
        DatasetError: the folder is not laid out as HERB is.
    """
    try:
        return _read_log(folder).source()
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DatasetError(f"{folder} is not laid out as HERB is: {error!r}.", _LAYOUT) from error


def load_herb(folder: Path) -> Dataset:
    """Read HERB; see the module."""
    try:
        log = _read_log(folder)
        source = log.source()
        evidence, now = Evidence(log.records), after(source.records)
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
            for number, row in enumerate(read_jsonl(folder / "qa" / "answerable.jsonl"), start=1)
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DatasetError(f"{folder} is not laid out as HERB is: {error!r}.", _LAYOUT) from error
    return Dataset("herb", source, questions)
