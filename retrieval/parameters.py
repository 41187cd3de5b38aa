"""Every number of retrieval in one place, each with its reason.

One configuration serves all data. What was measured to find a value stands in `docs/retrieval.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from ..graph.records import View


class Fusion(StrEnum):
    """How rankings become one."""

    CONVEX = "convex"
    RECIPROCAL_RANK = "reciprocal_rank"


def _weights(**weights: float) -> Mapping[str, float]:
    return MappingProxyType(weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalParameters:
    """Immutable; change with `dataclasses.replace`."""

    # What an answer may hold
    items: int = 20
    """Evidence items of an answer: the budget of the paper's evaluation."""
    tokens: int = 6000
    """Tokens of the rendered context: twenty long messages with headings fit into any model."""
    fusion: Fusion = Fusion.CONVEX
    """The sum of stretched scores beat reciprocal ranks on every data set with a small encoder."""
    stages: tuple[str, ...] = ("s1", "s2", "s3")
    """The stages that run; studies leave some out."""
    views: tuple[View, ...] = tuple(View)
    """The forests that exist for retrieval; studies leave some out, their subjects too."""

    # Round one: how much each search hands out
    messages_by_words: int = 100
    """Each message that is handed out costs the database and S1. With 300, and the other lists
    longer too, HERB had .01 more P@20 and FriendsQA .03 more R@20, QMSum and the sample less."""
    messages_by_vector: int = 50
    """Half of what the lexical list has: the small encoder is the weaker ranking."""
    leaves_by_words: int = 120
    """Episodes are fewer than messages; 120 of them hold well over a thousand."""
    leaves_by_vector: int = 60
    """As above."""
    other_leaves_by_words: int = 60
    """Leaves of the actor and artifact views: they hold the same messages once more."""
    summaries_by_words: int = 40
    """S2 opens six nodes; forty leave room for the factors to reorder them."""
    subjects_by_words: int = 40
    """Trees considered for each view when names are looked up; only rare names count anyway."""

    team_channels: int = 3
    """The asker's smallest channels stand for "my team"."""

    # Lexical fields
    message_fields: Mapping[str, float] = field(
        default_factory=lambda: _weights(terms=1.0, context_terms=0.35)
    )
    """Neighbours are half an answer ("yes, on Friday"); more than a third drowns the message."""
    leaf_fields: Mapping[str, float] = field(
        default_factory=lambda: _weights(terms=1.0, header_terms=0.2)
    )
    """People and channel count a little in every episode; names proper act through the subjects."""
    summary_fields: Mapping[str, float] = field(
        default_factory=lambda: _weights(summary_terms=1.0, header_terms=0.3)
    )
    """S2 looks at what an inner node says and whom it is about."""
    part_weight: float = 0.5
    """Parts of a compound count half beside the whole: `PlanForce` is more than plan and force."""

    name_weight: float = 0.05
    """Rare names among the words searched for: they act as factors, and would drown the topic."""
    renaming_terms: tuple[str, ...] = ("renam", "name", "call", "umbenannt")
    """Of messages with both names of a project, they prefer the one that says it was renamed."""

    # S1: the score of a message is own + episode, times its subjects
    own_words: float = 1.2
    """Weight of the lexical score of the message itself."""
    own_vector: float = 0.8
    """Weight of its dense score: what only paraphrases the question is found by nothing else."""
    window_messages: int = 16
    """Messages of a window: as many as an episode holds at most."""
    window_power: float = 2.6
    """What the windows around a message say, 0 to 1, to this power: their scores lie close
    together, and the factor of a subject would outweigh the difference."""
    episode_share: float = 0.2
    """What a message gets of the score of its episode, beside the windows."""
    weighed_words: int = 32
    """Words of the question that count within windows: more only a document has."""
    leaf_score: float = 1.1
    """Weight of what surrounds a message where one message stands out: it is the answer, or close
    to it."""
    broad_leaf_score: float = 8.0
    """The same where twenty messages match alike: the question is about a whole talk."""
    narrow_below: float = 0.27
    """Breadth (`Pool.breadth`) up to which one message stands out. Medians are .31 on LoCoMo, .33
    on the sample, .48 on FriendsQA, .59 on QMSum, .75 on HERB."""
    broad_above: float = 0.5
    """Breadth from which none does; in between the two weights are mixed."""
    candidates: int = 1000
    """Messages that S1 proposes at most: more than anybody asks for, fewer than it meets."""
    actor_leaf_score: float = 0.3
    """The same from the leaves of the actor view: who speaks of it again."""
    artifact_leaf_score: float = 0.2
    """The same from the artifact view: other places where the deliverable lives."""
    leaf_vector: float = 0.3
    """Of a leaf, dense against words."""
    flow_up: float = 0.3
    """What the messages of a leaf lend it, against its own words."""
    neighbour: float = 0.1
    """What an episode lends the one before and after it in the same sitting: at least."""
    broad_neighbour: float = 0.35
    """The same for a broad question, whose evidence is often longer than an episode."""
    sitting_minutes: float = 60.0
    """Episodes closer than this are one sitting that was cut because it was long."""
    floor: float = 0.1
    """Score of a message that only its subject or its time speaks for."""

    # Subjects: a factor 1 + weight * ln(all messages / messages of the subject)
    channel_weight: float = 1.2
    """A channel named in the question."""
    actor_weight: float = 0.4
    """A person named, or asking: people are named in passing, too."""
    broad_person: float = 0.1
    """Share of it that a person named keeps in a broad question: in talks others speak, too."""
    artifact_weight: float = 0.5
    """An artifact named by its identifier or title."""
    project_weight: float = 1.2
    """A project under any of its names."""
    time_weight: float = 0.8
    """A stretch of time named: it restricts unless the question speaks of what was said later."""
    common_share: float = 0.1
    """A word in the names of more than this share of the channels names none of them."""
    title_cover: float = 0.75
    """Share of a title's words that must be in the question before the title counts as named."""

    # S2
    summary_nodes: int = 6
    """Nodes opened by what their summaries and cards say."""
    summary_leaves: int = 6
    """Leaves opened below one node: about a hundred messages."""
    summary_per_node: int = 3
    """Messages one node may propose: S2 is there for what S1 has no words for."""
    summaries_below: float = 0.5
    """Breadth up to which S2 proposes messages: a broad question has more of them than places."""

    # S3
    seeds: int = 10
    """Messages of S1 and S2 whose bridges and artifacts are followed."""
    hops_per_seed: int = 6
    """A mention in a busy channel has few bridges; more would be chance."""
    artifacts_followed: int = 4
    """Artifacts of the seeds whose lives are opened."""
    life_share: float = 0.25
    """Share of the seeds' score that must stand in an artifact before its life is opened: one seed
    that names it in passing is not enough."""
    artifact_messages: int = 80
    """A longer life is a topic, not a deliverable."""
    named_floor: float = 1.0
    """Score of a message that names the artifact asked about, however little else it says: the
    stations of a life are told in words of their own ("shipped", "is out", "moves to May")."""
    joined_messages: int = 40
    """Messages that stand in the trees of two subjects of the question."""
    statement_messages: int = 3
    """Messages of the episode in which a rename was agreed, when an alias was used."""

    # S4
    share_s1: float = 0.7
    """Shares of the items; what one stage leaves over passes on."""
    share_s2: float = 0.1
    """As above. A fifth cost three points of P@20 on HERB without vectors."""
    share_s3: float = 0.2
    """As above."""
    leaves_opened: int = 16
    """Episodes whose messages are read for scoring, with the episodes right before and after them
    in the same sitting: more than twenty items can come from. Twelve or 24 are as good."""
    spare: int = 10
    """Candidates beyond the item cap that are fetched, in case some do not fit the tokens."""
    heading_height: int = 1
    """Levels above the leaf whose summaries stand in a heading."""
    heading_share: float = 0.25
    """Headings may take this share of the tokens before evidence is dropped for them."""
    heading_characters: int = 240
    """Longest line of a heading."""

    def __post_init__(self) -> None:
        for name in ("items", "tokens", "seeds", "leaves_opened"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        if min(self.share_s1, self.share_s2, self.share_s3) < 0:
            raise ValueError("Shares of the items cannot be negative.")
        if unknown := set(self.stages) - {"s1", "s2", "s3"}:
            raise ValueError(f"Unknown stages: {', '.join(sorted(unknown))}.")
