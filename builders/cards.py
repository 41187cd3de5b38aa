"""Root cards: what a tree's subject is, from the messages of the tree alone.

A card has the fields of its view. What the messages do not support is left out; what was said
carries who said it and when. Everything comes from heads and from the summaries of at most
`CARD_NODES` nodes, so that the card of a channel with a hundred thousand messages is as cheap as
another one's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from ..graph.heads import ActorName, ChannelName, MessageHead
from ..graph.records import View
from ..text.analyzer import analyze
from .lifecycle import Fact, states
from .sentences import Sentence, sentence_as_written, term_weight
from .summaries import summary_lines

CARD_NODES = 64
"""The summaries of the lowest level with no more nodes than this are what a card is made from."""

MAX_NAMES = 12
MAX_TOPICS = 10
MAX_LINES = 8

FIELDS: Mapping[View, tuple[str, ...]] = {
    View.CHANNEL: ("purpose", "period", "participants", "topics", "decisions"),
    View.ACTOR: ("name", "role", "channels", "topics", "commitments", "works_with"),
    View.ARTIFACT: (
        "title", "kind", "identifiers", "owner", "status_changes", "decisions", "dates",
    ),
}  # fmt: skip
"""The fields of each view's card, in order. A stored tree has each as `card_…`."""


@dataclass(frozen=True, slots=True)
class Names:
    """How the subjects that a batch of trees mentions are called."""

    actors: Mapping[str, ActorName]
    channels: Mapping[str, ChannelName]

    def actor(self, key: str) -> str:
        """The name of an actor, or the id in its key."""
        known = self.actors.get(key)
        return known.name if known else key.rpartition("/")[2]

    def channel(self, key: str) -> str:
        """The name of a channel, or the id in its key."""
        known = self.channels.get(key)
        return known.name if known else key.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class CardSubject:
    """Who or what a card is about.

    Attributes:
        title: of an artifact, its title; of an actor, the role the export states.
        aliases: other names, titles and identifiers.
        purpose: of a channel, its purpose and topic.
        kind: of an artifact.
    """

    key: str
    name: str
    aliases: tuple[str, ...] = ()
    title: str = ""
    purpose: tuple[str, ...] = ()
    kind: str = ""


Card = dict[str, tuple[str, ...]]


def make_card(
    view: View,
    subject: CardSubject,
    heads: Sequence[MessageHead],
    summaries: Iterable[str],
    names: Names,
) -> Card:
    """The card of one tree: every field of its view, empty where nothing supports it."""
    said = [
        (prefix, sentence_as_written(text))
        for summary in summaries
        for prefix, text in summary_lines(summary)
        if prefix
    ]
    if view is View.CHANNEL:
        return {
            "purpose": subject.purpose,
            "period": (_period(heads),),
            "participants": _counted(names.actor(h.author) for h in heads),
            "topics": _topics(said),
            "decisions": _lines(said, Fact.DECISION | Fact.RENAME),
        }
    if view is View.ACTOR:
        own = f" {subject.name} (#"
        by_actor = [(prefix, sentence) for prefix, sentence in said if own in prefix]
        others = [h.author for h in heads if h.author != subject.key]
        others += [m for h in heads if h.author == subject.key for m in h.mentions]
        return {
            "name": tuple(dict.fromkeys((subject.name, *subject.aliases))),
            "role": (subject.title,) if subject.title else (),
            "channels": _counted(
                f"#{names.channel(h.channel)}" for h in heads if h.author == subject.key
            ),
            "topics": _topics(by_actor),
            "commitments": _lines(by_actor, Fact.COMMITMENT | Fact.OWNER),
            "works_with": _counted(names.actor(key) for key in others if key != subject.key),
        }
    return {
        "title": (subject.title,) if subject.title else (),
        "kind": (subject.kind.replace("_", " "),) if subject.kind else (),
        "identifiers": tuple(dict.fromkeys((subject.name, *subject.aliases))),
        "owner": _lines(said, Fact.OWNER, most=3),
        "status_changes": _lines(said, Fact.STATUS | Fact.RENAME),
        "decisions": _lines(said, Fact.DECISION),
        "dates": _lines(said, Fact.DATE, most=4),
    }


def card_text(view: View, card: Card) -> str:
    """The card as a person reads it: a line for each field with one entry, a list for more."""
    parts = []
    for field in FIELDS[view]:
        lines = card.get(field, ())
        label = field.replace("_", " ").capitalize()
        if not lines:
            continue
        if any("): " in line for line in lines):
            parts.append("\n".join([f"{label}:", *(f"- {line}" for line in lines)]))
        else:
            parts.append(f"{label}: {', '.join(lines)}")
    return "\n".join(parts)


def card_nodes(levels: Sequence[Sequence[str]]) -> Sequence[str]:
    """Which nodes a card is made from: `levels` holds node keys from the episodes upwards."""
    for level in levels:
        if len(level) <= CARD_NODES:
            return level
    return levels[-1]


def _period(heads: Sequence[MessageHead]) -> str:
    first = _day(min(h.at_ms for h in heads))
    last = _day(max(h.at_ms for h in heads))
    count = f"{len(heads)} message{'s' if len(heads) != 1 else ''}"
    return f"{first}, {count}" if first == last else f"{first} to {last}, {count}"


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


def _counted(values: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(values)
    ranked = sorted(counts, key=lambda value: (-counts[value], value))
    return tuple(f"{value} ({counts[value]})" for value in ranked[:MAX_NAMES])


def _lines(
    said: Sequence[tuple[str, Sentence]], wanted: int, *, most: int = MAX_LINES
) -> tuple[str, ...]:
    """What was stated, in time order: the most telling lines if there are too many."""
    stated = [(p, s) for p, s in said if states(s.facts, wanted)]
    kept = sorted(range(len(stated)), key=lambda i: (-stated[i][1].worth, i))[:most]
    lines = (f"{stated[i][0]}): {stated[i][1].text}" for i in sorted(kept))
    return tuple(dict.fromkeys(lines))


def _topics(said: Sequence[tuple[str, Sentence]]) -> tuple[str, ...]:
    """Words that several lines share, as they are most often written."""
    counts: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for _, sentence in said:
        counts.update(sentence.terms)
        for term, word in _words(sentence.text):
            written.setdefault(term, Counter())[word] += 1
    least = 2 if len(said) > 3 else 1
    ranked = sorted(
        (t for t in counts if t in written and counts[t] >= least and term_weight(t) > 0.5),
        key=lambda t: (-counts[t] * min(term_weight(t), 1.2), t),
    )
    return tuple(_commonest(written[term]) for term in ranked[:MAX_TOPICS])


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[tuple[str, str], ...]:
    """The words of a sentence that may be a topic, each after its term."""
    found = []
    for word in text.split():
        bare = word.strip(".,;:!?()[]\"'“”‘’*_`…、。「」")
        if 2 < len(bare) <= 40 and "://" not in bare and bare[:1] not in "@<:":
            terms = analyze(bare)
            if terms:
                found.append((terms[0], bare))
    return tuple(found)


def _commonest(spellings: Counter[str]) -> str:
    return min(spellings, key=lambda word: (-spellings[word], word))
