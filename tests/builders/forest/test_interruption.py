"""Killed anywhere and started again, a run ends in the same graph; two builders do no harm."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from egcforest.builders.lease import building_lease
from egcforest.builders.pipeline import ForestBuilder
from egcforest.graph.errors import LeaseLostError
from egcforest.graph.forest_store import TreeStore

from .conftest import ENCODER
from .talk import DESCRIPTIONS, talk

_SCRIPT = textwrap.dedent(
    """
    import asyncio, os, sys
    from pathlib import Path
    from egcforest.builders.pipeline import ingest
    from egcforest.builders.sources import open_source
    from egcforest.graph.connection import ConnectionConfig
    from egcforest.graph.store import ForestStore
    from egcforest.text.encoders.hashing import HashingEncoder

    async def main():
        uri, user, workspace, path = sys.argv[1:]
        config = ConnectionConfig(uri, user, os.environ["TEST_PASSWORD"])
        async with await ForestStore.open(config) as store:
            print("started", flush=True)
            await ingest(open_source(Path(path)), workspace, store, HashingEncoder())
            print("done", flush=True)

    asyncio.run(main())
    """
)


def start(company, path, server):
    command = [sys.executable, "-c", _SCRIPT, server.bolt_uri, server.user]
    process = subprocess.Popen(
        [*command, company.workspace, str(path)],
        env={**os.environ, "TEST_PASSWORD": server.password},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "started\n"
    return process


@pytest.mark.timeout(900)
async def test_killed_at_ten_points_and_restarted(company, neo4j_server, tmp_path):
    lines = [*DESCRIPTIONS, *talk(150)]
    path = tmp_path / "talk.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    whole = company()
    process = await asyncio.to_thread(start, whole, path, neo4j_server)
    began = time.monotonic()
    assert (await asyncio.to_thread(process.communicate))[0] == "done\n"
    lasts = time.monotonic() - began
    expected = await whole.fingerprint()

    broken = company()
    rng = random.Random(11)
    killed = 0
    while killed < 10:
        process = await asyncio.to_thread(start, broken, path, neo4j_server)
        await asyncio.sleep(rng.uniform(0.05, 0.5) * lasts)
        if process.poll() is None:
            killed += 1
            process.send_signal(signal.SIGKILL)
            await asyncio.to_thread(process.communicate)
        else:
            # It was through before its turn came: the next one begins at the beginning. The first
            # run took long because the database was cold.
            lasts *= 0.7
            await broken.log_store.wipe(broken.workspace)
    process = await asyncio.to_thread(start, broken, path, neo4j_server)
    assert (await asyncio.to_thread(process.communicate))[0] == "done\n"
    assert await broken.fingerprint() == expected


@pytest.mark.parametrize("weight", [4000, 15])
async def test_broken_off_between_any_two_transactions(company, monkeypatch, weight):
    # Small transactions: a tree is then written in several.
    monkeypatch.setattr("egcforest.graph.forest_writes.WEIGHT_PER_TRANSACTION", weight)
    said = talk(40)
    whole = company()
    await whole.grow(*DESCRIPTIONS, *said)
    expected = await whole.fingerprint()

    broken = company()
    await broken.log(*DESCRIPTIONS, *said)
    write = type(broken.store).write_transaction
    allowed = 0

    class BrokenOffError(Exception):
        pass

    async def sometimes(self, work, **options):
        nonlocal allowed
        if allowed == 0:
            raise BrokenOffError
        allowed -= 1
        return await write(self, work, **options)

    breaks = 0
    with monkeypatch.context() as patched:
        patched.setattr(type(broken.store), "write_transaction", sometimes)
        while True:
            # Two for the lease and its return, and one more of the build itself each time.
            allowed = 3 + breaks
            try:
                await broken.build()
                break
            except BrokenOffError:
                breaks += 1
    assert breaks > 2
    assert await broken.fingerprint() == expected


async def test_a_second_builder_waits_and_both_end_alike(company):
    said = talk(80)
    one, two = company(), company()
    await one.grow(*DESCRIPTIONS, *said)
    await two.log(*DESCRIPTIONS, *said)
    reports = await asyncio.gather(two.build(), two.build(), two.build())
    assert sum(bool(report.counts.get("channels")) for report in reports) == 1
    assert sorted(report.waited_s > 0.05 for report in reports)[-2:] == [True, True]
    assert await two.fingerprint() == await one.fingerprint()


async def test_messages_logged_while_a_build_runs_are_built(company):
    said = talk(120)
    one, two = company(), company()
    await one.grow(*DESCRIPTIONS, *said)
    await two.log(*DESCRIPTIONS, *said[:60])
    building = asyncio.create_task(two.build())
    for start_at in range(60, 120, 20):
        await two.log(*said[start_at : start_at + 20])
    await building
    await two.build()
    assert await two.fingerprint() == await one.fingerprint()


async def test_the_lease_of_a_dead_process_is_not_waited_for(company, monkeypatch):
    one = company()
    await one.log(*DESCRIPTIONS, *talk(5))
    trees = TreeStore(one.store, one.workspace)
    monkeypatch.setattr("egcforest.builders.lease.os.getpid", lambda: 999_999_999)
    async with building_lease(trees):
        monkeypatch.undo()
        monkeypatch.setattr("egcforest.builders.lease._held", set())
        async with asyncio.timeout(10), building_lease(trees) as waited:
            assert waited < 10


async def test_who_lost_the_lease_stops(company, monkeypatch):
    one = company()
    await one.log(*DESCRIPTIONS, *talk(5))
    trees = TreeStore(one.store, one.workspace)
    monkeypatch.setattr("egcforest.builders.lease._RENEW_S", 0.05)

    async def build():
        async with building_lease(trees):
            await one.cypher(
                "MATCH (w:Workspace {key: $w}) SET w.build_owner = 'elsewhere:1:x', "
                "w.build_until = datetime() + duration({seconds: 60})"
            )
            await asyncio.sleep(20)

    with pytest.raises(LeaseLostError, match="took over"):
        await build()


async def test_who_lost_the_lease_writes_nothing(company):
    one = company()
    await one.log(*DESCRIPTIONS, *talk(5))
    trees = TreeStore(one.store, one.workspace)
    async with building_lease(trees):
        late = TreeStore(one.store, one.workspace)
        late.owner = "elsewhere:1:x"
        with pytest.raises(LeaseLostError, match="took over"):
            await late.claim()


async def test_no_two_hold_the_lease_at_once(company):
    one = company()
    await one.log(*DESCRIPTIONS)
    trees = TreeStore(one.store, one.workspace)
    for attempt in range(15):
        owners = [f"{attempt}-{n}" for n in range(6)]
        found = await asyncio.gather(*(trees.take_lease(owner, (), 30) for owner in owners))
        assert len(set(found)) == 1
        await trees.release_lease(found[0])


async def test_a_build_without_an_encoder_leaves_the_vectors_to_the_next(company):
    one, two = company(), company()
    said = talk(30)
    await one.grow(*DESCRIPTIONS, *said)
    await two.log(*DESCRIPTIONS, *said)
    await ForestBuilder(two.store, None).build(two.workspace)
    without = await two.fingerprint()
    report = await ForestBuilder(two.store, ENCODER).build(two.workspace)
    assert report.counts["message vectors"] == 30
    assert without != await two.fingerprint() == await one.fingerprint()
