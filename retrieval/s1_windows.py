"""S1 from close by: BM25 of sliding windows over the messages of the episodes that were opened.

Where an episode was cut is chance to a question. So what surrounds a message is scored anew, by all
windows of a fixed number of messages that hold it; a word counts in whatever message it stands, and
so does whoever speaks there and is named. Overlapping windows are the best passages without
training (Kaszkiel and Zobel, "Effective ranking with arbitrary passages", 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph.search_records import LeafMessage
from .parameters import RetrievalParameters
from .pool import tree_of
from .stamps import minutes_between

# Lucene's own.
_K1, _B = 1.2, 0.75

Matrix = NDArray[np.float64]


def score_windows(
    opened: Iterable[LeafMessage],
    worth: Mapping[str, float],
    names: Mapping[str, Iterable[str]],
    parameters: RetrievalParameters,
) -> dict[str, float]:
    """How much what surrounds each message speaks of the question, 0 to 1; the best has 1.

    Args:
        opened: the messages of episodes, with their terms.
        worth: the terms of the question, and what each counts: boost times rarity.
        names: by author, the terms of the question that name this person.
        parameters: size of a window.
    """
    each = {message.key: message for message in opened}.values()
    messages = sorted(each, key=lambda m: (tree_of(m.leaf), m.stamp, m.key))
    if not messages or not worth:
        return {}
    counts, lengths = _counted(messages, tuple(worth), names)
    begin, end = _windows(_runs(messages, parameters.sitting_minutes), parameters.window_messages)
    found = _before(counts)
    long = _before(lengths)
    tf, length = found[end] - found[begin], (long[end] - long[begin])[:, None]
    norm = _K1 * (1 - _B + _B * length / max(float(length.mean()), 1.0))
    scores = (tf * (_K1 + 1) / (tf + norm)) @ np.array(list(worth.values()))
    # Summed over the windows that hold a message, by what begins and ends at each place.
    total, held = np.zeros(len(messages) + 1), np.zeros(len(messages) + 1)
    for place, sign in ((begin, 1.0), (end, -1.0)):
        np.add.at(total, place, sign * scores)
        np.add.at(held, place, sign)
    means = np.cumsum(total)[:-1] / np.cumsum(held)[:-1]
    top = float(means.max())
    if top <= 0:
        return {}
    # Differences of sums leave a hair below nothing.
    shares = np.maximum(means / top, 0.0).tolist()
    return {message.key: share for message, share in zip(messages, shares, strict=True)}


def _counted(
    messages: Sequence[LeafMessage], terms: Sequence[str], names: Mapping[str, Iterable[str]]
) -> tuple[Matrix, Matrix]:
    """How often each message has each term, and how many terms it has."""
    numbers = {term: number for number, term in enumerate(terms)}
    counts, lengths = np.zeros((len(messages), len(terms))), np.zeros(len(messages))
    for row, message in enumerate(messages):
        said = message.terms.split()
        lengths[row] = len(said)
        for term in (*said, *names.get(message.author, ())):
            if (number := numbers.get(term)) is not None:
                counts[row, number] += 1
    return counts, lengths


def _before(values: Matrix) -> Matrix:
    """The sum of all rows before each place; a window's sum is the difference of two."""
    return np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])


def _runs(messages: Sequence[LeafMessage], sitting_minutes: float) -> list[tuple[int, int]]:
    """First place and place after the last of each stretch without a cut in it."""
    cuts = [0]
    for place in range(1, len(messages)):
        before, after = messages[place - 1], messages[place]
        if before.leaf != after.leaf and (
            tree_of(before.leaf) != tree_of(after.leaf)
            or minutes_between(before.stamp, after.stamp) > sitting_minutes
        ):
            cuts.append(place)
    return list(zip(cuts, [*cuts[1:], len(messages)], strict=True))


def _windows(runs: Iterable[tuple[int, int]], size: int) -> tuple[list[int], list[int]]:
    """Where windows begin, and the places after their ends.

    A short sitting is one window: it is told as a whole. In a longer one they stand at every place,
    those that reach over its ends are shorter.
    """
    begin: list[int] = []
    end: list[int] = []
    for first, last in runs:
        starts = [first] if last - first <= size else range(first - size + 1, last)
        begin += [max(start, first) for start in starts]
        end += [min(start + size, last) for start in starts]
    return begin, end
