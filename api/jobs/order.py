"""What the server tells its worker over a pipe: where the graph is, and how to work.

It goes through the pipe because other users of a machine can read the arguments of a process,
and its children its environment.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...builders.sources import ArchiveLimits
from ...graph.connection import ConnectionConfig

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """All that a worker knows.

    Attributes:
        uri, user, password, database: of the graph.
        encoder, encoder_options: as in the settings.
        upload_dir: the folder of the files.
        max_unpacked_bytes: how much a packed file may hold.
        jobs_at_once: of different workspaces; those of one come one after another.
        niceness: how much the worker stands back for whoever answers questions (Unix).
    """

    uri: str
    user: str
    password: str = field(repr=False)
    database: str | None
    encoder: str
    upload_dir: str
    encoder_options: dict[str, Any] = field(default_factory=dict, repr=False)
    max_unpacked_bytes: int = 20 * 1024 * _MIB
    jobs_at_once: int = 2
    niceness: int = 10

    def line(self) -> bytes:
        """For the pipe."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> WorkOrder:
        """From the pipe."""
        return cls(**json.loads(line))

    def connection(self) -> ConnectionConfig:
        """How to reach the graph. A worker needs few connections, the API should have the rest."""
        return ConnectionConfig(self.uri, self.user, self.password, self.database, pool_size=16)

    def limits(self) -> ArchiveLimits:
        """What a file may hold: less than what somebody at the command line vouches for."""
        return ArchiveLimits(
            # A day of a channel; the largest seen had 2 MiB.
            max_member_bytes=128 * _MIB,
            max_total_bytes=self.max_unpacked_bytes,
        )

    def folder(self) -> Path:
        """Where the files are."""
        return Path(self.upload_dir)
