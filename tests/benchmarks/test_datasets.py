"""Each adapter on a miniature of its format: what becomes a message, and what is evidence."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from egcforest.benchmarks.datasets import DATASETS, load_dataset
from egcforest.benchmarks.datasets.evermembench import indexes
from egcforest.benchmarks.errors import BenchmarkError, DatasetError
from egcforest.benchmarks.questions import Dataset
from egcforest.builders.sources import SourceActor, SourceChannel, SourceMessage
from egcforest.graph.records import ChannelKind
from tests.benchmarks import miniatures

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def said(dataset: Dataset) -> dict[tuple[str, str], SourceMessage]:
    return {
        (m.channel_id, m.source_id): m
        for m in dataset.source.messages()
        if isinstance(m, SourceMessage)
    }


def channels(dataset: Dataset) -> dict[str, SourceChannel]:
    return {c.id: c for c in dataset.source.channels() if isinstance(c, SourceChannel)}


def people(dataset: Dataset) -> dict[str, SourceActor]:
    return {a.id: a for a in dataset.source.actors() if isinstance(a, SourceActor)}


def test_herb(tmp_path: Path):
    dataset = load_dataset("herb", miniatures.herb(tmp_path))
    messages = said(dataset)
    assert set(messages) == {("ch-1", "m1"), ("ch-1", "m2"), ("ch-1", "m3"), ("ch-2", "m2")}
    plan = messages["ch-1", "m2"]
    assert plan.text == "@Bo Lark see Kite Plan (https://docs.example/kite) & reply"
    assert plan.author_id == "eid_0a"
    assert plan.mentions == ("eid_0b",)
    assert plan.at == datetime(2026, 1, 2, 9, 5, tzinfo=UTC)
    assert channels(dataset)["ch-1"].name == "plan-glider"
    assert people(dataset)["eid_0a"].title == "Engineer"
    assert people(dataset)["eid_9f"].placeholder
    assert people(dataset)["slack_admin_bot"].is_bot
    kite, reef = dataset.questions
    assert kite.evidence == {("ch-1", "m2"), ("ch-1", "m3")}
    assert reef.evidence == {("ch-2", "m2")}
    assert (kite.id, kite.kind, reef.kind) == ("Kite-1", "person", "content")
    assert kite.now > max(m.at for m in messages.values())


def test_qmsum_pooled(tmp_path: Path):
    dataset = load_dataset("qmsum", miniatures.qmsum(tmp_path))
    messages = said(dataset)
    assert messages["m1", "0"].text == "Shall we begin ?"
    assert messages["m1", "0"].raw == "{vocalsound} Shall we begin ?"
    # Nothing is left of a turn of marks only, so it stays as it is.
    assert messages["m1", "2"].text == "{disfmarker}"
    assert messages["m2", "0"].at > messages["m1", "3"].at
    oven, garden = dataset.questions
    assert oven.evidence == {("m1", "1"), ("m1", "3")}
    assert garden.evidence == {("m2", "0")}
    assert oven.scope_channel is None
    # Turns 4 to 9 do not exist.
    assert dataset.notes == ("6 references to evidence name no message and were left out.",)
    assert {c.kind for c in channels(dataset).values()} == {ChannelKind.PUBLIC}


def test_within_makes_channels_private_and_names_the_questions_own(tmp_path: Path):
    dataset = load_dataset("qmsum", miniatures.qmsum(tmp_path), within=True)
    assert dataset.name == "qmsum-within"
    assert [q.scope_channel for q in dataset.questions] == ["m1", "m2"]
    assert {c.kind for c in channels(dataset).values()} == {ChannelKind.PRIVATE}


def test_qmsum_meetings_may_lie_in_a_subfolder(tmp_path: Path):
    miniatures.qmsum(tmp_path / "val")
    assert len(load_dataset("qmsum", tmp_path).questions) == 2


def test_friendsqa(tmp_path: Path):
    dataset = load_dataset("friendsqa", miniatures.friendsqa(tmp_path))
    messages = said(dataset)
    assert messages["s01_e01_c01", "1"].author_id == "Olaf, Pim"
    assert messages["s01_e01_c01", "2"].author_id == "unknown"
    first, second = dataset.questions
    assert first.evidence == {("s01_e01_c01", "0"), ("s01_e01_c01", "1")}
    assert second.evidence == {("s01_e01_c01", "1")}
    assert (first.kind, second.kind) == ("Where", "Where")


def test_locomo(tmp_path: Path):
    dataset = load_dataset("locomo", miniatures.locomo(tmp_path), within=True)
    messages = said(dataset)
    assert list(messages) == [("7", "D1:1"), ("7", "D1:2"), ("7", "D10:1")]
    assert messages["7", "D1:2"].text == "Look! [image: a photo of a barn]"
    assert messages["7", "D1:2"].raw == "Look!"
    assert messages["7", "D1:1"].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert messages["7", "D10:1"].at == datetime(2023, 6, 1, 0, 30, tzinfo=UTC)
    assert people(dataset)["7:Ines"].name == "Ines"
    hat, animals, fond = dataset.questions
    assert hat.evidence == {("7", "D10:1")}
    assert animals.evidence == {("7", "D1:1"), ("7", "D1:2")}
    assert fond.evidence == frozenset()
    assert [q.kind for q in dataset.questions] == ["single_hop", "multi_hop", "open_domain"]
    assert hat.scope_channel == "7"
    # "D7:7" is no turn, "D" cannot be read.
    assert dataset.notes == ("2 references to evidence name no message and were left out.",)


def test_sample():
    dataset = load_dataset("sample", EXAMPLES)
    known = set(said(dataset))
    assert all(question.evidence <= known for question in dataset.questions)
    assert dataset.notes == ()
    without = {q.kind for q in dataset.questions if not q.evidence}
    assert without == {"no_answer", "no_access"}
    assert all(bool(q.forbidden) == (q.kind == "no_access") for q in dataset.questions)
    assert all(q.asker for q in dataset.questions)


def test_evermembench(tmp_path: Path):
    dataset = load_dataset("evermembench", miniatures.evermembench(tmp_path))
    assert set(channels(dataset)) == {"Group 1", "Group 2"}
    lease, nothing = dataset.questions
    assert lease.evidence == {
        ("Group 1", "2025-01-09/1"),
        ("Group 1", "2025-01-09/3"),
        ("Group 1", "2025-01-09/4"),
        ("Group 1", "2025-01-10/1"),
    }
    assert nothing.evidence == frozenset()
    assert (lease.kind, nothing.kind) == ("F_SH", "MA_C")
    assert said(dataset)["Group 1", "2025-01-09/2"].at == datetime(2025, 1, 9, 9, 33, tzinfo=UTC)
    # Group 2 said nothing on the second day.
    assert dataset.notes == ("1 references to evidence name no message and were left out.",)


def test_evermembench_with_several_topics_in_one_list(tmp_path: Path):
    def topic(number: str) -> dict[str, object]:
        text = {"speaker": "Wen", "time": "2025-01-09 09:00:00", "dialogue": number}
        return {
            "topic_id": number,
            "date": "2025-01-09",
            "dialogues": {"Group 1": [{**text, "message_index": 1}]},
        }

    reference = [{"date": "2025-01-09", "group": "Group 1", "message_index": "1"}]
    miniatures.write(tmp_path / "dialogues.json", [topic("004"), topic("005")])
    asked = [
        {"id": "F_SH_Top005_001", "Q": "What?", "A": "005", "options": None, "R": reference},
        {"id": "F_SH_unclear", "Q": "Which?", "A": "?", "options": None, "R": reference},
    ]
    miniatures.write(tmp_path / "qa.json", {"qars": asked})
    dataset = load_dataset("evermembench", tmp_path)
    assert dataset.questions[0].evidence == {("005/Group 1", "2025-01-09/1")}
    assert dataset.questions[1].evidence == frozenset()


def test_evermembench_refuses_the_same_dialogues_twice(tmp_path: Path):
    miniatures.evermembench(tmp_path)
    content = (tmp_path / "004" / "dialogue_en.json").read_text(encoding="utf-8")
    (tmp_path / "004" / "dialogue_zh.json").write_text(content, encoding="utf-8")
    with pytest.raises(DatasetError, match="twice"):
        load_dataset("evermembench", tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1, 4-5", [1, 4, 5]), ("7", [7]), ("2-4", [2, 3, 4]), ("", []), ("3,3", [3, 3])],
)
def test_indexes_of_messages(text: str, expected: list[int]):
    assert indexes(text) == expected


def test_groupmembench(tmp_path: Path):
    dataset = load_dataset("groupmembench", miniatures.groupmembench(tmp_path))
    messages = said(dataset)
    assert messages["audit", "Msg_3"].reply_to == "Msg_2"
    assert messages["audit", "Msg_3"].thread == "Msg_1"
    assert messages["audit", "Msg_2"].thread == "Msg_1"
    for first in (("audit", "Msg_1"), ("audit", "Msg_4"), ("random", "Msg_5")):
        assert messages[first].reply_to is None
        assert messages[first].thread is None
    by_id = {question.id: question for question in dataset.questions}
    assert by_id["q1"].evidence == {("audit", "Msg_2"), ("audit", "Msg_3")}
    assert by_id["q1"].asker == "User_1"
    assert by_id["q1"].kind == "multi_hop"
    assert by_id["a1"].evidence == frozenset()
    # Nobody of that id ever wrote, so nobody in particular asks.
    assert by_id["a1"].asker is None


def test_limit_spreads_over_all_questions():
    dataset = load_dataset("sample", EXAMPLES)
    limited = dataset.limited(7)
    chosen = [dataset.questions.index(question) for question in limited.questions]
    assert chosen == [0, 10, 20, 30, 40, 50, 60]
    assert limited.notes == ("Only 7 of 71 questions were asked.",)
    assert dataset.limited(None) is dataset
    assert dataset.limited(500) is dataset


def test_unknown_names_and_folders_are_explained(tmp_path: Path):
    with pytest.raises(BenchmarkError, match="Known are: evermembench"):
        load_dataset("squad", tmp_path)
    with pytest.raises(BenchmarkError, match="Check --data"):
        load_dataset("herb", tmp_path / "nowhere")
    with pytest.raises(BenchmarkError, match="whole workspace"):
        load_dataset("herb", tmp_path, within=True)


@pytest.mark.parametrize("name", DATASETS)
def test_an_empty_folder_is_explained(name: str, tmp_path: Path):
    with pytest.raises(DatasetError):
        load_dataset(name, tmp_path)


@pytest.mark.parametrize("name", ["qmsum", "friendsqa", "locomo"])
def test_files_of_another_form_are_explained(name: str, tmp_path: Path):
    miniatures.write(tmp_path / "other.json", {"something": 1})
    with pytest.raises(DatasetError, match=r"other\.json"):
        load_dataset(name, tmp_path)
