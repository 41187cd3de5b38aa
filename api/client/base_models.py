"""What all results have in common."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Result(BaseModel):
    """Something that the service answered. Immutable; what a later service adds is passed over."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        # An error of validation is shown to people, and the input may be what somebody wrote.
        hide_input_in_errors=True,
    )


class Period(Result):
    """From the earliest to the latest of some messages, UTC."""

    first: datetime
    last: datetime
