"""The schema: what the rooms' root types offer, in one."""

from __future__ import annotations

from functools import cache

from strawberry.schema.config import StrawberryConfig
from strawberry.tools import merge_types

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

Query = guarded(
    merge_types("Query", (CatalogQuery, SearchQuery, EvidenceQuery, StatisticsQuery, JobQuery)),
    default=TokenScope.READ,
)
Mutation = guarded(merge_types("Mutation", (JobMutation,)))
Subscription = guarded(merge_types("Subscription", (JobSubscription,)))


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
