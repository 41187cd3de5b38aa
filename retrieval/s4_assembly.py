"""S4, budget-aware assembly (section 4 of the paper): which candidates become items.

Stage order is kept and each stage has a share of the items; what one leaves over passes on. The
token budget is exact: it counts the rendered context, headings and citations included. A message
is never cut: one that does not fit is dropped, with a note in the trace, and shorter ones after it
may still fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..graph.search_records import AncestorHit, MessageText
from ..text.tokens import TokenCounter
from .answer import EvidenceItem, Heading, render
from .parameters import RetrievalParameters
from .trace import Candidate, Dropped, DropReason, Stage, StageTrace

WEAK_BELOW = 0.25
"""Items with less than this share of the best score are marked as weak."""


def share_out(
    proposals: Mapping[Stage, Sequence[Candidate]],
    items: int,
    parameters: RetrievalParameters,
    *,
    beyond: int = 0,
) -> list[Candidate]:
    """Candidates in the order in which they become items, then `beyond` more as reserve.

    A message that several stages propose counts for the first. Within the cap the order is that of
    the stages. What a stage leaves over passes on to the next; the share of one that proposes
    nothing is S1's. The reserve follows S1's order, then S2's and S3's.
    """
    shares = _whole_shares(items, parameters)
    for stage in (Stage.S2, Stage.S3):
        if not proposals.get(stage):
            shares[Stage.S1] += shares[stage]
            shares[stage] = 0
    unseen: dict[Stage, list[Candidate]] = {}
    taken: dict[str, Candidate] = {}
    over = 0
    for stage in (Stage.S1, Stage.S2, Stage.S3):
        room = shares[stage] + over
        rest: list[Candidate] = []
        for candidate in proposals.get(stage, ()):
            if candidate.key in taken:
                continue
            if room > 0:
                taken[candidate.key] = candidate
                room -= 1
            else:
                rest.append(candidate)
        over, unseen[stage] = room, rest
    for wanted in (over, beyond):
        for stage in (Stage.S1, Stage.S2, Stage.S3):
            for candidate in unseen[stage]:
                if wanted <= 0:
                    break
                if candidate.key not in taken:
                    taken[candidate.key] = candidate
                    wanted -= 1
    return list(taken.values())


def _whole_shares(items: int, parameters: RetrievalParameters) -> dict[Stage, int]:
    """Whole numbers of items that add up to `items`; what rounding leaves goes to S1."""
    weights = {
        Stage.S1: parameters.share_s1,
        Stage.S2: parameters.share_s2,
        Stage.S3: parameters.share_s3,
    }
    total = sum(weights.values()) or 1.0
    shares = {stage: int(items * weight / total) for stage, weight in weights.items()}
    shares[Stage.S1] += items - sum(shares.values())
    return shares


def assemble(
    candidates: Sequence[Candidate],
    texts: Mapping[str, MessageText],
    leaf_of: Mapping[str, str],
    ancestors: Sequence[AncestorHit],
    *,
    items: int,
    tokens: int,
    counter: TokenCounter,
    parameters: RetrievalParameters,
    record: StageTrace,
) -> tuple[tuple[EvidenceItem, ...], tuple[Heading, ...], int]:
    """The items, their headings and the exact number of tokens of the rendered context.

    Args:
        candidates: in order of preference.
        texts: the messages verbatim; one that is missing is no longer visible.
        leaf_of: the leaf below which a message is shown.
        ancestors: the leaves and the nodes above them.
        items: most items.
        tokens: most tokens of the rendered context.
        counter: counts them.
        parameters: shares and lengths.
        record: the trace of S4.
    """
    # Nearly always everything fits: then one count of the whole is enough.
    chosen, dropped = _taken(candidates, texts, leaf_of, items, _Room())
    headings = _headings(chosen, ancestors, parameters)
    size = counter.count(render(chosen, headings)) if chosen else 0
    if size <= tokens:
        record.dropped += dropped
        return _below(chosen, headings), tuple(headings), size
    room = _Room(counter, tokens)
    chosen, dropped = _taken(candidates, texts, leaf_of, items, room)
    record.dropped += dropped
    record.notes += room.notes
    headings = _headings(chosen, ancestors, parameters)
    return _fitted(chosen, headings, room.used, tokens, counter, parameters, record)


@dataclass(slots=True)
class _Room:
    """The tokens that items take up one by one; without a counter there is room for any."""

    counter: TokenCounter | None = None
    tokens: int = 0
    used: int = 0
    notes: list[str] = field(default_factory=list)

    def take(self, item: EvidenceItem) -> bool:
        """Take up what `item` needs, if there is so much."""
        if self.counter is None:
            return True
        cost = self.counter.count(item.render()) + 1
        left = self.tokens - self.used
        if cost > left:
            self.notes.append(f"{item.key} has {cost} tokens and {left} were left; it is not cut.")
            return False
        self.used += cost
        return True


def _taken(
    candidates: Sequence[Candidate],
    texts: Mapping[str, MessageText],
    leaf_of: Mapping[str, str],
    items: int,
    room: _Room,
) -> tuple[list[EvidenceItem], list[Dropped]]:
    """Items in order of preference as far as there is room, and what did not become one."""
    chosen: list[EvidenceItem] = []
    dropped: list[Dropped] = []
    said: set[tuple[str, str]] = set()

    def drop(candidate: Candidate, reason: DropReason) -> None:
        dropped.append(Dropped(candidate.key, candidate.stage, candidate.score, reason))

    for candidate in candidates:
        text = texts.get(candidate.key)
        if len(chosen) == items:
            drop(candidate, DropReason.ITEM_CAP)
            continue
        if text is None:
            drop(candidate, DropReason.GONE)
            continue
        same = (text.author, text.text.strip())
        if same in said:
            drop(candidate, DropReason.DUPLICATE_TEXT)
            continue
        item = _item(len(chosen) + 1, candidate, text, leaf_of.get(candidate.key, ""))
        if not room.take(item):
            drop(candidate, DropReason.TOKEN_BUDGET)
            continue
        said.add(same)
        chosen.append(item)
    return chosen, dropped


def _item(number: int, candidate: Candidate, text: MessageText, leaf: str) -> EvidenceItem:
    return EvidenceItem(
        number=number,
        key=text.key,
        text=text.text,
        at=text.at,
        channel=text.channel,
        channel_name=text.channel_name,
        audience=text.audience,
        author=text.author,
        author_name=text.author_name,
        author_title=text.author_title,
        source_id=text.source_id,
        source_ts=text.source_ts,
        link=text.link,
        files=text.files,
        heading=leaf,
        stage=candidate.stage,
        score=candidate.score,
        weak=candidate.score < WEAK_BELOW,
        why=candidate.why,
    )


def _headings(
    items: Sequence[EvidenceItem],
    ancestors: Sequence[AncestorHit],
    parameters: RetrievalParameters,
) -> list[Heading]:
    """A heading for each leaf that has items, in the order of the items."""
    chains: dict[str, list[AncestorHit]] = {}
    for hit in ancestors:
        chains.setdefault(hit.leaf, []).append(hit)
    headings: dict[str, Heading] = {}
    shown: set[str] = set()
    # Wider summaries are picked from narrower ones: what a leaf says stands above its own items.
    said = {
        line
        for item in items
        for hit in chains.get(item.heading, ())
        if hit.key == item.heading
        for line in hit.summary.split("\n")
    }
    for item in items:
        chain = sorted(chains.get(item.heading, ()), key=lambda hit: hit.level)
        if not chain or item.heading in headings:
            continue
        leaf = chain[0]
        lines = []
        for hit in sorted(chain, key=lambda hit: -hit.level):
            # What a wider node says is said once, above the first of its leaves.
            if hit.summary and hit.key not in shown:
                shown.add(hit.key)
                summary = hit.summary if hit is leaf else _what_is_new(hit.summary, said)
                if summary:
                    lines.append(_line(summary, parameters.heading_characters))
        headings[leaf.key] = Heading(
            leaf.key, leaf.view, leaf.name, leaf.span_from, leaf.span_to, tuple(lines)
        )
    return list(headings.values())


def _what_is_new(summary: str, said: set[str]) -> str:
    """The lines of a summary that are not in `said`, where they are added."""
    new = [line for line in summary.split("\n") if line not in said]
    said.update(new)
    return "\n".join(new)


def _line(summary: str, longest: int) -> str:
    text = " ".join(summary.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _below(items: Sequence[EvidenceItem], headings: Sequence[Heading]) -> tuple[EvidenceItem, ...]:
    """The items, each naming a heading that there is or none: readers look it up by its key."""
    known = {heading.key for heading in headings}
    return tuple(item if item.heading in known else replace(item, heading="") for item in items)


def _fitted(
    items: list[EvidenceItem],
    headings: list[Heading],
    used: int,
    tokens: int,
    counter: TokenCounter,
    parameters: RetrievalParameters,
    record: StageTrace,
) -> tuple[tuple[EvidenceItem, ...], tuple[Heading, ...], int]:
    """Make the whole fit: first fewer headings, then fewer items, from the end."""
    room = max(tokens - used, int(tokens * parameters.heading_share))
    kept: list[Heading] = []
    for heading in headings:
        cost = counter.count(heading.render()) + 1
        if cost <= room:
            kept.append(heading)
            room -= cost
        else:
            record.notes.append(f"No room for the heading {heading.key}.")
    while items:
        size = counter.count(render(items, kept))
        if size <= tokens:
            return _below(items, kept), tuple(kept), size
        if kept:
            record.notes.append(f"No room for the heading {kept[-1].key}.")
            kept.pop()
            continue
        last = items.pop()
        record.dropped.append(Dropped(last.key, last.stage, last.score, DropReason.TOKEN_BUDGET))
    return (), (), 0
