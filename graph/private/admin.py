"""Neo4j's administration tool: the password of a store that was never started."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..errors import PrivateNeo4jError
from .config import admin_environment, initial_password_arguments
from .diagnosis import start_failure
from .layout import Layout
from .process import UMASK, child_environment, ending
from .storage import write_private


def set_initial_password(
    layout: Layout, java: Path, jars: Sequence[Path], password: str, version: str, timeout_s: float
) -> None:
    """Set the password; may be repeated until the server has been started once."""
    arguments = layout.admin_arguments
    try:
        write_private(arguments, initial_password_arguments(jars, password))
        done = subprocess.run(  # noqa: S603 (our own Java and arguments)
            [java, f"@{arguments}"],
            cwd=layout.home,
            env=child_environment(admin_environment(layout)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
            umask=UMASK,
        )
    except subprocess.TimeoutExpired as error:
        raise PrivateNeo4jError(
            f"Neo4j's administration tool did not end within {timeout_s:.0f} seconds.",
            "Try again when the machine is less busy.",
        ) from error
    finally:
        arguments.unlink(missing_ok=True)
    if done.returncode != 0:
        printed = (done.stdout + done.stderr).replace(password, "…")
        raise start_failure(layout, version, printed, ending=ending(done.returncode))
