"""Data loaders: what the fields of one operation need is fetched in batches."""

from __future__ import annotations

from ...graph.records import Scope
from ..service import Service


class Loaders:
    """The loaders of one operation; of one event in a subscription.

    Args:
        service: the graph and the encoder.
        scope: what the asker may see; nothing else is ever loaded.
    """

    def __init__(self, service: Service, scope: Scope) -> None:
        self.service = service
        self.scope = scope
