"""Whether the extra `local` is installed."""

from __future__ import annotations

from importlib.util import find_spec

from ..errors import PrivateNeo4jError

_PACKAGES = ("filelock", "jgo", "neo4j", "psutil")


def require_local_extra() -> None:
    """Raise `PrivateNeo4jError` if a package of the extra is missing."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise PrivateNeo4jError(
            f"The private Neo4j needs the packages {', '.join(missing)}.",
            "Run `pip install 'egcforest[service,local]'`, or use a server of your own "
            "(EGCFOREST_NEO4J_URI).",
        )
