"""From `EGCFOREST_*` to the options of the private Neo4j."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from ..graph.private import PrivateNeo4jOptions

APP = "egcforest"


def private_options() -> PrivateNeo4jOptions:
    """The options of this user's private Neo4j, from the environment and the user's folders."""
    data = _path("EGCFOREST_DATA_DIR") or platformdirs.user_data_path(APP)
    return PrivateNeo4jOptions(
        data_dir=data / "neo4j",
        cache_dir=_path("EGCFOREST_CACHE_DIR") or platformdirs.user_cache_path(APP),
        java=_path("EGCFOREST_JAVA"),
        mirror=os.environ.get("EGCFOREST_MAVEN_MIRROR") or None,
        offline_dir=_path("EGCFOREST_ARTIFACTS_DIR"),
    )


def _path(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value).expanduser() if value else None
