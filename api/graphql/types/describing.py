"""Small tools for declaring types: every field and argument of the schema has a description."""

from __future__ import annotations

from typing import Any, TypeVar

import strawberry

from ..cost import Cost

T = TypeVar("T", bound=type)


def described(text: str, **more: Any) -> Any:
    """A field with the description `text`."""
    return strawberry.field(description=text, **more)


def cost(weight: int = 1, size: int | None = None, size_from: str | None = None) -> list[object]:
    """`directives` of a field: what it costs, and how many entries it may bring.

    Most fields need none: one with fields below it weighs 1, and a list with `first` has as many
    entries as that says. `size_from` names another argument that says it; `size` is then what
    holds without that argument.
    """
    return [
        Cost(
            weight=weight,
            size=strawberry.UNSET if size is None else size,
            size_from=strawberry.UNSET if size_from is None else size_from,
        )
    ]


def arg(text: str) -> Any:
    """The description of an argument, for use within `Annotated`."""
    return strawberry.argument(description=text)


def value(of: Any, text: str) -> Any:
    """A value of an enum with the description `text`."""
    return strawberry.enum_value(of, description=text)
