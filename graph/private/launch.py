"""One start of the server, with the lock held: prepare, spawn, await, recover."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ..errors import PrivateNeo4jError
from . import process
from .admin import set_initial_password
from .config import neo4j_conf, server_arguments
from .diagnosis import lost_its_port, start_failure
from .handshake import PasswordRefusedError, ServerEndedError, await_server
from .layout import Layout
from .ports import choose_port
from .progress import Report
from .state import ServerState, ensure_password, write_state
from .storage import private_folder, require_space, write_private

_TRIES = 3
_STOP_PATIENCE_S = 90.0
_FAILED_PATIENCE_S = 15.0
_EXEC_S = 0.3  # from the fork of a process until it shows its own command line


@dataclass(frozen=True, slots=True)
class Launch:
    """What a start needs; sizes in MiB, times in seconds."""

    layout: Layout
    java: Path
    jars: Sequence[Path]
    version: str
    heap_mib: int
    page_cache_mib: int
    timeout_s: float
    report: Report

    def run(self, state: ServerState) -> ServerState:
        """Start the server and return its state once it answers.

        Raises:
            PrivateNeo4jError: it does not come up; nothing is left running.
        """
        layout = self.layout
        require_space(layout.home)
        for folder in (layout.conf_dir, layout.logs_dir, layout.data_dir):
            private_folder(folder)
        may_clear = layout.first_start_marker.exists()
        if not layout.system_database.exists():
            layout.first_start_marker.touch()
        for _ in range(_TRIES):
            password = ensure_password(layout)
            state = self._choose_ports(state)
            if not layout.system_database.exists():
                set_initial_password(
                    layout, self.java, self.jars, password, self.version, self.timeout_s
                )
            try:
                return self._spawn(state, password)
            except ServerEndedError as error:
                if lost_its_port(layout):
                    state = replace(state, bolt_port=0, http_port=0)
                    continue
                failure = start_failure(layout, self.version, ending=str(error))
                failure.__cause__ = error
            except PasswordRefusedError as error:
                failure = password_refused(layout)
                failure.__cause__ = error
            if not may_clear:
                raise failure
            # An earlier first start was cut off: what is there has never held anything.
            self.report("The first start was interrupted; starting over with an empty store.")
            shutil.rmtree(layout.data_dir)
            private_folder(layout.data_dir)
            may_clear = False
        raise PrivateNeo4jError(
            f"Neo4j found no free port on loopback in {_TRIES} tries.", "Try again."
        )

    def _choose_ports(self, state: ServerState) -> ServerState:
        bolt_port = choose_port(state.bolt_port)
        http_port = choose_port(state.http_port, taken=bolt_port)
        write_private(self.layout.conf_file, neo4j_conf(bolt_port, http_port, self.page_cache_mib))
        write_private(
            self.layout.server_arguments, server_arguments(self.layout, self.jars, self.heap_mib)
        )
        chosen = replace(state, bolt_port=bolt_port, http_port=http_port, pid=0, ready=False)
        write_state(self.layout, chosen)
        return chosen

    def _spawn(self, state: ServerState, password: str) -> ServerState:
        layout = self.layout
        write_private(layout.console_log, "")
        try:
            with layout.console_log.open("wb") as output:
                pid = process.start_detached(
                    [str(self.java), f"@{layout.server_arguments}"], layout.home, output
                )
            state = replace(state, pid=pid, version=self.version)
            write_state(layout, state)
            return await_ready(layout, state, password, self.timeout_s)
        except ServerEndedError:
            end_server(layout, state, self.report)
            raise ServerEndedError(process.how_it_ended(state.pid)) from None
        except BaseException:  # nor may an interrupted start leave a server nobody knows of
            spawned = self._spawned(state)
            end_server(layout, spawned, self.report, patience_s=_FAILED_PATIENCE_S)
            raise

    def _spawned(self, state: ServerState) -> ServerState:
        """The state with the process, even if the interrupt came before its pid was known."""
        if not state.pid:
            time.sleep(_EXEC_S)
            found = process.find_server(self.layout.server_arguments)
            if found:
                return replace(state, pid=found)
        return state


def await_ready(layout: Layout, state: ServerState, password: str, timeout_s: float) -> ServerState:
    """Wait for a spawned server and record that it is ready."""
    await_server(
        layout,
        bolt_port=state.bolt_port,
        http_port=state.http_port,
        password=password,
        alive=partial(process.is_server, state.pid, layout.server_arguments),
        timeout_s=timeout_s,
    )
    ready = replace(state, ready=True, store_version=state.version)
    write_state(layout, ready)
    layout.first_start_marker.unlink(missing_ok=True)
    return ready


def end_server(
    layout: Layout, state: ServerState, report: Report, *, patience_s: float = _STOP_PATIENCE_S
) -> None:
    """End the server's process and record it."""

    def on_impatience() -> None:
        report(
            f"Neo4j (process {state.pid}) did not stop within {patience_s:.0f} seconds and "
            "is ended by force; it recovers at the next start."
        )

    process.end_server_process(
        state.pid,
        layout.server_arguments,
        patience_s=patience_s,
        on_impatience=on_impatience,
    )
    write_state(layout, replace(state, pid=0, ready=False))


def password_refused(layout: Layout) -> PrivateNeo4jError:
    """The error for a store whose password is not the one in the file."""
    return PrivateNeo4jError(
        f"Neo4j does not accept the password in {layout.password_file}.",
        "Restore the password file, or move the data folder away to start with an empty graph.",
    )
