"""Named Cypher texts, one file each; `load` hands them out by name.

A name is the path below this room without the suffix, such as `log/create_entries`. Each file
holds one statement and starts with comments: what it returns, which index it leans on, and why
it is shaped as it is.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["UnknownQueryError", "load", "names"]

_SUFFIX = ".cypher"


class UnknownQueryError(LookupError):
    """No Cypher file has the name asked for."""


@cache
def _texts() -> dict[str, str]:
    return dict(sorted(_walk(files(__name__), "")))


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            name = prefix + entry.name.removesuffix(_SUFFIX)
            found.append((name, entry.read_text(encoding="utf-8")))
    return found


def names() -> tuple[str, ...]:
    """The names of all queries, sorted."""
    return tuple(_texts())


def load(name: str) -> str:
    """The text of the query called `name`.

    Raises:
        UnknownQueryError: there is no such file; the message lists those of the same folder.
    """
    try:
        return _texts()[name]
    except KeyError:
        folder = name.rpartition("/")[0]
        near = [n for n in _texts() if n.rpartition("/")[0] == folder] or list(_texts())
        raise UnknownQueryError(
            f"There is no Cypher file named {name!r}. There are: {', '.join(near)}."
        ) from None
