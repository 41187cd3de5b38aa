"""Queries about what there is."""

from __future__ import annotations

import strawberry

from ... import __version__
from .context import Info


@strawberry.type(description="The one workspace that the token opens.")
class Workspace:
    """The one workspace that the token opens."""

    name: str = strawberry.field(description="Its name.")


@strawberry.type
class CatalogQuery:
    """The root fields about what there is."""

    @strawberry.field(description="The workspace that the token opens.")
    def workspace(self, info: Info) -> Workspace:
        """The workspace that the token opens."""
        return Workspace(name=info.context.principal.workspace)

    @strawberry.field(description="The version of the service.")
    def service_version(self) -> str:
        """The version of the service."""
        return __version__
