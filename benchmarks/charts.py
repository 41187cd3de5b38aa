"""The results as pictures, each as SVG and as PNG. The same results give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .measures import CUTOFFS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#0b5d8a", "#7f8c8d", "#c0803a", "#6a9a3b", "#8e5aa8", "#3aa6a0", "#b04a4a")
_OURS = "egcforest"
_BAR_MEASURES = ("P@20", "R@50")


def write_charts(results: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write what charts the results allow, and return their paths. Needs matplotlib."""
    import matplotlib as mpl

    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    # A fixed salt makes the ids inside an SVG the same in each run.
    with mpl.rc_context({"svg.hashsalt": "egcforest", "font.family": "DejaVu Sans"}):
        for name, figure in _figures(results):
            for ending, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
                path = folder / f"{results['dataset']}-{name}.{ending}"
                figure.savefig(path, format=ending, dpi=120, metadata=metadata)
                written.append(path)
    return written


def _figures(results: Mapping[str, Any]) -> list[tuple[str, Figure]]:
    figures: list[tuple[str, Figure]] = []
    dataset = results["dataset"]
    if results["systems"]:
        figures.append(("systems", _curves(results["systems"], dataset)))
    for study, variants in results["studies"].items():
        if study == "budget":
            figures.append((study, _budget(variants, dataset)))
        else:
            figures.append((study, _bars(variants, f"{dataset}: {study}")))
    return figures


def _new(title: str, columns: int) -> tuple[Figure, Sequence[Axes]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6 * columns, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=11)
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
    return figure, list(axes)


def _curves(systems: Mapping[str, Any], dataset: str) -> Figure:
    """Precision and recall over the number of messages, a line per system."""
    figure, axes = _new(f"{dataset}: precision and recall over the budget", 2)
    for axis, letter, label in zip(axes, "PR", ("precision", "recall"), strict=True):
        for index, (name, entry) in enumerate(systems.items()):
            if f"{letter}@{CUTOFFS[0]}" not in entry:
                continue
            values = [entry[f"{letter}@{k}"] for k in CUTOFFS]
            ours = name == _OURS
            colour = _COLOURS[0] if ours else _COLOURS[1 + index % (len(_COLOURS) - 1)]
            width, mark = (2.4, "o") if ours else (1.2, ".")
            axis.plot(CUTOFFS, values, label=name, color=colour, linewidth=width, marker=mark)
        axis.set_xlabel("messages in the answer")
        axis.set_ylabel(label)
        axis.set_xticks(CUTOFFS)
        axis.set_ylim(bottom=0)
    _legend(figure, axes[0])
    return figure


def _budget(variants: Mapping[str, Mapping[str, Any]], dataset: str) -> Figure:
    """Precision, recall and tokens over the budget of an answer."""
    figure, axes = _new(f"{dataset}: budget of an answer", 2)
    budgets = [int(name) for name in variants]
    for name, colour in (("precision", _COLOURS[0]), ("recall", _COLOURS[2])):
        values = [entry[name] for entry in variants.values()]
        axes[0].plot(budgets, values, label=name, color=colour, marker="o")
    _legend(figure, axes[0])
    tokens = [entry["tokens"] for entry in variants.values()]
    axes[1].plot(budgets, tokens, color=_COLOURS[3], marker="o")
    axes[1].set_ylabel("tokens of context, mean")
    for axis in axes:
        axis.set_xlabel("messages in the answer, at most")
        axis.set_xticks(budgets)
        axis.set_ylim(bottom=0)
    return figure


def _bars(variants: Mapping[str, Mapping[str, Any]], title: str) -> Figure:
    """A group of bars for each variant of a study."""
    figure, (axis,) = _new(title, 1)
    figure.set_size_inches(max(4.6, 1.3 * len(variants) + 1), 3.6)
    width = 0.8 / len(_BAR_MEASURES)
    for offset, (measure, colour) in enumerate(zip(_BAR_MEASURES, _COLOURS[::2], strict=False)):
        places = [index + (offset - 0.5) * width for index in range(len(variants))]
        values = [entry.get(measure, 0.0) for entry in variants.values()]
        bars = axis.bar(places, values, width=width, label=measure, color=colour)
        axis.bar_label(bars, fmt="%.3f", fontsize=7, padding=1)
    axis.set_xticks(range(len(variants)), list(variants), fontsize=8)
    _legend(figure, axis)
    return figure


def _legend(figure: Figure, axis: Axes) -> None:
    """The names of what `axis` shows, below the pictures, where they cover nothing."""
    handles, names = axis.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=4, fontsize=8, frameon=False)
