"""Who a request comes from and what it may do. No database, no HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..errors import ApiError, ErrorCode


class TokenScope(StrEnum):
    """What a token is good for."""

    READ = "read"
    """Queries and subscriptions, through the eyes of the token's actor."""
    INGEST = "ingest"
    """Adding messages, and following the jobs that do it; nothing can be read with it."""
    ADMIN = "admin"
    """READ, INGEST and rebuilding. It does not widen what can be seen."""
    ON_BEHALF = "on_behalf"
    """Asking through the eyes of another actor of the same workspace instead of one's own."""


_IMPLIED: dict[TokenScope, frozenset[TokenScope]] = {
    TokenScope.READ: frozenset({TokenScope.READ, TokenScope.ADMIN}),
    TokenScope.INGEST: frozenset({TokenScope.INGEST, TokenScope.ADMIN}),
    TokenScope.ADMIN: frozenset({TokenScope.ADMIN}),
    # Not part of ADMIN: whoever runs a workspace need not see through everybody's eyes.
    TokenScope.ON_BEHALF: frozenset({TokenScope.ON_BEHALF}),
}


class UnauthenticatedError(ApiError):
    """There is no token, or none that is good; why is never said to whoever sent it."""

    code = ErrorCode.UNAUTHENTICATED

    def __init__(self) -> None:
        super().__init__(
            "This needs a valid token.",
            "Send the header `Authorization: Bearer TOKEN`; `egcforest token create` makes one.",
        )


class ForbiddenError(ApiError):
    """The token is good, but not for this."""

    code = ErrorCode.FORBIDDEN


class TooManyFailuresError(ApiError):
    """One address has sent too many bad tokens.

    Attributes:
        retry_after_s: whole seconds until it is heard again.
    """

    code = ErrorCode.RATE_LIMITED

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(
            "There were too many bad tokens from this address.",
            f"Try again in {retry_after_s} s, with a valid one.",
            retryAfter=retry_after_s,
        )
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks.

    Attributes:
        workspace: the one workspace that the token opens.
        actor: key of the actor through whose eyes is read; None sees what is public.
        scopes: what the token is good for.
        token_id: public id of the API key, `oidc:` and the subject, or `insecure`.
        name: what the token is called, for logs.
        expires: when the token ends; None if it does not.
        behind: key of the service agent's own actor while it asks on behalf of `actor`.
    """

    workspace: str
    actor: str | None
    scopes: frozenset[TokenScope]
    token_id: str
    name: str
    expires: datetime | None = None
    behind: str | None = None

    def may(self, scope: TokenScope) -> bool:
        """Whether the token is good for `scope`, by itself or because ADMIN includes it."""
        return bool(self.scopes & _IMPLIED[scope])

    def require(self, scope: TokenScope) -> None:
        """Do nothing if the token is good for `scope`.

        Raises:
            ForbiddenError: it is not.
        """
        if not self.may(scope):
            held = ", ".join(sorted(self.scopes)) or "none"
            raise ForbiddenError(
                f"This needs a token with the scope '{scope}'; this one has: {held}.",
                f"Make one with it: egcforest token create --scope {scope}.",
            )
