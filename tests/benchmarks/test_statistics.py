"""Intervals and tests on samples whose distribution can be counted by hand."""

from __future__ import annotations

import pytest

from egcforest.benchmarks.statistics import interval, paired_p_value


def test_interval_of_equal_values_is_that_value():
    assert interval([0.25, 0.25, 0.25]) == (0.25, 0.25)
    assert interval([0.5]) == (0.5, 0.5)


def test_interval_of_two_values_reaches_both():
    # A resample of two is (0,0), (0,1), (1,0) or (1,1): a quarter of the means is 0, a quarter 1.
    assert interval([0.0, 1.0]) == (0.0, 1.0)


def test_interval_of_many_values_is_about_two_standard_errors_wide():
    # 200 zeros and 200 ones: the standard error of the mean is 0.5 / sqrt(400) = 0.025.
    low, high = interval([0.0, 1.0] * 200)
    assert low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.004)
    assert high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.004)


def test_interval_is_the_same_every_time():
    values = [0.1, 0.7, 0.3, 0.9, 0.2]
    assert interval(values) == interval(values)


def test_paired_test_tries_all_signs_of_few_questions():
    # Five differences of 1: of 32 sign patterns, two have a mean as extreme. 2 / 32.
    assert paired_p_value([1.0] * 5, [0.0] * 5) == pytest.approx(2 / 32)
    # Differences 1, 1, 0: the mean is 2/3 or -2/3 in half of the eight patterns.
    assert paired_p_value([1.0, 1.0, 0.0], [0.0, 0.0, 0.0]) == pytest.approx(1 / 2)


def test_paired_test_of_equal_systems_is_one():
    assert paired_p_value([0.3, 0.8], [0.3, 0.8]) == 1.0


def test_paired_test_sees_a_steady_small_gain_among_many_questions():
    base = [index % 7 / 7 for index in range(100)]
    assert paired_p_value([value + 0.01 for value in base], base) <= 0.001
    noise = [0.01 if index % 2 else -0.01 for index in range(100)]
    assert paired_p_value([v + n for v, n in zip(base, noise, strict=True)], base) > 0.9


def test_paired_test_refuses_different_questions():
    with pytest.raises(ValueError, match="not the same questions"):
        paired_p_value([1.0], [1.0, 2.0])
