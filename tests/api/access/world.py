"""Two companies that say the same in public; one of them also has something to hide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PUBLIC_WORDS = ("lighthouse", "Quayside", "dredger")
"""What only a token of one of the two workspaces may show."""

PRIVATE_WORDS = (
    "Brightwater", "boardroom", "Zebulon", "Okonkwo", "INC-913", "merger", "takeover", "vault-77",
    "u-zeb", "c-board", "Sunset Plan",
)  # fmt: skip
"""What nobody outside the private channel may see, in whatever form."""

OUTSIDER, MEMBER = "u-sam", "u-ana"


def _said(channel: str, id_: str, minute: int, author: str, text: str, **more: Any) -> Any:
    hour, minute = divmod(minute, 60)
    time = f"2026-03-02T{9 + hour:02}:{minute:02}:00Z"
    return {"channel": channel, "id": id_, "time": time, "author": author, "text": text, **more}


PUBLIC: list[Any] = [
    {"type": "actor", "id": "u-ana", "name": "ana", "title": "Harbour master"},
    {"type": "actor", "id": "u-sam", "name": "sam", "title": "Support"},
    {"type": "actor", "id": "u-kim", "name": "kim", "title": "Pilot"},
    {"type": "channel", "id": "c-port", "name": "Quayside", "purpose": "Ships and berths"},
    {"type": "channel", "id": "c-crew", "name": "crew"},
    _said("c-port", "1", 0, "u-ana", "The lighthouse lamp fails again, see OPS-71 and PR #12."),
    _said("c-port", "2", 4, "u-sam", "Is OPS-71 why the dredger waits?", thread="1"),
    _said("c-port", "3", 9, "u-ana", "Yes. PR #12 fixes the lamp of OPS-71.", thread="1"),
    _said("c-port", "4", 31, "u-kim", "Pilot is aboard. Dredger: 23:40.", mentions=["u-sam"]),
    _said("c-port", "5", 52, "u-sam", "OPS-71 can be closed, the lighthouse is lit."),
    _said("c-crew", "6", 55, "u-kim", "Who has the keys of the dredger? OPS-72"),
    _said("c-crew", "7", 57, "u-ana", "I have. OPS-72 is mine.", thread="6"),
    _said("c-port", "8", 80, "u-kim", "After OPS-71 comes OPS-72, and then PR #12 is done."),
]  # fmt: skip

# In between in time, about the same things and about things of its own: counts, orders, bridges
# to the previous mention, summaries and neighbours of what is public might all give it away.
PRIVATE: list[Any] = [
    {
        "type": "actor",
        "id": "u-zeb",
        "name": "Zebulon Okonkwo",
        "title": "Buyer for Brightwater",
        "aliases": ["vault-77"],
    },
    {
        "type": "channel",
        "id": "c-board",
        "name": "boardroom",
        "kind": "private",
        "members": ["u-ana", "u-zeb"],
        "purpose": "The merger",
    },
    _said("c-board", "91", 1, "u-ana", "OPS-71 hides it: Brightwater plans a takeover, INC-913"),
    _said("c-board", "92", 6, "u-zeb", "The merger is PR #12. INC-913 stays here.", thread="91"),
    _said("c-board", "93", 33, "u-zeb", "Is OPS-71 in the Sunset Plan?", mentions=["u-ana"]),
    _said("c-board", "94", 53, "u-ana", "Nobody. The dredger goes to Brightwater with OPS-72."),
    _said("c-board", "95", 56, "u-zeb", "INC-913 and OPS-72: the takeover is on Friday, vault-77."),
    _said("c-board", "96", 79, "u-ana", "The lighthouse too? OPS-71", reply_to="95"),
]  # fmt: skip


def write(path: Path, *, private: bool) -> Path:
    """An export: what is public, with or without the rest."""
    lines = [*PUBLIC, *(PRIVATE if private else ())]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
