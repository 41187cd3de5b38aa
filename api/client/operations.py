"""Operations as data: what is sent, how the answer is read, and whether it may be sent again."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from .base_models import Result
from .documents import document
from .errors import BadInputError, NotFoundError, UnexpectedAnswerError

T = TypeVar("T")
R = TypeVar("R", bound=Result)

# Strings and comments, in which words mean nothing.
_UNREAD = re.compile(r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*', re.DOTALL)
_CHANGES = re.compile(r"\b(?:mutation|subscription)\b")


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """One operation of GraphQL.

    Attributes:
        document: its text.
        variables: its variables, ready for JSON.
        read: makes the result of `data`.
        safe: whether it changes nothing when it is repeated.
        extra_s: seconds that the service may take on purpose, on top of all others.
        name: which operation of the document is meant; empty if there is one.
    """

    document: str
    variables: Mapping[str, Any]
    read: Callable[[dict[str, Any]], T]
    safe: bool = True
    extra_s: float = 0.0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list.

    Attributes:
        items: its rows.
        end_cursor: where the next page begins; None if there is none.
        total: how many rows the list has in all; None where the service does not say.
    """

    items: tuple[T, ...]
    end_cursor: str | None
    total: int | None


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A list that is read page by page.

    Attributes:
        document: the query of one page, with `$first` and `$after`.
        variables: its other variables.
        path: the fields of the answer that lead to the connection.
        rows: the field of the connection with the rows.
        row: makes a row.
    """

    document: str
    variables: Mapping[str, Any]
    path: tuple[str, ...]
    row: Callable[[Any], T]
    rows: str = "nodes"

    def page(self, first: int, after: str | None) -> Operation[Page[T]]:
        """The query of one page with at most `first` rows."""
        variables = {**self.variables, "first": first}
        if after is not None:
            variables["after"] = after

        def read(data: dict[str, Any]) -> Page[T]:
            connection: Any = data
            for name in self.path:
                # A subject that is not there; or one that has no such list.
                connection = (connection or {}).get(name)
            if connection is None:
                raise _nothing("Nothing of that key has such messages, or the asker may not know.")
            info = connection["pageInfo"]
            end = info["endCursor"] if info["hasNextPage"] else None
            if end is not None and end == after:
                raise KeyError("endCursor")  # it would go round for ever
            items = tuple(self.row(row) for row in connection[self.rows])
            return Page(items, end, connection.get("totalCount"))

        return Operation(self.document, variables, checked(read))


def one(
    name: str,
    result: type[R],
    field_name: str,
    variables: Mapping[str, Any],
    *,
    missing: str = "",
    safe: bool = True,
    extra_s: float = 0.0,
) -> Operation[R]:
    """An operation with one root field.

    Args:
        name: of the file in `queries/`.
        result: what the field becomes.
        field_name: the root field.
        variables: its variables; those that are None are left out.
        missing: what is said if the field is null.
        safe, extra_s: as in `Operation`.
    """

    def read(data: dict[str, Any]) -> R:
        if data[field_name] is None and missing:
            raise _nothing(missing)
        return result.model_validate(data[field_name])

    return Operation(document(name), given(variables), checked(read), safe, extra_s)


def listing(
    name: str,
    result: type[R],
    path: tuple[str, ...],
    variables: Mapping[str, Any],
    *,
    rows: str = "nodes",
) -> Listing[R]:
    """A list whose rows become `result`; arguments as for `one`."""
    return Listing(document(name), given(variables), path, result.model_validate, rows)


def own(
    text: str, variables: Mapping[str, Any] | None, name: str, safe: bool | None
) -> Operation[dict[str, Any]]:
    """An operation of the user's own; a query is safe to repeat, all else is not."""
    if safe is None:
        safe = not _CHANGES.search(_UNREAD.sub(" ", text))
    return Operation(text, plain(dict(variables or {})), lambda data: data, safe, name=name)


def given(variables: Mapping[str, Any]) -> dict[str, Any]:
    """The variables that are not None, ready for JSON."""
    return {name: plain(value) for name, value in variables.items() if value is not None}


def plain(value: Any) -> Any:
    """`value` as JSON has it.

    Raises:
        BadInputError: a time has no zone.
    """
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise BadInputError(
                "A time has no zone, so that it is not clear when it is.",
                "Give one with a zone: datetime(2026, 3, 1, tzinfo=timezone.utc).",
            )
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(entry) for entry in value]
    return value


def request_id(chosen: str | None) -> str:
    """The client's id of a mutation: `chosen`, or a new one. With it, repeating is safe."""
    return uuid.uuid4().hex if chosen is None else chosen


def checked(read: Callable[[dict[str, Any]], T]) -> Callable[[dict[str, Any]], T]:
    """`read`, raising `UnexpectedAnswerError` where the answer has another form."""

    def reading(data: dict[str, Any]) -> T:
        try:
            return read(data)
        except (ValidationError, LookupError, TypeError, AttributeError) as error:
            raise UnexpectedAnswerError(
                "The service answered in a form that this client does not know.",
                "Bring both to the same version.",
            ) from error

    return reading


def _nothing(message: str) -> NotFoundError:
    return NotFoundError(message, code="NOT_FOUND")
