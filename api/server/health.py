"""What an orchestrator asks: whether the process lives, and whether it can serve."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process and its event loop are alive."""
    return {"status": "alive"}
