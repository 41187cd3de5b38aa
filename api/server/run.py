"""The application on uvicorn, from start to signal."""

from __future__ import annotations

from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from ..engine import Engine
from ..settings import Settings
from .app import create_app
from .lifespan import ServeConfig

MAX_SOCKET_MESSAGE_BYTES = 1024 * 1024


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

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """Start, and say so."""
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self._report(f"Serving at {self.url}/graphql")


def run_server(settings: Settings, engine: Engine, *, report: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. Blocking.

    Args:
        settings: where to listen, and how.
        engine: where the graph is.
        report: told in a sentence when requests can come.
    """
    app = create_app(ServeConfig(settings, engine))
    Server(uvicorn_config(app, settings), report).run()
