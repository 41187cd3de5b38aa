"""Errors of the builders room; each message says what to do."""

from __future__ import annotations

from ..text.errors import EGCForestError


class BuilderError(EGCForestError):
    """Base of the builders room's errors."""


class SourceError(BuilderError):
    """An export cannot be opened or read as a whole. Single bad records never raise it."""


class ArchiveLimitError(SourceError):
    """An archive is larger, or packs tighter, than the limits allow."""


class EncodingStuckError(BuilderError):
    """Vectors were written, and yet nothing is marked less than before."""
