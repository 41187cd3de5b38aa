"""`egcforest bench`: how well evidence is found, against the usual ways of finding it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .context import load, notices, output, run

if TYPE_CHECKING:
    from ...benchmarks.questions import Dataset
    from ...benchmarks.run import BenchOptions
    from ..settings import Settings

_ALL = "all"


def bench(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="DATASET",
            help="herb, qmsum, friendsqa, locomo, sample, evermembench or groupmembench.",
        ),
    ],
    data: Annotated[
        Path, typer.Option("--data", metavar="FOLDER", help="Where the dataset's files are.")
    ],
    systems: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Systems to compare, with commas between: bm25, dense, hybrid_rrf, "
            "hybrid_convex, neo4j_graphrag_hybrid, fixed16, egcforest.",
        ),
    ] = _ALL,
    studies: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Studies of egcforest, with commas between, or all: stages, views, fusion, "
            "budget, k, grouping. The last two grow forests of their own.",
        ),
    ] = "",
    analysis: Annotated[
        str,
        typer.Option(
            metavar="standard|own",
            help="Words of the lexical baselines: lower-cased, without stop words and stemmed, as "
            "is usual, or those of this project's analyzer.",
        ),
    ] = "standard",
    within: Annotated[
        bool,
        typer.Option("--within", help="Search only the conversation that a question is about."),
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Ask N questions, spread evenly over all."),
    ] = None,
    home: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep the private Neo4j of the benchmark here, and use what it holds again. "
            "Without it, a temporary folder.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the results as JSON.")
    ] = None,
    charts: Annotated[
        Path | None,
        typer.Option("--charts", metavar="FOLDER", help="Draw the results, as SVG and PNG."),
    ] = None,
    details: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what each system made of each question, one JSON object a line.",
        ),
    ] = None,
    efficiency: Annotated[
        bool, typer.Option(help="Measure latency and size of context, too.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Measure how well the evidence of a dataset's questions is found.

    Everything runs on a private Neo4j of the benchmark's own, so that nothing else in a
    database touches the figures; with --neo4j-uri, on that server. All systems rank the same
    log with the same vectors.

    \b
      egcforest bench sample --data examples
      egcforest bench herb --data DATA/herb --home BENCH --studies all --out herb.json
      egcforest bench locomo --within --data DATA/locomo --systems hybrid_rrf,egcforest
    """
    from ...benchmarks.datasets import load_dataset
    from ...benchmarks.errors import require_bench_extra

    settings = load().values
    require_bench_extra(charts=charts is not None)
    from ...benchmarks.charts import write_charts
    from ...benchmarks.run import SYSTEMS, BenchOptions
    from ...benchmarks.studies import STUDIES
    from ...benchmarks.table import print_results

    options = BenchOptions(
        systems=_names(systems, SYSTEMS),
        studies=_names(studies, STUDIES),
        home=home,
        efficiency=efficiency,
        analysis=analysis,
        details=details,
    )
    chosen = load_dataset(dataset, data, within=within).limited(limit)
    results = run(_results(chosen, options, settings, quiet=quiet))
    print_results(results, output())
    console = notices()
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
        console.print(f"Results written to {out}.")
    if charts is not None:
        written = write_charts(results, charts)
        console.print(f"{len(written)} charts written to {charts}.")


async def _results(
    dataset: Dataset, options: BenchOptions, settings: Settings, *, quiet: bool
) -> dict[str, Any]:
    from ...benchmarks.home import Where
    from ...benchmarks.run import run_benchmark
    from ...builders.progress import open_report
    from ...text.encoders import load_encoder
    from ..engine import server
    from ..private_options import private_options

    where = Where(server(settings) if settings.neo4j_uri else None, private_options(settings))
    encoder = load_encoder(settings.encoder, **settings.encoder_options)
    with open_report(sys.stderr, quiet=quiet) as report:
        return await run_benchmark(dataset, options, where, encoder, report)


def _names(given: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The names in `given`, in the order of `known`; those unknown last, to be refused."""
    if given == _ALL:
        return known
    names = [name.strip() for name in given.split(",") if name.strip()]
    return (*(name for name in known if name in names), *(n for n in names if n not in known))
