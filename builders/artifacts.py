"""Deliverables and the messages that belong to them. Pure functions of heads.

A message belongs to an artifact if it names it, replies in a thread that does, or goes on in the
same episode after it was named, until another artifact of the same kind is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from ..graph.heads import MessageHead
from ..graph.keys import PROJECT_KIND, artifact_key
from ..graph.records import ArtifactRecord
from ..text.identifiers import IdentifierKind, strip_stage_words
from .renames import ProjectNames
from .resolution import Resolver, split_identifier

_GOES_ON = frozenset(
    {
        IdentifierKind.PULL_REQUEST.value,
        IdentifierKind.TICKET.value,
        IdentifierKind.INCIDENT.value,
        IdentifierKind.DOCUMENT.value,
        IdentifierKind.FILE.value,
        IdentifierKind.RELEASE.value,
    }
)
"""Kinds that a conversation is about. A project, a phase or a link is named in passing."""

MIN_TREE_MESSAGES = 2
"""An artifact of one message has no life to show; exact search finds the message."""


def artifact_kind(key: str) -> str:
    """The kind in an artifact's key."""
    return key.split("/", 3)[2]


def artifact_identifier(key: str) -> str:
    """The identifier in an artifact's key, as it was before it became part of a key."""
    return unquote(key.split("/", 3)[3])


def artifact_label(key: str) -> str:
    """How an artifact is called without a title: its identifier, without the channel's id."""
    value = artifact_identifier(key)
    scope, _, rest = value.partition(":")
    # "C012:#32" and "C012:market-report"; a link may hold a port and a ticket has no colon.
    return rest if rest and "." not in scope and "/" not in scope else value


def goes_on(kind: str) -> bool:
    """Whether what is said after an artifact of this kind was named is about it too."""
    return kind in _GOES_ON


def named_artifacts(
    workspace: str,
    head: MessageHead,
    resolver: Resolver,
    projects: ProjectNames,
    text: str | None,
) -> tuple[ArtifactRecord, ...]:
    """The artifacts that a message names: by identifier, and by project name in `text`."""
    found: dict[str, ArtifactRecord] = {}
    for identifier in head.identifiers:
        resolved = resolver.resolve(head.channel, identifier)
        if resolved is not None:
            kind, value = split_identifier(resolved)
            key = artifact_key(workspace, kind, value)
            found.setdefault(key, ArtifactRecord(key, workspace, kind, value))
    for project in projects.named_in(text) if text is not None else ():
        record = ArtifactRecord(project.key, workspace, PROJECT_KIND, project.identifier)
        found.setdefault(project.key, record)
    return tuple(found.values())


def members_of(
    artifact: str,
    naming: Iterable[MessageHead],
    episodes: Iterable[Sequence[MessageHead]],
    threads: Iterable[Sequence[MessageHead]],
) -> list[MessageHead]:
    """The messages that belong to `artifact`, each once, in no particular order.

    Args:
        artifact: its key.
        naming: the messages that name it.
        episodes: the channel episodes with a naming message, each in the tree's order.
        threads: the whole threads with a naming message, each in time order, root first.
    """
    members = {head.key: head for head in naming}
    kind = artifact_kind(artifact)
    if not goes_on(kind):
        return list(members.values())
    for thread in threads:
        for head in _going_on(artifact, kind, thread, whole=artifact in thread[0].named):
            members[head.key] = head
    for episode in episodes:
        # The replies of a thread are a conversation of their own, looked at above.
        loose = [head for head in episode if head.thread is None]
        for head in _going_on(artifact, kind, loose, whole=False):
            members[head.key] = head
    return list(members.values())


def _going_on(
    artifact: str, kind: str, heads: Sequence[MessageHead], *, whole: bool
) -> Iterable[MessageHead]:
    """What follows a mention. `whole`: the mention is a thread's root, all of it is about it."""
    going_on = False
    for head in heads:
        if artifact in head.named:
            going_on = True
        elif not whole and any(artifact_kind(other) == kind for other in head.named):
            going_on = False
        if going_on:
            yield head


def titles_of(identifier: str, heads: Iterable[MessageHead], resolver: Resolver) -> list[str]:
    """The titles that messages gave an artifact, the most frequent first, without stage words.

    Args:
        identifier: "kind:value" of the artifact.
        heads: messages of one audience, so that no title leaves it.
    """
    counts: dict[str, int] = {}
    for head in heads:
        for named, title in zip(head.identifiers, head.titles, strict=False):
            if title and resolver.resolve(head.channel, named) == identifier:
                bare = strip_stage_words(title)
                counts[bare] = counts.get(bare, 0) + 1
    return sorted(counts, key=lambda title: (-counts[title], title))
