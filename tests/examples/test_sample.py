"""The sample workspace and its questions keep what examples/README.md promises."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WORKSPACE = EXAMPLES / "workspace"
SPOKEN_SUBTYPES = {None, "bot_message", "thread_broadcast"}
KINDS = {
    "single_fact",
    "multi_hop",
    "update",
    "temporal",
    "actor",
    "artifact",
    "bridge",
    "no_answer",
    "no_access",
}
DAY_S = 86_400
HAN_OR_KANA = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
KANA = re.compile(r"[\u3040-\u30ff]")
GERMAN = re.compile(r"\b(?:der|die|das|und|nicht|ist|ich|für|wir|auf|bitte|wurde|mit)\b", re.I)
ARTIFACTS = {
    "PR #482": r"(?:#|pull/|pull request |\b)482\b",
    "PR #519": r"(?:#|pull/|pull request )519\b",
    "PR #527": r"(?:#|pull/|pull request )527\b",
    "OPS-214": r"\bOPS-214\b",
    "FW-88": r"\bFW-88\b",
    "SUP-1309": r"(?i:\bSUP-1309\b)",
    "Alert Routing Design": r"Alert Routing Design",
    "Cold Start Handbook": r"Cold Start Handbook",
    "Audit Pack GDP 2026": r"Audit Pack",
    "v2.4.0": r"\bv2\.4\.0\b",
    "INC-37": r"\bINC-37\b",
}

Json = dict[str, Any]


@dataclass(frozen=True)
class Conversation:
    """One channel or direct conversation; `members` is None where everybody may read."""

    id: str
    name: str
    kind: str
    members: frozenset[str] | None
    messages: tuple[Json, ...]


def load(name: str) -> list[Json]:
    """One of the lists at the top of the export."""
    content = json.loads((WORKSPACE / name).read_text(encoding="utf-8"))
    assert isinstance(content, list)
    return content


@cache
def users() -> dict[str, Json]:
    """All users by id, people and bots."""
    return {user["id"]: user for user in load("users.json")}


@cache
def conversations() -> dict[str, Conversation]:
    """All conversations by id, their messages in the order of the files."""
    found: dict[str, Conversation] = {}
    for kind in ("channels", "groups", "dms", "mpims"):
        for entry in load(f"{kind}.json"):
            name: str = entry.get("name") or entry["id"]
            days = sorted((WORKSPACE / name).glob("*.json"))
            messages = [m for day in days for m in json.loads(day.read_text(encoding="utf-8"))]
            members = None if kind == "channels" else frozenset(entry["members"])
            found[entry["id"]] = Conversation(entry["id"], name, kind, members, tuple(messages))
    return found


def spoken() -> Iterator[tuple[Conversation, Json]]:
    """Every message that a person or a bot wrote and that still stands."""
    for conversation in conversations().values():
        for message in conversation.messages:
            if message.get("subtype") in SPOKEN_SUBTYPES:
                yield conversation, message


def people() -> list[Json]:
    """All users that are no bots."""
    return [user for user in users().values() if not user["is_bot"]]


@cache
def questions() -> tuple[Json, ...]:
    """All questions in file order."""
    lines = (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def may_see(asker: str, reference: Json) -> bool:
    """Whether the asker may read the conversation that a reference points into."""
    members = conversations()[reference["channel"]].members
    return members is None or asker in members


def sentences(text: str) -> Iterator[str]:
    """Sentences of more than two words (or eight Japanese characters), as case-folded words."""
    for part in re.split(r"[.!?。！？\n]+", re.sub(r":[a-z0-9_+-]+:", "", text)):
        words = re.findall(r"\w+", part.casefold())
        joined = " ".join(words)
        if len(words) > 2 or (HAN_OR_KANA.search(joined) and len(joined) > 8):
            yield joined


def ids_of(items: tuple[Json, ...]) -> list[str]:
    return [item["id"] for item in items]


# --- size and cast


def test_there_is_enough_of_everything() -> None:
    kinds = Counter(conversation.kind for conversation in conversations().values())
    assert kinds["channels"] + kinds["groups"] >= 10
    assert kinds["groups"] == 2
    assert kinds["dms"] >= 1
    assert sum(1 for _ in spoken()) >= 600
    assert all(len(c.messages) >= 15 for c in conversations().values())


def test_cast_has_titles_two_bots_and_one_who_left() -> None:
    cast = people()
    assert len(cast) >= 14
    assert all(person["profile"]["title"].strip() for person in cast)
    assert len({person["profile"]["title"] for person in cast}) == len(cast)
    assert sum(user["is_bot"] for user in users().values()) == 2
    left = [person["id"] for person in cast if person["deleted"]]
    assert len(left) == 1
    assert sum(message.get("user") == left[0] for _, message in spoken()) >= 5


def test_two_people_share_a_first_name_and_both_speak() -> None:
    by_first_name = Counter(person["profile"]["first_name"] for person in people())
    shared = [name for name, count in by_first_name.items() if count > 1]
    assert shared == ["Sam"]
    authors = Counter(message.get("user") for _, message in spoken())
    sams = [p for p in people() if p["profile"]["first_name"] == "Sam"]
    assert len({sam["real_name"] for sam in sams}) == 2
    assert all(authors[sam["id"]] >= 20 for sam in sams)


def test_everybody_speaks_and_every_author_is_known() -> None:
    authors = {message["user"] for _, message in spoken() if "user" in message}
    assert authors == {person["id"] for person in people()}
    bot_ids = {u["profile"]["bot_id"] for u in users().values() if u["is_bot"]}
    assert {m["bot_id"] for _, m in spoken() if m.get("subtype") == "bot_message"} == bot_ids


def test_four_months_without_a_gap() -> None:
    moments = sorted(float(message["ts"]) for _, message in spoken())
    months = {datetime.fromtimestamp(moment, UTC).strftime("%Y-%m") for moment in moments}
    assert months == {"2026-03", "2026-04", "2026-05", "2026-06"}
    assert moments[-1] - moments[0] >= 115 * DAY_S
    assert max(after - before for before, after in pairwise(moments)) <= 5 * DAY_S


# --- layout


def test_folders_match_the_conversations() -> None:
    folders = {path.name for path in WORKSPACE.iterdir() if path.is_dir()}
    assert folders == {conversation.name for conversation in conversations().values()}
    assert load("integration_logs.json") == []


def test_each_day_file_is_sorted_and_holds_its_own_day() -> None:
    for path in WORKSPACE.glob("*/*.json"):
        stamps = [float(m["ts"]) for m in json.loads(path.read_text(encoding="utf-8"))]
        assert stamps, path
        assert stamps == sorted(stamps), path
        days = {datetime.fromtimestamp(stamp, UTC).date().isoformat() for stamp in stamps}
        assert days == {path.stem}, path


def test_timestamps_are_unique_strings_within_a_conversation() -> None:
    for conversation in conversations().values():
        stamps = [message["ts"] for message in conversation.messages]
        assert len(set(stamps)) == len(stamps), conversation.name
        assert all(re.fullmatch(r"\d{10}\.\d{6}", stamp) for stamp in stamps)


def test_members_are_known_and_only_members_speak_in_private() -> None:
    for conversation in conversations().values():
        if conversation.members is None:
            continue
        assert conversation.members <= set(users())
        speakers = {m["user"] for m in conversation.messages if m.get("user") != "USLACKBOT"}
        assert speakers <= conversation.members, conversation.name


def test_mentions_resolve_and_hosts_are_reserved() -> None:
    for conversation, message in spoken():
        text = message["text"]
        for user in re.findall(r"<@(U\w+)", text):
            assert user in users(), text
        for channel in re.findall(r"<#(C\w+)", text):
            assert conversations()[channel].kind == "channels", text
        assert not re.search(r"&(?!amp;|lt;|gt;)", text), (conversation.name, text)
        assert not re.search(r"[@{]\w{3}\b[}]?(?=[ ,.]|$)", re.sub(r"<[^>]*>", "", text)), text
    everything = "".join(p.read_text(encoding="utf-8") for p in WORKSPACE.rglob("*.json"))
    hosts = set(re.findall(r"https?://([^/\"|>\s]+)", everything))
    hosts |= set(re.findall(r"[\w.]+@([\w-]+(?:\.[\w-]+)+)", everything))
    assert hosts
    assert all(host.endswith(".example") for host in hosts), hosts


# --- threads, edits, deletions, files


def test_reply_metadata_is_consistent() -> None:
    for conversation in conversations().values():
        by_ts = {message["ts"]: message for message in conversation.messages}
        replies: dict[str, list[Json]] = {}
        for message in conversation.messages:
            root = message.get("thread_ts")
            if root and root != message["ts"]:
                replies.setdefault(root, []).append(message)
        roots = {ts for ts, message in by_ts.items() if "reply_count" in message}
        assert roots == set(replies), conversation.name
        for ts, answers in replies.items():
            root = by_ts[ts]
            listed = [{"user": answer["user"], "ts": answer["ts"]} for answer in answers]
            assert root["replies"] == listed
            assert root["reply_count"] == len(listed)
            assert root["latest_reply"] == listed[-1]["ts"]
            assert root["reply_users"] == list(dict.fromkeys(r["user"] for r in listed))
            assert root["reply_users_count"] == len(root["reply_users"])
            assert all(float(answer["ts"]) > float(ts) for answer in answers)
            if root.get("subtype") != "bot_message":
                assert {answer["parent_user_id"] for answer in answers} == {root["user"]}


def test_some_replies_come_days_later() -> None:
    late = [
        message
        for _, message in spoken()
        if "thread_ts" in message
        and float(message["ts"]) - float(message["thread_ts"]) >= 2 * DAY_S
    ]
    assert len(late) >= 20


def test_edits_and_deletions() -> None:
    every = [m for c in conversations().values() for m in c.messages]
    edited = [m for m in every if "edited" in m]
    assert len(edited) >= 8
    assert all(float(m["edited"]["ts"]) > float(m["ts"]) for m in edited)
    tombstones = [m for m in every if m.get("subtype") == "tombstone"]
    assert tombstones
    assert all(m["reply_count"] and m["text"] == "This message was deleted." for m in tombstones)
    changed = [m for m in every if m.get("subtype") == "message_changed"]
    assert changed
    by_ts = {m["ts"]: m for m in every}
    for event in changed:
        assert event["message"]["text"] != event["previous_message"]["text"]
        assert by_ts[event["message"]["ts"]]["text"] == event["message"]["text"]
    deleted = [m for m in every if m.get("subtype") == "message_deleted"]
    assert deleted
    assert all(m["deleted_ts"] not in by_ts for m in deleted)


def test_files_are_shared() -> None:
    files = [file for _, message in spoken() for file in message.get("files", [])]
    assert len(files) >= 15
    assert len({file["id"] for file in files}) == len(files)
    assert all(file["title"] and file["mimetype"] and file["permalink"] for file in files)


# --- what is said


def test_no_sentence_stands_twice() -> None:
    where: dict[str, str] = {}
    twice: list[tuple[str, str, str]] = []
    for conversation, message in spoken():
        for sentence in sentences(message["text"]):
            here = f"{conversation.name}/{message['ts']}"
            if sentence in where:
                twice.append((sentence, where[sentence], here))
            where[sentence] = here
    assert len(where) > 900
    assert twice == []


def test_german_and_japanese_are_spoken() -> None:
    german = [m for _, m in spoken() if len(GERMAN.findall(m["text"])) >= 3]
    japanese = [m for _, m in spoken() if len(KANA.findall(m["text"])) >= 5]
    assert len(german) >= 10
    assert len(japanese) >= 15


def test_the_project_has_its_new_name_only_after_the_rename() -> None:
    renames = [
        message
        for conversation in conversations().values()
        for message in conversation.messages
        if message.get("subtype") == "channel_name"
    ]
    assert len(renames) == 1
    at = float(renames[0]["ts"])
    public = [message for conversation, message in spoken() if conversation.members is None]
    old = [float(m["ts"]) for m in public if re.search(r"\b[Pp]roject Heron\b", m["text"])]
    new = [float(m["ts"]) for m in public if re.search(r"\bLantern\b", m["text"])]
    assert min(old) < at - 30 * DAY_S
    assert len(new) >= 8
    assert min(new) > at - 600


@pytest.mark.parametrize("name", ARTIFACTS)
def test_artifact_lives_in_several_channels(name: str) -> None:
    named = [(c.name, m) for c, m in spoken() if re.search(ARTIFACTS[name], m["text"])]
    assert len({channel for channel, _ in named}) >= 2
    moments = [float(message["ts"]) for _, message in named]
    assert max(moments) - min(moments) > DAY_S


# --- questions


def test_questions_cover_every_kind() -> None:
    assert len(questions()) >= 45
    assert len(set(ids_of(questions()))) == len(questions())
    assert len({question["question"] for question in questions()}) == len(questions())
    counts = Counter(question["kind"] for question in questions())
    assert set(counts) == KINDS
    assert min(counts.values()) >= 3
    assert sum(bool(KANA.search(q["question"])) for q in questions()) >= 3
    assert sum(len(GERMAN.findall(q["question"])) >= 2 for q in questions()) >= 3


@pytest.mark.parametrize("question", questions(), ids=ids_of(questions()))
def test_question_is_well_formed(question: Json) -> None:
    kind = question["kind"]
    asker = users()[question["asker"]]
    assert not asker["is_bot"]
    assert not asker["deleted"]
    assert question["answer"].strip()
    evidence, hidden = question["evidence"], question.get("hidden", [])
    standing = {(c.id, message["ts"]) for c, message in spoken()}
    for reference in [*evidence, *hidden]:
        assert (reference["channel"], reference["ts"]) in standing
    assert len({(r["channel"], r["ts"]) for r in evidence}) == len(evidence)
    assert all(may_see(question["asker"], reference) for reference in evidence)
    assert not any(may_see(question["asker"], reference) for reference in hidden)
    assert bool(hidden) == (kind == "no_access")
    if kind in {"no_answer", "no_access"}:
        assert evidence == []
    else:
        assert 1 <= len(evidence) <= 6
    if kind == "bridge":
        assert len({reference["channel"] for reference in evidence}) >= 2
    if kind == "multi_hop":
        assert len(evidence) >= 2
