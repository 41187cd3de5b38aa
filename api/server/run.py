"""The application on uvicorn, from start to signal."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from ..engine import Engine
from ..errors import ApiError
from ..settings import Settings
from .app import create_app
from .lifespan import ServeConfig
from .logs import configure_logging

logger = logging.getLogger("egcforest.server")

MAX_SOCKET_MESSAGE_BYTES = 1024 * 1024

# Python's own 5 ms are what the serving loop would wait for the interpreter each time it wakes
# while a question is being computed on the other thread; docs/operation.md has the measurement.
_SWITCH_INTERVAL_S = 0.0005


def uvicorn_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How uvicorn is to serve `app`."""
    return uvicorn.Config(
        app,
        host=settings.serve_host,
        port=settings.serve_port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.serve_trusted_proxies),
        forwarded_allow_ips=list(settings.serve_trusted_proxies),
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=MAX_SOCKET_MESSAGE_BYTES,
        timeout_graceful_shutdown=int(settings.serve_shutdown_s),
    )


class Server(uvicorn.Server):
    """A server that says where it listens."""

    def __init__(self, config: uvicorn.Config, report: Callable[[str], None]) -> None:
        super().__init__(config)
        self._report = report

    @property
    def url(self) -> str:
        """Where it listens, once it has started."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """End what could go on for ever, then wait for the rest as long as the settings say."""
        app = self.config.app
        if isinstance(app, FastAPI):
            app.state.runtime.closing.set()
        await super().shutdown(sockets)  # type: ignore[arg-type]

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """Start, and say so."""
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            # What was loaded stays until the end. Were it looked through again and again by the
            # collection of garbage, each time would hold the event loop up for 100 ms.
            gc.collect()
            gc.freeze()
            self._report(self.url)


def run_server(settings: Settings, engine: Engine) -> None:
    """Serve until SIGTERM or SIGINT. Blocking.

    Args:
        settings: where to listen, and how.
        engine: where the graph is.

    Raises:
        EGCForestError: the service could not be started; it says why.
    """
    configure_logging(insecure=settings.serve_insecure)
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    config = ServeConfig(settings, engine)
    app = create_app(config)

    def report(url: str) -> None:
        logger.info("Serving at %s/graphql.", url, extra={"url": url})

    server = Server(uvicorn_config(app, settings), report)
    # uvicorn ends the process where it cannot start, having logged little of the reason.
    with suppress(SystemExit):
        server.run()
    if not server.started:
        raise config.failure or ApiError(
            f"Nothing can listen on {settings.serve_host}:{settings.serve_port}.",
            "Another process may have the port; choose another one with --port.",
        )
