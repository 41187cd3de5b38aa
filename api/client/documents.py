"""The queries of the client, one file each, as they are sent.

A service that runs trusted documents alone (`serve_trusted_documents`) can be given this folder.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

FOLDER = resources.files(__package__) / "queries"


@cache
def document(name: str) -> str:
    """The text of `queries/NAME.graphql`."""
    return (FOLDER / f"{name}.graphql").read_text(encoding="utf-8")
