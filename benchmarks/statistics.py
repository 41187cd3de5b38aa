"""How sure a mean or a difference of means is. Seeded: the same values give the same answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

SEED = 20_261_019
CONFIDENCE = 0.95
RESAMPLES = 9_999


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Bootstrap interval (percentiles) of the mean over questions, at 95 % confidence."""
    sample = np.asarray(values, dtype=float)
    if len(sample) < 2 or np.ptp(sample) == 0:
        only = float(sample.mean()) if len(sample) else 0.0
        return only, only
    found = stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=500,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def paired_p_value(values: Sequence[float], others: Sequence[float]) -> float:
    """Two-sided paired randomisation test: how often chance gives so large a mean difference.

    Under the null hypothesis each question's difference may as well have the other sign. Up to
    13 questions all signs are tried, which is exact; beyond, `RESAMPLES` random ones.

    Raises:
        ValueError: the two are not over the same questions.
    """
    if len(values) != len(others):
        raise ValueError(f"{len(values)} values against {len(others)}: not the same questions.")
    differences = np.asarray(values, dtype=float) - np.asarray(others, dtype=float)
    if not np.any(differences):
        return 1.0
    found = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=500,
        rng=np.random.default_rng(SEED),
    )
    return float(found.pvalue)
