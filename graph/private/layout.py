"""Where things are inside one data folder; the folder is the home of its Neo4j."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths below `home`."""

    home: Path

    @property
    def conf_dir(self) -> Path:
        """Configuration, the only thing in it is `neo4j.conf`."""
        return self.home / "conf"

    @property
    def conf_file(self) -> Path:
        """Neo4j's configuration, written anew at each start."""
        return self.conf_dir / "neo4j.conf"

    @property
    def logs_dir(self) -> Path:
        """Neo4j's logs."""
        return self.home / "logs"

    @property
    def console_log(self) -> Path:
        """What the server printed since its last start."""
        return self.logs_dir / "console.log"

    @property
    def debug_log(self) -> Path:
        """Neo4j's own log of everything, one JSON object a line."""
        return self.logs_dir / "debug.log"

    @property
    def server_arguments(self) -> Path:
        """Argument file of the server's Java; its path marks the process as ours."""
        return self.home / "server.args"

    @property
    def admin_arguments(self) -> Path:
        """Argument file of the administration tool; holds the password for a moment."""
        return self.home / "admin.args"

    @property
    def state_file(self) -> Path:
        """What is known of the server: process, ports, version."""
        return self.home / "state.json"

    @property
    def password_file(self) -> Path:
        """The password, mode 0600."""
        return self.home / "password"

    @property
    def lock_file(self) -> Path:
        """Held while somebody starts or stops the server."""
        return self.home / "start.lock"

    @property
    def data_dir(self) -> Path:
        """Everything Neo4j stores."""
        return self.home / "data"

    @property
    def databases(self) -> Path:
        """The stores."""
        return self.data_dir / "databases"

    @property
    def transactions(self) -> Path:
        """The transaction logs."""
        return self.data_dir / "transactions"

    @property
    def system_database(self) -> Path:
        """Exists as soon as the server has been started once."""
        return self.databases / "system"

    @property
    def first_start_marker(self) -> Path:
        """Exists from before the first start until it has succeeded: nothing is stored yet."""
        return self.home / "first-start"
