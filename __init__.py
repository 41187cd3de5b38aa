"""EGCForest: a memory for group chat with verbatim, cited evidence."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from egcforest.api.client import AsyncForestClient as AsyncForestClient
    from egcforest.api.client import ForestClient as ForestClient

__version__ = "0.1.0"

__all__ = ["AsyncForestClient", "ForestClient", "__version__"]


def __getattr__(name: str) -> Any:
    # The command line, which has no use for it, would wait half a second for the client.
    if name in __all__:
        import egcforest.api.client

        return getattr(egcforest.api.client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
