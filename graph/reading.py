"""All reads for dashboards over one store: typed, in batches, each within the scope of one asker.

Everything takes a list of keys and answers by key, so that a page of a hundred rows with what
hangs on them costs as many round trips as a page of one.
"""

from __future__ import annotations

from .read_catalog import CatalogReads
from .read_forest import ForestReads
from .read_messages import MessageReads
from .read_search import SearchReads
from .read_statistics import StatisticsReads
from .store import ForestStore


class Reading:
    """The reads by subject matter. Keeps nothing; safe to call concurrently.

    Attributes:
        catalog: workspace, channels, actors, artifacts, coverage.
        forest: trees and forest nodes.
        messages: messages with their threads, revisions, placements and bridges.
        search: messages by words and by vector.
        statistics: counts over time, and what is most active.
    """

    def __init__(self, store: ForestStore) -> None:
        self.catalog = CatalogReads(store)
        self.forest = ForestReads(store)
        self.messages = MessageReads(store)
        self.search = SearchReads(store)
        self.statistics = StatisticsReads(store)
