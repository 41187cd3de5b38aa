"""What a user gets who installs the package, as opposed to a checkout."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {"api", "benchmarks", "builders", "cypher", "graph", "retrieval", "text"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git would hand out, so that no build writes into the work tree."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    copy = tmp_path_factory.mktemp("checkout")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    pip(["wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(out), str(checkout)])
    (built,) = out.glob("*.whl")
    return built


def pip(arguments: list[str]) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments],
        check=True,
        stdin=subprocess.DEVNULL,
    )


def test_wheel_holds_every_module_and_its_data_and_nothing_else(checkout: Path, wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {n.removeprefix("egcforest/") for n in names if n.startswith("egcforest/")}
    expected = {
        path.relative_to(checkout).as_posix()
        for room in ROOMS
        for path in (checkout / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == expected | {"__init__.py", "py.typed"}
    assert all(n.startswith("egcforest/") or ".dist-info/" in n for n in names)


def test_installed_wheel_imports_from_another_folder(wheel: Path, tmp_path: Path):
    site = tmp_path / "site"
    pip(["install", "--quiet", "--no-deps", "--target", str(site), str(wheel)])
    probe = "import egcforest, pathlib; print(pathlib.Path(egcforest.__file__).parent)"
    found = subprocess.run(
        [sys.executable, "-P", "-c", probe],
        cwd=tmp_path,
        env={"PYTHONPATH": str(site), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert Path(found) == site / "egcforest"


def test_lock_has_hashes_and_no_addresses():
    lock = (ROOT / "requirements.lock").read_text()
    pinned = [line for line in lock.splitlines() if line and not line.startswith((" ", "#"))]
    assert pinned
    assert all("==" in line and line.endswith("\\") for line in pinned)
    assert "://" not in lock
    assert "torch" not in {line.split("==")[0] for line in pinned}


def test_lock_agrees_with_pyproject():
    """Every requirement is locked, at a version within its bounds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = [
        *project["project"]["dependencies"],
        *(name for extra in ("service", "local", "openai") for name in extras[extra]),
        *project["dependency-groups"]["dev"],
    ]
    locked: dict[str, list[str]] = {}
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", line):
            locked.setdefault(canonicalize_name(match[1]), []).append(match[2])
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is not locked: run `make lock`"
        assert all(version in requirement.specifier for version in versions), requirement
