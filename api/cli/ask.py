"""`egcforest ask`."""


def ask() -> None:
    """x."""
