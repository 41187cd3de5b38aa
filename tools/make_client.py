"""`make client`: the synchronous client, made from the asynchronous one.

`python tools/make_client.py --check` writes nothing, and fails where it would.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "api" / "client"
HEADER = "# Made from ../_async by `make client`; change that instead.\n"

REPLACEMENTS = {
    "AsyncClient": "Client",
    "AsyncConnection": "Connection",
    "AsyncForestClient": "ForestClient",
    "AsyncJobs": "Jobs",
    "AsyncMessages": "Messages",
    "AsyncPages": "Pages",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
    "off_loop": "directly",
    "sleep_async": "sleep",
}
# Docstrings, of which unasync changes nothing.
TEXTS = {
    "The client, written once; `_sync` is made from this folder by `make client`.": (
        "The client for code that waits; made from `_async` by `make client`."
    ),
    "`AsyncForestClient": "`ForestClient",
}


def made() -> dict[str, str]:
    """The files of `_sync` by name, as they should be."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "_async"), Path(folder, "_sync")
        source.mkdir()
        for path in (CLIENT / "_async").glob("*.py"):
            (source / path.name).write_bytes(path.read_bytes())
        rule = unasync.Rule(str(source), str(target), REPLACEMENTS)
        unasync.unasync_files([str(path) for path in sorted(source.iterdir())], [rule])
        for path in target.iterdir():
            text = path.read_text("utf-8")
            for old, new in TEXTS.items():
                text = text.replace(old, new)
            path.write_text(HEADER + text, "utf-8")
        # Order of imports, and what is simpler where nothing is awaited.
        _ruff(
            "check", "--quiet", "--fix", "--unsafe-fixes", "--select", "I,UP028,C416", str(target)
        )
        _ruff("format", "--quiet", str(target))
        return {path.name: path.read_text("utf-8") for path in sorted(target.glob("*.py"))}


def stale() -> list[str]:
    """Names of the files of `_sync` that are not as they should be, or should not be."""
    wanted = made()
    there = {path.name: path.read_text("utf-8") for path in (CLIENT / "_sync").glob("*.py")}
    return sorted(name for name in wanted | there if wanted.get(name) != there.get(name))


def main() -> int:
    """Write the files, or with `--check` say which are stale."""
    changed = stale()
    if "--check" in sys.argv[1:]:
        if changed:
            sys.stderr.write(f"Stale in api/client/_sync: {', '.join(changed)}. Run make client.\n")
        return bool(changed)
    wanted = made()
    (CLIENT / "_sync").mkdir(exist_ok=True)
    for name in changed:
        if name in wanted:
            (CLIENT / "_sync" / name).write_text(wanted[name], "utf-8")
        else:
            (CLIENT / "_sync" / name).unlink()
    return 0


def _ruff(*arguments: str) -> None:
    settings = ("--config", str(ROOT / "pyproject.toml"))
    subprocess.run([sys.executable, "-m", "ruff", *arguments, *settings], check=True)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
