"""A small company that says all that the builders must deal with; deterministic."""

import random
from datetime import UTC, datetime, timedelta

PEOPLE = {
    "ana": "Ana Ruiz",
    "ben": "Ben Okafor",
    "chie": "千恵 (Chie)",
    "dirk": "Dirk Vogel",
    "eve": "Eve Stone",
}

DESCRIPTIONS = [
    *(
        {"type": "actor", "id": key, "name": name, "title": f"{name}'s role"}
        for key, name in PEOPLE.items()
    ),
    {"type": "channel", "id": "atlas", "name": "proj-atlas", "purpose": "Building Atlas"},
    {"type": "channel", "id": "plat", "name": "platform"},
    {"type": "channel", "id": "gen", "name": "general"},
    {
        "type": "channel",
        "id": "legal",
        "name": "legal",
        "kind": "private",
        "members": ["ana", "eve"],
    },
    {
        "type": "channel",
        "id": "dm1",
        "name": "ana, ben",
        "kind": "direct",
        "members": ["ana", "ben"],
    },
]

_SAID = {
    "atlas": [
        "Hi team, please review https://git.example/acme/atlas/pull/{pr} for the ingest queue.",
        "I merged PR #{pr} this morning, the batcher is live.",
        "We decided to keep the old ingest path until 2026-04-{day}.",
        "Project Heron makes good progress, the router is done.",
        "LGTM, approved!",
        "I'll write the Atlas Rollout Plan by Friday.",
        "Thanks!",
    ],
    "plat": [
        "INC-{inc} is mitigated, the vacuum job was moved.",
        "PR #{pr} was reverted, see https://wiki.example/page/{inc}.",
        "OPS-{inc} is assigned to me, I take over the pager.",
        "Wir haben entschieden, den Index neu zu bauen.",
        "リリースは延期になりました。担当は千恵です。",
        "Has anyone seen v2.{day}.0 in staging?",
    ],
    "gen": [
        "Lunch is at noon in the yard.",
        "Good morning everyone, hope you are well!",
        "The release v2.{day}.0 shipped to all customers.",
        "Heron was on the agenda of the board.",
    ],
    "legal": [
        "The name Heron is taken, we must not use it. See INC-{inc}.",
        "Eve owns the trademark file trademark-{inc}.pdf until the review is done.",
        "PR #{pr} touches the licence, please keep this here.",
    ],
    "dm1": [
        "Between us: OPS-{inc} worries me.",
        "Did you see PR #{pr}? Ben will take over.",
    ],
}


def message(channel, number, at, author, text, **fields):
    return {
        "channel": channel,
        "id": f"{channel}-{number}",
        "time": at.isoformat(),
        "author": author,
        "text": text,
        **fields,
    }


def talk(count, seed=1):
    """`count` messages, in time order, without descriptions."""
    rng = random.Random(seed)
    at = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    said = []
    by_channel = {}
    for number in range(count):
        at += timedelta(minutes=rng.choice([1, 1, 2, 3, 4, 5, 8, 20, 45, 75, 200, 700]))
        channel = rng.choices(list(_SAID), [5, 4, 3, 2, 1])[0]
        author = rng.choice(["ana", "eve"] if channel == "legal" else list(PEOPLE)[:4])
        if channel == "dm1":
            author = rng.choice(["ana", "ben"])
        text = rng.choice(_SAID[channel]).format(
            pr=40 + number // 25 + rng.randint(0, 3),
            inc=1 + number // 30 + rng.randint(0, 2),
            day=rng.randint(1, 9),
        )
        fields = {}
        if rng.random() < 0.15:
            fields["mentions"] = [rng.choice(["ana", "eve"] if channel == "legal" else ["ben"])]
        before = by_channel.setdefault(channel, [])
        if before and rng.random() < 0.3:
            root = rng.choice(before[-30:])
            fields["thread"] = root.get("thread") or root["id"]
        one = message(channel, number, at, author, f"{text} ({number % 7})", **fields)
        before.append(one)
        said.append(one)
    if count > 20:
        said[count // 2]["text"] = "Project Heron is now called Lantern, please use the new name."
        said[count // 2]["channel"] = "atlas"
        said[count // 2]["id"] = "atlas-rename"
        said[count // 2].pop("thread", None)
    return said
