"""How to reach the database, and what to say when it cannot be reached."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    UnsupportedServerProduct,
)

from .errors import ConnectionFailedError

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@dataclass(frozen=True, slots=True)
class ConnectionConfig:
    """Address and credentials of a Neo4j, and the limits of the driver. Times in seconds.

    Raises:
        ConnectionFailedError: the address is not one that the driver understands.
    """

    uri: str
    user: str
    password: str = field(repr=False)
    database: str | None = None
    pool_size: int = 50
    connect_timeout_s: float = 10.0
    acquire_timeout_s: float = 30.0
    retry_time_s: float = 30.0

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.uri)
            usable = parts.scheme in SCHEMES and bool(parts.hostname)
            # Raises if it is none.
            _ = parts.port
        except ValueError:
            usable = False
        if not usable:
            raise ConnectionFailedError(
                f"The database address {_safe(self.uri)!r} is not usable.",
                "Use neo4j:// or bolt://, with +s for TLS or +ssc for TLS with a "
                "self-signed certificate, such as neo4j://localhost:7687.",
            )
        if parts.username or parts.password:
            raise ConnectionFailedError(
                f"The database address {_safe(self.uri)!r} holds credentials.",
                "Give user and password by themselves, so that they are not written to logs.",
            )

    @property
    def address(self) -> str:
        """The address for messages to people."""
        return _safe(self.uri)


def _safe(uri: str) -> str:
    head, at, tail = uri.rpartition("@")
    return f"{head.partition('://')[0]}://{tail}" if at else uri


async def open_driver(config: ConnectionConfig) -> AsyncDriver:
    """A driver that has reached the database once. The caller closes it.

    Raises:
        ConnectionFailedError: names the address, the cause and the remedy.
    """
    driver = AsyncGraphDatabase.driver(
        config.uri,
        auth=(config.user, config.password),
        max_connection_pool_size=config.pool_size,
        connection_timeout=config.connect_timeout_s,
        connection_acquisition_timeout=config.acquire_timeout_s,
        max_transaction_retry_time=config.retry_time_s,
        user_agent="egcforest",
        # Deprecation hints and the like go to nobody here; the EXPLAIN test watches the plans.
        notifications_min_severity="OFF",
    )
    try:
        # verify_connectivity() would not notice that the database is missing; a managed
        # transaction would retry for half a minute what a person can mend at once.
        async with driver.session(database=config.database) as session:
            await (await session.run("RETURN 1")).consume()
    except (Neo4jError, DriverError, OSError, ValueError) as error:
        await driver.close()
        raise connection_error(config, error) from error
    except BaseException:
        await driver.close()
        raise
    return driver


def connection_error(config: ConnectionConfig, error: BaseException) -> ConnectionFailedError:
    """What `error` means for a person who wants to reach `config`."""
    address = config.address
    code = getattr(error, "code", None) or ""
    if isinstance(error, AuthError):
        if "RateLimit" in code:
            return ConnectionFailedError(
                f"{address} refuses logins for a while after too many wrong passwords.",
                "Wait some seconds, then use the right password.",
            )
        if "CredentialsExpired" in code:
            return ConnectionFailedError(
                f"The password of user {config.user!r} at {address} has expired.",
                "Set a new one (ALTER CURRENT USER SET PASSWORD), then configure it here.",
            )
        return ConnectionFailedError(
            f"{address} refuses the user {config.user!r} or the password.",
            "Check EGCFOREST_NEO4J_USER and EGCFOREST_NEO4J_PASSWORD, or what "
            "EGCFOREST_NEO4J_PASSWORD_FILE holds.",
        )
    if "DatabaseNotFound" in code:
        return ConnectionFailedError(
            f"{address} has no database {config.database!r}.",
            "Create it, or leave the database name out to use the user's home database.",
        )
    text = " ".join(str(cause) for cause in _causes(error))
    if "encrypted connection" in text or any(
        isinstance(cause, ssl.SSLError) for cause in _causes(error)
    ):
        return ConnectionFailedError(
            f"{address} could not be reached over TLS.",
            "Use +ssc for a self-signed certificate, +s for one that the system trusts, or the "
            "plain scheme where the server has no TLS.",
        )
    if _is_not_bolt(text) or isinstance(error, UnsupportedServerProduct):
        return ConnectionFailedError(
            f"What answers at {address} does not speak Neo4j's Bolt protocol in plain.",
            "Use the Bolt port (7687 unless configured otherwise, not the Browser's 7474), and a "
            "scheme with +s or +ssc where the server wants TLS.",
        )
    # So ends a server that wants TLS and is spoken to in plain, but also one that is just
    # starting or stopping behind a proxy or a forwarded port.
    if "incomplete handshake" in text:
        return ConnectionFailedError(
            f"What answers at {address} closed the connection before it said anything.",
            "If Neo4j is just starting or stopping there, try again; otherwise check the port "
            "(Bolt's is 7687), and take a scheme with +s or +ssc where the server wants TLS.",
        )
    # A word of the driver's for a connection that spoke Bolt and broke off.
    if "defunct connection" in text:
        return ConnectionFailedError(
            f"The connection to Neo4j at {address} broke off.",
            "Try again; if it happens again, look in the log of the server, or of the proxy "
            "before it, for why it ended.",
        )
    if isinstance(error, ConfigurationError | ValueError):
        return ConnectionFailedError(
            f"The driver cannot use the address {address}: {error}.", "Check the address."
        )
    return ConnectionFailedError(
        f"No Neo4j answers at {address}.",
        "Check that it runs and that the address and port are right; `egcforest neo4j status` "
        "says so for the private one.",
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        error = waiting.pop(0)
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        yield error
        # With neo4j:// the driver asks each router, and groups what they answered.
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions
        waiting.append(error.__cause__ or error.__context__)


def _is_not_bolt(text: str) -> bool:
    signs = ("looks like HTTP", "check for incorrect port number", "Unsupported Bolt handshake")
    return any(sign in text for sign in signs)


def is_unreachable(error: BaseException) -> bool:
    """Whether `error` says that the database cannot be reached at all."""
    return isinstance(error, ServiceUnavailable | SessionExpired | AuthError | OSError)
