"""Whole runs on miniatures, on a real Neo4j, with values worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from egcforest.benchmarks.datasets import load_dataset
from egcforest.benchmarks.errors import BenchmarkError
from egcforest.benchmarks.home import Where
from egcforest.benchmarks.measures import MEASURES
from egcforest.benchmarks.run import SYSTEMS, BenchOptions, run_benchmark
from egcforest.builders.progress import SilentReport
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from egcforest.text.encoders.hashing import HashingEncoder
from tests.benchmarks import miniatures

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


async def run(dataset: Any, where: Where, options: BenchOptions) -> dict[str, Any]:
    results = await run_benchmark(dataset, options, where, HashingEncoder(), SilentReport())
    # What comes back can be written as it is.
    return json.loads(json.dumps(results))


async def test_all_systems_within_the_conversation(where: Where, tmp_path: Path):
    dataset = load_dataset("locomo", miniatures.locomo(tmp_path), within=True)
    results = await run(dataset, where, BenchOptions())
    assert results["dataset"] == "locomo-within"
    assert tuple(results["systems"]) == SYSTEMS
    assert results["settings"]["messages"] == 3
    assert results["settings"]["questions"] == {"asked": 3, "measured": 2}
    for name, entry in results["systems"].items():
        assert entry["questions"] == 2, name
        assert set(MEASURES) <= set(entry), name
        assert set(entry["by_type"]) == {"single_hop", "multi_hop"}, name
        # There are three messages, and every system returns those that it finds at all, so
        # two thirds of what stands in the first places at most is evidence.
        assert entry["P@20"] <= (1 / 20 + 2 / 20) / 2
        assert ("versus_hybrid_rrf" in entry) == (name != "hybrid_rrf")
    # "What became of the hat?": only one message says hat, and it is the evidence.
    hat = results["systems"]["bm25"]["by_type"]["single_hop"]
    assert hat == {
        "questions": 1,
        "P@5": 1 / 5,
        "P@10": 1 / 10,
        "P@20": 1 / 20,
        "P@50": 1 / 50,
        "R@5": 1.0,
        "R@10": 1.0,
        "R@20": 1.0,
        "R@50": 1.0,
        "R-precision": 1.0,
        "MRR": 1.0,
        "all@20": 1.0,
    }
    # "Which animals and buildings came up?" shares no word with any message.
    assert results["systems"]["bm25"]["by_type"]["multi_hop"]["MRR"] == 0.0
    assert results["systems"]["bm25"]["MRR"] == 1 / 2
    # Dense ranks all three, so both pieces of evidence are among the first five.
    assert results["systems"]["dense"]["by_type"]["multi_hop"]["P@5"] == 2 / 5
    # One group holds the whole conversation and stands in order of time: hat is third.
    assert results["systems"]["fixed16"]["by_type"]["single_hop"]["MRR"] == 1 / 3
    ours = results["systems"]["egcforest"]["by_type"]["single_hop"]
    assert ours["R@5"] == 1.0


async def test_efficiency_and_settings_say_what_was_run(where: Where, tmp_path: Path):
    dataset = load_dataset("qmsum", miniatures.qmsum(tmp_path))
    results = await run(dataset, where, BenchOptions())
    efficiency = results["efficiency"]
    assert {"log", "channel", "actor", "vectors", "all"} <= set(efficiency["build"]["seconds"])
    assert efficiency["build"]["reused"] is False
    latency = efficiency["latency_ms"]
    assert set(latency) == {"egcforest", "neo4j_graphrag_hybrid"}
    stages = latency["egcforest"]["by_stage"]
    assert {"analysis", "search", "s1_leaves", "s4_assembly"} <= set(stages)
    assert sum(stage["mean"] for stage in stages.values()) <= latency["egcforest"]["mean"]
    ratio = latency["egcforest"]["median"] / latency["neo4j_graphrag_hybrid"]["median"]
    assert efficiency["latency_ratio"] == pytest.approx(ratio)
    assert efficiency["context_tokens"]["median"] > 0
    settings = results["settings"]
    assert settings["encoder"]["model_id"] == HashingEncoder().model_id
    assert settings["baseline_analysis"] == "standard"
    assert settings["grouping"]["k"] == 16
    assert settings["retrieval"]["items"] == 20
    assert settings["versions"]["neo4j_server"].startswith("2026.")
    assert settings["notes"] == list(dataset.notes)


async def test_studies_compare_variants_with_the_configuration(where: Where, tmp_path: Path):
    dataset = load_dataset("qmsum", miniatures.qmsum(tmp_path))
    options = BenchOptions(
        systems=("egcforest",),
        studies=("stages", "views", "fusion", "budget", "k", "grouping"),
        efficiency=False,
    )
    results = await run(dataset, where, options)
    studies = results["studies"]
    assert list(studies["stages"]) == ["S1", "S1+S2", "S1+S3", "S1-S3", "all"]
    assert list(studies["k"]) == ["k=8", "k=32", "k=16"]
    assert list(studies["grouping"]) == ["fixed", "episodes"]
    assert list(studies["fusion"]) == ["rrf", "convex"]
    assert "channel" in studies["views"]
    assert list(studies["budget"]) == ["20", "30", "40", "50"]
    # There are five messages, so a greater budget can only dilute precision.
    found = {name: entry["precision"] * int(name) for name, entry in studies["budget"].items()}
    assert found["20"] == pytest.approx(found["50"])
    for study in ("stages", "views", "fusion", "k", "grouping"):
        *variants, own = studies[study].values()
        assert own["P@20"] == results["systems"]["egcforest"]["P@20"]
        assert all("versus_all" in variant for variant in variants)


async def test_a_named_folder_is_used_again(where: Where, tmp_path: Path):
    dataset = load_dataset("friendsqa", miniatures.friendsqa(tmp_path / "data"))
    details = tmp_path / "details.jsonl"
    options = BenchOptions(
        systems=("bm25",), home=tmp_path / "home", efficiency=False, details=details
    )
    first = await run(dataset, where, options)
    second = await run(dataset, where, options)
    assert first["efficiency"]["build"]["reused"] is False
    assert second["efficiency"]["build"]["reused"] is True
    assert first["systems"] == second["systems"]
    assert first["efficiency"]["build"]["vectors_encoded"] > 0
    rows = [json.loads(line) for line in details.read_text(encoding="utf-8").splitlines()]
    # "Where is the umbrella ?" finds the question about it, not where it is.
    assert (rows[0]["system"], rows[0]["id"]) == ("bm25", "s01_e01_c01_Where")
    assert rows[0]["ranking"] == [["s01_e01_c01", "0"]]
    assert rows[0]["missed"] == [["s01_e01_c01", "1"]]


async def test_a_server_that_was_lent_is_left_as_it_was(
    where: Where, store: ForestStore, tmp_path: Path
):
    before = await LogStore(store).workspaces()
    dataset = load_dataset("friendsqa", miniatures.friendsqa(tmp_path))
    await run(dataset, where, BenchOptions(systems=("neo4j_graphrag_hybrid",)))
    assert await LogStore(store).workspaces() == before
    names = {row["name"] for row in await store.read("schema/existing")}
    assert "message_text" in names
    assert "bench_message_text" not in names


async def test_a_folder_of_other_things_is_refused(where: Where, tmp_path: Path):
    dataset = load_dataset("friendsqa", miniatures.friendsqa(tmp_path))
    with pytest.raises(BenchmarkError, match="no benchmark"):
        await run(dataset, where, BenchOptions(home=tmp_path))


async def test_part_of_the_sample_with_its_audiences(where: Where):
    dataset = load_dataset("sample", EXAMPLES)
    kinds = {"no_access": 3, "single_fact": 3, "bridge": 2}
    chosen = [
        question
        for kind, count in kinds.items()
        for question in [q for q in dataset.questions if q.kind == kind][:count]
    ]
    options = BenchOptions(systems=("bm25", "hybrid_rrf", "neo4j_graphrag_hybrid", "egcforest"))
    asked = type(dataset)(dataset.name, dataset.source, tuple(chosen))
    results = await run(asked, where, options)
    assert results["settings"]["questions"] == {"asked": 8, "measured": 5}
    for name, entry in results["systems"].items():
        assert "leaks" not in entry, name
        assert entry["by_type"].keys() == {"single_fact", "bridge"}, name
    ours, standard = results["systems"]["egcforest"], results["systems"]["hybrid_rrf"]
    assert ours["R@50"] >= standard["R@50"] > 0


@pytest.mark.parametrize(
    "options", [{"systems": ("bm26",)}, {"studies": ("luck",)}, {"analysis": "guess"}]
)
def test_unknown_systems_and_studies_are_refused(options: dict[str, Any]):
    with pytest.raises(BenchmarkError, match="Known are"):
        BenchOptions(**options)
