"""Small tools for declaring types: every field and argument of the schema has a description."""

from __future__ import annotations

from typing import Any, TypeVar

import strawberry

T = TypeVar("T", bound=type)


def described(text: str, **more: Any) -> Any:
    """A field with the description `text`."""
    return strawberry.field(description=text, **more)


def arg(text: str) -> Any:
    """The description of an argument, for use within `Annotated`."""
    return strawberry.argument(description=text)


def value(of: Any, text: str) -> Any:
    """A value of an enum with the description `text`."""
    return strawberry.enum_value(of, description=text)
