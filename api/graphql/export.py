"""The schema as SDL: `python -m egcforest.api.graphql.export` prints it, `make schema` keeps it."""

from __future__ import annotations

import sys

from .schema import build_schema

_HEAD = """\
# The schema of the service, made by `make schema` from api/graphql; CI checks that it is current.
# docs/api.md has queries for dashboards.

"""


def sdl() -> str:
    """The text of docs/schema.graphql."""
    return f"{_HEAD}{build_schema().as_str().strip()}\n"


if __name__ == "__main__":
    sys.stdout.write(sdl())
