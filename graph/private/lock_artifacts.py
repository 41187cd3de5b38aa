"""Maintainers' script: write `neo4j.lock` anew.

    python -m egcforest.graph.private.lock_artifacts 2026.07.1 --browser 5.24.0

It resolves the dependencies of Neo4j's server and Browser with jgo, downloads each jar
(into a folder of its own, so that nothing stale is trusted) and records SHA-256 and size.
Commit the difference only after the tests have run against it.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .artifacts import ANY_SYSTEM, LOCK_FILE, LockedArtifact

NATIVE_SYSTEMS = {
    "linux-x86_64": "linux-x86_64",
    "linux-aarch_64": "linux-aarch64",
    "osx-x86_64": "macos-x86_64",
    "osx-aarch_64": "macos-aarch64",
    "windows-x86_64": "windows-x86_64",
}
HEADER = """\
# The artifacts of the private Neo4j: coordinates, SHA-256, bytes, system ("-" for all).
# Written by `python -m egcforest.graph.private.lock_artifacts`; do not edit by hand.
"""


def lock_entry(artifact: Any, repository: Path) -> LockedArtifact:
    """Download one of jgo's artifacts into `repository` and return its line of the lock."""
    from jgo.maven import MavenContext

    component = MavenContext(repo_cache=repository, timeout=60).project(
        artifact.groupId, artifact.artifactId
    )
    fetched = component.at_version(artifact.version).artifact(artifact.classifier, "jar")
    content = fetched.resolve().read_bytes()
    system = NATIVE_SYSTEMS[artifact.classifier] if artifact.classifier else ANY_SYSTEM
    return LockedArtifact(
        artifact.groupId,
        artifact.artifactId,
        artifact.version,
        artifact.classifier,
        hashlib.sha256(content).hexdigest(),
        len(content),
        system,
    )


def write_lock(server: str, browser: str, target: Path = LOCK_FILE) -> int:
    """Resolve, download and record; returns the number of artifacts."""
    import jgo

    found = jgo.resolve(f"org.neo4j:neo4j:{server}+org.neo4j.client:neo4j-browser:{browser}")
    jars = [artifact for artifact in found if artifact.packaging == "jar"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(lambda jar: lock_entry(jar, Path(folder)), jars))
    lines = sorted(entry.line() for entry in entries)
    target.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", help="version of org.neo4j:neo4j")
    parser.add_argument("--browser", required=True, help="version of neo4j-browser")
    arguments = parser.parse_args()
    count = write_lock(arguments.server, arguments.browser)
    sys.stderr.write(f"{count} artifacts locked.\n")


if __name__ == "__main__":
    main()
