"""The analyzer: every script, identifiers, stop words, and no text that breaks it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egcforest.text.analyzer import MAX_TERM_CHARACTERS, analyze, analyze_query, split_name


def test_terms_come_in_order_with_repeats_stemmed_and_without_stop_words() -> None:
    assert analyze("The reviewers reviewed it, and a reviewer approved.") == [
        "review",
        "review",
        "review",
        "approv",
    ]


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Vertrag", "Wir haben die Verträge unterschrieben"),
        ("Entscheidung", "alle Entscheidungen stehen fest"),
        ("Straße", "an der STRASSE"),
        ("decision", "les décisions sont prises"),
        ("reunión", "las reuniones de mayo"),
        ("sao paulo", "escritório em São Paulo"),
        ("отчет", "Отчёты готовы"),
        ("猫", "黒い猫です"),
        ("报告", "我们发布了市场报告。"),
        ("報告書", "最終報告書は来週提出します"),
        ("リリース", "新しいリリースノートを書く"),
        ("보고서", "최종 보고서는 다음 주에"),
        ("รายงาน", "ส่งรายงานฉบับสุดท้ายแล้ว"),
        ("हिन्दी", "यह हिन्दी में है"),
        ("التقرير", "أرسلت التقرير النهائي"),
        ("ＡＢＣ計画", "ABC計画"),  # full width
        ("resume", "my re\u0301sume\u0301 is attached"),  # combining accents
        ("cooperate", "co\u00adoperate"),  # a soft hyphen
    ],
)
def test_a_question_finds_its_document_in_every_script(question: str, document: str) -> None:
    asked = analyze_query(question)
    assert asked
    assert set(asked) <= set(analyze(document))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OPS-214", ["ops-214", "op", "214"]),
        ("PR #482", ["pr", "#482"]),
        ("PR# 32", ["pr", "#32"]),
        ("pull request 32", ["pull", "request", "#32"]),
        ("report_final.pdf", ["report_final.pdf", "report", "final", "pdf"]),
        ("v2.4.0", ["v2.4.0", "2.4.0"]),
        ("2026-06-03", ["2026-06-03"]),
        ("PlanForce", ["planforc", "plan", "forc"]),
        ("CI/CD", ["ci/cd", "ci", "cd"]),
        ("C++ and C#", ["c++", "c#"]),
        ("PRs", ["pr"]),
        ("two PRs merged", ["two", "pr", "merg"]),
        ("done :tada: :+1: 🎉", []),
        ("O'Brien's l'équipe don't", ["obrien", "equip"]),
        ("12:30:45", ["12:30:45"]),
        ("1,000 or 12,5", ["1000", "12", "5"]),
        ("the IT team", ["it", "team"]),
    ],
)
def test_identifiers_and_names_stay_whole(text: str, expected: list[str]) -> None:
    assert analyze(text) == expected


def test_a_link_gives_its_host_and_path_and_the_number_of_its_pull_request() -> None:
    terms = analyze("https://www.github.com/acme/atlas/pull/482/files?utm_source=chat&x=1#diff")
    assert terms[0] == "github.com"
    assert {"acm", "atlas", "#482"} <= set(terms)
    assert not any("utm" in term or "diff" in term for term in terms)


@pytest.mark.parametrize(
    "query",
    ["NORD", "EBITDA", "OR", "and/or", "a~b", 'an "unbalanced quote', "trailing -", "WHO", "not"],
)
def test_plain_words_always_give_terms(query: str) -> None:
    assert analyze_query(query)


def test_a_question_of_stop_words_falls_back_to_them() -> None:
    assert analyze("who is it") == []
    assert analyze_query("who is it") == ["who", "is", "it"]


def test_query_terms_are_unique() -> None:
    assert analyze_query("plan, planning, plans") == ["plan"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("planning-roadMapX", ["plan", "road", "map", "x"]),
        ("eng_backend.v2", ["eng", "backend", "v2"]),
        ("Release2024 Notes", ["releas", "2024", "note"]),
        ("HTTPServer", ["http", "server"]),
        ("#general", ["general"]),
        ("on", ["on"]),
        ("リリース-計画", ["リリ", "リー", "ース", "計画"]),
    ],
)
def test_names_are_split_at_case_digits_and_marks(name: str, expected: list[str]) -> None:
    assert split_name(name) == expected


def test_parts_of_a_name_are_what_the_analyzer_gives_for_the_words() -> None:
    assert set(split_name("launchPlanning-Reports")) <= set(analyze("launch planning reports"))


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_any_text_gives_clean_terms(text: str) -> None:
    terms = analyze(text)
    for term in terms + analyze_query(text) + split_name(text):
        assert term
        assert len(term) <= MAX_TERM_CHARACTERS
        assert not any(letter.isspace() or letter == "\x00" for letter in term)
        term.encode("utf-8")
    assert set(analyze_query(text)) <= set(terms) or not terms


@given(st.text(max_size=80))
def test_a_text_gives_the_same_terms_whatever_stands_around_it(text: str) -> None:
    word = "zebra"
    surrounded = analyze(f"{word} {text} {word}")
    assert surrounded[0] == surrounded[-1] == word


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "a-" * 50_000,
        "aB" * 50_000,
        ":a" * 50_000,
        "http://" * 15_000,
        "'" * 100_000,
        "漢" * 100_000,
        "ก" * 100_000,
        "\u0301" * 100_000,
        "PR " * 30_000,
        "1." * 50_000,
        "#" * 100_000,
        "\ud800" * 100_000,
        "\u202e\x00" * 50_000,
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_adversarial_texts_take_bounded_time(text: str) -> None:
    started = time.process_time()
    analyze(text)
    analyze_query(text)
    split_name(text)
    assert time.process_time() - started < 10


def test_threads_get_the_same_terms() -> None:
    texts = [f"reviewing documents {n} für Verträge und отчёты" for n in range(200)]
    alone = [analyze(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(analyze, texts)) == alone
