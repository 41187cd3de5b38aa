"""From the settings to jobs with a worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ...graph.store import ForestStore
from ..engine import Engine
from ..errors import SettingsError
from ..settings import Settings
from .folder import UploadFolder
from .order import WorkOrder
from .service import JobOptions, JobService
from .uploads import UploadLimits

_SHARE_OF_SHUTDOWN = 0.5


@asynccontextmanager
async def open_jobs(
    store: ForestStore, settings: Settings, engine: Engine
) -> AsyncIterator[JobService]:
    """Jobs with a worker of their own, for as long as the context lasts.

    Raises:
        SettingsError: the upload folder cannot be written to.
    """
    order = work_order(settings, engine)
    try:
        folder = await asyncio.to_thread(UploadFolder, order.folder())
    except OSError as error:
        raise SettingsError(
            f"The upload folder {order.upload_dir} cannot be used: {error.strerror}.",
            "Correct EGCFOREST_SERVE_UPLOAD_DIR, or the rights of the folder.",
        ) from error
    service = JobService(store, folder, order, job_options(settings))
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


def work_order(settings: Settings, engine: Engine) -> WorkOrder:
    """What the worker is told."""
    connection = engine.connection
    return WorkOrder(
        uri=connection.uri,
        user=connection.user,
        password=connection.password,
        database=connection.database,
        encoder=settings.encoder,
        encoder_options=dict(settings.encoder_options),
        upload_dir=str(settings.serve_upload_dir or settings.data_dir / "uploads"),
        max_unpacked_bytes=settings.serve_max_unpacked_bytes,
        jobs_at_once=settings.serve_jobs_at_once,
    )


def job_options(settings: Settings) -> JobOptions:
    """How jobs are kept."""
    return JobOptions(
        UploadLimits(settings.serve_max_upload_bytes),
        retention_days=settings.serve_job_retention_days,
        grace_s=settings.serve_shutdown_s * _SHARE_OF_SHUTDOWN,
    )
