"""The locked artifacts of Neo4j: which jars, how large, with which checksum.

`neo4j.lock` holds one artifact a line: coordinates `group:artifact:version[:classifier]`,
SHA-256, size in bytes, and the system it is for ("-" for all). It holds no addresses.
`python -m egcforest.graph.private.lock_artifacts` writes it anew.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from ..errors import PrivateNeo4jError

LOCK_FILE = Path(__file__).with_name("neo4j.lock")
ANY_SYSTEM = "-"
_SERVER = ("org.neo4j", "neo4j")


@dataclass(frozen=True, slots=True)
class LockedArtifact:
    """One jar of the lock; `size` in bytes, `system` such as "linux-x86_64" or "-" for all."""

    group: str
    name: str
    version: str
    classifier: str
    sha256: str
    size: int
    system: str = ANY_SYSTEM

    @property
    def coordinates(self) -> str:
        """`group:artifact:version[:classifier]`."""
        parts = (self.group, self.name, self.version, self.classifier)
        return ":".join(part for part in parts if part)

    @property
    def file_name(self) -> str:
        """Name of the jar in a flat folder."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.name}-{self.version}{suffix}.jar"

    @property
    def maven_path(self) -> PurePosixPath:
        """Where a Maven repository holds the jar, relative to its root."""
        return PurePosixPath(*self.group.split("."), self.name, self.version, self.file_name)

    def line(self) -> str:
        """The artifact as a line of the lock."""
        return f"{self.coordinates} {self.sha256} {self.size} {self.system}"


def parse_lock(text: str) -> tuple[LockedArtifact, ...]:
    """Parse the text of a lock file; raises `PrivateNeo4jError` naming a bad line."""
    artifacts: list[LockedArtifact] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            coordinates, sha256, size, system = line.split()
            group, name, version, *classifier = coordinates.split(":")
            (classified,) = classifier or [""]
            artifact = LockedArtifact(group, name, version, classified, sha256, int(size), system)
        except ValueError as error:
            raise PrivateNeo4jError(
                f"Line {number} of neo4j.lock is not an artifact: {line!r}.",
                "Reinstall egcforest.",
            ) from error
        artifacts.append(artifact)
    return tuple(artifacts)


@cache
def locked_artifacts() -> tuple[LockedArtifact, ...]:
    """All artifacts of the lock this release brings, for every system."""
    return parse_lock(LOCK_FILE.read_text(encoding="utf-8"))


def this_system() -> str:
    """This machine's name in the lock, such as "macos-aarch64"."""
    systems = {"darwin": "macos", "win32": "windows"}
    machines = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}
    machine = platform.machine().lower()
    return f"{systems.get(sys.platform, sys.platform)}-{machines.get(machine, machine)}"


def artifacts_for(system: str) -> tuple[LockedArtifact, ...]:
    """The artifacts one system needs, natives of other systems left out."""
    return tuple(a for a in locked_artifacts() if a.system in (ANY_SYSTEM, system))


def server_version() -> str:
    """Version of the Neo4j server in the lock."""
    return next(a.version for a in locked_artifacts() if (a.group, a.name) == _SERVER)
