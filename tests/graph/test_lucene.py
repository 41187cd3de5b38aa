"""Full-text query strings: nothing that people type is taken for syntax."""

from __future__ import annotations

import random
import string
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egcforest.graph.lucene import (
    MAX_CLAUSES,
    StampRange,
    TermWeight,
    TextQuery,
    quote,
    stamp,
    text_query,
)
from egcforest.graph.records import Scope
from egcforest.graph.store import ForestStore
from tests.graph.log_records import START, append, channel, message, prepared_log

FIELDS = {"terms": 1.0, "context_terms": 0.5}
# Fault 1: words and characters that Lucene's parser gives a meaning to.
NASTY = [
    "NORD",
    "EBITDA",
    "OR",
    "AND",
    "NOT",
    "TO",
    "/",
    "~",
    "a~2",
    "trailing-",
    "-",
    "--",
    '"unbalanced',
    "'",
    "\\",
    "\\\\",
    "*",
    "a*",
    "?",
    "wh?t",
    "+",
    "+must",
    "!bang",
    "^",
    "^2",
    ":",
    "terms:x",
    "workspace:other",
    "(",
    ")",
    "((",
    "[a]",
    "{b}",
    "[2020",
    "&&",
    "||",
    "/regex/",
    "<tag>",
    "😀",
    "👩\u200d👩\u200d👧",
    "日本語",
    "ไทย",
    "naïve",
    "İ",
    "ß",
    "null",
    "true",
    "$param",
    "{x:1}",
    "//",
    "#",
    "@",
    "%",
    ";",
    "`tick`",
    "\u200b\u202e",
]


def terms(*words: str) -> list[TermWeight]:
    return [TermWeight(word) for word in words]


async def search(store: ForestStore, query: TextQuery) -> set[str]:
    found: set[str] = set()
    async with store._session() as session:
        for text in query.strings:
            result = await session.run(
                "CALL db.index.fulltext.queryNodes('message_text', $q) YIELD node, score "
                "RETURN collect([node.source_id, node.workspace, score]) AS found",
                q=text,
            )
            record = await result.single(strict=True)
            found |= {source_id for source_id, _, _ in record["found"]}
    return found


@pytest.mark.parametrize("word", NASTY)
async def test_nasty_words_find_their_message_and_no_other(
    store: ForestStore, workspace: str, word: str
) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1", f"the {word.lower()} thing"), message(workspace, "2"))
    found = await search(
        store, text_query(Scope(workspace, ("public",)), terms(word.lower()), FIELDS)
    )
    assert found == {"1"}


async def test_fuzzed_words_never_raise_and_always_find(store: ForestStore, workspace: str) -> None:
    rng = random.Random(7)
    alphabet = string.punctuation * 3 + 'aORN TD0\\"' + "é日😀\u0301"
    words = [
        "".join(rng.choices(alphabet, k=rng.randint(1, 9))).replace(" ", "") or "x"
        for _ in range(300)
    ]
    log = await prepared_log(store, workspace)
    await append(log, *(message(workspace, str(n), word) for n, word in enumerate(words)))
    scope = Scope(workspace, ("public",))
    # As terms are stored: in lower case.
    for n, word in enumerate(words):
        query = text_query(scope, terms(word.lower()), FIELDS)
        assert str(n) in await search(store, query), word
    all_words = text_query(scope, terms(*(word.lower() for word in words)), FIELDS)
    assert len(await search(store, all_words)) >= 250


async def test_three_tenants_and_three_audiences_stay_apart(
    store: ForestStore, workspace: str
) -> None:
    """Fault 2: an OR chain without parentheses searched only its last value."""
    names = [f"{workspace}{letter}" for letter in "abc"]
    logs = []
    for name in names:
        channels = [channel(name, f"P{n}", private=True) for n in range(4)]
        log = await prepared_log(store, name, channel(name, "C1"), *channels)
        logs.append(log)
        await append(log, message(name, "public", "secret plan"))
        for n in range(4):
            await append(log, message(name, f"p{n}", "secret plan", channel_id=f"P{n}"))
    try:
        for name in names:
            for audiences in (("public",), ("public", "P0", "P1"), ("P0", "P1", "P2")):
                query = text_query(Scope(name, audiences), terms("plan", "secret"), FIELDS)
                expected = {a.lower() for a in audiences}
                assert await search(store, query) == expected
    finally:
        for log, name in zip(logs, names, strict=True):
            await log.wipe(name)


async def test_filters_do_not_touch_the_score(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1", "alpha beta"))

    async def score(text: str) -> float:
        async with store._session() as session:
            result = await session.run(
                "CALL db.index.fulltext.queryNodes('message_text', $q) YIELD node, score "
                "WHERE node.workspace = $w RETURN score",
                q=text, w=workspace,
            )  # fmt: skip
            return float((await result.single(strict=True))["score"])

    query = text_query(
        Scope(workspace, ("public", "P1")),
        terms("alpha"),
        {"terms": 1.0},
        exact={"author": [f"{workspace}/a/U1"]},
        stamps=StampRange(START - timedelta(days=1), START + timedelta(days=1)),
    )
    assert await score(query.strings[0]) == pytest.approx(await score('terms:"alpha"'))


async def test_times_and_exact_values_restrict(store: ForestStore, workspace: str) -> None:
    log = await prepared_log(store, workspace)
    await append(
        log,
        *(message(workspace, str(n), "tick", minute=n, author=f"U{n % 2 + 1}") for n in range(10)),
    )
    scope = Scope(workspace, ("public",))

    async def at(earliest: int | None, latest: int | None) -> set[str]:
        span = StampRange(
            None if earliest is None else START + timedelta(minutes=earliest),
            None if latest is None else START + timedelta(minutes=latest),
        )
        return await search(store, text_query(scope, terms("tick"), FIELDS, stamps=span))

    assert await at(3, 5) == {"3", "4", "5"}
    assert await at(8, None) == {"8", "9"}
    assert await at(None, 1) == {"0", "1"}
    authors = text_query(
        scope, terms("tick"), FIELDS, exact={"author": [f"{workspace}/a/U1", "nobody"]}
    )
    assert await search(store, authors) == {"0", "2", "4", "6", "8"}


async def test_more_audiences_than_lucene_takes(store: ForestStore, workspace: str) -> None:
    audiences = tuple(f"P{n}" for n in range(2500))
    channels = [channel(workspace, f"P{n}", private=True) for n in (0, 1200, 2499)]
    log = await prepared_log(store, workspace, *channels)
    for n in (0, 1200, 2499):
        await append(log, message(workspace, f"m{n}", "needle", channel_id=f"P{n}"))
    words = terms("needle", *(f"filler{n}" for n in range(2000)))
    query = text_query(Scope(workspace, audiences), words, FIELDS)
    assert len(query.strings) > 2
    assert query.dropped[0] == "filler249"
    assert await search(store, query) == {"m0", "m1200", "m2499"}


def test_nothing_to_search_for_gives_no_query() -> None:
    scope = Scope("w", ("public",))
    assert text_query(scope, [], FIELDS) == TextQuery(())
    assert text_query(scope, terms("", " \t"), FIELDS) == TextQuery(())
    assert text_query(scope, terms("x"), {}) == TextQuery(())
    assert text_query(scope, terms("x"), FIELDS, exact={"author": []}) == TextQuery(())


def test_the_text_of_a_query() -> None:
    query = text_query(
        Scope("w", ("public", "P1")),
        [TermWeight("a"), TermWeight("b c", 2.0), TermWeight("a", 9.0)],
        {"terms": 1.0, "context_terms": 0.5},
        exact={"channel": ["w/c/C1"]},
        stamps=StampRange(datetime(2026, 1, 2, tzinfo=UTC), None),
    )
    assert query.strings == (
        '+workspace:"w"^0 +(audience:"public" audience:"P1")^0 +(channel:"w/c/C1")^0 '
        '+stamp:["20260102000000000" TO "99999999999999999"]^0 '
        '+(terms:"a" context_terms:"a"^0.5000 terms:"b"^2.0000 context_terms:"b" '
        'terms:"c"^2.0000 context_terms:"c")',
    )


@given(st.integers(0, 4000), st.integers(1, 4000), st.integers(1, 6))
def test_no_query_has_too_many_clauses(words: int, audiences: int, fields: int) -> None:
    query = text_query(
        Scope("w", tuple(f"P{n}" for n in range(audiences))),
        terms(*(f"t{n}" for n in range(words))),
        {f"f{n}": 1.0 for n in range(fields)},
    )
    assert all(text.count(':"') <= MAX_CLAUSES for text in query.strings)
    if words:
        seen = [a for text in query.strings for a in text.split() if "audience:" in a]
        assert len(seen) == audiences


@given(st.text())
def test_quotes_close(value: str) -> None:
    inner = quote(value)[1:-1]
    assert inner.replace("\\\\", "").replace('\\"', "").count('"') == 0


def test_stamps_sort_by_time_and_need_a_zone() -> None:
    plus2 = datetime.fromisoformat("2026-03-01T01:30:00.123456+02:00")
    assert stamp(plus2) == "20260228233000123"
    assert stamp(datetime(5, 1, 1, tzinfo=UTC)) == "00050101000000000"
    with pytest.raises(ValueError, match="zone"):
        stamp(datetime(2026, 1, 1))  # noqa: DTZ001
