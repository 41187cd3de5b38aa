"""What a scope allows; no database."""

from __future__ import annotations

import pytest

from egcforest.api.access.principal import ForbiddenError, Principal, TokenScope

READ, INGEST, ADMIN, ON_BEHALF = TokenScope


@pytest.mark.parametrize(
    ("held", "allowed"),
    [
        (READ, {READ}),
        (INGEST, {INGEST}),
        (ADMIN, {READ, INGEST, ADMIN}),
        (ON_BEHALF, {ON_BEHALF}),
        (None, set()),
    ],
)
def test_scopes_allow_what_they_say(held: TokenScope | None, allowed: set[TokenScope]):
    principal = Principal("w", None, frozenset({held} if held else ()), "id", "name")
    for scope in TokenScope:
        assert principal.may(scope) == (scope in allowed)
        if scope in allowed:
            principal.require(scope)
        else:
            with pytest.raises(ForbiddenError, match=f"'{scope}'"):
                principal.require(scope)
