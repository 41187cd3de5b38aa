"""The same log gives the same forest, in whatever order and batches it arrives."""

import random

import pytest

from egcforest.builders.grouping import GroupingParameters

from .talk import DESCRIPTIONS, talk


def edits(said):
    """Edits and deletions of some of `said`."""
    rng = random.Random(3)
    changed = []
    for one in rng.sample(said, len(said) // 12):
        if rng.random() < 0.3:
            changed.append({**one, "deleted": True, "revision": "9"})
        else:
            changed.append({**one, "revision": "1", "text": one["text"] + " edited PR #41"})
    return changed


async def test_one_batch_shuffled_batches_and_one_by_one(company):
    said = talk(60)
    log = [*said, *edits(said)]
    at_once = company()
    await at_once.grow(*DESCRIPTIONS, *log)
    expected = await at_once.fingerprint()

    shuffled = company()
    rng = random.Random(5)
    rng.shuffle(log)
    await shuffled.log(*DESCRIPTIONS)
    for start in range(0, len(log), 9):
        await shuffled.grow(*log[start : start + 9])
    assert await shuffled.fingerprint() == expected

    single = company()
    rng.shuffle(log)
    await single.log(*DESCRIPTIONS)
    for one in log:
        await single.grow(one)
    assert await single.fingerprint() == expected


async def test_a_second_build_changes_nothing(company):
    one = company()
    await one.grow(*DESCRIPTIONS, *talk(60))
    before = await one.fingerprint()
    report = await one.build()
    assert not any(report.counts.values())
    assert await one.fingerprint() == before


@pytest.mark.parametrize("start", ["episodes", "fixed"])
async def test_another_grouping_rebuilds_everything(company, start):
    said = talk(80)
    other = "fixed" if start == "episodes" else "episodes"
    moved, direct = company(), company()
    await moved.grow(*DESCRIPTIONS, *said, grouping=GroupingParameters(grouping=start))
    await moved.build(grouping=GroupingParameters(grouping=other))
    await direct.grow(*DESCRIPTIONS, *said, grouping=GroupingParameters(grouping=other))
    assert await moved.fingerprint() == await direct.fingerprint()


async def test_descriptions_may_come_last(company):
    said = talk(50)
    first, last = company(), company()
    public = [line for line in said if line["channel"] not in ("legal", "dm1")]
    described = [d for d in DESCRIPTIONS if d["id"] not in ("legal", "dm1")]
    await first.grow(*described, *public)
    await last.grow(*public)
    await last.grow(*described)
    assert await last.fingerprint() == await first.fingerprint()
