"""What is known of each message while one question is answered: the ground the stages share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nlargest

from ..graph.keys import is_project
from ..graph.lucene import stamp
from ..graph.records import View
from ..graph.search_records import LeafMessage, MessageHit, TimeRange
from ..graph.search_rows import place_of
from .analysis import Naming, Subject
from .fusion import convex, reciprocal_rank
from .parameters import Fusion, RetrievalParameters

# Groups of persons among the factors.
_NAMED, _ASKING = "actor", "asker"


@dataclass(slots=True)
class Found:
    """A message that some search, leaf or bridge brought.

    Attributes:
        key: the message.
        author: key of the author.
        stamp: UTC time as digits that sort.
        episode: its leaf in the channel's tree, empty if not known yet.
        leaves: known placements: leaf to view.
        trees: keys of the trees it is known to stand in.
        terms: its analysed terms, empty if they were not read.
        own: its own relevance, without leaves and subjects.
    """

    key: str
    author: str = ""
    stamp: str = ""
    episode: str = ""
    leaves: dict[str, View] = field(default_factory=dict)
    trees: set[str] = field(default_factory=set)
    terms: str = ""
    own: float = 0.0

    def heading_leaf(self) -> str:
        """The leaf below which it is shown: its episode, else any it is known to stand in."""
        return self.episode or min(self.leaves, default="")


class Pool:
    """All messages met so far, by key."""

    def __init__(self, parameters: RetrievalParameters) -> None:
        self._parameters = parameters
        self.messages: dict[str, Found] = {}
        self.by_words: dict[str, float] = {}
        self.by_vector: dict[str, float] = {}

    def add_hits(self, hits: Iterable[MessageHit], ranking: dict[str, float]) -> None:
        """Take in the hits of a search and their scores into `ranking`; the higher score counts."""
        for key, score, episode, author, at, leaves in hits:
            found = self._found(key)
            found.author, found.stamp, found.episode = author, at, episode
            for leaf in leaves:
                found.leaves[leaf], tree = place_of(leaf)
                found.trees.add(tree)
            if score > ranking.get(key, -math.inf):
                ranking[key] = score

    def add_leaves(self, messages: Iterable[LeafMessage]) -> None:
        """Take in the messages of opened leaves."""
        for message in messages:
            found = self._found(message.key)
            found.author, found.stamp = message.author, message.stamp
            found.terms = message.terms or found.terms
            view, tree = place_of(message.leaf)
            found.leaves[message.leaf] = view
            found.trees.add(tree)
            if view is View.CHANNEL:
                found.episode = message.leaf

    def _found(self, key: str) -> Found:
        found = self.messages.get(key)
        if found is None:
            found = self.messages[key] = Found(key)
        return found

    def add_bridged(self, key: str, episode: str) -> None:
        """Take in a message at the other end of a bridge or in a join."""
        found = self._found(key)
        if episode and not found.episode:
            found.episode = episode
            found.leaves[episode] = View.CHANNEL
            found.trees.add(tree_of(episode))

    def score_own(self) -> None:
        """Compute each message's own relevance from what the searches said."""
        weights = (self._parameters.own_words, self._parameters.own_vector)
        rankings = (self.by_words, self.by_vector)
        fused = (
            reciprocal_rank(rankings, weights)
            if self._parameters.fusion is Fusion.RECIPROCAL_RANK
            else convex(rankings, weights)
        )
        if self._parameters.fusion is Fusion.RECIPROCAL_RANK and fused:
            top = max(fused.values())
            fused = {key: score * sum(weights) / top for key, score in fused.items()}
        for key, score in fused.items():
            self.messages[key].own = score

    def breadth(self) -> float:
        """How alike the best messages match the words of the question, 0 to 1.

        The lexical score of the last message that an answer has room for, as a share of the first
        one's. Near 1 the question is about what is said in many places; near 0 about one thing that
        was said once. What follows from it is decided for each question by itself.
        """
        if len(self.by_words) < self._parameters.items:
            return 0.0
        scores = nlargest(self._parameters.items, self.by_words.values())
        return scores[-1] / scores[0] if scores[0] > 0 else 0.0

    def broad_share(self) -> float:
        """`breadth` between the parameters' `narrow_below` (0) and `broad_above` (1)."""
        p = self._parameters
        share = (self.breadth() - p.narrow_below) / max(p.broad_above - p.narrow_below, 1e-9)
        return min(max(share, 0.0), 1.0)


def view_of(node_key: str) -> View:
    """The view of a forest node, read off its key."""
    return place_of(node_key)[0]


def tree_of(node_key: str) -> str:
    """The tree of a forest node, read off its key."""
    return place_of(node_key)[1]


@dataclass(frozen=True, slots=True)
class Factors:
    """How the subjects and times of a question raise the messages that belong to them.

    The factor of a message is the product of 1 + gain of the best subject of each kind it belongs
    to and of the times named. A gain grows with the subject's rarity, ln(all messages / messages
    of the subject): a deliverable of ten messages says more than a channel of ten thousand.
    Multiplied, not added: a subject alone is no evidence, a topic in the wrong project is none
    either, and the same title in another project must not rise with the right one (measured,
    docs/retrieval.md).
    """

    trees: dict[str, tuple[str, float]]
    authors: dict[str, tuple[str, float]]
    windows: tuple[tuple[str, str, float], ...]

    def with_persons(self, share: float) -> Factors:
        """The same, but that persons named keep only `share` of their gain.

        Whoever asks keeps all of it: "my" means what that person said.
        """
        if share == 1.0:
            return self

        def changed(entries: Mapping[str, tuple[str, float]]) -> dict[str, tuple[str, float]]:
            return {
                key: (kind, gain * share if kind == _NAMED else gain)
                for key, (kind, gain) in entries.items()
            }

        return Factors(changed(self.trees), changed(self.authors), self.windows)

    def of(self, found: Found) -> float:
        """The factor for one message, at least 1."""
        factor = 1.0
        # Most messages stand in none of the trees: this runs for all that were met.
        if not self.trees.keys().isdisjoint(found.trees) or found.author in self.authors:
            best: dict[str, float] = {}
            entries = [self.trees[tree] for tree in found.trees if tree in self.trees]
            if (entry := self.authors.get(found.author)) is not None:
                entries.append(entry)
            for group, gain in entries:
                best[group] = max(gain, best.get(group, 0.0))
            factor = math.prod(1.0 + gain for gain in best.values())
        return factor * self.in_time(found.stamp) if self.windows else factor

    def of_tree(self, tree: str) -> float:
        """The factor for a node of `tree`, its time left aside."""
        entry = self.trees.get(tree)
        return 1.0 + (entry[1] if entry else 0.0)

    def of_node(self, tree: str, first: str, last: str) -> float:
        """The factor for a node of `tree` that spans the stamps `first` to `last`."""
        gains = (gain for start, end, gain in self.windows if start <= last and first < end)
        return self.of_tree(tree) * (1.0 + max(gains, default=0.0))

    def in_time(self, at: str) -> float:
        """The factor of the times named for a message with the stamp `at`."""
        gains = (gain for first, last, gain in self.windows if first <= at < last)
        return 1.0 + max(gains, default=0.0)


def factors(
    subjects: Iterable[Subject],
    windows: Iterable[TimeRange],
    *,
    messages: int,
    days: float,
    parameters: RetrievalParameters,
) -> Factors:
    """The factors of a question.

    Args:
        subjects: what the question is about.
        windows: the stretches of time it names, both ends closed.
        messages: number of messages visible.
        days: how long the visible log is.
        parameters: weights.
    """
    subjects = list(subjects)
    # Channels named by one word are one group: none of them is rarer because there are several.
    sizes: dict[tuple[View, tuple[str, ...]], int] = {}
    for subject in subjects:
        group = (subject.view, subject.terms)
        sizes[group] = sizes.get(group, 0) + subject.size
    trees: dict[str, tuple[str, float]] = {}
    authors: dict[str, tuple[str, float]] = {}
    for subject in subjects:
        size = sizes[subject.view, subject.terms]
        if subject.naming is Naming.ASKER or not subject.terms:
            size = subject.size
        rarity = math.log(max(messages, 2) / max(size, 1)) if size < messages else 0.0
        kind, weight = _kind(subject, parameters)
        gain = weight * subject.certainty * max(rarity, 0.0)
        for tree in subject.trees:
            if gain > trees.get(tree, ("", 0.0))[1]:
                trees[tree] = (kind, gain)
        if subject.view is View.ACTOR:
            known = authors.get(subject.key, (kind, 0.0))
            authors[subject.key] = max(known, (kind, gain), key=lambda entry: entry[1])
    spans = []
    for window in windows:
        if window.since is None or window.until is None:
            continue
        length = max((window.until - window.since).total_seconds() / 86_400, 0.01)
        rarity = math.log(days / length) if days > length else 0.0
        if rarity > 0:
            spans.append(
                (stamp(window.since), stamp(window.until), parameters.time_weight * rarity)
            )
    return Factors(trees, authors, tuple(spans))


def _kind(subject: Subject, parameters: RetrievalParameters) -> tuple[str, float]:
    if subject.view is View.CHANNEL:
        return "channel", parameters.channel_weight
    if subject.view is View.ACTOR:
        return _ASKING if subject.naming is Naming.ASKER else _NAMED, parameters.actor_weight
    if is_project(subject.key):
        # A project and the channels that bear its name say the same thing once.
        return "channel", parameters.project_weight
    return "artifact", parameters.artifact_weight
