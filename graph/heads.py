"""What the forest builder reads of a message: light heads for planning, texts where they count."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageHead:
    """The part of a live message that decides where it stands in a tree.

    Attributes:
        key: of the log entry, which never changes.
        at_ms: time of posting, UTC milliseconds since 1970.
        thread: source id of the thread's root, None outside a thread.
        reply_author: key of the author of the message replied to, None if there is none.
        identifiers: "kind:value" as the text names them, bare ones unresolved.
        titles: parallel to `identifiers`: the title each was given, or "".
        named: keys of the artifacts that it is stored as naming.
        episode: key of the node in its channel's tree that holds it, None if none does yet.
    """

    key: str
    channel: str
    audience: str
    author: str
    source_id: str
    at_ms: int
    thread: str | None = None
    reply_author: str | None = None
    mentions: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    episode: str | None = None

    @property
    def in_thread(self) -> tuple[str, str]:
        """Its channel, and the source id of the thread it is in or may be the root of."""
        return self.channel, self.thread or self.source_id

    @property
    def anchor(self) -> str:
        """The key of the message whatever its revision: an edit keeps what is named after it."""
        # "~" inside an id is percent-encoded, so it can only start a revision.
        return self.key.partition("~")[0]


@dataclass(frozen=True, slots=True)
class MessageText:
    """The words of a message: `text` as a person reads it, `terms` as the analyzer does."""

    key: str
    text: str
    terms: str


@dataclass(frozen=True, slots=True)
class ActorName:
    """How an actor is called, for headers and cards."""

    key: str
    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class ChannelName:
    """How a channel is called, for headers and cards."""

    key: str
    source_id: str
    name: str
    audience: str
    purpose: str = ""
    topic: str = ""
