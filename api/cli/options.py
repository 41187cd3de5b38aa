"""Flags that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

WorkspaceOption = Annotated[
    str | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="NAME",
        help="The workspace; not needed where there is only one.",
    ),
]

AskerOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="ACTOR",
        help="Who asks: id, name or display name. It decides what is visible and whom "
        '"I" means. Without it, only what everybody may see.',
    ),
]
