"""Where the process of a command begins: small, so that an interrupt at once ends well too."""

from __future__ import annotations

import sys

EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    try:
        from .main import main as run
    except KeyboardInterrupt:  # half a second of imports
        sys.stderr.write("Interrupted.\n")
        sys.exit(EXIT_INTERRUPTED)
    run()
