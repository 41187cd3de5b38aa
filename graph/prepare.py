"""What happens to a database before the service uses it: schema, version, encoder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from neo4j.exceptions import ClientError, Neo4jError

from .ddl import Statement, drop_index, schema_statements, vector_index_names
from .errors import EncoderMismatchError, SchemaError
from .identity import EncoderIdentity
from .schema import INSTALLATION_KEY, SCHEMA_VERSION

if TYPE_CHECKING:
    from .store import ForestStore

OLDEST_SERVER = (2026, 1)
"""Filters inside the vector index (SEARCH with WHERE) came with this release."""

_FORGET_BATCH = 2000


async def prepare_schema(
    store: ForestStore, encoder: EncoderIdentity | None, *, reencode: bool
) -> None:
    """See `ForestStore.prepare`."""
    await _check_server(store)
    # The first read of the installation needs its constraint's index to be there.
    await _create_missing(store, None)
    row = (await store.read("schema/installation", {"key": INSTALLATION_KEY}))[0]
    stored: dict[str, Any] = row["installation"] or {}
    _check_schema_version(stored)
    known = _identity(stored)
    if encoder is not None and known not in (None, encoder):
        if row["messages"] and not reencode:
            raise _mismatch(known, encoder)
        await _change_encoder(store, encoder)
    elif encoder is not None and stored.get("reencoding"):
        await _change_encoder(store, encoder)
    elif not stored or known != (encoder or known):
        await _remember(store, encoder)
    identity = encoder or known
    await _create_missing(store, identity.dimension if identity else None)
    await store.await_indexes()


async def stored_encoder(store: ForestStore) -> EncoderIdentity | None:
    """The encoder that the graph's vectors come from, None where none was ever set."""
    row = (await store.read("schema/installation", {"key": INSTALLATION_KEY}))[0]
    return _identity(row["installation"] or {})


async def check_prepared(store: ForestStore, encoder: EncoderIdentity) -> None:
    """Ask the database whether it is still as `prepare_schema` left it.

    Raises:
        SchemaError: another release has changed it, or nothing is there any more.
        EncoderMismatchError: its vectors come from another encoder now.
    """
    row = (await store.read("schema/installation", {"key": INSTALLATION_KEY}))[0]
    stored: dict[str, Any] = row["installation"] or {}
    _check_schema_version(stored)
    known = _identity(stored)
    if known is None:
        raise SchemaError("The database was emptied.", "Start the service again.")
    if known != encoder:
        raise _mismatch(known, encoder)


async def _check_server(store: ForestStore) -> None:
    try:
        rows = await store.read("schema/server")
    except ClientError as error:
        raise SchemaError(
            f"What answers at {store.config.address} speaks Bolt but is no Neo4j.",
            f"Use Neo4j {OLDEST_SERVER[0]}.{OLDEST_SERVER[1]:02} or newer.",
        ) from error
    version = str(rows[0]["versions"][0]) if rows else "unknown"
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST_SERVER:
        raise SchemaError(
            f"The Neo4j at {store.config.address} has version {version}, which cannot filter "
            "inside a vector index.",
            f"Use Neo4j {OLDEST_SERVER[0]}.{OLDEST_SERVER[1]:02} or newer; Community is enough.",
        )


def _check_schema_version(stored: dict[str, Any]) -> None:
    version = stored.get("schema_version", SCHEMA_VERSION)
    if version > SCHEMA_VERSION:
        raise SchemaError(
            f"The graph was written with schema version {version}; this release knows "
            f"{SCHEMA_VERSION}.",
            "Upgrade egcforest, or use another database.",
        )


def _identity(stored: dict[str, Any]) -> EncoderIdentity | None:
    if not stored.get("model_id"):
        return None
    return EncoderIdentity(
        stored["model_id"],
        stored["dimension"],
        stored.get("document_prompt") or "",
        stored.get("query_prompt") or "",
    )


def _mismatch(known: EncoderIdentity | None, encoder: EncoderIdentity) -> EncoderMismatchError:
    return EncoderMismatchError(
        f"The vectors in the graph come from {known}, but {encoder} is configured.",
        "Configure the former encoder again, encode everything anew with `egcforest ingest … "
        "--reencode` (from Python: reencode=True), or empty the graph with `egcforest wipe`.",
    )


async def _remember(
    store: ForestStore, encoder: EncoderIdentity | None, *, reencoding: bool = False
) -> None:
    await store.write(
        "schema/set_installation",
        {
            "key": INSTALLATION_KEY,
            "schema_version": SCHEMA_VERSION,
            "model_id": encoder and encoder.model_id,
            "dimension": encoder and encoder.dimension,
            "document_prompt": encoder and encoder.document_prompt,
            "query_prompt": encoder and encoder.query_prompt,
            "reencoding": True if reencoding else None,
        },
    )


async def _change_encoder(store: ForestStore, encoder: EncoderIdentity) -> None:
    """Take `encoder`. Killed halfway, the next start goes on: `reencoding` is still set."""
    await _remember(store, encoder, reencoding=True)
    for name in vector_index_names():
        await store.run_autocommit(drop_index(name))
    for query in ("schema/forget_message_vectors", "schema/forget_node_vectors"):
        last: str | None = ""
        while last is not None:
            rows = await store.write(query, {"after": last, "limit": _FORGET_BATCH})
            last = rows[0]["last"]
    await _remember(store, encoder)


async def _create_missing(store: ForestStore, dimension: int | None) -> None:
    existing = {row["name"]: row for row in await store.read("schema/existing")}
    for statement in schema_statements(dimension):
        found = existing.get(statement.name)
        if found is not None and found["state"] == "FAILED":
            raise SchemaError(
                f"The index {statement.name!r} has failed in the database.",
                f"Drop it ({drop_index(statement.name)}) and start again.",
            )
        if found is not None and _fits(statement, found, dimension):
            continue
        if found is not None:
            await store.run_autocommit(drop_index(statement.name))
        await _create(store, statement.text)


def _fits(statement: Statement, found: dict[str, Any], dimension: int | None) -> bool:
    if statement.vector and found["dimension"] != dimension:
        return False
    # An index of an earlier release may cover other properties; a constraint's never does.
    return statement.constraint or tuple(found["properties"]) == statement.fields


async def _create(store: ForestStore, text: str) -> None:
    try:
        await store.run_autocommit(text)
    except Neo4jError as error:
        # Another process that starts at the same time has just created it.
        if "AlreadyExists" not in (error.code or ""):
            raise
