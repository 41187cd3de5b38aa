"""What one round of building has read already: bounded, and never needed for the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ..graph.forest_store import TreeStore
from ..graph.heads import MessageHead, MessageText
from .trees import TreeSketch

HELD = 50_000
"""So many messages are kept for the views to come, with their words: some 100 MB."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Channel episodes and threads, each in order, by the messages in them."""

    episodes: Mapping[str, Sequence[MessageHead]]
    threads: Mapping[tuple[str, str], Sequence[MessageHead]]

    def of(
        self, naming: Sequence[MessageHead]
    ) -> tuple[list[Sequence[MessageHead]], list[Sequence[MessageHead]]]:
        """The episodes and the threads that `naming` stand in, each once."""
        episodes = dict.fromkeys(head.episode for head in naming if head.episode)
        threads = dict.fromkeys(head.in_thread for head in naming)
        return (
            [self.episodes[key] for key in episodes if key in self.episodes],
            [self.threads[key] for key in threads if key in self.threads],
        )


class Memory:
    """Heads, texts and channels of one round."""

    def __init__(self, trees: TreeStore) -> None:
        self._trees = trees
        self._texts: dict[str, MessageText] = {}
        self._heads: dict[str, MessageHead] = {}
        self._episodes: dict[str, Sequence[MessageHead]] = {}
        self._threads: dict[str, dict[str, list[MessageHead]]] = {}

    def remember_texts(self, texts: Mapping[str, MessageText]) -> None:
        """Keep texts, as far as there is room."""
        if len(self._texts) + len(texts) <= HELD:
            self._texts.update(texts)

    def remember_channels(self, sketches: Iterable[TreeSketch]) -> None:
        """Keep the episodes and threads of whole channels, as far as there is room."""
        for sketch in sketches:
            size = sketch.root.size
            if len(self._heads) + size > HELD:
                continue
            threads: dict[str, list[MessageHead]] = {}
            for leaf in sketch.levels[0]:
                members = tuple(replace(head, episode=leaf.key) for head in leaf.members)
                self._episodes[leaf.key] = members
                for head in members:
                    self._heads[head.key] = head
                    threads.setdefault(head.thread or head.source_id, []).append(head)
            self._threads[sketch.subject.key] = {
                thread: sorted(
                    heads, key=lambda head: (head.source_id != thread, head.at_ms, head.key)
                )
                for thread, heads in threads.items()
                if len(heads) > 1
            }

    async def heads(self, keys: Set[str]) -> dict[str, MessageHead]:
        """Live messages by key."""
        found = {key: self._heads[key] for key in keys if key in self._heads}
        missing = keys - found.keys()
        return found | await self._trees.heads(missing) if missing else found

    async def around(self, naming: Iterable[MessageHead]) -> Surroundings:
        """The channel episodes and threads of messages."""
        episodes: dict[str, Sequence[MessageHead]] = {}
        threads: dict[tuple[str, str], Sequence[MessageHead]] = {}
        unknown_episodes: set[str] = set()
        unknown_threads: dict[tuple[str, str], str] = {}
        for head in naming:
            if head.episode in self._episodes:
                episodes[head.episode] = self._episodes[head.episode]
            elif head.episode:
                unknown_episodes.add(head.episode)
            channel, thread = head.in_thread
            known = self._threads.get(channel)
            if known is None:
                unknown_threads[head.in_thread] = head.key
            elif thread in known:
                threads[head.in_thread] = known[thread]
        if unknown_episodes or unknown_threads:
            more, further = await self._trees.surroundings(unknown_episodes, unknown_threads)
            further = {thread: keys for thread, keys in further.items() if len(keys) > 1}
            wanted = {key for keys in (*more.values(), *further.values()) for key in keys}
            heads = await self.heads(wanted)
            for episode, keys in more.items():
                episodes[episode] = [heads[key] for key in keys if key in heads]
            for in_thread, keys in further.items():
                threads[in_thread] = [heads[key] for key in keys if key in heads]
        return Surroundings(episodes, threads)

    async def words(
        self, messages: Set[str], nodes: Iterable[str]
    ) -> tuple[dict[str, MessageText], dict[str, str]]:
        """Texts of messages, and summaries of stored nodes."""
        found = {key: self._texts[key] for key in messages if key in self._texts}
        missing = sorted(messages - found.keys())
        wanted = list(nodes)
        if not missing and not wanted:
            return found, {}
        texts, summaries = await self._trees.words(missing, wanted)
        self.remember_texts(texts)
        return found | texts, summaries
