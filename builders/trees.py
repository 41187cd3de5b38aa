"""Planning trees: from heads to nodes, and from what is stored to what must change."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from ..graph.forest_records import StoredTree, TreeChange
from ..graph.heads import MessageHead, MessageText
from ..graph.keys import is_project, node_key, tree_key
from ..graph.records import NodeRecord, TreeRecord, View
from ..text.analyzer import analyze, split_name
from .artifacts import artifact_label
from .cards import CardSubject, Names, card_nodes, card_text, make_card
from .grouping import GroupingParameters, episodes, upper_levels
from .renames import ProjectNames
from .sentences import sentence_as_written, sentence_terms
from .summaries import Summariser, SummaryMessage, SummaryRequest, summary_lines

FORMAT = "1"
"""Part of every digest: goes up when nodes or cards are written differently."""

MAX_CAPTION = 60
# Not strftime's, which follow the locale of whoever builds.
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


@dataclass(slots=True)
class SketchedNode:
    """A node before its words are known. Digests say whether the stored one is the same."""

    key: str
    level: int
    start_ms: int
    end_ms: int
    size: int
    header: str
    digest: str
    members: tuple[MessageHead, ...] = ()
    children: tuple[SketchedNode, ...] = ()

    @property
    def child_keys(self) -> tuple[str, ...]:
        """Keys of its messages at level 1, of its nodes above."""
        if self.level == 1:
            return tuple(head.key for head in self.members)
        return tuple(child.key for child in self.children)


@dataclass(slots=True)
class TreeSketch:
    """A planned tree without its words: `levels` from the episodes to the root."""

    key: str
    workspace: str
    view: View
    audience: str
    subject: CardSubject
    digest: str
    levels: list[list[SketchedNode]]
    actors: set[str] = field(default_factory=set)
    artifacts: set[str] = field(default_factory=set)

    @property
    def root(self) -> SketchedNode:
        """The node that holds all others."""
        return self.levels[-1][0]

    @property
    def heads(self) -> list[MessageHead]:
        """All messages, in the tree's order."""
        return [head for leaf in self.levels[0] for head in leaf.members]


def sketch_tree(
    workspace: str,
    view: View,
    audience: str,
    subject: CardSubject,
    heads: Sequence[MessageHead],
    parameters: GroupingParameters,
    names: Names,
    projects: ProjectNames,
    summariser: str,
) -> TreeSketch:
    """The shape of the tree over `heads`, which must not be empty.

    Args:
        names: of all actors and channels that the heads mention.
        projects: what the tree's audience knows of renamed projects.
        summariser: identity of who will write the summaries.
    """
    tree = tree_key(workspace, view.value, subject.key, audience)
    leaves = episodes(heads, view, parameters)
    level = []
    for members in leaves:
        header = _leaf_header(members, names, projects)
        level.append(
            SketchedNode(
                node_key(tree, 1, members[0].anchor),
                1,
                min(h.at_ms for h in members),
                max(h.at_ms for h in members),
                len(members),
                header,
                _digest(
                    FORMAT, summariser, header, subject.name, *(_local(h.key) for h in members)
                ),
                members=members,
            )
        )
    levels = [level]
    for number, groups in enumerate(upper_levels(leaves, parameters), 2):
        below, level = level, []
        for group in groups:
            children = tuple(below[i] for i in group.children)
            parts = [part for child in children for part in (_local(child.key), child.digest)]
            level.append(
                SketchedNode(
                    node_key(tree, number, group.anchor),
                    number,
                    group.start_ms,
                    group.end_ms,
                    sum(child.size for child in children),
                    subject.name,
                    _digest(FORMAT, summariser, subject.name, *parts),
                    children=children,
                )
            )
        levels.append(level)
    card_names = [names.actor(h.author) for h in heads]
    if view is View.ACTOR:
        card_names += [names.actor(m) for h in heads for m in h.mentions]
    digest = _digest(
        FORMAT,
        levels[-1][0].digest,
        subject.name,
        subject.title,
        subject.kind,
        *subject.aliases,
        *subject.purpose,
        *sorted(set(card_names)),
    )
    return TreeSketch(tree, workspace, view, audience, subject, digest, levels)


async def fill_trees(
    sketches: Sequence[TreeSketch],
    stored: Mapping[str, StoredTree],
    texts: Mapping[str, MessageText],
    old_summaries: Mapping[str, str],
    summariser: Summariser,
    names: Names,
) -> list[TreeChange]:
    """What must change so that the stored trees become the sketched ones.

    Args:
        texts: of all messages in `changed_nodes` of level 1.
        old_summaries: of all nodes in `summaries_needed`.

    Trees that are the same are left out.
    """
    changed = {s.key: changed_nodes(s, stored.get(s.key)) for s in sketches}
    summaries = dict(old_summaries)
    height = max((len(s.levels) for s in sketches), default=0)
    for number in range(1, height + 1):
        nodes = [(s, n) for s in sketches for n in changed[s.key] if n.level == number]
        requests = [_request(s, n, texts, summaries, names) for s, n in nodes]
        written = await summariser.summarise(requests) if requests else []
        for (_, node), summary in zip(nodes, written, strict=True):
            summaries[node.key] = summary
    changes = []
    for sketch in sketches:
        known = stored.get(sketch.key)
        if known is not None and known.digest == sketch.digest and not changed[sketch.key]:
            continue
        records = [_node(sketch, node, texts, summaries) for node in changed[sketch.key]]
        changes.append(
            _change(sketch, known, records, changed[sketch.key], summaries, texts, names)
        )
        await asyncio.sleep(0)  # whoever shares the event loop gets a turn between two trees
    return changes


def changed_nodes(sketch: TreeSketch, stored: StoredTree | None) -> list[SketchedNode]:
    """Nodes that are not stored as sketched, from the leaves to the root."""
    known = stored.nodes if stored else {}
    return [node for level in sketch.levels for node in level if known.get(node.key) != node.digest]


def summaries_needed(sketch: TreeSketch, stored: StoredTree | None) -> set[str]:
    """Keys of unchanged nodes whose summaries go into changed ones or into the card."""
    changed = {node.key for node in changed_nodes(sketch, stored)}
    if not changed and stored is not None and stored.digest == sketch.digest:
        return set()
    needed = {
        child.key
        for level in sketch.levels[1:]
        for node in level
        if node.key in changed
        for child in node.children
    }
    needed.update(card_nodes([[node.key for node in level] for level in sketch.levels]))
    return needed - changed


def _request(
    sketch: TreeSketch,
    node: SketchedNode,
    texts: Mapping[str, MessageText],
    summaries: Mapping[str, str],
    names: Names,
) -> SummaryRequest:
    if node.level == 1:
        messages = tuple(
            SummaryMessage(
                h.at_ms, names.actor(h.author), names.channel(h.channel), texts[h.key].text
            )
            for h in node.members
            if h.key in texts
        )
        return SummaryRequest(1, sketch.subject.name, messages=messages)
    children = tuple(summaries.get(child.key, "") for child in node.children)
    return SummaryRequest(node.level, sketch.subject.name, children=children)


def _node(
    sketch: TreeSketch,
    node: SketchedNode,
    texts: Mapping[str, MessageText],
    summaries: Mapping[str, str],
) -> NodeRecord:
    summary = summaries[node.key]
    terms = " ".join(texts[h.key].terms for h in node.members if h.key in texts)
    return NodeRecord(
        key=node.key,
        level=node.level,
        children=node.child_keys,
        span_from=_moment(node.start_ms),
        span_to=_moment(node.end_ms),
        size=node.size,
        caption=_caption(node, summary),
        summary=summary,
        terms=terms,
        header_terms=_name_terms(node.header.split("\n")),
        summary_terms=" ".join(
            term for _, text in summary_lines(summary) for term in sentence_terms(text)
        ),
        digest=node.digest,
    )


def _change(
    sketch: TreeSketch,
    stored: StoredTree | None,
    records: Sequence[NodeRecord],
    changed: Sequence[SketchedNode],
    summaries: Mapping[str, str],
    texts: Mapping[str, MessageText],
    names: Names,
) -> TreeChange:
    planned = {node.key for level in sketch.levels for node in level}
    shown = card_nodes([[node.key for node in level] for level in sketch.levels])
    card = make_card(
        sketch.view, sketch.subject, sketch.heads, (summaries.get(k, "") for k in shown), names
    )
    text = card_text(sketch.view, card)
    called = (sketch.subject.name, sketch.subject.title, *sketch.subject.aliases)
    tree = TreeRecord(
        key=sketch.key,
        workspace=sketch.workspace,
        view=sketch.view,
        subject=sketch.subject.key,
        audience=sketch.audience,
        name=sketch.subject.name,
        aliases=sketch.subject.aliases,
        alias_terms=_name_terms(called),
        card=card,
        card_text=text,
        card_terms=" ".join(analyze(text)),
        digest=sketch.digest,
        nodes=tuple(records),
    )
    contexts = []
    if sketch.view is View.CHANNEL:
        contexts = [row for node in changed if node.level == 1 for row in _contexts(node, texts)]
    return TreeChange(
        tree,
        root=sketch.root.key,
        size=sketch.root.size,
        span_from=_moment(sketch.root.start_ms),
        span_to=_moment(sketch.root.end_ms),
        gone=tuple(sorted(set(stored.nodes) - planned)) if stored else (),
        contexts=contexts,
        new=stored is None,
        known=frozenset(n.key for n in changed if stored and n.key in stored.nodes),
        new_root=stored is None or stored.root != sketch.root.key,
        actors=frozenset(sketch.actors),
        artifacts=frozenset(sketch.artifacts),
    )


def _contexts(
    node: SketchedNode, texts: Mapping[str, MessageText]
) -> Iterable[tuple[str, str, str]]:
    """Each message with the terms of the one before and the one after it in the episode."""
    members = node.members
    for i, head in enumerate(members):
        beside = [*members[max(0, i - 1) : i], *members[i + 1 : i + 2]]
        terms = " ".join(texts[h.key].terms for h in beside if h.key in texts)
        yield head.key, node.key, terms


def _leaf_header(members: Sequence[MessageHead], names: Names, projects: ProjectNames) -> str:
    """Channel, people and artifacts of an episode, a line for each."""
    channels = dict.fromkeys(names.channel(h.channel) for h in members)
    people = dict.fromkeys(names.actor(h.author) for h in members)
    people |= dict.fromkeys(names.actor(m) for h in members for m in h.mentions)
    artifacts: dict[str, None] = {}
    for head in members:
        for key in head.named:
            artifacts |= dict.fromkeys(_artifact_words(key, projects))
        artifacts |= dict.fromkeys(filter(None, head.titles))
    return "\n".join((*channels, *people, *artifacts))


def _artifact_words(key: str, projects: ProjectNames) -> tuple[str, ...]:
    if is_project(key):
        project = projects.called(key)
        return project.names if project else ()
    return (artifact_label(key),)


def _name_terms(names: Iterable[str]) -> str:
    terms: dict[str, None] = {}
    for name in names:
        terms |= dict.fromkeys(_terms_of_name(name))
    return " ".join(terms)


@lru_cache(maxsize=1 << 14)
def _terms_of_name(name: str) -> tuple[str, ...]:
    return (*analyze(name), *split_name(name)) if name else ()


def _caption(node: SketchedNode, summary: str) -> str:
    days = _days(_moment(node.start_ms), _moment(node.end_ms))
    lines = [text for _, text in summary_lines(summary)]
    if not lines:
        return days
    best = max(range(len(lines)), key=lambda i: (sentence_as_written(lines[i]).worth, -i))
    caption = f"{days}: {lines[best]}"
    return caption if len(caption) <= MAX_CAPTION else caption[: MAX_CAPTION - 1].rstrip() + "…"


def _days(first: datetime, last: datetime) -> str:
    """`3 Mar`, `3-7 Mar`, `28 Feb-3 Mar`; with years only where they differ. A circle in Neo4j
    Browser has room for some twenty characters, and the node's span has the exact times."""
    end = f"{last.day} {_MONTHS[last.month - 1]}"
    if first.date() == last.date():
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}-{end}"
    start = f"{first.day} {_MONTHS[first.month - 1]}"
    return (
        f"{start}-{end}" if first.year == last.year else f"{start} {first.year}-{end} {last.year}"
    )


def _moment(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _local(key: str) -> str:
    """`key` without its workspace: the same log has the same digests in every workspace."""
    return key.partition("/")[2]


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(4, "big"))
        digest.update(encoded)
    return digest.hexdigest()
