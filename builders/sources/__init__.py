"""One module per export format; each yields source records for the log."""

from __future__ import annotations

from pathlib import Path

from ..errors import SourceError
from .base import (
    Source,
    SourceActor,
    SourceChannel,
    SourceMessage,
    SourceNote,
    SourceReject,
)
from .jsonl import JsonlOptions, JsonlSource
from .slack import SlackOptions, SlackSource, holds_slack_export
from .slack_archive import ArchiveLimits

FORMATS = ("slack", "jsonl")
_ACCEPTED = (
    "Accepted are a Slack export (a zip or its unpacked folder) and JSONL "
    "(.jsonl, .ndjson, also .gz; one message a line as docs/jsonl.md says)."
)
_JSONL_ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


def open_source(
    path: str | Path,
    format: str | None = None,
    *,
    timezone: str | None = None,
    permalink_base: str = "",
    limits: ArchiveLimits | None = None,
    name: str = "",
) -> Source:
    """Open an export for reading.

    Args:
        path: file or folder.
        format: one of `FORMATS`; None looks at what is there.
        timezone: JSONL: zone of times without an offset.
        permalink_base: Slack: address of the workspace, for links to messages.
        limits: how much a packed file may hold.
        name: what the export is called, if that is not the name of the file.

    Raises:
        SourceError: the format is none of those accepted, or the export cannot be read.

    Example:
        source = open_source("export.zip", permalink_base="https://acme.slack.com")
    """
    path = Path(path).expanduser()
    chosen = format or _detect(path, limits)
    if chosen == "slack":
        return SlackSource(path, SlackOptions(permalink_base, limits or ArchiveLimits(), name))
    if chosen == "jsonl":
        return JsonlSource(path, JsonlOptions(timezone, name, limits=limits or ArchiveLimits()))
    raise SourceError(f"The format {chosen!r} is unknown.", _ACCEPTED)


def _detect(path: Path, limits: ArchiveLimits | None) -> str:
    if not path.exists():
        raise SourceError(f"There is no file or folder {str(path)!r}.", "Check the path.")
    if path.is_file() and path.name.lower().endswith(_JSONL_ENDINGS):
        return "jsonl"
    if path.is_dir() or path.suffix.lower() == ".zip":
        if holds_slack_export(path, limits):
            return "slack"
        raise SourceError(f"{path.name!r} holds no export of a known format.", _ACCEPTED)
    raise SourceError(f"The format of {path.name!r} is unknown.", _ACCEPTED)


__all__ = [
    "FORMATS",
    "ArchiveLimits",
    "JsonlOptions",
    "JsonlSource",
    "SlackOptions",
    "SlackSource",
    "Source",
    "SourceActor",
    "SourceChannel",
    "SourceMessage",
    "SourceNote",
    "SourceReject",
    "open_source",
]
