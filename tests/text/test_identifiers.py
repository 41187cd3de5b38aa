"""Identifiers: found, normalised, intact, and none where there is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egcforest.text.identifiers import (
    Identifier,
    IdentifierKind,
    find_identifiers,
    strip_stage_words,
)


def values(text: str) -> list[tuple[str, str]]:
    return [(found.kind.value, found.value) for found in find_identifiers(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PR #482 is in", [("pull_request", "#482")]),
        ("PR# 32 is in", [("pull_request", "#32")]),
        ("pull request 7", [("pull_request", "#7")]),
        ("merge request !12", [("pull_request", "#12")]),
        ("PRs #12, #13 and 14", [("pull_request", f"#{n}") for n in (12, 13, 14)]),
        ("see acme/atlas#482", [("pull_request", "atlas#482")]),
        ("see atlas#482", [("pull_request", "atlas#482")]),
        (
            "https://github.com/Acme/Atlas/pull/482/files?w=1",
            [("pull_request", "atlas#482")],
        ),
        (
            "https://gitlab.acme.test/grp/sub/atlas/-/merge_requests/3",
            [("pull_request", "atlas#3")],
        ),
        ("OPS-214 and ABC-1", [("ticket", "OPS-214"), ("ticket", "ABC-1")]),
        ("https://acme.test/browse/OPS-9", [("ticket", "OPS-9")]),
        ("CVE-2026-12345", [("ticket", "CVE-2026-12345")]),
        ("INC-37 is over", [("incident", "INC-37")]),
        ("incident 37", [("incident", "INC-37")]),
        ("Incident #37", [("incident", "INC-37")]),
        ("v2.4.0 and release 2.4", [("release", "v2.4.0"), ("release", "v2.4")]),
        ("https://github.com/a/b/releases/tag/v1.2.3", [("release", "v1.2.3")]),
        ("commit 3f2a9bc fixes it", [("commit", "3f2a9bc")]),
        (
            "https://github.com/a/b/commit/3f2a9bc0d1e2f3a4b5c6d7e8f9a0b1c2d3e4f5a6",
            [("commit", "3f2a9bc")],
        ),
        ("phase 2, Phase II, sprint 14", [("phase", "phase-2")] * 2 + [("phase", "sprint-14")]),
        ("Report_Final.pdf", [("file", "report_final.pdf")]),
        ("alert-routing-draft-1.md", [("document", "alert-routing")]),
        ("Alert Routing (final).pdf and alert_routing_FINAL.pdf", [("document", "alert-routing")]),
        ("takes over the Alert Routing Design", [("document", "alert-routing-design")]),
        ("the Market Research Report is out", [("document", "market-research-report")]),
        ("The Final Launch Plan", [("document", "launch-plan")]),
        ("a doc called “Go live”", [("document", "go-live")]),
        ("「市場調査報告」を共有", [("document", "市場調査報告")]),
    ],
)
def test_identifiers_are_found_and_normalised(text: str, expected: list[tuple[str, str]]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "we are #1 in UTF-8, ISO-8601 and COVID-19 times",
        "SEV-2, Q3-2026, GPT-4, top-10",
        "built with Node.js and D3.js",
        "ASP.NET or Vite.js, e.g. in the U.S. or i.e.go",
        "it stands in console.log and process.env",
        "at 12:30 on 2026-06-03, 3.5 of 10",
        "I plan a report. He said 'hello there'",
        "the price is 1-2 euros",
        "ops-214",
    ],
)
def test_what_only_looks_like_an_identifier_is_left_alone(text: str) -> None:
    assert values(text) == []


def test_a_question_may_write_a_ticket_in_small_letters() -> None:
    found = find_identifiers("who fixed ops-214?", lenient=True)
    assert [(one.kind, one.value) for one in found] == [(IdentifierKind.TICKET, "OPS-214")]


def test_a_labelled_document_keeps_its_label_and_drafts_meet_finals() -> None:
    place = "https://acme.test/archives/docs/"
    texts = [
        f"I shared the Market Research Report ({place}atlas_market_research_report).",
        f"Here is the updated Market Research Report ({place}final_atlas_market_research_report)",
        f"see atlas_market_research_report_draft_v2 ({place}atlas_market_research_report_draft_v2)",
    ]
    found = [find_identifiers(text) for text in texts]
    assert [len(one) for one in found] == [1, 1, 1]
    assert {one[0].value for one in found} == {"atlas-market-research-report"}
    assert found[0][0].title == "Market Research Report"
    assert found[0][0].scope == "acme.test"


@pytest.mark.parametrize(
    "link",
    [
        "https://www.Acme.test/a/b/?utm_source=chat&id=7#top",
        "http://acme.test/a/b?id=7",
        "https://acme.test:443/a/b?id=7&fbclid=x.",
    ],
)
def test_links_lose_scheme_tracking_and_fragment(link: str) -> None:
    assert values(f"look: {link}") == [("url", "acme.test/a/b?id=7")]


def test_the_scope_tells_repositories_apart() -> None:
    (found,) = find_identifiers("https://github.com/acme/atlas/pull/1")
    assert found.scope == "acme/atlas"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Final Product Vision Document", "Product Vision Document"),
        ("draft_report_v2", "report"),
        ("latest_atlas_report", "atlas_report"),
        ("atlas_report_final", "atlas_report"),
        ("Vision (final) (2)", "Vision"),
        ("最終版の計画", "計画"),
        ("Entwurf Bericht", "Bericht"),
        ("New York Plan", "New York Plan"),
        ("Final", "Final"),
        ("Versioning Guide", "Versioning Guide"),
    ],
)
def test_stage_words_go(title: str, expected: str) -> None:
    assert strip_stage_words(title) == expected


@given(
    st.text(alphabet=st.characters(exclude_categories=()), max_size=200),
    st.sampled_from(
        ["PR #1", "http://[::1", "https://a.b/pull/9", "www.x.y:99999", "(https://a.b)", "A-1", ""]
    ),
)
def test_any_text_gives_ordered_identifiers_that_stand_in_it(text: str, middle: str) -> None:
    text = f"{text}{middle}{text}"
    found: list[Identifier] = find_identifiers(text, lenient=True)
    end = 0
    for one in found:
        assert one.span[0] >= end
        end = one.span[1]
        assert text[one.span[0] : one.span[1]] == one.surface
        assert one.value
        assert not any(letter.isspace() for letter in one.value)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "A " * 50_000,
        "Report " * 15_000,
        "a.b" * 33_000,
        "a#1" * 33_000,
        "'a " * 33_000,
        "http://a (" * 10_000,
        "a (http://a.b) " * 6_000,
        "PRs 1, " * 14_000,
        "A-1-" * 25_000,
        "final " * 16_000,
        "「" * 100_000,
        "1." * 50_000,
        "\ud800" * 100_000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_adversarial_texts_take_bounded_time(text: str) -> None:
    started = time.process_time()
    find_identifiers(text, lenient=True)
    strip_stage_words(text)
    assert time.process_time() - started < 10
