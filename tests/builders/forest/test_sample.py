"""The sample workspace: one batch, fifty shuffled batches, and one by one give one forest."""

import os
import random
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from egcforest.builders.log import append_source
from egcforest.builders.pipeline import ForestBuilder, ingest
from egcforest.builders.sources import open_source
from egcforest.builders.sources.base import SourceMessage

from .conftest import ENCODER, Company

SAMPLE = Path(__file__).parents[3] / "examples" / "workspace"


class Part:
    """Some of a source's messages, in the order given."""

    def __init__(self, source, items):
        self._source = source
        self._items = items
        self.name = source.name

    def total_hint(self):
        return len(self._items)

    def actors(self):
        return self._source.actors()

    def channels(self):
        return self._source.channels()

    def messages(self):
        return iter(self._items)


@pytest.fixture(scope="session")
def sample():
    source = open_source(SAMPLE)
    items = list(source.messages())
    assert sum(isinstance(item, SourceMessage) for item in items) > 600
    return source, items


@pytest.fixture(scope="session")
async def expected(store, sample, tmp_path_factory):
    """The fingerprint of what one batch gives."""
    source, _ = sample
    whole = Company(store, f"test-{uuid.uuid4().hex[:12]}", tmp_path_factory.mktemp("whole"))
    await ingest(source, whole.workspace, store, ENCODER)
    yield await whole.fingerprint()
    await whole.log_store.wipe(whole.workspace)


@pytest.mark.timeout(600)
async def test_fifty_shuffled_batches_and_one_batch(company, sample, expected):
    source, items = sample
    parts = company()
    shuffled = list(items)
    random.Random(2).shuffle(shuffled)
    for start in range(50):
        part = Part(source, shuffled[start::50])
        await ingest(part, parts.workspace, parts.store, ENCODER)
    assert await parts.fingerprint() == expected


@pytest.mark.timeout(1800)
async def test_one_by_one_and_one_batch(company, sample, expected):
    source, items = sample
    single = company()
    builder = ForestBuilder(single.store, ENCODER)
    shuffled = list(items)
    random.Random(3).shuffle(shuffled)
    for item in shuffled:
        await append_source(Part(source, [item]), single.workspace, single.log_store)
        await builder.build(single.workspace)
    assert await single.fingerprint() == expected


def test_summaries_do_not_depend_on_the_process():
    script = (
        "import sys; from pathlib import Path; "
        "from egcforest.builders.sources import open_source; "
        "from egcforest.builders.summaries import *; "
        "texts = [m.text for m in open_source(Path(sys.argv[1])).messages() if hasattr(m, 'text')];"
        "said = [SummaryMessage(0, 'a', 'b', t) for t in texts]; e = ExtractiveSummariser(); "
        "low = [e.summary(SummaryRequest(1, 's', tuple(said[i:i+16])))"
        " for i in range(0, len(said), 16)]; "
        "print(low, e.summary(SummaryRequest(2, 's', children=tuple(low[:16]))))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script, str(SAMPLE)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
