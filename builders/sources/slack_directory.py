"""Who and where: the lists of a Slack export, and what its folders stand for.

`users.json` may be missing or incomplete, and so may the lists of channels. What a folder is
when no list names it is decided for safety: see `SlackDirectory.channel_of_folder`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeVar

from ...graph.records import ChannelKind
from .base import SourceActor, SourceChannel, SourceNote, SourceReject, clean, clean_id
from .slack_archive import Archive, Member, MemberError
from .slack_blocks import Json, text_of
from .slack_json import JsonError, parse_json

USER_LISTS = ("users.json", "org_users.json")
CHANNEL_LISTS = {
    "channels.json": ChannelKind.PUBLIC,
    "groups.json": ChannelKind.PRIVATE,
    "dms.json": ChannelKind.DIRECT,
    "mpims.json": ChannelKind.GROUP_DIRECT,
}
SLACKBOT = "USLACKBOT"

# Restricted from left to right: of two entries that claim one folder, the later one wins.
_BY_SECRECY = list(CHANNEL_LISTS.values())
_Key = TypeVar("_Key")
_DIRECT_ID = re.compile(r"D[A-Z0-9]{7,}")
_PRIVATE_ID = re.compile(r"G[A-Z0-9]{7,}")


@dataclass(slots=True)
class SlackDirectory:
    """The described and the learned actors and channels of one export.

    Attributes:
        actors: by user id, from the lists of users.
        learned: by id, from what messages say of their authors.
        bot_users: user id by bot id, where a bot has both.
        channels: by channel id.
        found: rejects and notes met on the way, for the receipt.
    """

    actors: dict[str, SourceActor] = field(default_factory=dict)
    learned: dict[str, SourceActor] = field(default_factory=dict)
    bot_users: dict[str, str] = field(default_factory=dict)
    channels: dict[str, SourceChannel] = field(default_factory=dict)
    lists_channels: bool = False
    user_problems: list[SourceReject | SourceNote] = field(default_factory=list)
    channel_problems: list[SourceReject | SourceNote] = field(default_factory=list)
    _by_name: dict[tuple[tuple[str, ...], str], SourceChannel] = field(default_factory=dict)

    def actor(self, actor_id: str) -> SourceActor | None:
        """What is known of an actor."""
        return self.actors.get(actor_id) or self.learned.get(actor_id)

    def actor_name(self, actor_id: str, label: str) -> str:
        """The actor's name, else the label the text gives, else the id."""
        known = self.actor(actor_id)
        if known is not None and known.name != actor_id:
            return known.name
        if actor_id == SLACKBOT:
            return "Slackbot"
        return label or actor_id

    def channel_name(self, channel_id: str, label: str) -> str:
        """The channel's name. That of a private one is not given away, whatever the text offers:
        Slack shows it to the members alone."""
        known = self.channels.get(channel_id)
        if known is None:
            hidden = _PRIVATE_ID.fullmatch(channel_id) or _DIRECT_ID.fullmatch(channel_id)
            return "private-channel" if hidden else label or channel_id
        return known.name if known.kind is ChannelKind.PUBLIC else "private-channel"

    def seen_from(self, here: SourceChannel) -> NamesSeen:
        """The names as the readers of `here` see them: they know what their channel is called."""
        return NamesSeen(self, here)

    def channel_of_folder(self, root: tuple[str, ...], folder: str) -> SourceChannel:
        """The channel whose messages stand in `folder` below `root`.

        A folder that no list names becomes a channel of its own, with the folder's name as its
        id. A name that only direct conversations have makes it one. Otherwise it is public if
        the export lists no channels at all (then nothing in it tells private from public);
        if it lists others but not this one, it is private to those who wrote there.
        """
        for depth in range(len(root), -1, -1):
            listed = self._by_name.get((root[:depth], folder))
            if listed is not None:
                return listed
        known = self.channels.get(folder)
        if known is not None:
            return known
        if _DIRECT_ID.fullmatch(folder):
            kind, audience = ChannelKind.DIRECT, "private to those who wrote there"
        elif folder.startswith("mpdm-"):
            kind, audience = ChannelKind.GROUP_DIRECT, "private to those who wrote there"
        elif self.lists_channels or _PRIVATE_ID.fullmatch(folder):
            kind, audience = ChannelKind.PRIVATE, "private to those who wrote there"
        else:
            kind, audience = ChannelKind.PUBLIC, "public"
        channel = SourceChannel(folder, folder, kind, placeholder=True)
        self.channels[folder] = channel
        self.channel_problems.append(
            SourceNote(
                f"No list of the export names the folder {folder!r}: it is read as a channel of "
                f"its own, {audience}."
            )
        )
        return channel

    def read_users(self, archive: Archive) -> None:
        """Read the lists of users; before the channels, which are named after them."""
        for member in archive.members:
            if member.path.name in USER_LISTS:
                for place, entry in _entries(member, self.user_problems):
                    self._add_user(place, entry)

    def read_channels(self, archive: Archive) -> None:
        """Read the lists of channels and conversations."""
        for member in archive.members:
            if member.path.name in CHANNEL_LISTS:
                self.lists_channels = True
                kind = CHANNEL_LISTS[member.path.name]
                for place, entry in _entries(member, self.channel_problems):
                    self._add_channel(place, member.path, kind, entry)

    def _add_user(self, place: str, entry: dict[str, Json]) -> None:
        user_id = clean_id(entry.get("id"))
        if not user_id:
            self.user_problems.append(_no_id(place, "user"))
            return
        actor = actor_of_profile(user_id, entry, entry.get("profile"))
        self.actors[user_id] = replace(actor, placeholder=False)
        bot_id = clean_id(text_of(entry.get("profile"), "bot_id"))
        if bot_id:
            self.bot_users[bot_id] = user_id

    def _add_channel(
        self, place: str, path: PurePosixPath, kind: ChannelKind, entry: dict[str, Json]
    ) -> None:
        channel_id = clean_id(entry.get("id"))
        if not channel_id:
            self.channel_problems.append(_no_id(place, "channel"))
            return
        if entry.get("is_private") is True and kind is ChannelKind.PUBLIC:
            # Some tools write one list for all; the entry itself knows better.
            kind = ChannelKind.PRIVATE
            kind = ChannelKind.GROUP_DIRECT if entry.get("is_mpim") is True else kind
        members = entry.get("members")
        listed = (
            tuple(dict.fromkeys(member for item in members if (member := clean_id(item))))
            if isinstance(members, list)
            else None
        )
        folder = clean(text_of(entry, "name"))
        channel = SourceChannel(
            id=channel_id,
            name=folder or self._conversation_name(listed) or channel_id,
            kind=kind,
            purpose=clean(text_of(entry.get("purpose"), "value")),
            topic=clean(text_of(entry.get("topic"), "value")),
            members=listed,
            archived=entry.get("is_archived") is True,
        )
        _keep_most_private(self.channels, channel_id, channel)
        root = path.parent.parts
        for name in {folder, channel_id} - {""}:
            _keep_most_private(self._by_name, (root, name), channel)

    def _conversation_name(self, members: tuple[str, ...] | None) -> str:
        """A direct conversation has no name of its own: it is called by who is in it."""
        return ", ".join(self.actor_name(member, "") for member in members or ())


@dataclass(frozen=True, slots=True)
class NamesSeen:
    """What ids are called, for the readers of one channel."""

    directory: SlackDirectory
    here: SourceChannel

    def actor_name(self, actor_id: str, label: str) -> str:
        """See `SlackDirectory.actor_name`."""
        return self.directory.actor_name(actor_id, label)

    def channel_name(self, channel_id: str, label: str) -> str:
        """See `SlackDirectory.channel_name`."""
        if channel_id == self.here.id:
            return self.here.name
        return self.directory.channel_name(channel_id, label)


def _keep_most_private(known: dict[_Key, SourceChannel], key: _Key, channel: SourceChannel) -> None:
    other = known.get(key)
    if other is None or _BY_SECRECY.index(channel.kind) >= _BY_SECRECY.index(other.kind):
        known[key] = channel


def actor_of_profile(actor_id: str, entry: Json, profile: Json) -> SourceActor:
    """An actor from a user's entry, or from the profile that a message carries of its author."""
    handle = text_of(entry, "name") or text_of(profile, "name")
    real_name = text_of(profile, "real_name") or text_of(entry, "real_name")
    display_name = text_of(profile, "display_name")
    names = [clean(name).strip() for name in (display_name, real_name, handle)]
    name = next((name for name in names if name), actor_id)
    flags = entry if isinstance(entry, dict) else {}
    return SourceActor(
        id=actor_id,
        name=name,
        real_name=names[1],
        title=clean(text_of(profile, "title")).strip(),
        aliases=tuple(dict.fromkeys(other for other in names if other and other != name)),
        is_bot=flags.get("is_bot") is True
        or actor_id == SLACKBOT
        or bool(text_of(profile, "bot_id")),
        deleted=flags.get("deleted") is True,
        placeholder=True,
    )


def _entries(
    member: Member, problems: list[SourceReject | SourceNote]
) -> Iterator[tuple[str, dict[str, Json]]]:
    place = str(member.path)
    try:
        parsed = parse_json(member.read())
    except (MemberError, JsonError) as error:
        problems.append(
            SourceReject(place, error.message, "Export again, or repair the file.", records=0)
        )
        return
    if not isinstance(parsed, list):
        problems.append(SourceReject(place, "the file is no JSON list", records=0))
        return
    for number, entry in enumerate(parsed, 1):
        if isinstance(entry, dict):
            yield f"{place} #{number}", entry
        else:
            problems.append(
                SourceReject(f"{place} #{number}", "the entry is no JSON object", records=0)
            )


def _no_id(place: str, what: str) -> SourceReject:
    return SourceReject(place, f"the {what} has no id", records=0)
