"""Times in questions: every language, zones, and texts that speak of no time."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egcforest.text.time_expressions import EARLIEST, find_time_ranges

NOW = datetime(2026, 11, 30, 14, 30, tzinfo=UTC)  # a Monday
OPEN = "1970-01-01"
TOMORROW = "2026-12-01"


def ranges(text: str, now: datetime = NOW) -> list[tuple[str, str]]:
    return [
        (found.start.date().isoformat(), found.end.date().isoformat())
        for found in find_time_ranges(text, now)
    ]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did we decide in May?", "2026-05-01", "2026-06-01"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("in May 2024", "2024-05-01", "2024-06-01"),
        ("early June", "2026-06-01", "2026-06-11"),
        ("last May", "2026-05-01", "2026-06-01"),
        ("last week", "2026-11-23", "2026-11-30"),
        ("this week", "2026-11-30", "2026-12-07"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("last weekend", "2026-11-28", "2026-11-30"),
        ("the week before last", "2026-11-16", "2026-11-23"),
        ("in the last 3 weeks", "2026-11-09", TOMORROW),
        ("yesterday", "2026-11-29", "2026-11-30"),
        ("the day before yesterday", "2026-11-28", "2026-11-29"),
        ("3 days ago", "2026-11-27", "2026-11-28"),
        ("two weeks ago", "2026-11-16", "2026-11-23"),
        ("on 3 June 2026", "2026-06-03", "2026-06-04"),
        ("June 3rd, 2026", "2026-06-03", "2026-06-04"),
        ("on June 3", "2026-06-03", "2026-06-04"),
        ("on 31 December", "2025-12-31", "2026-01-01"),
        ("2026-06-03", "2026-06-03", "2026-06-04"),
        ("13.05.2026", "2026-05-13", "2026-05-14"),
        ("6/3/2026", "2026-06-03", "2026-06-04"),
        ("Q2", "2026-04-01", "2026-07-01"),
        ("Q2 2025", "2025-04-01", "2025-07-01"),
        ("the second quarter of 2025", "2025-04-01", "2025-07-01"),
        ("in 2025", "2025-01-01", "2026-01-01"),
        ("between 3 and 10 April", "2026-04-03", "2026-04-11"),
        ("from 3 March to 7 April 2025", "2025-03-03", "2025-04-08"),
        ("between November and February", "2025-11-01", "2026-03-01"),
        ("between Monday and Friday last week", "2026-11-23", "2026-11-28"),
        ("since March", "2026-03-01", TOMORROW),
        ("after 2026-06-09", "2026-06-10", TOMORROW),
        ("before the 14th", OPEN, "2026-11-14"),
        ("until June 3", OPEN, "2026-06-04"),
        ("on Monday", "2026-11-30", "2026-12-01"),
        ("last Monday", "2026-11-23", "2026-11-24"),
        ("last Friday's meeting", "2026-11-27", "2026-11-28"),
        ("im Mai", "2026-05-01", "2026-06-01"),
        ("letzte Woche", "2026-11-23", "2026-11-30"),
        ("am 14. Mai", "2026-05-14", "2026-05-15"),
        ("vor 3 Tagen", "2026-11-27", "2026-11-28"),
        ("zwischen dem 3. und 10. April", "2026-04-03", "2026-04-11"),
        ("von Mai bis Juli", "2026-05-01", "2026-08-01"),
        ("seit letzter Woche", "2026-11-23", TOMORROW),
        ("was wurde gestern gesagt", "2026-11-29", "2026-11-30"),
        ("la semaine dernière", "2026-11-23", "2026-11-30"),
        ("qu'est-ce qui a été dit hier", "2026-11-29", "2026-11-30"),
        ("il y a 3 jours", "2026-11-27", "2026-11-28"),
        ("le 3 juin 2026", "2026-06-03", "2026-06-04"),
        ("el mes pasado", "2026-10-01", "2026-11-01"),
        ("el 3 de junio de 2026", "2026-06-03", "2026-06-04"),
        ("hace 3 días", "2026-11-27", "2026-11-28"),
        ("в мае", "2026-05-01", "2026-06-01"),
        ("на прошлой неделе", "2026-11-23", "2026-11-30"),
        ("5月の会議", "2026-05-01", "2026-06-01"),
        ("2026年6月3日に何が決まった", "2026-06-03", "2026-06-04"),
        ("去年5月", "2025-05-01", "2025-06-01"),
        ("5月から7月まで", "2026-05-01", "2026-08-01"),
        ("5月以降", "2026-05-01", TOMORROW),
        ("先週の決定", "2026-11-23", "2026-11-30"),
        ("昨日", "2026-11-29", "2026-11-30"),
        ("3日前", "2026-11-27", "2026-11-28"),
        ("上周五", "2026-11-27", "2026-11-28"),
        ("上个月的报告", "2026-10-01", "2026-11-01"),
        ("지난주", "2026-11-23", "2026-11-30"),
        # From here on read by dateparser.
        ("3 czerwca 2026", "2026-06-03", "2026-06-04"),
        ("co się stało wczoraj?", "2026-11-29", "2026-11-30"),
        ("vad bestämdes förra veckan", "2026-11-23", "2026-11-30"),
        ("för 3 dagar sedan", "2026-11-27", "2026-11-28"),
        ("mitä viime viikolla päätettiin", "2026-11-23", "2026-11-30"),
        ("що було вирішено минулого тижня", "2026-11-23", "2026-11-30"),
        ("τι αποφασίστηκε χθες", "2026-11-29", "2026-11-30"),
        ("v květnu", "2026-05-01", "2026-06-01"),
        ("dün ne dedi?", "2026-11-29", "2026-11-30"),
        ("apa yang diputuskan kemarin", "2026-11-29", "2026-11-30"),
        ("hôm qua", "2026-11-29", "2026-11-30"),
        ("เมื่อวาน", "2026-11-29", "2026-11-30"),
        ("ماذا تقرر أمس", "2026-11-29", "2026-11-30"),
    ],
)
def test_a_time_is_the_last_that_has_begun(text: str, start: str, end: str) -> None:
    assert ranges(text) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    [
        "May I ask who may march?",
        "Jan said that April and June agreed",
        "Was steht hier?",
        "guten Morgen zusammen",
        "version 2.4.0 of 3 files, 2026 rows in PR 2026",
        "Find the 2nd draft of the first report",
        "How many days does it take?",
        "What features could not be added?",
        "31 February 2026",
        "What did Maja tell Dana?",
        "kto jest właścicielem projektu?",
        "",
    ],
)
def test_no_time_is_read_where_none_is_meant(text: str) -> None:
    assert ranges(text) == []


def test_two_times_stay_two() -> None:
    assert len(ranges("what changed in May, and what in Q3?")) == 2


def test_a_range_keeps_the_words_that_open_it() -> None:
    (found,) = find_time_ranges("What came since last week?", NOW)
    assert found.surface == "since last week"


def test_days_begin_in_the_zone_of_the_asker() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    (found,) = find_time_ranges("today", datetime(2026, 6, 2, 20, 0, tzinfo=UTC), tokyo)
    assert found.start == datetime(2026, 6, 2, 15, 0, tzinfo=UTC)
    assert found.end - found.start == timedelta(days=1)


def test_a_day_of_a_change_of_clocks_has_its_own_length() -> None:
    (found,) = find_time_ranges("2026-03-29", NOW, ZoneInfo("Europe/Berlin"))
    assert found.end - found.start == timedelta(hours=23)


def test_a_moment_without_zone_is_one_of_the_stated_zone() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    naive = datetime(2026, 6, 3, 0, 30)  # noqa: DTZ001
    assert find_time_ranges("today", naive, berlin) == find_time_ranges(
        "today", naive.replace(tzinfo=berlin), berlin
    )


@given(
    st.text(alphabet=st.characters(exclude_categories=()), max_size=100),
    st.sampled_from(
        ["in May", "9999 weeks ago", "last 9999 years", "5月", "2026-99-99", "İ in June", "Q1 - Q4"]
    ),
    st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2198, 1, 1)),  # noqa: DTZ001
)
def test_any_text_gives_ranges_in_utc_that_stand_in_it(
    text: str, phrase: str, now: datetime
) -> None:
    text = f"{text} {phrase} {text}"
    for found in find_time_ranges(text, now):
        assert found.start.tzinfo is UTC
        assert EARLIEST <= found.start < found.end
        assert found.surface in text


@pytest.mark.parametrize(
    "text", ["in May " * 20_000, "1 " * 50_000, "last " * 20_000, "三月" * 50_000, "1.1." * 25_000]
)
def test_adversarial_texts_take_bounded_time(text: str) -> None:
    started = time.process_time()
    find_time_ranges(text, NOW)
    assert time.process_time() - started < 3


def test_a_question_without_time_costs_next_to_nothing() -> None:
    question = "What features could not be added to the assistant due to a change in direction?"
    find_time_ranges(question, NOW)
    started = time.process_time()
    for _ in range(1000):
        find_time_ranges(question, NOW)
    assert (time.process_time() - started) / 1000 < 0.0005  # 0.02 ms on an idle core
