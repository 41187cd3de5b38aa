"""`PUT /uploads/JOB`: the bytes of an upload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from ..errors import ApiError
from ..graphql.errors import api_error
from ..server.responses import error_response
from .uploads import StorageFullError

if TYPE_CHECKING:
    from ..access.principal import Principal
    from ..graphql.context import Runtime

PATH = "/uploads/"
router = APIRouter()

_INSUFFICIENT_STORAGE = 507
_UNSUPPORTED_MEDIA = 415
_IDENTITY = ("", "identity")


@router.put(PATH + "{job_id}")
async def put_upload(job_id: str, request: Request) -> Response:
    """Take the bytes, as they are, of the upload that a `startUpload` has announced."""
    runtime: Runtime = request.app.state.runtime
    principal: Principal = request.state.principal
    try:
        encoding = request.headers.get("content-encoding", "").strip().lower()
        if encoding not in _IDENTITY:
            error = ApiError(
                "The body is encoded.", "Send the file's bytes as they are, without encoding."
            )
            return error_response(error, request.state.request_id, status=_UNSUPPORTED_MEDIA)
        length = request.headers.get("content-length", "")
        job = await runtime.jobs.receive(
            principal,
            job_id,
            aiter(request.stream()),
            int(length) if length.isascii() and length.isdigit() else None,
        )
    except ClientDisconnect:
        # Nobody is there to be told; what came of the file is gone.
        return Response(status_code=400)
    except StorageFullError as error:
        return error_response(
            api_error(error), request.state.request_id, status=_INSUFFICIENT_STORAGE
        )
    return JSONResponse({"id": job.key, "state": job.state.name})
