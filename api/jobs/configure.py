"""From the settings to what jobs need to know."""

from __future__ import annotations

from ..engine import Engine
from ..settings import Settings
from .order import WorkOrder
from .service import JobOptions
from .uploads import UploadLimits

_SHARE_OF_SHUTDOWN = 0.5


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
