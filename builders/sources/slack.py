"""Slack's export: a zip or the unpacked folder, also inside a wrapper folder.

One day file is in memory at a time. What cannot be read is rejected where it stands; the rest
goes on.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ...graph.records import MessageKind
from ..errors import SourceError
from .base import (
    SourceActor,
    SourceChannel,
    SourceMessage,
    SourceNote,
    SourceReject,
    clean,
    clean_id,
)
from .slack_archive import ArchiveLimits, Member, MemberError, open_archive
from .slack_blocks import Json, text_of
from .slack_directory import CHANNEL_LISTS, USER_LISTS, SlackDirectory
from .slack_json import JsonError, parse_list
from .slack_messages import MessageNormaliser, bot_of, placeholder_user, time_of

_DAY_FILE = re.compile(r"\d{4}-\d{2}-\d{2}\.json", re.IGNORECASE)
_WEB_ADDRESS = re.compile(r"https?://[^\s/?#]+/?")
_REPAIR = "Export again, or repair the file."
_KNOWN_LISTS = {*USER_LISTS, *CHANNEL_LISTS}
_INTEGRATION = re.compile(r"/services/(B[A-Z0-9]{6,})\|([^>|]{1,100})>")


@dataclass(frozen=True, slots=True)
class SlackOptions:
    """What an export does not say.

    Attributes:
        permalink_base: `https://acme.slack.com`; makes messages link to where they stand.
        limits: how much an archive may hold.
        name: what a person calls the export, if that is not the name of the folder or zip.
    """

    permalink_base: str = ""
    limits: ArchiveLimits = field(default_factory=ArchiveLimits)
    name: str = ""


@dataclass(slots=True)
class _Survey:
    """What the first reading of all messages tells: their number, and their authors."""

    total: int
    directory: SlackDirectory


def holds_slack_export(path: Path, limits: ArchiveLimits | None = None) -> bool:
    """Whether the folder or zip has day files or the lists of a Slack export."""
    archive = open_archive(path, limits)
    return any(_is_day_file(m) or m.path.name in _KNOWN_LISTS for m in archive.members)


class SlackSource:
    """A Slack export.

    Raises:
        SourceError: nothing at `path` looks like one, it cannot be read as a whole, or the
            address for links is none.
        ArchiveLimitError: it holds more than the limits allow.
    """

    def __init__(self, path: Path, options: SlackOptions | None = None) -> None:
        self._options = options or SlackOptions()
        base = self._options.permalink_base
        if base and not _WEB_ADDRESS.fullmatch(base):
            raise SourceError(
                f"The address of the Slack workspace {base[:80]!r} is not usable.",
                "Give one such as https://acme.slack.com.",
            )
        self._archive = open_archive(path, self._options.limits, self._options.name)
        self._days = [member for member in self._archive.members if _is_day_file(member)]
        known = any(member.path.name in _KNOWN_LISTS for member in self._archive.members)
        if not self._days and not known and not self._archive.rejects:
            inside = self._archive.nested
            if inside:
                raise SourceError(
                    f"{self._archive.name} holds no Slack export, but another archive: "
                    f"{inside[0]}.",
                    "An archive in an archive is never opened; give the inner one.",
                )
            raise SourceError(
                f"{self._archive.name} holds no Slack export.",
                "It needs folders with files such as general/2024-01-31.json, and usually "
                "users.json and channels.json.",
            )

    @property
    def name(self) -> str:
        """The name of the folder or zip."""
        return self._archive.name

    def total_hint(self) -> int:
        """The number of records in the readable files."""
        return self._survey.total

    def actors(self) -> Iterator[SourceActor | SourceReject | SourceNote]:
        """The users of the lists, then the authors that only messages tell of."""
        directory = self._survey.directory
        yield from directory.user_problems
        yield from directory.actors.values()
        yield from directory.learned.values()

    def channels(self) -> Iterator[SourceChannel | SourceReject | SourceNote]:
        """The channels of the lists, then the folders that no list names."""
        directory = self._survey.directory
        yield from directory.channel_problems
        yield from directory.channels.values()

    def messages(
        self,
    ) -> Iterator[SourceMessage | SourceChannel | SourceReject | SourceNote]:
        """All messages, channel by channel, day by day."""
        yield from self._archive.rejects
        yield from (SourceNote(note) for note in self._archive.notes)
        yield from self._left_out()
        directory = self._survey.directory
        normaliser = MessageNormaliser(directory, self._options.permalink_base)
        for member in self._days:
            channel = self._channel(member, directory)
            yield from _keep_apart(_day(member, channel, normaliser))

    @cached_property
    def _survey(self) -> _Survey:
        directory = SlackDirectory()
        directory.read_users(self._archive)
        learned: dict[str, tuple[tuple[bool, str, str], SourceActor]] = {}
        total = 0
        for member in self._days:
            for record in _records(member):
                if isinstance(record, JsonError):
                    continue
                total += 1
                if isinstance(record, dict):
                    _learn(record, directory, learned)
        directory.learned = {key: actor for key, (_, actor) in sorted(learned.items())}
        directory.read_channels(self._archive)
        for member in self._days:
            self._channel(member, directory)
        return _Survey(total, directory)

    def _channel(self, member: Member, directory: SlackDirectory) -> SourceChannel:
        parts = member.path.parts
        if len(parts) == 1:
            # Somebody gave the folder of a single channel.
            return directory.channel_of_folder((), self._archive.name)
        return directory.channel_of_folder(parts[:-2], parts[-2])

    def _left_out(self) -> Iterator[SourceNote]:
        """JSON files beside the day files: canvases, logs of integrations and the like."""
        folders = {member.path.parent for member in self._days}
        others = sorted(
            str(member.path)
            for member in self._archive.members
            if not _is_day_file(member) and member.path.parent in folders
        )
        for path in others:
            yield SourceNote(f"{path} is not a day's file of messages and was left out.")


def _is_day_file(member: Member) -> bool:
    return _DAY_FILE.fullmatch(member.path.name) is not None


def _records(member: Member) -> Iterator[Json | JsonError]:
    try:
        content = member.read()
    except MemberError as error:
        yield JsonError(error.message)
        return
    yield from parse_list(content)


def _day(
    member: Member, channel: SourceChannel, normaliser: MessageNormaliser
) -> Iterator[SourceMessage | SourceReject]:
    place = "/".join(member.path.parts[-2:])
    for number, record in enumerate(_records(member), 1):
        here = f"{place} #{number}"
        if isinstance(record, JsonError):
            yield SourceReject(here, record.message, _REPAIR, channel.id)
        else:
            yield from normaliser.entries(record, channel, here)


def _keep_apart(
    entries: Iterator[SourceMessage | SourceReject],
) -> Iterator[SourceMessage | SourceReject]:
    """Give different messages of a day that share one timestamp ids of their own.

    Slack's timestamps are unique in a channel, those of other tools are not: a join and the
    message after it can share one. The message people wrote keeps the plain id; which it is
    depends on the messages alone, not on their order. Copies stay copies.
    """
    day = list(entries)
    same: defaultdict[str, set[tuple[bool, str, str]]] = defaultdict(set)
    for entry in day:
        if isinstance(entry, SourceMessage) and not entry.revision and not entry.recovered:
            same[entry.source_id].add(_identity(entry))
    for entry in day:
        if isinstance(entry, SourceMessage) and not entry.revision and not entry.recovered:
            identity = _identity(entry)
            if identity != min(same[entry.source_id]):
                mark = hashlib.sha256("\x1f".join(map(str, identity)).encode()).hexdigest()[:8]
                entry = replace(entry, source_id=f"{entry.source_id}-{mark}")
        yield entry


def _identity(entry: SourceMessage) -> tuple[bool, str, str]:
    return (entry.kind is not MessageKind.MESSAGE, entry.author_id, entry.raw)


def _learn(
    record: dict[str, Json],
    directory: SlackDirectory,
    learned: dict[str, tuple[tuple[bool, str, str], SourceActor]],
) -> None:
    """Remember what a message says of an author that no list describes: the newest wins."""
    user = clean_id(record.get("user"))
    if text_of(record, "subtype") == "bot_add":
        # The only place where an old export says what a bot is called.
        for bot_id, name in _INTEGRATION.findall(text_of(record, "text")):
            actor = SourceActor(bot_id, clean(name), is_bot=True, placeholder=True)
            _keep_newest(learned, actor, clean_id(record.get("ts")))
    actor_found = placeholder_user(user, record) if user else bot_of(record, directory)
    if actor_found is not None and actor_found.id not in directory.actors:
        _keep_newest(learned, actor_found, clean_id(record.get("ts")))


def _keep_newest(
    learned: dict[str, tuple[tuple[bool, str, str], SourceActor]], actor: SourceActor, ts: str
) -> None:
    at = time_of(ts)
    rank = (actor.name != actor.id, at.isoformat() if at else "", actor.name)
    if actor.id not in learned or learned[actor.id][0] < rank:
        learned[actor.id] = (rank, actor)
