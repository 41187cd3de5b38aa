"""Which artifact an identifier means. Pure: a function of what all channels name.

"PR #32" and a link to `…/atlas/pull/32` are one pull request, but only where it is clear whose. The
same holds for "the Market Research Report" and the document of one product. Nothing that is said in
a private channel decides how a message elsewhere is read.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..graph.records import PUBLIC_AUDIENCE
from ..text.identifiers import IdentifierKind

_ALWAYS = frozenset(
    {
        IdentifierKind.PULL_REQUEST.value,
        IdentifierKind.TICKET.value,
        IdentifierKind.INCIDENT.value,
        IdentifierKind.DOCUMENT.value,
        IdentifierKind.FILE.value,
        IdentifierKind.RELEASE.value,
    }
)
"""Deliverables: an artifact as soon as one message names them."""

_IF_REPEATED = frozenset(
    {IdentifierKind.URL.value, IdentifierKind.COMMIT.value, IdentifierKind.PHASE.value}
)
"""Artifacts only if two messages name them. A link that nobody comes back to (nine in ten of those
in real chat) has no life, and its words are searched anyway."""

_SCOPED_TO_CHANNEL = frozenset({IdentifierKind.PHASE.value})
"""Every team has its own "phase 2"."""

_PULL = IdentifierKind.PULL_REQUEST.value
_DOCUMENT = IdentifierKind.DOCUMENT.value


def split_identifier(identifier: str) -> tuple[str, str]:
    """Kind and value of "kind:value"."""
    kind, _, value = identifier.partition(":")
    return kind, value


@dataclass(frozen=True, slots=True)
class ChannelNames:
    """What the live messages of one channel name: `counts` messages for each "kind:value"."""

    key: str
    source_id: str
    audience: str
    counts: Mapping[str, int]


@dataclass(slots=True)
class _Known:
    """What one audience (or the public) names in full."""

    pulls: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By number: "atlas#32" under "32"."""
    documents: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By ending: "atlas-market-report" under "market-report" and "report"."""
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, names: ChannelNames) -> None:
        for identifier, count in names.counts.items():
            kind, value = split_identifier(identifier)
            if kind == _PULL and not value.startswith("#"):
                self.pulls[value.rpartition("#")[2]].add(value)
            elif kind == _DOCUMENT:
                for ending in _endings(value):
                    self.documents[ending].add(value)
            self.counts[identifier] += count


class Resolver:
    """Reads bare identifiers in the light of what all channels name.

    Args:
        channels: every channel of the workspace that names anything, in whatever order.
    """

    def __init__(self, channels: Iterable[ChannelNames]) -> None:
        self._channels = {names.key: names for names in channels}
        self._public = _Known()
        self._private: dict[str, _Known] = {}
        self._inside: dict[str, _Known] = {}
        for names in self._channels.values():
            if names.audience == PUBLIC_AUDIENCE:
                self._public.add(names)
            else:
                self._private.setdefault(names.audience, _Known()).add(names)

    def resolve(self, channel: str, identifier: str) -> str | None:
        """The "kind:value" of the artifact that `identifier` means in `channel`.

        None if it is no artifact. A value that is known there only is scoped: "C012:#32".

        1. The channel itself names the full one. 2. It names pull requests of a single
        repository. 3. Exactly one is named in public and to the same audience. Else it is the
        channel's own.
        """
        kind, value = split_identifier(identifier)
        names = self._channels.get(channel)
        if names is None:
            return identifier if kind in _ALWAYS else None
        if kind in _IF_REPEATED:
            return self._repeated(names, kind, identifier)
        if kind == _PULL and value.startswith("#"):
            return self._pull(names, value)
        if kind == _DOCUMENT:
            return self._document(names, value)
        return identifier if kind in _ALWAYS else None

    def identity(self, channel: str) -> str:
        """A digest of how the channel's identifiers are read; equal if nothing is read anew."""
        names = self._channels.get(channel)
        digest = hashlib.blake2b(digest_size=12)
        for identifier in sorted(names.counts) if names else ():
            kind, value = split_identifier(identifier)
            bare = kind in _IF_REPEATED or kind == _DOCUMENT or value.startswith("#")
            if bare:
                resolved = self.resolve(channel, identifier)
                digest.update(f"{identifier}\t{resolved}\n".encode())
        return digest.hexdigest()

    def _repeated(self, names: ChannelNames, kind: str, identifier: str) -> str | None:
        if kind in _SCOPED_TO_CHANNEL:
            repeated = names.counts.get(identifier, 0) > 1
            return _scoped(names, identifier) if repeated else None
        return identifier if self._count(names, identifier) > 1 else None

    def _count(self, names: ChannelNames, identifier: str) -> int:
        return sum(known.counts[identifier] for known in self._visible(names))

    def _visible(self, names: ChannelNames) -> tuple[_Known, ...]:
        if names.audience == PUBLIC_AUDIENCE:
            return (self._public,)
        return self._public, self._private[names.audience]

    def _within(self, names: ChannelNames) -> _Known:
        known = self._inside.get(names.key)
        if known is None:
            known = self._inside[names.key] = _Known()
            known.add(names)
        return known

    def _pull(self, names: ChannelNames, bare: str) -> str:
        number = bare.removeprefix("#")
        within = self._within(names)
        here = within.pulls.get(number, set())
        if len(here) == 1:
            return f"{_PULL}:{next(iter(here))}"
        per_repository = Counter(
            value.rpartition("#")[0] for values in within.pulls.values() for value in values
        )
        if here:
            # Links to other people's code stand beside one's own: the one worked on has most.
            ranked = sorted(here, key=lambda v: (-per_repository[v.rpartition("#")[0]], v))
            best, second = (per_repository[v.rpartition("#")[0]] for v in ranked[:2])
            return f"{_PULL}:{ranked[0]}" if best > second else _scoped(names, f"{_PULL}:{bare}")
        if len(per_repository) == 1:
            return f"{_PULL}:{next(iter(per_repository))}#{number}"
        anywhere = set().union(*(known.pulls.get(number, ()) for known in self._visible(names)))
        if len(anywhere) == 1:
            return f"{_PULL}:{next(iter(anywhere))}"
        return _scoped(names, f"{_PULL}:{bare}")

    def _document(self, names: ChannelNames, value: str) -> str:
        here = self._within(names).documents.get(value, set())
        if len(here) == 1:
            return f"{_DOCUMENT}:{next(iter(here))}"
        anywhere = set().union(*(known.documents.get(value, ()) for known in self._visible(names)))
        if not here and len(anywhere) == 1:
            return f"{_DOCUMENT}:{next(iter(anywhere))}"
        if not here and not anywhere:
            return f"{_DOCUMENT}:{value}"
        return _scoped(names, f"{_DOCUMENT}:{value}")


def _scoped(names: ChannelNames, identifier: str) -> str:
    kind, value = split_identifier(identifier)
    return f"{kind}:{names.source_id}:{value}"


def _endings(slug: str) -> Iterable[str]:
    """The shorter slugs that `slug` ends in, of two words or more."""
    words = slug.split("-")
    return ("-".join(words[i:]) for i in range(1, len(words) - 1))
