"""Settings of uploads and of the jobs behind them: `EGCFOREST_SERVE_...` in the environment."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings

_GIB = 1024**3


class JobSettings(BaseSettings):
    """How a served API takes in messages; they stand beside the others in `Settings`."""

    serve_upload_dir: Path | None = Field(
        default=None,
        description="Where uploads wait to be ingested. Empty: `uploads` in the data folder.",
    )
    serve_max_upload_bytes: int = Field(
        default=5 * _GIB, ge=1024, description="Bytes of one uploaded file, at most."
    )
    serve_max_unpacked_bytes: int = Field(
        default=20 * _GIB, ge=1024, description="Bytes that a packed file may hold, at most."
    )
    serve_job_retention_days: int = Field(
        default=14,
        ge=0,
        le=3650,
        description="Days that ended jobs are remembered, and the files of failed ones kept.",
    )
    serve_jobs_at_once: int = Field(
        default=2,
        ge=1,
        le=16,
        description="Jobs of different workspaces at a time; one workspace has one at a time.",
    )
