"""The results as a person reads them on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from .evaluation import STANDARD

_COLUMNS = ("P@5", "P@10", "P@20", "P@50", "R@5", "R@20", "R@50", "R-precision", "MRR", "all@20")
_SHOWN_TEST = "P@20"


def print_results(results: Mapping[str, Any], console: Console) -> None:
    """Print all tables of `results`."""
    questions = results["settings"]["questions"]
    title = (
        f"{results['dataset']}: {questions['measured']} measured questions over "
        f"{results['settings']['messages']:,} messages"
    )
    if results["systems"]:
        console.print(_systems(results["systems"], title))
        for name, table in _types(results["systems"]):
            console.print(_rows(f"by type of question: {name}", table))
    for study, variants in results["studies"].items():
        show = _budget if study == "budget" else _rows
        console.print(show(f"study: {study}", variants))
    for line in _efficiency(results["efficiency"]):
        console.print(line)
    for note in results["settings"]["notes"]:
        console.print(f"Note: {note}")


def _systems(systems: Mapping[str, Any], title: str) -> Table:
    table = _empty(title, "system")
    table.add_column(f"{_SHOWN_TEST} against {STANDARD}", justify="right")
    for name, entry in systems.items():
        table.add_row(name, *_cells(entry), _comparison(entry))
    return table


def _types(systems: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    shown = {name: systems[name].get("by_type", {}) for name in ("egcforest",) if name in systems}
    return [(name, types) for name, types in shown.items() if len(types) > 1]


def _rows(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    table = _empty(title, "")
    for name, entry in rows.items():
        count = entry.get("questions")
        table.add_row(f"{name} ({count:.0f})" if count else name, *_cells(entry))
    return table


def _budget(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(title=title, title_justify="left")
    for column in ("messages at most", "precision", "recall", "tokens, mean"):
        table.add_column(column, justify="right")
    for name, row in rows.items():
        cells = (f"{row['precision']:.3f}", f"{row['recall']:.3f}", f"{row['tokens']:,.0f}")
        table.add_row(name, *cells)
    return table


def _empty(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first)
    for column in _COLUMNS:
        table.add_column(column, justify="right")
    return table


def _cells(entry: Mapping[str, Any]) -> list[str]:
    return [f"{entry[name]:.3f}" if name in entry else "-" for name in _COLUMNS]


def _comparison(entry: Mapping[str, Any]) -> str:
    tests = entry.get(f"versus_{STANDARD}")
    if not tests:
        return ""
    test = tests[_SHOWN_TEST]
    ratio = f"{test['ratio']:.2f} x, " if test["ratio"] is not None else ""
    return f"{ratio}p = {test['p']:.4f}"


def _efficiency(efficiency: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if build := efficiency.get("build"):
        steps = ", ".join(f"{step} {seconds:.1f} s" for step, seconds in build["seconds"].items())
        lines.append(f"Built{' before' if build['reused'] else ''}: {steps}.")
    if size := efficiency.get("disk_bytes"):
        lines.append(f"On disk: {size / 2**20:.0f} MiB.")
    for name, latency in efficiency.get("latency_ms", {}).items():
        line = f"Latency of {name}: median {latency['median']:.0f} ms, p95 {latency['p95']:.0f} ms"
        stages = ", ".join(
            f"{stage} {of['median']:.1f}" for stage, of in latency.get("by_stage", {}).items()
        )
        lines.append(f"{line} (medians: {stages})." if stages else f"{line}.")
    if ratio := efficiency.get("latency_ratio"):
        lines.append(f"Medians compared: {ratio:.2f} times one HybridRetriever call.")
    if tokens := efficiency.get("context_tokens"):
        lines.append(
            f"Context: median {tokens['median']:.0f}, p95 {tokens['p95']:.0f} tokens a question."
        )
    return lines
