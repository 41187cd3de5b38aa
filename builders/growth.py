"""Growing the trees of one view over a batch of subjects: read, plan, compare, write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..graph.forest_records import ChannelMaterial, Naming, StoredTree, TreeBatch
from ..graph.forest_store import TreeStore
from ..graph.heads import ActorName, MessageHead, MessageText
from ..graph.keys import PROJECT_KIND, is_project, tree_key
from ..graph.records import ArtifactRecord, View
from .artifacts import (
    MIN_TREE_MESSAGES,
    artifact_identifier,
    artifact_kind,
    artifact_label,
    goes_on,
    members_of,
    named_artifacts,
    titles_of,
)
from .bridges import identifier_bridges
from .cards import CardSubject, Names
from .grouping import GroupingParameters
from .memory import Memory, Surroundings
from .reading import Reading
from .renames import find_renames
from .summaries import Summariser
from .trees import (
    TreeSketch,
    changed_nodes,
    fill_trees,
    sketch_tree,
    summaries_needed,
)


@dataclass(slots=True)
class Grown:
    """What was written: trees and nodes created or changed, trees deleted, new bridges."""

    trees: int = 0
    nodes: int = 0
    deleted: int = 0
    bridges: int = 0


@dataclass(slots=True)
class _Planned:
    """A tree to be: its subject, audience and messages."""

    audience: str
    subject: CardSubject
    heads: Sequence[MessageHead]
    actors: set[str] = field(default_factory=set)
    artifacts: set[str] = field(default_factory=set)


class Growth:
    """Builds batches of subjects. Batches may be built at the same time, channels before others.

    Args:
        reading: how identifiers are read now.
        actors: those whose names are known already.
    """

    def __init__(
        self,
        trees: TreeStore,
        reading: Reading,
        actors: Mapping[str, ActorName],
        parameters: GroupingParameters,
        summariser: Summariser,
    ) -> None:
        self._trees = trees
        self._reading = reading
        self._parameters = parameters
        self._summariser = summariser
        self._actors = dict(actors)
        self._channels = {key: state.name for key, state in reading.states.items()}
        self._memory = Memory(trees)

    async def channels(self, keys: Sequence[str]) -> Grown:
        """Bring the trees of channels up to date, and what their messages name.

        Marks the actors and artifacts whose trees a change touches, in the transaction that
        writes the change.
        """
        material = await self._trees.channel_material(keys)
        self._memory.remember_texts(material.texts)
        too_new = self._renamed_since(material)
        keys = [key for key in keys if key not in too_new]
        all_anew = {key for key in keys if self._is_read_anew(key, material.stored)}
        read = {
            head.key for key in all_anew for head in material.heads.get(key, ())
        } | material.texts.keys()
        texts, _ = await self._memory.words(read, ())
        planned: list[_Planned] = []
        added: dict[str, tuple[ArtifactRecord, list[str]]] = {}
        removed: dict[str, tuple[ArtifactRecord, list[str]]] = {}
        for key in sorted(material.heads.keys() - too_new):
            before = material.heads[key]
            heads = self._name(key, before, texts, added, removed)
            if heads:
                planned.append(self._plan_channel(key, before, heads, all_anew))
        batch = TreeBatch(
            View.CHANNEL,
            {key: self._reading.identity(key) for key in keys if key in self._channels},
            added=_naming(added),
            removed=_naming(removed),
        )
        stored = [tree for tree in material.stored if tree.subject not in too_new]
        return await self._write(batch, planned, stored, texts)

    async def actors(self, keys: Sequence[str]) -> Grown:
        """Bring the trees of actors up to date, one for each audience."""
        messages, stored = await self._trees.actor_messages(keys)
        known_heads = await self._memory.heads({m for found in messages.values() for m in found})
        missing = [key for key in keys if key not in self._actors]
        if missing:
            self._actors |= await self._trees.actors(missing)
        planned = []
        for key in sorted(messages):
            heads = [known_heads[m] for m in messages[key] if m in known_heads]
            known = self._actors[key]
            aliases = tuple(alias for alias in known.aliases if alias != known.name)
            subject = CardSubject(key, known.name, aliases, title=known.title)
            for audience, said in sorted(_by_audience(heads).items()):
                planned.append(_Planned(audience, subject, said))
        batch = TreeBatch(View.ACTOR, dict.fromkeys(keys, ""))
        return await self._write(batch, planned, stored, {})

    async def artifacts(self, keys: Sequence[str]) -> Grown:
        """Bring the trees and bridges of artifacts up to date."""
        mentions, stored = await self._trees.artifact_messages(keys)
        heads = await self._memory.heads({m for found in mentions for m in found.messages})
        around = await self._memory.around(
            heads[m]
            for found in mentions
            if goes_on(artifact_kind(found.key))
            for m in found.messages
            if m in heads
        )
        planned: list[_Planned] = []
        new: list[tuple[str, str, str]] = []
        gone: list[tuple[str, str, str]] = []
        for found in mentions:
            naming = [heads[m] for m in found.messages if m in heads]
            planned.extend(self._plan_artifact(found.key, naming, around))
            kind = artifact_kind(found.key)
            # A project is named everywhere: bridges between its mentions would not be sparse.
            pairs = set() if kind == PROJECT_KIND else set(identifier_bridges(naming))
            identifier = f"{kind}:{artifact_identifier(found.key)}"
            new += [(identifier, *pair) for pair in pairs - found.bridges]
            gone += [(identifier, *pair) for pair in found.bridges - pairs]
        batch = TreeBatch(
            View.ARTIFACT, dict.fromkeys(keys, ""), new_bridges=new, gone_bridges=gone
        )
        return await self._write(batch, planned, stored, {})

    def _renamed_since(self, material: ChannelMaterial) -> set[str]:
        """Channels in which a rename was logged after this round's survey. They are left as they
        are: logging marked them, and the next round knows the name everywhere."""
        return {
            channel
            for channel, heads in material.heads.items()
            for head in heads
            if head.key in material.texts
            for rename in find_renames(material.texts[head.key].text, head.key)
            if rename.encoded() not in self._reading.states[channel].renames
        }

    def _is_read_anew(self, channel: str, stored: Iterable[StoredTree]) -> bool:
        """Whether every message of the channel counts as touched: the channel's own name or
        audience is another one, or other projects are known by name."""
        state = self._reading.states[channel]
        before = (state.reading or "/").partition("/")[2]
        now = self._reading.identity(channel).partition("/")[2]
        right = tree_key(self._trees.workspace, View.CHANNEL, channel, state.name.audience)
        moved = any(tree.subject == channel and tree.key != right for tree in stored)
        return state.built_name != state.name.name or before != now or moved

    def _name(
        self,
        channel: str,
        heads: Sequence[MessageHead],
        texts: Mapping[str, MessageText],
        added: dict[str, tuple[ArtifactRecord, list[str]]],
        removed: dict[str, tuple[ArtifactRecord, list[str]]],
    ) -> list[MessageHead]:
        """`heads` with the artifacts they name now; what differs goes to `added`, `removed`."""
        audience = self._reading.states[channel].name.audience
        projects = self._reading.projects(audience)
        result = []
        for head in heads:
            said = texts.get(head.key)
            records = named_artifacts(
                self._trees.workspace,
                head,
                self._reading.resolver,
                projects,
                said.text if said else None,
            )
            now = {record.key: record for record in records}
            before = set(head.named)
            kept = set() if said else {k for k in before if is_project(k)}
            for key in sorted(now.keys() - before):
                added.setdefault(key, (now[key], []))[1].append(head.key)
            for key in sorted(before - now.keys() - kept):
                removed.setdefault(key, (_record(self._trees.workspace, key), []))[1].append(
                    head.key
                )
            result.append(replace(head, named=tuple(sorted(now.keys() | kept))))
        return result

    def _plan_channel(
        self,
        key: str,
        before: Sequence[MessageHead],
        heads: Sequence[MessageHead],
        all_anew: set[str],
    ) -> _Planned:
        name = self._channels[key]
        purpose = tuple(dict.fromkeys(filter(None, (name.purpose, name.topic))))
        planned = _Planned(name.audience, CardSubject(key, name.name, purpose=purpose), heads)
        in_thread: dict[str, set[str]] = {}
        for head in heads:
            in_thread.setdefault(head.thread or head.source_id, set()).update(head.named)
        for old, head in zip(before, heads, strict=True):
            if head.episode and key not in all_anew and set(old.named) == set(head.named):
                continue
            planned.actors.update((head.author, *head.mentions))
            if head.reply_author:
                planned.actors.add(head.reply_author)
            planned.artifacts.update(old.named, in_thread[head.thread or head.source_id])
        return planned

    def _plan_artifact(
        self, key: str, naming: Sequence[MessageHead], around: Surroundings
    ) -> Iterable[_Planned]:
        kind = artifact_kind(key)
        label = artifact_label(key)
        by_audience = _by_audience(naming)
        members = members_of(key, naming, *around.of(naming))
        for audience, heads in sorted(_by_audience(members).items()):
            if len(heads) < MIN_TREE_MESSAGES:
                continue
            if kind == PROJECT_KIND:
                project = self._reading.projects(audience).called(key)
                names = project.names if project else (label,)
                # The newest name is what people call it now.
                subject = CardSubject(key, names[-1], names[:-1], title=names[-1], kind=kind)
            else:
                identifier = f"{kind}:{artifact_identifier(key)}"
                resolver = self._reading.resolver
                said_here = by_audience.get(audience, ())
                titles = titles_of(identifier, said_here, resolver)
                said = {
                    named.partition(":")[2]
                    for head in said_here
                    for named in head.identifiers
                    if resolver.resolve(head.channel, named) == identifier
                }
                others = dict.fromkeys((*titles, *sorted(said)))
                aliases = tuple(name for name in others if name != label)
                title = titles[0] if titles else ""
                subject = CardSubject(key, label, aliases, title=title, kind=kind)
            yield _Planned(audience, subject, heads)

    async def _write(
        self,
        batch: TreeBatch,
        planned: Sequence[_Planned],
        stored: Sequence[StoredTree],
        texts: Mapping[str, MessageText],
    ) -> Grown:
        names = await self._names(planned)
        sketches = await asyncio.to_thread(self._sketch, batch.view, planned, names)
        known = {tree.key: tree for tree in stored}
        members: set[str] = set()
        needed: set[str] = set()
        for sketch in sketches:
            needed |= summaries_needed(sketch, known.get(sketch.key))
            for node in changed_nodes(sketch, known.get(sketch.key)):
                members.update(head.key for head in node.members)
                if batch.view is View.CHANNEL:
                    # What goes on after a mention may be something else now.
                    sketch.artifacts.update(
                        key
                        for head in node.members
                        for key in head.named
                        if goes_on(artifact_kind(key))
                    )
        more, old = await self._memory.words(members - texts.keys(), needed)
        texts = {**texts, **more}
        if batch.view is View.CHANNEL:
            self._memory.remember_channels(sketches)
        batch.changes = await fill_trees(sketches, known, texts, old, self._summariser, names)
        planned_keys = {sketch.key for sketch in sketches}
        batch.gone = [tree for tree in stored if tree.key not in planned_keys]
        await self._trees.write(batch)
        return Grown(
            len(batch.changes),
            sum(len(change.tree.nodes) for change in batch.changes),
            len(batch.gone),
            len(batch.new_bridges),
        )

    def _sketch(self, view: View, planned: Sequence[_Planned], names: Names) -> list[TreeSketch]:
        sketches = []
        for plan in planned:
            sketch = sketch_tree(
                self._trees.workspace,
                view,
                plan.audience,
                plan.subject,
                plan.heads,
                self._parameters,
                names,
                self._reading.projects(plan.audience),
                self._summariser.name,
            )
            sketch.actors, sketch.artifacts = plan.actors, plan.artifacts
            sketches.append(sketch)
        return sketches

    async def _names(self, planned: Sequence[_Planned]) -> Names:
        wanted = {h.author for plan in planned for h in plan.heads}
        wanted.update(m for plan in planned for h in plan.heads for m in h.mentions)
        missing = wanted - self._actors.keys()
        if missing:
            self._actors |= await self._trees.actors(missing)
        return Names(self._actors, self._channels)


def _by_audience(heads: Iterable[MessageHead]) -> dict[str, list[MessageHead]]:
    found: dict[str, list[MessageHead]] = {}
    for head in heads:
        found.setdefault(head.audience, []).append(head)
    return found


def _record(workspace: str, key: str) -> ArtifactRecord:
    return ArtifactRecord(key, workspace, artifact_kind(key), artifact_identifier(key))


def _naming(found: Mapping[str, tuple[ArtifactRecord, list[str]]]) -> list[Naming]:
    return [
        Naming(key, record.kind, record.identifier, tuple(sorted(messages)))
        for key, (record, messages) in found.items()
    ]
