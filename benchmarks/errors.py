"""Errors of the benchmarks; each message says what to do."""

from __future__ import annotations

from importlib.util import find_spec

from ..text.errors import EGCForestError


class BenchmarkError(EGCForestError):
    """A benchmark cannot be run as asked."""


class DatasetError(BenchmarkError):
    """A dataset's files are not in the expected form."""


def require_bench_extra(*, charts: bool = False) -> None:
    """Make sure that what the benchmarks need beside the service is installed.

    Raises:
        BenchmarkError: a package is missing.
    """
    needed = ("scipy", "neo4j_graphrag", *(("matplotlib",) if charts else ()))
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise BenchmarkError(
            f"Benchmarks need packages that are not installed: {', '.join(missing)}.",
            "Install them with: pip install 'egcforest[service,local,bench]'",
        )
