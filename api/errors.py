"""Errors of the outer room."""

from __future__ import annotations

from ..text.errors import EGCForestError


class ApiError(EGCForestError):
    """Base of this room's errors."""


class SettingsError(ApiError):
    """A setting is unknown or has a value that cannot be used."""


class NotFoundError(ApiError):
    """A workspace, actor, channel or artifact of that name is not there, or not visible."""


class AmbiguousNameError(ApiError):
    """A name fits several; the message lists them."""


class MissingExtraError(ApiError):
    """A part of the package is not installed."""
