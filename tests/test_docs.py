"""Documentation names no command, flag, setting, target or file that is not there."""

from __future__ import annotations

import re
import shlex
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from egcforest.api.cli.main import app
from egcforest.api.settings import Settings, variable

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
DOCUMENTS += sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "examples").glob("*.md"))

CODE = re.compile(r"^```[a-z]*\n(.*?)^```|``?([^`\n]+)``?", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:^|[\s(;&|])egcforest((?: +(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s|;&#`)]+))+)")
VARIABLE = re.compile(r"\bEGCFOREST_[A-Z0-9_]+\b")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TARGET = re.compile(r"(?:^|[\s`;&])make ([a-z][a-z-]*)")
SUFFIXES = (".md", ".py", ".toml", ".lock", ".yml", ".grass", ".svg", ".png", ".jsonl", ".cypher")


@pytest.fixture(params=DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def document(request: pytest.FixtureRequest) -> Path:
    return request.param


def snippets(document: Path) -> list[str]:
    return [block or inline for block, inline in CODE.findall(document.read_text("utf-8"))]


@cache
def cli() -> Any:
    return typer.main.get_command(app)


def check_command(words: list[str]) -> None:
    """Walk the words through the command tree; every flag must belong to its command."""
    command, flags = cli(), options_of(cli())
    for word in words:
        if word.startswith("--") or re.fullmatch(r"-[a-z]", word):
            assert word.partition("=")[0] in flags, f"{command.name} has no flag {word}"
        elif hasattr(command, "commands") and word in command.commands:
            command = command.commands[word]
            flags = options_of(command)
        elif hasattr(command, "commands") and re.fullmatch(r"[a-z][a-z0-9-]*", word):
            previous = words[words.index(word) - 1] if words.index(word) else ""
            assert previous.startswith("--"), f"{command.name} has no command {word}"


def options_of(command: Any) -> set[str]:
    return {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)} | {
        "--help",
        "-h",
    }


def test_commands_and_flags_exist(document: Path):
    for snippet in snippets(document):
        for match in COMMAND.finditer(snippet):
            words = shlex.split(match[1])
            if words[0] not in {"=", ".", "import"}:
                check_command(words)


def test_make_targets_exist(document: Path):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for snippet in snippets(document):
        assert set(TARGET.findall(snippet)) <= targets


def test_variables_exist(document: Path):
    known = {variable(name) for name in Settings.model_fields}
    # The rest is read by settings itself, by the tests, or by the Makefile.
    sources = [*(ROOT / "api").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), ROOT / "Makefile"]
    code = "\n".join(path.read_text("utf-8") for path in sources if path != Path(__file__))
    for name in set(VARIABLE.findall(document.read_text("utf-8"))) - known - {"EGCFOREST_"}:
        prefix, _, last = name.rpartition("_")
        assert name in code or f"{prefix}_{{" in code, f"{name} is not read anywhere ({last})"


def test_links_and_files_exist(document: Path):
    text = document.read_text("utf-8")
    for link in LINK.findall(text):
        if "://" not in link and not link.startswith("#"):
            assert (document.parent / link.partition("#")[0]).exists(), link
    for snippet in snippets(document):
        if "\n" in snippet or " " in snippet or "://" in snippet or not snippet.endswith(SUFFIXES):
            continue
        if any(mark in snippet for mark in "*<…$") or snippet.startswith(("~", ".", "egcforest.")):
            continue
        places = (ROOT, document.parent, ROOT / "examples" / "workspace", ROOT / "examples")
        assert any((place / snippet).exists() for place in places) or is_tracked(snippet), snippet


@cache
def tracked() -> frozenset[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    return frozenset(Path(line).name for line in listed.stdout.splitlines())


def is_tracked(name: str) -> bool:
    return "/" not in name and name in tracked()


def test_every_setting_is_documented_with_its_default():
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z_0-9]+)` \|([^|]*)\|", text, re.MULTILINE))
    assert set(rows) == set(Settings.model_fields)
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, int | str) and field.default != "":
            default = field.default
            written = str(default).lower() if isinstance(default, bool) else str(default)
            assert rows[name].strip() == f"`{written}`", name


def test_documents_name_no_package_hosts_and_no_machine_paths():
    hosts = "|".join(("pypi" + r"\.org", "python" + "hosted", "maven" + r"\.org", "npm" + "js"))
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        assert not re.search(rf"{hosts}|/home/|/root/", text)
        # No folder from the root of a machine, but for the example of where models may lie, and
        # where compose puts secrets.
        assert set(re.findall(r"(?<![\w.~/-])/[\w.-]+/", text)) <= {"/models/", "/run/"}
