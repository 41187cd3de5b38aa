"""A fingerprint of a workspace's forests: equal exactly if the same things are stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from .store import ForestStore, Row

_PAGE = 2000
_PARTS = ("trees", "nodes", "messages", "subjects")


async def fingerprint(store: ForestStore, workspace: str) -> str:
    """SHA-256, in hexadecimal, over a canonical reading of what is stored.

    Trees with their cards, nodes with their summaries and terms, the order of children and
    placements, bridges, artifacts, what is derived for messages, and marks that are left. Of a
    vector it counts whether it is there: its numbers depend on the encoder's arithmetic.

    It reads the whole workspace; use it to compare, not in service.
    """
    digest = hashlib.sha256()
    async for line in canonical_lines(store, workspace):
        digest.update(line.encode("utf-8", "surrogatepass"))
        digest.update(b"\n")
    return digest.hexdigest()


async def canonical_lines(store: ForestStore, workspace: str) -> AsyncIterator[str]:
    """What `fingerprint` reads, a line of JSON for each node, without the workspace's name."""
    for part in _PARTS:
        after = ""
        while True:
            rows = await store.read(
                f"forest/fingerprint_{part}",
                {"prefix": f"{workspace}/", "after": after, "limit": _PAGE},
            )
            for row in rows:
                yield _line(part, row, workspace)
            if len(rows) < _PAGE:
                break
            after = rows[-1]["key"]


def _line(part: str, row: Row, workspace: str) -> str:
    content = {name: _plain(value) for name, value in row.items()}
    for name in ("children", "messages", "artifacts", "bridges", "about", "root"):
        if name in content:
            content[name] = sorted(content[name])
    text = json.dumps([part, content], ensure_ascii=False, sort_keys=True)
    # A line of `renames` ends in a message's key.
    text = text.replace(f"\\t{workspace}/", "\\t/")
    # So that the same log in two workspaces has one fingerprint.
    return text.replace(f'"{workspace}/', '"/').replace(f'"{workspace}"', '""')


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if hasattr(value, "to_native"):
        value = value.to_native()
    return value.isoformat() if isinstance(value, datetime) else value
