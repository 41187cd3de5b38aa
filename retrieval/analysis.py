"""Query analysis: what a question says by itself, before and after the graph was asked for names.

`read_question` is pure. `resolve` matches the question's words with the names of trees the asker
may see, rare words first; a name matches by its whole word ("RouteGenie"), by a part between
hyphens ("develop-x-RouteGenie"), a title if most of its words are there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..graph.keys import is_project
from ..graph.lucene import TermWeight
from ..graph.records import View
from ..graph.search_records import TreeHit
from ..text.analyzer import analyze, analyze_query
from ..text.identifiers import Identifier, find_identifiers
from .parameters import RetrievalParameters

LONGEST_QUESTION = 4000
"""Characters of a question that are read; more is a document, not a question."""

_FIRST_PERSON = re.compile(
    r"\b(?:I|I'm|I've|me|my|mine|myself|ich|mich|mir|mein(?:e[mnrs]?)?|je|j'|moi|mon|ma|mes|yo|mi|mis)\b"
    r"|私|わたし|僕|我的?(?!们)"
)
_NOT_ENGLISH_I = re.compile(r"\b(?:Phase|Part|Type|Class|Title) I\b|\bI/O\b")
_TEAM = re.compile(
    r"\b(?:my|our) (?:team|group|squad|department|colleagues)\b|\bmein(?:em|er|e)? Team\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"\S+")
_NAME_JOINERS = re.compile(r"[-_/ .,:|()\[\]]+")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the question: its term, and the terms of its parts if it is a compound."""

    term: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What a question says by itself.

    Attributes:
        text: as asked, cut at `LONGEST_QUESTION`.
        words: its different words, in order.
        identifiers: the deliverables it names by rule.
        first_person: whether "I" or "my" stand in it.
        team: whether it speaks of "my team".
    """

    text: str
    words: tuple[Word, ...]
    identifiers: tuple[Identifier, ...]
    first_person: bool
    team: bool

    def terms(self, part_weight: float, extra: Iterable[str] = ()) -> list[TermWeight]:
        """Its terms with weights, then `extra` ones; parts of compounds count `part_weight`."""
        weights: dict[str, float] = {}
        for word in self.words:
            weights[word.term] = 1.0
        for word in self.words:
            for part in word.parts:
                weights.setdefault(part, part_weight)
        for term in extra:
            weights.setdefault(term, 1.0)
        return [TermWeight(term, weight) for term, weight in weights.items()]


class Naming(StrEnum):
    """How a subject came into the question."""

    NAME = "name"
    IDENTIFIER = "identifier"
    ASKER = "asker"
    TEAM = "team"


@dataclass(frozen=True, slots=True)
class Subject:
    """A channel, actor or artifact that the question is about, with all its visible trees.

    Attributes:
        key: the subject.
        view: its forest.
        name: what it is called.
        names: all its names, as written.
        trees: keys of its trees, one for each audience.
        size: number of messages in them.
        certainty: 0 to 1; several bearers of one name share it.
        naming: how it was named.
        terms: the terms of the question that named it.
    """

    key: str
    view: View
    name: str
    names: tuple[str, ...]
    trees: tuple[str, ...]
    size: int
    certainty: float
    naming: Naming
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The subjects of a question, and what the names of renamed projects add to it.

    Attributes:
        subjects: best first.
        aliases: terms of other names of the projects named.
        renames: pairs of names as terms: the one in the question, another of the same project.
        name_terms: terms of the question that are rare names.
    """

    subjects: tuple[Subject, ...] = ()
    aliases: tuple[str, ...] = ()
    renames: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    name_terms: frozenset[str] = field(default=frozenset())

    def of_view(self, view: View) -> tuple[Subject, ...]:
        """The subjects of one view, best first."""
        return tuple(subject for subject in self.subjects if subject.view is view)


def read_question(text: str) -> Question:
    """What `text` says by itself; any string is accepted."""
    text = text[:LONGEST_QUESTION]
    terms = dict.fromkeys(analyze_query(text))
    words: dict[str, Word] = {}
    taken: set[str] = set()
    for piece in _PIECE.findall(text):
        found = list(dict.fromkeys(analyze(piece)))
        if len(found) > 1 and found[0] in terms:
            words.setdefault(found[0], Word(found[0], tuple(found[1:])))
            taken.update(found)
    for term in terms:
        if term not in taken:
            words.setdefault(term, Word(term))
    spoken = _NOT_ENGLISH_I.sub(" ", text)
    return Question(
        text,
        tuple(words.values()),
        tuple(find_identifiers(text, lenient=True)),
        bool(_FIRST_PERSON.search(spoken)),
        bool(_TEAM.search(text)),
    )


def name_words(name: str) -> frozenset[str]:
    """The terms by which a name is recognised as a whole: of all of it and of its pieces."""
    pieces = [name, *_NAME_JOINERS.split(name)]
    return frozenset(found[0] for piece in pieces if piece and (found := analyze(piece)))


def resolve(
    question: Question,
    hits: Mapping[View, Sequence[TreeHit]],
    channels: int,
    parameters: RetrievalParameters,
    *,
    aliases: Iterable[str] = (),
) -> Resolution:
    """The subjects that the question names.

    Args:
        question: what was asked.
        hits: for each view the visible trees whose names share words with it.
        channels: number of visible channels, to tell rare words from common ones.
        parameters: thresholds.
        aliases: terms of other names of what the question names, learned before.
    """
    asked = {word.term for word in question.words}
    asked |= {part for word in question.words for part in word.parts}
    whole = {word.term for word in question.words}
    found: list[Subject] = []
    found += _channels(whole | set(aliases), hits.get(View.CHANNEL, ()), channels, parameters)
    found += _actors(whole, hits.get(View.ACTOR, ()))
    artifacts, renames = _artifacts(question, asked, hits.get(View.ARTIFACT, ()), parameters)
    found += artifacts
    others = tuple(dict.fromkeys(term for _, other in renames for term in other))
    names = {term for subject in found for term in subject.terms if subject.view is not View.ACTOR}
    return Resolution(
        tuple(sorted(found, key=lambda s: (-s.certainty, s.key))),
        others,
        tuple(renames),
        frozenset(names | {term for name, _ in renames for term in name}),
    )


def _grouped(hits: Iterable[TreeHit]) -> dict[str, list[TreeHit]]:
    groups: dict[str, list[TreeHit]] = {}
    for hit in hits:
        groups.setdefault(hit.subject, []).append(hit)
    return groups


def _subject(
    trees: Sequence[TreeHit], certainty: float, naming: Naming, terms: Iterable[str]
) -> Subject:
    names = tuple(dict.fromkeys(name for tree in trees for name in (tree.name, *tree.aliases)))
    return Subject(
        trees[0].subject,
        trees[0].view,
        trees[0].name,
        names,
        tuple(sorted(tree.key for tree in trees)),
        sum(tree.size for tree in trees),
        certainty,
        naming,
        tuple(sorted(terms)),
    )


def _channels(
    whole: set[str], hits: Sequence[TreeHit], channels: int, parameters: RetrievalParameters
) -> list[Subject]:
    groups = _grouped(hits)
    words = {
        key: frozenset().union(
            *(name_words(n) for tree in trees for n in (tree.name, *tree.aliases))
        )
        for key, trees in groups.items()
    }
    counts = Counter(term for terms in words.values() for term in terms & whole)
    limit = max(1.0, parameters.common_share * channels)
    rare = {term for term, count in counts.items() if count <= limit}
    if not rare:
        return []
    rarity = {term: math.log(1 + channels / counts[term]) for term in rare}
    best = max(rarity.values())
    return [
        _subject(trees, max(rarity[term] for term in named) / best, Naming.NAME, named)
        for key, trees in groups.items()
        if (named := words[key] & rare)
    ]


def _actors(whole: set[str], hits: Sequence[TreeHit]) -> list[Subject]:
    groups = _grouped(hits)
    matched: dict[str, frozenset[str]] = {}
    for key, trees in groups.items():
        names = frozenset().union(
            *(analyze(name) for tree in trees for name in (tree.name, *tree.aliases))
        )
        if named := names & whole:
            matched[key] = named
    bearers = Counter(term for terms in matched.values() for term in terms)
    # Two Sams: each is half meant, unless another word of the question fits one of them better.
    most = {
        term: max(len(terms) for terms in matched.values() if term in terms) for term in bearers
    }
    subjects = []
    for key, terms in matched.items():
        best = [term for term in terms if len(terms) == most[term]]
        if best:
            sharing = min(
                sum(term in other and len(other) == most[term] for other in matched.values())
                for term in best
            )
            subjects.append(_subject(groups[key], 1.0 / sharing, Naming.NAME, terms))
    return subjects


def _artifacts(
    question: Question,
    asked: set[str],
    hits: Sequence[TreeHit],
    parameters: RetrievalParameters,
) -> tuple[list[Subject], list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    identifiers = {term for found in question.identifiers for term in analyze(found.surface)[:1]}
    identifiers |= {term for found in question.identifiers for term in analyze(found.value)[:1]}
    whole = {word.term for word in question.words}
    subjects: list[Subject] = []
    renames: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for trees in _grouped(hits).values():
        names = dict.fromkeys(name for tree in trees for name in (tree.name, *tree.aliases))
        if is_project(trees[0].subject):
            spoken = list(dict.fromkeys(terms for name in names if (terms := _name_terms(name))))
            named = [terms for terms in spoken if whole.issuperset(terms)]
            if named:
                said = {term for name in named for term in name}
                subjects.append(_subject(trees, 1.0, Naming.NAME, said))
                renames += [(name, other) for name in named for other in spoken if other != name]
            continue
        best, how, title = 0.0, Naming.NAME, frozenset[str]()
        for name in names:
            of_name = frozenset(analyze(name))
            if not of_name:
                continue
            first = analyze(name)[0]
            if first in identifiers:
                best, how, title = 1.0, Naming.IDENTIFIER, frozenset({first})
                break
            cover = len(of_name & asked) / len(of_name)
            if len(of_name) > 1 and cover >= parameters.title_cover and cover > best:
                best, how, title = cover, Naming.NAME, of_name & asked
        if best:
            subjects.append(_subject(trees, best, how, title))
    return subjects, renames


def _name_terms(name: str) -> tuple[str, ...]:
    """The whole words of a project's name as terms."""
    found = (analyze(piece) for piece in name.split())
    return tuple(dict.fromkeys(terms[0] for terms in found if terms))
