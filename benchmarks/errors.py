"""Errors of the benchmarks; each message says what to do."""

from __future__ import annotations

from ..text.errors import EGCForestError


class BenchmarkError(EGCForestError):
    """A benchmark cannot be run as asked."""


class DatasetError(BenchmarkError):
    """A dataset's files are not in the expected form."""
