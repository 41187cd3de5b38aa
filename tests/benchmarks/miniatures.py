"""Invented files in the format of each dataset, a few messages each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write(path: Path, content: Any) -> None:
    """`content` as JSON; a list of lines for `.jsonl`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content), encoding="utf-8")


def slack(id_: str, channel: str, name: str, user: str, time: str, text: str) -> dict[str, Any]:
    """One message as HERB has it."""
    return {
        "id": id_,
        "Channel": {"channelID": channel, "name": name},
        "Message": {"User": {"userId": user, "timestamp": time, "text": text}, "Reactions": []},
        "ThreadReplies": [],
    }


def herb(folder: Path) -> Path:
    """Two products that use the same message id, a renamed channel, quoted user ids."""
    employees = {
        "eid_0a": {"employee_id": "eid_0a", "name": "Ada Quill", "role": "Engineer"},
        "eid_0b": {"employee_id": "eid_0b", "name": "Bo Lark", "role": "Designer"},
    }
    write(folder / "metadata" / "employee.json", employees)
    kite = [
        slack("m1", "ch-1", "plan-kite", "slack_admin_bot", "2026-01-02T09:00:00", "Created."),
        slack(
            "m2",
            "ch-1",
            "plan-kite",
            "'eid_0a'",
            "2026-01-02T09:05:00",
            "@'eid_0b' see <https://docs.example/kite|Kite Plan> &amp; reply",
        ),
        slack("m3", "ch-1", "plan-glider", "eid_0b", "2026-01-03T09:00:00", "Fine by me."),
    ]
    reef = [slack("m2", "ch-2", "plan-reef", "eid_9f", "2026-01-04T08:00:00", "Reef is late.")]
    write(folder / "products" / "Kite.json", {"team": [], "customers": [], "slack": kite})
    write(folder / "products" / "Reef.json", {"team": [], "customers": [], "slack": reef})
    asked = [
        {
            "product": "Kite",
            "question": "Who shared the plan?",
            "ground_truth": [],
            "citations": ["kite_plan_document", "m2", "m3"],
            "type": "person",
        },
        {
            "product": "Reef",
            "question": "Is Reef late?",
            "ground_truth": "yes",
            "citations": ["m2"],
            "type": "content",
        },
    ]
    write(folder / "qa" / "answerable.jsonl", asked)
    write(folder / "qa" / "unanswerable.jsonl", [])
    return folder


def qmsum(folder: Path) -> Path:
    """Two meetings; spans are strings, and one runs past the end."""
    turns = [
        {"speaker": "Chair", "content": "{vocalsound} Shall we begin ?"},
        {"speaker": "Cook", "content": "The oven is broken ."},
        {"speaker": "Chair", "content": "{disfmarker}"},
        {"speaker": "Cook", "content": "A new one costs nine hundred ."},
    ]
    query = {
        "query": "What is wrong with the oven?",
        "answer": "It is broken.",
        "relevant_text_span": [["1", "1"], ["3", "9"]],
    }
    first = {
        "meeting_transcripts": turns,
        "general_query_list": [{"query": "Summarize the meeting", "answer": "An oven."}],
        "specific_query_list": [query],
        "topic_list": [],
    }
    second = {
        "meeting_transcripts": [{"speaker": "Chair", "content": "The garden is dry ."}],
        "general_query_list": [],
        "specific_query_list": [
            {"query": "How is the garden?", "answer": "Dry.", "relevant_text_span": [["0", "0"]]}
        ],
        "topic_list": [],
    }
    write(folder / "m1.json", first)
    write(folder / "m2.json", second)
    return folder


def friendsqa(folder: Path) -> Path:
    """One scene; the key of its utterances really ends in a colon."""
    utterances = [
        {"uid": 0, "speakers": ["Ines"], "utterance": "Where is my umbrella ?"},
        {"uid": 1, "speakers": ["Olaf", "Pim"], "utterance": "On the bus ."},
        {"uid": 2, "speakers": [], "utterance": "( A door slams . )"},
    ]
    asked = [
        {
            "id": "s01_e01_c01_Where",
            "question": "Where is the umbrella ?",
            "answers": [
                {"answer_text": "bus", "utterance_id": 1, "inner_start": 2, "inner_end": 2},
                {"answer_text": "umbrella", "utterance_id": 0, "inner_start": 3, "inner_end": 3},
            ],
        },
        {
            "id": "s01_e01_c01_Where_Paraphrased",
            "question": "On what did it stay ?",
            "answers": [{"answer_text": "bus", "utterance_id": 1}],
        },
    ]
    scene = {"title": "s01_e01_c01", "paragraphs": [{"utterances:": utterances, "qas": asked}]}
    write(folder / "mini.json", {"data": [scene], "version": 2.0})
    return folder


def locomo(folder: Path) -> Path:
    """One conversation; a session without turns, two ids in one entry, an adversarial question."""
    conversation = {
        "speaker_a": "Ines",
        "speaker_b": "Olaf",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I adopted a goat."},
            {
                "speaker": "Olaf",
                "dia_id": "D1:2",
                "text": "Look!",
                "img_url": ["https://pictures.example/1.jpg"],
                "blip_caption": "a photo of a barn",
            },
        ],
        "session_2_date_time": "9:00 am on 10 May, 2023",
        "session_10_date_time": "12:30 am on 1 June, 2023",
        "session_10": [{"speaker": "Ines", "dia_id": "D10:1", "text": "The goat ate my hat."}],
        "events_session_1": {},
        "qa": [
            {
                "question": "What became of the hat?",
                "answer": "Eaten",
                "evidence": ["D10:1"],
                "category": 4,
            },
            {
                "question": "Which animals and buildings came up?",
                "answer": "goat, barn",
                "evidence": ["D1:1; D1:2", "D7:7", "D"],
                "category": 1,
            },
            {"question": "Is Olaf fond of goats?", "answer": "?", "evidence": [], "category": 3},
            {"question": "What did the cow eat?", "evidence": ["D1:1"], "category": 5},
        ],
    }
    write(folder / "7.json", conversation)
    return folder


def evermembench(folder: Path) -> Path:
    """One topic; a group that is null on a day, a range of indexes, an `R` that is missing."""

    def said(speaker: str, time: str, text: str, index: int) -> dict[str, Any]:
        return {"speaker": speaker, "time": time, "dialogue": text, "message_index": index}

    days = {
        "2025-01-10": {
            "Group 1": [said("Wen", "2025-01-10 08:00:00", "Signed.", 1)],
            "Group 2": None,
        },
        "2025-01-09": {
            "Group 1": [
                said("Wen", "2025-01-09 09:32:15", "The lease ends in May.", 1),
                said("Yara", "2025-01-09 09:33:00", "Which one?", 2),
                said("Wen", "2025-01-09 09:34:00", "The one of the depot.", 3),
                said("Yara", "2025-01-09 09:35:00", "Noted.", 4),
            ],
            "Group 2": [said("Yara", "2025-01-09 10:00:00", "Lunch?", 1)],
        },
    }
    asked = [
        {
            "id": "F_SH_Top004_001",
            "Q": "When does the lease of the depot end?",
            "A": "May",
            "options": None,
            "R": [
                {"date": "2025-01-09", "group": "Group 1", "message_index": "1, 3-4"},
                {"date": "2025-01-10", "group": "Group 1", "message_index": "1"},
                {"date": "2025-01-10", "group": "Group 2", "message_index": "1"},
            ],
        },
        {"id": "MA_C_Top004_002", "Q": "What next?", "A": "A", "options": {"A": "Rest"}},
    ]
    write(folder / "004" / "dialogue_en.json", {"dialogues": days})
    write(folder / "004" / "qa_004.json", {"qars": asked})
    return folder


def groupmembench(folder: Path) -> Path:
    """Two channels, not in time order; `reply_to` written in all three ways of saying none."""

    def node(number: int, author: str, time: str, text: str, reply: Any) -> dict[str, Any]:
        return {
            "msg_node": f"Msg_{number}",
            "content": text,
            "author": author,
            "role": "Analyst",
            "timestamp": time,
            "reply_to": reply,
            "phase_name": "Kickoff",
            "topic": "audit",
            "is_noise": False,
            "is_decision_point": False,
        }

    content = {
        "audit": [
            node(3, "User_2", "2025-07-19T03:00:00", "Agreed, the 18th.", "Msg_2"),
            node(1, "User_1", "2025-07-19T01:00:00", "When is the audit?", None),
            node(2, "User_2", "2025-07-19T02:00:00", "On the 18th?", "Msg_1"),
            node(4, "User_1", "2025-07-19T04:00:00", "Tea?", "null"),
        ],
        "random": [node(5, "User_3", "2025-07-19T05:00:00", "Hello.", "")],
    }
    write(folder / "domain.json", content)
    asked = [
        {
            "id": "q1",
            "question": "Which day did I hear for the audit?",
            "answer": "18th",
            "asking_user_id": "User_1",
            "evidence_msg_ids": ["Msg_2", "Msg_3"],
        }
    ]
    write(folder / "questions" / "multi_hop.jsonl", asked)
    missing = [{"id": "a1", "question": "Who won?", "answer": "?", "asking_user_id": "User_9"}]
    write(folder / "questions" / "abstention.jsonl", missing)
    return folder
