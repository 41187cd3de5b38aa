"""The base of every error this package raises on purpose."""

from __future__ import annotations


class EGCForestError(Exception):
    """One sentence that names what is wrong and where, plus the remedy.

    Args:
        message: what is wrong, naming the input and the place.
        remedy: what the reader can do about it; empty if `message` says it already.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.message = message
        self.remedy = remedy


class TextError(EGCForestError):
    """Text could not be analysed or encoded."""
