"""A private Neo4j that comes from pip and Maven artifacts alone."""

from .progress import Progress
from .server import PrivateNeo4j, PrivateNeo4jOptions, ServerInfo

__all__ = ["PrivateNeo4j", "PrivateNeo4jOptions", "Progress", "ServerInfo"]
