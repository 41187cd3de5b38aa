"""Which Neo4j this run uses: the server that the settings name, or the private one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..graph.connection import ConnectionConfig
from ..graph.private import PrivateNeo4j, Progress
from ..graph.private.layout import Layout
from .errors import NotFoundError, SettingsError
from .private_options import private_options
from .settings import Settings


@dataclass(frozen=True, slots=True)
class Engine:
    """A Neo4j that can be connected to.

    Attributes:
        connection: address and credentials.
        private: whether it is the private one.
        version: of the private one; empty for a server, which tells it when asked.
        browser_url: address of the private one's Browser; empty for a server.
        data_dir: folder of the private one's data, None for a server.
    """

    connection: ConnectionConfig
    private: bool
    version: str = ""
    browser_url: str = ""
    data_dir: Path | None = None

    @property
    def title(self) -> str:
        """What it is and where, for a person."""
        kind = f"private Neo4j {self.version}" if self.private else "server"
        return f"{kind} at {self.connection.address}"


def find_engine(
    settings: Settings,
    *,
    report: Callable[[str], None] | None = None,
    progress: Progress | None = None,
    must_hold_data: bool = False,
) -> Engine:
    """The Neo4j of this run; the private one is started if it has to be. Blocking.

    Args:
        settings: where to look; with no address the private one is meant.
        report: told in sentences what happens.
        progress: shown the bytes of the private one's first fetch.
        must_hold_data: do not fetch and start a private one that has never held anything.

    Raises:
        SettingsError: there is an address without a password.
        NotFoundError: `must_hold_data`, and the private one was never started.
        PrivateNeo4jError: the private one cannot be had.
    """
    if settings.neo4j_uri:
        return Engine(server(settings), private=False)
    options = private_options(settings)
    neo4j = PrivateNeo4j(options, report=report, progress=progress)
    if must_hold_data and not Layout(options.data_dir).system_database.exists():
        raise NotFoundError(
            f"Nothing has been ingested yet: there is no graph in {options.data_dir}.",
            "Ingest an export first: egcforest ingest PATH --workspace NAME.",
        )
    info = neo4j.start()
    connection = ConnectionConfig(info.bolt_uri, info.user, info.password)
    return Engine(
        connection,
        private=True,
        version=info.version,
        browser_url=info.browser_url,
        data_dir=info.data_dir,
    )


def server(settings: Settings) -> ConnectionConfig:
    """Address and credentials of the server that the settings name.

    Raises:
        SettingsError: there is an address without a password.
    """
    password = settings.neo4j_password
    if password is None and settings.neo4j_user:
        raise SettingsError(
            f"There is no password for {settings.neo4j_user!r} at {settings.neo4j_uri}.",
            "Set EGCFOREST_NEO4J_PASSWORD, or EGCFOREST_NEO4J_PASSWORD_FILE to a file that holds "
            "it; or, where the server asks for no credentials, leave the user empty in a settings "
            "file.",
        )
    return ConnectionConfig(
        settings.neo4j_uri,
        settings.neo4j_user,
        password.get_secret_value() if password else "",
        settings.neo4j_database or None,
    )
