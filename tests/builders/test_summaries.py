"""The extractive summariser: what it keeps, what it leaves out, in which form."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from egcforest.builders.lifecycle import Fact, facts_of, states
from egcforest.builders.sentences import sentences_of
from egcforest.builders.summaries import (
    ExtractiveSummariser,
    SummaryMessage,
    SummaryRequest,
    summary_lines,
)

AT = int(datetime(2026, 3, 4, 9, tzinfo=UTC).timestamp() * 1000)


def said(*texts, author="Ana", channel="atlas"):
    return tuple(SummaryMessage(AT + i * 60_000, author, channel, t) for i, t in enumerate(texts))


def summary(*texts, **options):
    return ExtractiveSummariser(**options).summary(SummaryRequest(1, "atlas", said(*texts)))


def test_a_line_says_who_when_and_where():
    assert summary("The batcher writes 2,000 rows a second.") == (
        "2026-03-04 Ana (#atlas): The batcher writes 2,000 rows a second."
    )


def test_pleasantries_are_left_out():
    kept = summary(
        "Hey Nate! Hope you are doing well!",
        "Thanks!",
        "Sounds great, looking forward to it 😊",
        "The vacuum job moved to Thursday 14:00.",
        "We decided to revert PR #482.",
        "Good morning everyone!",
        episode_lines=2,
    )
    assert [text for _, text in summary_lines(kept)] == [
        "The vacuum job moved to Thursday 14:00.",
        "We decided to revert PR #482.",
    ]


def test_an_approval_in_one_word_is_kept():
    assert "LGTM" in summary("LGTM, approved!", "Thanks!", "Nice.")


def test_it_is_in_time_order_and_does_not_repeat():
    kept = summary(
        "OPS-1 is merged.", "OPS-1 is merged.", "OPS-2 slipped to May.", "INC-3 was closed."
    )
    assert [text for _, text in summary_lines(kept)] == [
        "OPS-1 is merged.", "OPS-2 slipped to May.", "INC-3 was closed.",
    ]  # fmt: skip


def test_japanese_and_german():
    kept = summary(
        "おはようございます！",
        "リリースは5月12日に延期になりました。担当は千恵です。",
        "Guten Morgen zusammen!",
        "Wir haben entschieden, den Index neu zu bauen.",
    )
    assert "延期" in kept
    assert "entschieden" in kept
    assert "おはよう" not in kept
    assert "Guten Morgen" not in kept


def test_above_level_one_it_picks_from_the_childrens_lines():
    low = [summary(f"OPS-{n} was released.", f"OPS-{n} was reverted.") for n in range(8)]
    high = ExtractiveSummariser(node_lines=5).summary(
        SummaryRequest(2, "atlas", children=tuple(low))
    )
    lines = [line for part in low for line in summary_lines(part)]
    assert len(summary_lines(high)) == 5
    assert all(line in lines for line in summary_lines(high))


@given(st.lists(st.text(max_size=300), max_size=16))
def test_any_text_gives_a_bounded_summary(texts):
    kept = summary(*texts)
    assert kept == summary(*texts)
    assert len(summary_lines(kept)) <= 5 + kept.count("\r")
    assert len(kept) <= 800 + 300


@given(st.text(max_size=500))
def test_no_sentence_is_longer_than_its_bound(text):
    assert all(0 < len(s.text) <= 240 for s in sentences_of(text))


def test_questions_and_wishes_state_nothing():
    assert states(facts_of("OPS-1 was released."), Fact.STATUS)
    assert not states(facts_of("Was OPS-1 released?"), Fact.STATUS)
    assert not states(facts_of("PR #1 is approved but not merged yet."), Fact.STATUS)
    assert not states(facts_of("Should we revert it, as we decided?"), Fact.DECISION)
    assert states(facts_of("I own the rollout."), Fact.OWNER)
    assert states(facts_of("I'll send it by Friday."), Fact.COMMITMENT)
    assert states(facts_of("Freeze on 21 April."), Fact.DATE)
