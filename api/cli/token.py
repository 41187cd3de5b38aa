"""`egcforest token`: API keys for a served workspace."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..access.principal import TokenScope
from ..errors import NotFoundError
from .context import find_engine, load, notices, output, print_table, run
from .options import WorkspaceOption

if TYPE_CHECKING:
    from ...graph.token_store import StoredToken
    from ..access.tokens import ApiKey
    from ..engine import Engine

app = typer.Typer(
    name="token",
    help="API keys: what a program shows to a served API. They are kept as digests only.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def create(
    scope: Annotated[
        list[TokenScope],
        typer.Option(
            help="read: queries. ingest: adding messages, no reading. admin: both, and "
            "rebuilding. on_behalf: asking as other actors. May be repeated."
        ),
    ],
    workspace: WorkspaceOption = None,
    actor: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="ACTOR",
            help="Through whose eyes it reads: id, name or key. Without it, what is public.",
        ),
    ] = None,
    name: Annotated[
        str, typer.Option(metavar="TEXT", help="What it is for; shown in lists and logs.")
    ] = "",
    expires: Annotated[
        str, typer.Option(metavar="SPAN", help="How long it is good: 30m, 12h, 90d, 8w, or never.")
    ] = "90d",
    new_workspace: Annotated[
        bool, typer.Option("--new-workspace", help="Make the workspace if it is not there.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Make a token and print it, once: only its digest is kept.

    \b
      egcforest token create --workspace acme --as ana --scope read --expires 30d
      egcforest token create -w acme --scope ingest --name "nightly export"
      egcforest token create -w acme --as helper-bot --scope read --scope on_behalf
    """
    from ..access.issue import parse_lifetime

    lifetime = parse_lifetime(expires)
    settings = load(workspace=workspace).values

    async def issue() -> tuple[ApiKey, StoredToken]:
        from ..access.issue import issue_token
        from ..service import open_graph

        engine = find_engine(settings, must_hold_data=not new_workspace)
        async with open_graph(engine) as graph:
            # An earlier release has not made the constraints of tokens.
            await graph.store.prepare(None)
            if new_workspace and settings.workspace:
                await graph.log.upsert_workspace(settings.workspace)
            return await issue_token(
                graph.store,
                await graph.workspace(settings.workspace),
                scopes=scope,
                actor=actor,
                name=name,
                lifetime=lifetime,
            )

    key, token = run(issue())
    if as_json:
        typer.echo(json.dumps({"token": key.text} | _plain(token), indent=2, ensure_ascii=False))
        return
    typer.echo(key.text)
    notices().print(
        f"Token {token.token_id} for the workspace {token.workspace}, "
        f"{_eyes(token)}, good for {', '.join(token.scopes)} {_until(token)}. "
        "It is shown this once."
    )


@app.command("list")
def list_(
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", "-w", metavar="NAME", help="Only this one; all by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array.")] = False,
) -> None:
    """List the tokens with their state; never the secrets."""
    tokens = run(_tokens(find_engine(load().values), workspace))
    if as_json:
        typer.echo(json.dumps([_plain(token) for token in tokens], indent=2, ensure_ascii=False))
        return
    console = output()
    if not tokens:
        console.print("There are no tokens.")
        return
    titles = ("Id", "Workspace", "Name", "As", "Scopes", "Made", "Expires", "Last used", "State")
    rows = [
        (
            token.token_id,
            token.workspace,
            token.name,
            token.actor or "-",
            " ".join(token.scopes),
            _minute(token.created_at),
            _minute(token.expires_at),
            _minute(token.last_used_at),
            _state(token),
        )
        for token in tokens
    ]
    print_table(console, titles, rows)


@app.command()
def revoke(
    token_id: Annotated[
        str, typer.Argument(metavar="ID", help="The token's id, as `token list` shows it.")
    ],
) -> None:
    """Revoke a token. A running server refuses it after 5 seconds at the latest."""
    run(_revoke(find_engine(load().values), token_id))
    output().print("Revoked.")


async def _tokens(engine: Engine, workspace: str | None) -> list[StoredToken]:
    from ...graph.token_store import TokenStore
    from ..service import open_graph

    async with open_graph(engine) as graph:
        known = await graph.workspace(workspace) if workspace else None
        return await TokenStore(graph.store).list(known)


async def _revoke(engine: Engine, text: str) -> None:
    from ...graph.token_store import TokenStore
    from ..access.tokens import token_id_of
    from ..service import open_graph

    token_id = token_id_of(text)
    async with open_graph(engine) as graph:
        if token_id is None or not await TokenStore(graph.store).revoke(
            token_id, datetime.now(UTC).replace(microsecond=0)
        ):
            # What was given may be a mistyped secret: it is not repeated.
            raise NotFoundError(
                "There is no token with that id.", "See which there are: egcforest token list."
            )


def _eyes(token: StoredToken) -> str:
    return f"through the eyes of {token.actor}" if token.actor else "seeing what is public"


def _until(token: StoredToken) -> str:
    return f"until {_minute(token.expires_at)} UTC" if token.expires_at else "without end"


def _minute(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "-"


def _state(token: StoredToken) -> str:
    if token.revoked_at is not None:
        return "revoked"
    if not token.owner_there:
        return "actor left"
    return "good" if token.good_at(datetime.now(UTC)) else "expired"


def _plain(token: StoredToken) -> dict[str, Any]:
    def moment(at: datetime | None) -> str | None:
        return at.isoformat() if at else None

    return {
        "id": token.token_id,
        "workspace": token.workspace,
        "name": token.name,
        "actor": token.actor,
        "scopes": list(token.scopes),
        "created": moment(token.created_at),
        "expires": moment(token.expires_at),
        "revoked": moment(token.revoked_at),
        "last_used": moment(token.last_used_at),
        "state": _state(token),
    }
