"""`egcforest serve`: the service over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from .context import find_engine, load, notices
from .options import WorkspaceOption


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Listen there; 127.0.0.1 unless set.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="N", help="Listen there; 8080 unless set, 0 for any.")
    ] = None,
    insecure: Annotated[
        bool | None,
        typer.Option(
            "--insecure",
            help="Ask for no token: whoever reaches the port reads what is public and writes as an "
            "administrator.",
        ),
    ] = None,
    development: Annotated[
        bool | None,
        typer.Option(
            "--development/--production", help="GraphiQL and introspection; off unless set."
        ),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Serve GraphQL over HTTP, WebSocket and server-sent events, until it is told to stop.

    Every request needs a token: egcforest token create. --workspace is for --insecure alone;
    a token opens the workspace it was made for.
    """
    from ..server.run import run_server

    settings = load(
        serve_host=host,
        serve_port=port,
        serve_insecure=insecure,
        serve_development=development,
        workspace=workspace,
    ).values
    engine = find_engine(settings, must_hold_data=False)
    if settings.serve_insecure:
        notices().print(
            "WARNING: --insecure: no token is asked for. Whoever reaches "
            f"{settings.serve_host}:{settings.serve_port} reads what is public and writes as an "
            "administrator.",
            style="bold red",
        )
    run_server(settings, engine)
