"""What the private Neo4j tells while it works: sentences, and bytes fetched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Report = Callable[[str], None]
"""Receives one sentence at a time."""


class Progress(Protocol):
    """Receives the progress of a fetch; called from several threads."""

    def begin(self, description: str, total_bytes: int) -> None:
        """A fetch of `total_bytes` starts."""

    def advance(self, received_bytes: int) -> None:
        """`received_bytes` more have arrived; negative if a download starts over."""

    def end(self) -> None:
        """The fetch is over, well or not."""


class SilentProgress:
    """A `Progress` that shows nothing."""

    def begin(self, description: str, total_bytes: int) -> None:
        """Show nothing."""

    def advance(self, received_bytes: int) -> None:
        """Show nothing."""

    def end(self) -> None:
        """Show nothing."""


def silent_report(sentence: str) -> None:
    """A `Report` that drops what it is told."""
