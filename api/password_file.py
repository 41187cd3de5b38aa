"""The password of Neo4j in a file, as secrets of compose and Kubernetes come."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import SettingsError

IN_CLEAR = "neo4j_password"
IN_FILE = "neo4j_password_file"
_SHAPES = frozenset((IN_CLEAR, IN_FILE))
_LONGEST_BYTES = 4096


def drop_overridden(*sources: Mapping[str, Any]) -> dict[str, Any]:
    """All that the sources give, the first one foremost, of the two settings one at most.

    Raises:
        SettingsError: one source gives the password and a file of it as well.
    """
    merged: dict[str, Any] = {}
    for source in sources:
        # One setting in two shapes: what stands further ahead overrides either of them.
        overridden = _SHAPES if _SHAPES & merged.keys() else frozenset()
        given = {name: value for name, value in source.items() if name not in overridden}
        if given.keys() >= _SHAPES:
            raise SettingsError(f"Both {IN_CLEAR} and {IN_FILE} are set.", "Leave one of them out.")
        merged = given | merged
    return merged


def read_password(path: Path) -> str:
    """The one line of the file, without its end.

    Raises:
        SettingsError: the file cannot be read, or holds no password. What it holds is not said.
    """
    remedy = f"{IN_FILE} names a file that holds the password and nothing else."
    try:
        with path.open("rb") as file:
            content = file.read(_LONGEST_BYTES + 1)
    except FileNotFoundError:
        raise SettingsError(f"There is no password file {path}.", remedy) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SettingsError(
            f"The password file {path} cannot be read: {reason}.",
            "Let the user that this process runs as read it.",
        ) from None
    try:
        text = content.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        # Its own words would tell a part of the content.
        raise SettingsError(f"The password file {path} is not UTF-8.", remedy) from None
    if not text:
        raise SettingsError(f"The password file {path} is empty.", remedy)
    if len(content) > _LONGEST_BYTES or "\n" in text:
        raise SettingsError(f"The password file {path} holds more than one line.", remedy)
    return text
