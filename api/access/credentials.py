"""What a request says of who sent it, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .principal import UnauthenticatedError

ON_BEHALF_HEADER = "X-EGCForest-On-Behalf-Of"


class HeaderValues(Protocol):
    """Headers of which one may be given more than once, such as those of Starlette."""

    def getlist(self, key: str) -> list[str]:
        """All values of one header, in no matter which case its name is written."""
        ...


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request says of who sent it; nothing of it is believed yet.

    Attributes:
        authorization: the header of that name, None if there is none.
        on_behalf_of: id, name or key of another actor, None if there is no such header.
    """

    authorization: str | None = field(default=None, repr=False)
    on_behalf_of: str | None = None

    @classmethod
    def of_headers(cls, headers: HeaderValues) -> Credentials:
        """Those of an HTTP request, or of the one that opens a WebSocket.

        Raises:
            UnauthenticatedError: a header is there twice, and a proxy may have read the other.
        """
        return cls(_only(headers, "authorization"), _decoded(_only(headers, ON_BEHALF_HEADER)))

    def with_payload(self, payload: object) -> Credentials:
        """These, and those of graphql-transport-ws's `connection_init`, which has the headers'
        names in whatever case.

        Raises:
            UnauthenticatedError: the payload is none, or says something else than the headers.
        """
        if payload is None:
            return self
        if not isinstance(payload, Mapping):
            raise UnauthenticatedError
        given: dict[str, Any] = {}
        for name, value in payload.items():
            if (known := str(name).lower()) in given:
                raise UnauthenticatedError
            given[known] = value
        return Credentials(
            _agreed(self.authorization, given.get("authorization")),
            _agreed(self.on_behalf_of, given.get(ON_BEHALF_HEADER.lower())),
        )


def _only(headers: HeaderValues, name: str) -> str | None:
    values = headers.getlist(name)
    if len(values) > 1:
        raise UnauthenticatedError
    return values[0] if values else None


def _decoded(value: str | None) -> str | None:
    """A header's value as text: the bytes are UTF-8 where they can be; ASGI reads Latin-1."""
    if value is None:
        return None
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def _agreed(header: str | None, payload: object) -> str | None:
    if payload is None:
        return header
    if not isinstance(payload, str) or (header is not None and header != payload):
        raise UnauthenticatedError
    return payload
