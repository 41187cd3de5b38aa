"""Growing the forest of a dataset: ingest and build through the same code as everybody's data."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from .. import cypher
from ..builders.grouping import GroupingParameters
from ..builders.log import append_source
from ..builders.pipeline import ForestBuilder
from ..builders.progress import Report
from ..builders.sources import SourceMessage
from ..graph.identity import EncoderIdentity
from ..graph.log_store import LogStore
from ..graph.store import ForestStore
from .errors import BenchmarkError
from .home import Ground, code_digest, digest
from .questions import Dataset
from .vector_cache import CachedEncoder

_BUILDING_CODE = ("text", "graph", "builders", "cypher/log", "cypher/forest")


@dataclass(frozen=True, slots=True)
class Grown:
    """A forest that is complete, and the open store it is in.

    Attributes:
        build: how it was built: seconds by step, counts, and whether it was there already.
    """

    store: ForestStore
    log_store: LogStore
    encoder: CachedEncoder
    workspace: str
    build: dict[str, Any]


@asynccontextmanager
async def grown(
    ground: Ground,
    dataset: Dataset,
    grouping: GroupingParameters,
    encoder: CachedEncoder,
    report: Report,
    *,
    keep: bool,
) -> AsyncIterator[Grown]:
    """The forest of `dataset`, built if the ground does not hold just that one.

    Args:
        keep: leave it for the next run; else nothing is left of it afterwards.

    Raises:
        BenchmarkError: a message of the dataset could not be ingested.
    """
    workspace = f"bench-{dataset.name}"
    signature = digest(
        workspace,
        code_digest(*_BUILDING_CODE),
        repr(grouping),
        repr(EncoderIdentity.of(encoder)),
        *(repr(m) for m in dataset.source.messages() if isinstance(m, SourceMessage)),
    )
    async with await ForestStore.open(ground.connection) as store:
        await store.prepare(EncoderIdentity.of(encoder))
        log_store = LogStore(store)
        try:
            known = ground.built(signature)
            if known is not None and workspace in await log_store.workspaces():
                build = {**known, "reused": True}
            else:
                ground.forget()
                await log_store.wipe(workspace)
                build = await _build(
                    store, log_store, workspace, dataset, grouping, encoder, report
                )
                ground.remember(signature, build)
            yield Grown(store, log_store, encoder, workspace, build)
        finally:
            if not keep:
                ground.forget()
                await log_store.wipe(workspace)
                await store.run_autocommit(cypher.load("bench/drop_text_index"))


async def _build(
    store: ForestStore,
    log_store: LogStore,
    workspace: str,
    dataset: Dataset,
    grouping: GroupingParameters,
    encoder: CachedEncoder,
    report: Report,
) -> dict[str, Any]:
    started = time.perf_counter()
    encoded, recalled = encoder.encoded, encoder.recalled
    receipt = await append_source(dataset.source, workspace, log_store, report=report)
    if receipt.rejections_total:
        raise BenchmarkError(
            f"{receipt.rejections_total} records of {dataset.name} could not be ingested: {receipt}"
        )
    logged = time.perf_counter() - started
    builder = ForestBuilder(store, encoder, grouping=grouping, report=report)
    built = await builder.build(workspace)
    report.close()
    await store.await_indexes()
    build: dict[str, Any] = {"seconds": {"log": logged, **built.seconds}, "reused": False}
    build["seconds"]["all"] = time.perf_counter() - started
    build["counts"] = dict(built.counts)
    build["vectors_encoded"] = encoder.encoded - encoded
    build["vectors_recalled"] = encoder.recalled - recalled
    return build
