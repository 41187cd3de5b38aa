"""How the identifiers and project names of a workspace are read, kept up to date by each build."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..graph.forest_records import ChannelScan, ChannelState, Sized
from ..graph.forest_store import TreeStore
from ..graph.heads import ActorName
from ..graph.records import PUBLIC_AUDIENCE
from .renames import CUES, ProjectNames, Rename, find_renames
from .resolution import ChannelNames, Resolver

_SCAN_MESSAGES = 20_000


class Reading:
    """What is known by all channels together. A pure function of their states."""

    def __init__(self, workspace: str, states: Mapping[str, ChannelState]) -> None:
        self.workspace = workspace
        self.states = dict(states)
        self.resolver = Resolver(
            ChannelNames(key, state.name.source_id, state.name.audience, state.counts)
            for key, state in states.items()
            if state.counts
        )
        self._renames: dict[str, list[Rename]] = {}
        for state in states.values():
            if state.renames:
                said = self._renames.setdefault(state.name.audience, [])
                said.extend(map(Rename.decoded, state.renames))
        self._projects: dict[str, ProjectNames] = {}

    def projects(self, audience: str) -> ProjectNames:
        """What `audience` knows of renamed projects."""
        own = self._renames.get(audience, [])
        if not own:
            audience = PUBLIC_AUDIENCE
        known = self._projects.get(audience)
        if known is None:
            public = self._renames.get(PUBLIC_AUDIENCE, [])
            known = ProjectNames(self.workspace, audience, public, own)
            self._projects[audience] = known
        return known

    def identity(self, channel: str) -> str:
        """What the channel's messages are read by: identifiers / project names."""
        projects = self.projects(self.states[channel].name.audience)
        digest = hashlib.blake2b(projects.identity.encode(), digest_size=8).hexdigest()
        return f"{self.resolver.identity(channel)}/{digest}"


async def update_reading(
    trees: TreeStore, pending: Sequence[Sized]
) -> tuple[Reading, set[str], dict[str, ActorName]]:
    """Take in what the pending channels name.

    Returns:
        How everything is read now; the channels that must be built anew because of it although
        nothing was said in them, which are marked; and the actors, if they are not too many.
    """
    batches = list(_batches(pending)) or [[]]
    survey = await trees.survey(batches[0], CUES)
    states = survey.channels
    changed = _changed(states, survey.scans)
    for batch in batches[1:]:
        changed += _changed(states, await trees.scan_channels(batch, CUES))
    states |= {state.name.key: state for state in changed}
    reading = Reading(trees.workspace, states)
    stale: set[str] = set()
    # A channel with another audience than at the last build has lost its `built_name`: what it
    # taught the public it teaches no more.
    moved = any(states[key].built_name is None and states[key].reading for key, _ in pending)
    if changed or moved:
        waiting = {key for key, _ in pending}
        stale = {
            key
            for key, state in states.items()
            if key not in waiting and state.reading and state.reading != reading.identity(key)
        }
        await trees.save_names(changed, stale)
    return reading, stale, survey.actors


def _batches(pending: Sequence[Sized]) -> Iterator[list[str]]:
    batch: list[str] = []
    weight = 0
    for key, size in pending:
        if batch and weight + size > _SCAN_MESSAGES:
            yield batch
            batch, weight = [], 0
        batch.append(key)
        weight += size
    if batch:
        yield batch


def _changed(
    states: Mapping[str, ChannelState], scans: Sequence[ChannelScan]
) -> list[ChannelState]:
    changed = []
    for scan in scans:
        state = states[scan.key]
        renames = set(scan.renames)
        for message, text in scan.said:
            renames.update(rename.encoded() for rename in find_renames(text, message))
        now = replace(state, counts=scan.counts, renames=tuple(sorted(renames)))
        if dict(now.counts) != dict(state.counts) or now.renames != state.renames:
            changed.append(now)
    return changed
