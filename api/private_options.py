"""From the settings to the options of the private Neo4j."""

from __future__ import annotations

from ..graph.private import PrivateNeo4jOptions
from .settings import Settings


def private_options(settings: Settings) -> PrivateNeo4jOptions:
    """The options of this user's private Neo4j under `settings`."""
    return PrivateNeo4jOptions(
        data_dir=settings.data_dir / "neo4j",
        cache_dir=settings.cache_dir,
        java=settings.java,
        mirror=settings.maven_mirror or None,
        offline_dir=settings.artifacts_dir,
        heap_mib=settings.heap_mib,
        page_cache_mib=settings.page_cache_mib,
    )
