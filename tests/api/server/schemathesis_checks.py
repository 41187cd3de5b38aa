"""What counts as a crash for schemathesis: it takes every error of GraphQL for one otherwise."""

from __future__ import annotations

import schemathesis


@schemathesis.check
def no_crash(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    assert response.status_code < 500
    for error in response.json().get("errors", ()):
        assert error["extensions"]["code"] != "INTERNAL"
