"""What the benchmark asks of every system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...graph.records import Scope
from ..log import Pool
from ..questions import BenchQuestion


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One question, as it is put to every system.

    Attributes:
        scope: what the asker may see.
        pool: the messages within it.
        terms: of the question, from the one analyzer.
        vector: of the question, from the encoder that made the messages' vectors.
    """

    question: BenchQuestion
    scope: Scope
    pool: Pool
    terms: tuple[str, ...]
    vector: NDArray[np.float32]


class System(Protocol):
    """Something that ranks the messages of a log for a question."""

    @property
    def name(self) -> str:
        """As in the results."""
        ...

    async def rank(self, asked: Asked, depth: int) -> Sequence[str]:
        """Keys of at most `depth` messages, best first."""
        ...
