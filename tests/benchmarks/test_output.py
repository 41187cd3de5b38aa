"""What a run prints and draws."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from egcforest.benchmarks.charts import write_charts
from egcforest.benchmarks.table import print_results
from tests.benchmarks.results_sample import entry, results


def printed() -> str:
    console = Console(file=io.StringIO(), width=200, no_color=True)
    print_results(results(), console)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_table_has_systems_types_studies_and_costs():
    text = printed()
    assert "invented: 4 measured questions over 1,234 messages" in text
    assert "2.00 x, p = 0.0123" in text
    assert "who (4)" in text
    assert "0.375" in text
    assert "Built: log 1.5 s, all 9.2 s." in text
    assert "On disk: 3 MiB." in text
    assert "Latency of egcforest: median 41 ms, p95 99 ms (medians: search 41.0)." in text
    assert "Medians compared: 1.00 times one HybridRetriever call." in text
    assert "Note: One reference was left out." in text


def test_budget_is_shown_with_its_own_columns():
    lines = [line for line in printed().splitlines() if "2,100" in line]
    assert len(lines) == 1
    assert "0.250" in lines[0]
    assert "0.500" in lines[0]


def test_charts_are_svg_and_png_and_the_same_every_time(tmp_path: Path):
    first = write_charts(results(), tmp_path / "one")
    second = write_charts(results(), tmp_path / "two")
    names = {path.name for path in first}
    expected = {"systems", "stages", "budget"}
    assert names == {f"invented-{n}.{ending}" for n in expected for ending in ("svg", "png")}
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()
    assert all(path.stat().st_size > 2000 for path in first)


def test_charts_of_another_result_differ(tmp_path: Path):
    other = results()
    other["studies"]["stages"]["S1"] = entry(0.9)
    ours = {path.name: path.read_bytes() for path in write_charts(results(), tmp_path / "one")}
    theirs = {path.name: path.read_bytes() for path in write_charts(other, tmp_path / "two")}
    changed = {name for name in ours if ours[name] != theirs[name]}
    assert changed == {"invented-stages.svg", "invented-stages.png"}


@pytest.mark.parametrize("missing", ["systems", "studies"])
def test_charts_need_not_have_everything(missing: str, tmp_path: Path):
    partial = results()
    partial[missing] = {}
    assert write_charts(partial, tmp_path)
