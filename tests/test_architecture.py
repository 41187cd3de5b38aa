"""The direction of imports between rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# Which rooms a room may import, itself aside.
MAY_IMPORT: dict[str, set[str]] = {
    "text": set(),
    "cypher": set(),
    "graph": {"text", "cypher"},
    "builders": {"graph", "text"},
    "retrieval": {"graph", "text"},
    "benchmarks": {"builders", "retrieval", "graph", "text", "cypher"},
    # The command line has `egcforest bench`.
    "api": {"benchmarks", "builders", "retrieval", "graph", "text", "cypher"},
    # The root package only hands out names, all of them from the client's room.
    "": {"api"},
}


def modules() -> list[Path]:
    rooms = [path for room in MAY_IMPORT if room for path in (ROOT / room).rglob("*.py")]
    return sorted([*rooms, *ROOT.glob("*.py")])


def imported(path: Path) -> Iterator[str]:
    """Dotted names below the package that the module imports, "graph.store" for instance."""
    here = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = here[: len(here) - node.level + 1]
                base = ".".join(("egcforest", *above, *filter(None, [node.module])))
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (n.removeprefix("egcforest.") for n in names if n.startswith("egcforest."))


def room_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    others = {name.split(".")[0] for name in imported(path)} & set(MAY_IMPORT)
    assert others - {room} <= MAY_IMPORT[room]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_imports_only_between_rooms(path: Path) -> None:
    relative = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    # A relative import in the root package breaks a bare `pytest` in the checkout.
    assert room_of(path) or not relative


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400


def test_the_check_resolves_relative_imports(tmp_path: Path) -> None:
    names = set(imported(ROOT / "graph" / "store.py"))
    assert "cypher" in {name.split(".")[0] for name in names}
    assert "graph.connection.ConnectionConfig" in names
