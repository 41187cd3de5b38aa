"""EGCForest: a memory for group chat with verbatim, cited evidence."""

__version__ = "0.1.0"

__all__ = ["__version__"]
