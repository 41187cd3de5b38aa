"""The vendor's own hybrid: `neo4j-graphrag`'s HybridRetriever on the same Neo4j.

It searches the vector index of the messages and a plain full-text index over their text.
Two things are done on its behalf, both in its favour. Its question goes to Lucene's parser as
it is, so characters and words with a meaning there are taken out before. And it knows no scope:
it is asked for more until enough visible messages are among what it returns.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence

import neo4j
from neo4j_graphrag.embeddings.base import Embedder
from neo4j_graphrag.retrievers import HybridRetriever
from neo4j_graphrag.types import RetrieverResultItem

from ... import cypher
from ...graph.connection import ConnectionConfig
from ...graph.store import ForestStore
from ...text.encoders import Encoder
from .base import Asked

TEXT_INDEX = "bench_message_text"
VECTOR_INDEX = "message_vector"
_MOST = 4096
_LUCENE = re.compile(r'[+\-&|!(){}\[\]^"~*?:\\/<>=]|\b(?:AND|OR|NOT)\b')


class _Embedder(Embedder):
    """Our encoder as the vendor's library wants it."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self._encoder = encoder

    def embed_query(self, text: str) -> list[float]:
        return [float(value) for value in self._encoder.encode_query(text)]


class GraphragHybrid:
    """HybridRetriever with its default ranker. Close it after use.

    Attributes:
        latencies_ms: of each call, the encoding of the question included, as that of EGCForest
            includes it.
    """

    name = "neo4j_graphrag_hybrid"

    def __init__(self, config: ConnectionConfig, encoder: Encoder) -> None:
        self._driver = neo4j.GraphDatabase.driver(
            config.uri,
            auth=(config.user, config.password),
            notifications_min_severity="OFF",
        )
        self._retriever = HybridRetriever(
            self._driver,
            VECTOR_INDEX,
            TEXT_INDEX,
            embedder=_Embedder(encoder),
            return_properties=["key"],
            result_formatter=_item,
            neo4j_database=config.database,
        )
        self.latencies_ms: list[float] = []

    @classmethod
    async def open(cls, store: ForestStore, encoder: Encoder) -> GraphragHybrid:
        """Make its full-text index if it is not there, and connect."""
        await store.run_autocommit(cypher.load("bench/text_index"))
        await store.await_indexes()
        return await asyncio.to_thread(cls, store.config, encoder)

    def close(self) -> None:
        """Close its connections."""
        self._driver.close()

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """The visible ones among what the retriever returns, in its order."""
        visible = asked.pool.visible
        wanted = min(depth, len(visible))
        top_k = depth
        while True:
            keys = await self.call(asked, top_k)
            found = [key for key in keys if key in visible]
            if len(found) >= wanted or top_k >= _MOST or len(keys) < top_k:
                return found[:depth]
            top_k = min(_MOST, top_k * 4)

    async def call(self, asked: Asked, top_k: int) -> list[str]:
        """One call of the retriever, whose time is added to `latencies_ms`."""
        words = " ".join(_LUCENE.sub(" ", asked.question.text).split()) or "-"
        started = time.perf_counter()
        found = await asyncio.to_thread(self._retriever.search, query_text=words, top_k=top_k)
        self.latencies_ms.append((time.perf_counter() - started) * 1000)
        return [item.content for item in found.items]


def _item(record: neo4j.Record) -> RetrieverResultItem:
    return RetrieverResultItem(content=record["node"]["key"], metadata={"score": record["score"]})
