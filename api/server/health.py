"""What an orchestrator asks: whether the process lives, and whether it can serve."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from enum import StrEnum

from fastapi import APIRouter, Request
from neo4j.exceptions import DriverError, Neo4jError
from starlette.responses import JSONResponse

from ...graph.errors import GraphError, SchemaError
from ...graph.identity import EncoderIdentity
from ...graph.prepare import check_prepared
from ...text.errors import TextError
from ..graphql.context import Runtime

logger = logging.getLogger("egcforest.server")

router = APIRouter(include_in_schema=False)

DATABASE_TIMEOUT_S = 3.0
ENCODER_TIMEOUT_S = 10.0
ALIVE_TIMEOUT_S = 0.5
"""Kubernetes gives a probe of liveness a second, if nobody says otherwise."""

# Nobody signs in here: what it costs must not grow with how often it is asked.
_DATABASE_BELIEVED_S = 1.0
_ENCODER_BELIEVED_S = 60.0
_PROBE = "ready"


class Reason(StrEnum):
    """Why the service cannot serve."""

    STOPPING = "STOPPING"
    DATABASE_UNAVAILABLE = "DATABASE_UNAVAILABLE"
    SCHEMA_MISMATCH = "SCHEMA_MISMATCH"
    ENCODER_UNAVAILABLE = "ENCODER_UNAVAILABLE"


@router.get("/healthz")
async def healthz(request: Request) -> dict[str, str]:
    """The process and its event loop are alive; and, for whoever looks, whether the database is.

    200 either way: a process that is started again because its database is away helps nobody.
    """
    readiness: Readiness = request.app.state.readiness
    answers = await readiness.database_answers()
    return {"status": "alive", "database": "answers" if answers else "away"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """The database answers and fits, the encoder encodes; else 503 with the reason."""
    readiness: Readiness = request.app.state.readiness
    reason = await readiness.reason()
    if reason is None:
        return JSONResponse({"status": "ready"})
    return JSONResponse({"status": "not ready", "reason": str(reason)}, 503)


class Readiness:
    """Asks the database and the encoder, one asker at a time, and believes them for a moment."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._lock = asyncio.Lock()
        self._database_at = self._encoder_at = -math.inf

    async def database_answers(self) -> bool:
        """Whether the database answers within `ALIVE_TIMEOUT_S`, be its schema what it may."""
        try:
            async with asyncio.timeout(ALIVE_TIMEOUT_S), self._lock:
                return await self._database() is not Reason.DATABASE_UNAVAILABLE
        except TimeoutError:
            return False

    async def reason(self) -> Reason | None:
        """Why the service cannot serve; None if it can."""
        if self._runtime.closing.is_set():
            return Reason.STOPPING
        async with self._lock:
            reason = await self._database() or await self._encoder()
        if reason is not None:
            logger.warning("Not ready.", extra={"reason": str(reason)})
        return reason

    async def _database(self) -> Reason | None:
        now = time.monotonic()
        if now - self._database_at < _DATABASE_BELIEVED_S:
            return None
        service = self._runtime.service
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_S):
                await check_prepared(service.store, EncoderIdentity.of(service.encoder))
        except SchemaError:
            return Reason.SCHEMA_MISMATCH
        except (GraphError, TimeoutError, DriverError, Neo4jError):
            return Reason.DATABASE_UNAVAILABLE
        self._database_at = now
        return None

    async def _encoder(self) -> Reason | None:
        now = time.monotonic()
        if now - self._encoder_at < _ENCODER_BELIEVED_S:
            return None
        try:
            async with asyncio.timeout(ENCODER_TIMEOUT_S):
                await asyncio.to_thread(self._runtime.service.encoder.encode_query, _PROBE)
        except (TextError, TimeoutError, OSError):
            return Reason.ENCODER_UNAVAILABLE
        self._encoder_at = now
        return None
