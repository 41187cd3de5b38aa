"""The schema: what the rooms' root types offer, in one."""

from __future__ import annotations

from functools import cache

from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types
from strawberry.types import get_object_definition

from ..access.principal import TokenScope
from .catalog import CatalogQuery
from .evidence import EvidenceQuery
from .forest_schema import ForestSchema
from .job_mutations import JobMutation
from .job_queries import JobQuery
from .job_subscriptions import JobSubscription
from .job_types import SCALARS
from .permissions import guarded
from .search import SearchQuery
from .statistics import StatisticsQuery


def _merged(name: str, description: str, *parts: type) -> type:
    merged = merge_types(name, parts)
    get_object_definition(merged, strict=True).description = description
    return merged


Query = guarded(
    _merged(
        "Query",
        "What can be asked. All of it is of the workspace that the token opens, as far as the "
        "asker may see it.",
        CatalogQuery,
        SearchQuery,
        EvidenceQuery,
        StatisticsQuery,
        JobQuery,
    ),
    default=TokenScope.READ,
)
Mutation = guarded(
    _merged(
        "Mutation",
        "What can be changed: messages come in and forests are built anew, each as a durable job.",
        JobMutation,
    )
)
Subscription = guarded(
    _merged(
        "Subscription",
        "What can be followed. Before each event it is checked that the token is still good.",
        JobSubscription,
    )
)


@cache
def build_schema(*, development: bool = False) -> ForestSchema:
    """The schema of the service.

    Args:
        development: suggest names where one is misspelt.
    """
    return ForestSchema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        config=StrawberryConfig(disable_field_suggestions=not development, scalar_map=SCALARS),
    )
