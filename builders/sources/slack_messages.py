"""From one record of a Slack export to entries of the log. Never raises, whatever the record.

What becomes of a record:

- a message as it stands: one entry; its revision is the time of its last edit.
- a join, a topic change and the like (`HOUSEKEEPING_SUBTYPES`), an event, or a message that
  says nothing: one housekeeping entry.
- a tombstone (a deleted root that replies still hang on): a deletion.
- `message_changed`: the new state; and the state before it as a `recovered` entry.
- `message_deleted`: a deletion; and the state before it as a `recovered` entry.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ...graph.records import ChannelKind, MessageKind
from .base import (
    DELETED_REVISION,
    SourceActor,
    SourceChannel,
    SourceMessage,
    SourceReject,
    clean,
    clean_id,
)
from .slack_blocks import (
    Json,
    attachment_line,
    attachment_text,
    blocks_text,
    dicts,
    file_line,
    only_rich_text,
    text_of,
)
from .slack_directory import SLACKBOT, SlackDirectory, actor_of_profile
from .slack_text import Named, Names, render_mrkdwn

HOUSEKEEPING_SUBTYPES = frozenset(
    {f"{place}_{event}" for place in ("channel", "group") for event in (
        "join", "leave", "topic", "purpose", "name", "archive", "unarchive",
        "convert_to_private", "convert_to_public", "posting_permissions", "canvas_updated",
    )}
    | {
        "app_conversation_join", "app_conversation_leave", "assistant_app_thread",
        "bot_add", "bot_disable", "bot_enable", "bot_remove", "ekm_access_denied",
        "huddle_thread", "joiner_notification", "joiner_notification_for_inviter",
        "message_replied", "pinned_item", "unpinned_item", "reminder_add", "reminder_delete",
        "sh_room_created", "sh_room_shared", "tabbed_canvas_updated",
    }
)  # fmt: skip

UNKNOWN_AUTHOR = SourceActor("unknown", "unknown author", placeholder=True)
_TIMESTAMP = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,9}))?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_NAME_CHARACTERS = 100


class MessageNormaliser:
    """Turns records into entries, with the names of one export.

    Args:
        directory: the actors and channels of the export.
        permalink_base: address of the Slack workspace (`https://acme.slack.com`), or "".
    """

    def __init__(self, directory: SlackDirectory, permalink_base: str = "") -> None:
        self._directory = directory
        self._base = permalink_base.rstrip("/")

    def entries(
        self, record: Json, channel: SourceChannel, place: str
    ) -> list[SourceMessage | SourceReject]:
        """What becomes of one record: exactly one entry or reject that is not `recovered`."""
        if not isinstance(record, dict):
            return [SourceReject(place, "the record is no JSON object", "", channel.id)]
        subtype = text_of(record, "subtype")
        message = record.get("message")
        if subtype == "message_changed" and isinstance(message, dict):
            return self._changed(record, message, channel, place)
        if subtype == "message_deleted":
            return self._deleted(record, channel, place)
        return [self._message(record, channel, place)]

    def _changed(
        self, event: dict[str, Json], message: dict[str, Json], channel: SourceChannel, place: str
    ) -> list[SourceMessage | SourceReject]:
        before = self._before(event, message.get("ts"), channel, place)
        after = self._message(message, channel, place)
        if isinstance(after, SourceMessage) and (
            not after.revision or (before and before[0].revision == after.revision)
        ):
            # Not an edit by its author, but a link unfurled or a bot's update.
            happened = clean_id(event.get("ts")) or clean_id(event.get("event_ts"))
            after = replace(after, revision=happened or after.revision)
        return [*before, after]

    def _deleted(
        self, event: dict[str, Json], channel: SourceChannel, place: str
    ) -> list[SourceMessage | SourceReject]:
        previous = event.get("previous_message")
        ts = event.get("deleted_ts") or (previous.get("ts") if isinstance(previous, dict) else None)
        before = self._before(event, ts, channel, place)
        stone = self._message({"ts": ts, "subtype": "tombstone"}, channel, place)
        if isinstance(stone, SourceMessage):
            happened = clean_id(event.get("ts")) or clean_id(event.get("event_ts"))
            stone = replace(stone, revision=happened or DELETED_REVISION)
            if before:
                stone = replace(
                    stone,
                    author_id=before[0].author_id,
                    introduces=before[0].introduces,
                    thread=before[0].thread,
                    reply_to=before[0].reply_to,
                )
        return [*before, stone]

    def _before(
        self, event: dict[str, Json], ts: Json, channel: SourceChannel, place: str
    ) -> list[SourceMessage]:
        previous = event.get("previous_message")
        if not isinstance(previous, dict):
            return []
        entry = self._message({"ts": ts, **previous}, channel, place)
        # A broken earlier state is no record of its own: there is nothing to account for.
        return [replace(entry, recovered=True)] if isinstance(entry, SourceMessage) else []

    def _message(
        self, record: dict[str, Json], channel: SourceChannel, place: str
    ) -> SourceMessage | SourceReject:
        ts = clean_id(record.get("ts"))
        at = time_of(ts)
        if at is None:
            reason = f"the time {ts[:40]!r} is none" if ts else "the message has no time (ts)"
            return SourceReject(
                place, reason, "A message needs `ts` as seconds since 1970.", channel.id
            )
        author = self._author(record)
        thread = clean_id(record.get("thread_ts")) or None
        if thread == ts:
            thread = None
        if record.get("subtype") == "tombstone":
            return SourceMessage(
                channel.id, ts, ts, at, author.id, "", "", place, MessageKind.TOMBSTONE,
                DELETED_REVISION, thread, thread, introduces=self._unknown(author, ()),
            )  # fmt: skip
        named = Named()
        text, raw, files = self._content(record, self._directory.seen_from(channel), named)
        mentions = tuple(dict.fromkeys(i for key in named.actors if (i := clean_id(key))))
        hints = tuple(
            SourceActor(actor, clean(named.actors.get(actor) or actor), placeholder=True)
            for actor in mentions
        )
        return SourceMessage(
            channel_id=channel.id,
            source_id=ts,
            source_ts=ts,
            at=at,
            author_id=author.id,
            text=text,
            raw=raw,
            place=place,
            kind=_kind(record, says_something=bool(text or files)),
            revision=_revision(record),
            thread=thread,
            reply_to=thread,
            mentions=mentions,
            channel_mentions=self._visible(named, channel),
            files=files,
            link=self._link(channel, ts, thread),
            introduces=self._unknown(author, hints),
        )

    def _content(
        self, record: dict[str, Json], names: Names, named: Named
    ) -> tuple[str, str, tuple[str, ...]]:
        """Text, raw text and file lines of a message.

        Where blocks or attachments carry the words, they make the text, and `raw` is the JSON
        of what was used.
        """
        raw = text_of(record, "text")
        text = render_mrkdwn(raw, names, named)
        used: dict[str, Json] = {"text": raw} if raw else {}
        blocks = record.get("blocks")
        if dicts(blocks) and (not text.strip() or not only_rich_text(blocks)):
            shown = blocks_text(blocks, names, named)
            if shown.strip():
                # Slack shows the blocks of an app, and the text only where it cannot.
                repeated = " ".join(text.split()) in " ".join(shown.split())
                text = shown if repeated else f"{text}\n{shown}"
                used["blocks"] = blocks
        attachments = dicts(record.get("attachments"))
        if attachments and not text.strip():
            said = (attachment_text(item, names, named) for item in attachments)
            text = "\n".join(part for part in said if part.strip())
            used["attachments"] = attachments
            attachments = []
        # Whom a quoted message names, this one does not address.
        quoted = Named()
        lines = [attachment_line(item, names, quoted) for item in attachments]
        lines.extend(file_line(file) for file in _files(record))
        if len(used) > 1 or (used and "text" not in used):
            raw = json.dumps(used, ensure_ascii=False, separators=(",", ":"))
        files = tuple(line for item in lines if (line := clean(item).strip()))
        return clean(text).strip(), clean(raw), files

    def _author(self, record: dict[str, Json]) -> SourceActor:
        user = clean_id(record.get("user"))
        if user:
            return self._directory.actor(user) or placeholder_user(user, record)
        bot = bot_of(record, self._directory)
        if bot is not None:
            return self._directory.actor(bot.id) or bot
        # Old exports name the author of a comment or an upload only inside of it.
        for part in (record.get("comment"), record.get("file")):
            user = clean_id(text_of(part, "user"))
            if user:
                return self._directory.actor(user) or placeholder_user(user, {})
        return UNKNOWN_AUTHOR

    def _unknown(
        self, author: SourceActor, mentioned: tuple[SourceActor, ...]
    ) -> tuple[SourceActor, ...]:
        """Those of a message's actors that no list of the export describes."""
        others = (actor for actor in mentioned if actor.id != author.id)
        return tuple(a for a in (author, *others) if self._directory.actor(a.id) is None)

    def _visible(self, named: Named, here: SourceChannel) -> tuple[str, ...]:
        """The named channels that every reader of this message may know of."""
        known = (self._directory.channels.get(channel) for channel in named.channels)
        return tuple(
            channel.id
            for channel in known
            if channel is not None and (channel.kind is ChannelKind.PUBLIC or channel.id == here.id)
        )

    def _link(self, channel: SourceChannel, ts: str, thread: str | None) -> str:
        if not self._base or channel.placeholder:
            return ""
        link = f"{self._base}/archives/{channel.id}/p{ts.replace('.', '')}"
        return f"{link}?thread_ts={thread}&cid={channel.id}" if thread else link


def time_of(ts: str) -> datetime | None:
    """A Slack timestamp as UTC, exact to the microsecond; None if it is none."""
    match = _TIMESTAMP.fullmatch(ts)
    if match is None:
        return None
    try:
        return _EPOCH + timedelta(
            seconds=int(match[1]), microseconds=int((match[2] or "0")[:6].ljust(6, "0"))
        )
    except OverflowError:
        return None


def placeholder_user(user: str, record: dict[str, Json]) -> SourceActor:
    """An author that no list describes, from the profile on the message, if it has one."""
    if user == SLACKBOT:
        return SourceActor(SLACKBOT, "Slackbot", is_bot=True, placeholder=True)
    actor = actor_of_profile(user, None, record.get("user_profile"))
    if actor.name == user:
        # A bot user posts with the bot's profile instead of one of its own.
        name = clean(text_of(record.get("bot_profile"), "name") or text_of(record, "username"))
        is_bot = bool(text_of(record, "bot_id"))
        return replace(actor, name=name.strip() or user, is_bot=is_bot)
    return actor


def bot_of(record: dict[str, Json], directory: SlackDirectory) -> SourceActor | None:
    """The author of a message without a user: the bot's user, else one placeholder per bot.

    One webhook may post under several names; each name is an actor of its own.
    """
    bot_id = clean_id(record.get("bot_id"))
    username = clean(text_of(record, "username")).strip()[:_MAX_NAME_CHARACTERS]
    owner = directory.actors.get(directory.bot_users.get(bot_id, ""))
    if owner is not None:
        names = {name.casefold() for name in (owner.name, owner.real_name, *owner.aliases)}
        if not username or username.casefold() in names:
            return owner
    if bot_id and not username:
        name = clean(text_of(record.get("bot_profile"), "name")).strip() or bot_id
        return SourceActor(bot_id, name, is_bot=True, placeholder=True)
    if username:
        return SourceActor(f"{bot_id or 'bot'}:{username}", username, is_bot=True, placeholder=True)
    return None


def _kind(record: dict[str, Json], *, says_something: bool) -> MessageKind:
    hidden = record.get("hidden") is True or record.get("is_ephemeral") is True
    if (
        not says_something
        or hidden
        or record.get("type") not in (None, "", "message")
        or text_of(record, "subtype") in HOUSEKEEPING_SUBTYPES
    ):
        return MessageKind.HOUSEKEEPING
    return MessageKind.MESSAGE


def _revision(record: dict[str, Json]) -> str:
    edited = record.get("edited")
    return clean_id(edited.get("ts")) if isinstance(edited, dict) else ""


def _files(record: dict[str, Json]) -> list[dict[str, Json]]:
    listed = dicts(record.get("files"))
    # Exports from before 2018 have the one file under another name.
    single = record.get("file")
    return listed or ([single] if isinstance(single, dict) else [])
