"""What is remembered of a server between commands: `state.json` and the password."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, fields
from typing import Any

from ..errors import PrivateNeo4jError
from .layout import Layout
from .storage import write_private

_PASSWORD_BYTES = 24  # as hexadecimal digits: no tool takes it for an option, no shell for more


@dataclass(frozen=True, slots=True)
class ServerState:
    """The last known state; `pid` is 0 when the server was stopped.

    Attributes:
        ready: whether the process has answered an authenticated query.
        store_version: newest Neo4j that has ever opened the store; empty if none has.
    """

    bolt_port: int = 0
    http_port: int = 0
    pid: int = 0
    ready: bool = False
    version: str = ""
    store_version: str = ""


def read_state(layout: Layout) -> ServerState:
    """Read the state; a missing or damaged file is an empty state."""
    try:
        raw: Any = json.loads(layout.state_file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return ServerState()
    if not isinstance(raw, dict):
        return ServerState()
    known: dict[str, Any] = {}
    for field in fields(ServerState):
        value = raw.get(field.name, field.default)
        if type(value) is not type(field.default):
            return ServerState()
        known[field.name] = value
    return ServerState(**known)


def write_state(layout: Layout, state: ServerState) -> None:
    """Write the state whole."""
    write_private(layout.state_file, json.dumps(asdict(state), indent=2) + "\n")


def ensure_password(layout: Layout) -> str:
    """The password; a random one is made for a store that was never started."""
    if not layout.password_file.exists() and not layout.system_database.exists():
        write_private(layout.password_file, secrets.token_hex(_PASSWORD_BYTES) + "\n")
    return read_password(layout)


def read_password(layout: Layout) -> str:
    """The password; raises `PrivateNeo4jError` if its file is missing or empty."""
    path = layout.password_file
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        password = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        password = ""
    if not password and not layout.system_database.exists():
        raise PrivateNeo4jError(
            "The private Neo4j was never started and has no password yet.",
            "Start it with `egcforest neo4j start`.",
        )
    if not password:
        raise PrivateNeo4jError(
            f"The password of the private Neo4j is missing from {path}.",
            "Restore the file, or move the data folder away to start with an empty graph.",
        )
    return password
