"""Sparse bridges: from each message to the previous one that names the same identifier."""

from __future__ import annotations

from collections.abc import Iterable

from ..graph.heads import MessageHead
from ..graph.records import PUBLIC_AUDIENCE


def identifier_bridges(naming: Iterable[MessageHead]) -> list[tuple[str, str]]:
    """Pairs of a message and the previous mention, by key, for one identifier.

    The previous mention is of the same audience: a public message never leads to what was said
    in private, and neither does a message of another private channel. From a private message a
    second bridge leads to the previous public mention, which its readers may see.
    """
    last: dict[str, str] = {}
    pairs = []
    for head in sorted(naming, key=lambda head: (head.at_ms, head.anchor)):
        for audience in dict.fromkeys((head.audience, PUBLIC_AUDIENCE)):
            if audience in last:
                pairs.append((head.key, last[audience]))
        last[head.audience] = head.key
    return sorted(pairs)
