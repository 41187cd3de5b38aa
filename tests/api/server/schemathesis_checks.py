"""What counts as a crash and as a leak for schemathesis, which takes all errors for crashes."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import schemathesis

CANARIES = "EGCFOREST_TEST_CANARIES"
"""Names a file with a JSON list of texts that must not come back."""


@cache
def canaries() -> tuple[str, ...]:
    """The texts; without any this check would prove nothing."""
    found = json.loads(Path(os.environ[CANARIES]).read_text("utf-8"))
    assert found
    return tuple(found)


@schemathesis.check
def no_crash(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    assert response.status_code < 500
    for error in response.json().get("errors", ()):
        assert error["extensions"]["code"] != "INTERNAL"


@schemathesis.check
def no_leak(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    for text in canaries():
        assert text not in response.text, "A text of another audience or workspace came back."
