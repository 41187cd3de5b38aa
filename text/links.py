"""Links in a text, taken apart: what they point at and how they are labelled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

_LINK = re.compile(r"\b(?:https?://|www\.)[^\s<>\"`|\\^{}「」（）。、，]+", re.IGNORECASE)
_TRACKING = re.compile(
    r"utm_\w+|mc_\w+|hsa_\w+|pk_\w+|_hs\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|si|ref|ref_src|ref_url"
    r"|trk|usp|cmpid|mkt_tok|sharing|share|source",
    re.IGNORECASE,
)
_REPOSITORY = r"^/((?:[\w.~-]+/){0,4}?[\w.~-]+)"
_PULL = re.compile(_REPOSITORY + r"/(?:-/)?(?:pull|pulls|pull-requests|merge_requests)/(\d{1,9})\b")
_AZURE_PULL = re.compile(r"/_git/([\w.~-]+)/pullrequest/(\d{1,9})\b")
_ISSUE = re.compile(_REPOSITORY + r"/(?:-/)?issues/(\d{1,9})\b")
_COMMIT = re.compile(_REPOSITORY + r"/(?:-/)?commits?/([0-9a-f]{7,40})\b")
_RELEASE = re.compile(_REPOSITORY + r"/(?:-/)?(?:releases/tag|releases|tags)/(v?\d[\w.-]{0,30})")
_TICKET = re.compile(
    r"/(?:browse|issue|issues|ticket|tickets|projects/\w+)/([A-Z][A-Z0-9]{1,9}-\d{1,7})\b"
)
_OPAQUE = re.compile(r"(?=.*\d)(?!(?:[^_-]*[_-]){2})[\w-]{16,}|[0-9a-f-]{8,}|\d+")
_DOCUMENT_FOLDER = re.compile(
    r"/(?:docs?|documents?|wiki|pages|notes|display)/(?:.*/)?([^/]+)$", re.IGNORECASE
)
_DOCUMENT_FILE = re.compile(r"([^/]+)\.(?:pdf|docx?|odt|xlsx?|pptx?|md|txt|key)$", re.IGNORECASE)
_DOCUMENT_HOST = re.compile(
    r"(?:^|\.)(?:docs\.google\.com|drive\.google\.com|notion\.so|notion\.site|sharepoint\.com|dropbox\.com"
    r"|paper\.dropbox\.com|coda\.io|quip\.com|onedrive\.live\.com|1drv\.ms|figma\.com|miro\.com)$"
    r"|(?:^|\.)(?:confluence|wiki)\."
)
_LABEL_END = re.compile(r"[\s:,;.!?]*$")
_LABEL_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Link:
    """One link: its place, its normalised form and what its path says."""

    span: tuple[int, int]
    """Of the link with its label, where the label is known to be one."""
    value: str
    """`host/path?query` without scheme, `www.`, fragment, tracking and the last slash."""
    host: str
    path: str
    label: str | None

    @property
    def pull(self) -> tuple[str, str] | None:
        """`owner/repository` and number of a pull or merge request."""
        return self._scoped(_PULL) or self._scoped(_AZURE_PULL)

    @property
    def issue(self) -> tuple[str, str] | None:
        """`owner/repository` and number of an issue."""
        return self._scoped(_ISSUE)

    @property
    def commit(self) -> tuple[str, str] | None:
        """`owner/repository` and the digits of a commit."""
        return self._scoped(_COMMIT)

    @property
    def release(self) -> tuple[str, str] | None:
        """`owner/repository` and the tag of a release."""
        return self._scoped(_RELEASE)

    @property
    def ticket(self) -> str | None:
        """The key of a ticket in a tracker such as Jira or Linear."""
        match = _TICKET.search(self.path)
        return match[1] if match else None

    @property
    def document_name(self) -> str | None:
        """A document's name: the last part of the path, or the label where that says nothing."""
        match = _DOCUMENT_FILE.search(self.path) or _DOCUMENT_FOLDER.search(self.path)
        if match and not _OPAQUE.fullmatch(match[1]) and match[1].casefold() not in _PAGES:
            return match[1]
        return self.label if _DOCUMENT_HOST.search(self.host) else None

    def _scoped(self, pattern: re.Pattern[str]) -> tuple[str, str] | None:
        match = pattern.search(self.path)
        return (match[1].casefold(), match[2]) if match else None


_PAGES = frozenset({"index", "edit", "view", "home", "latest", "overview", "readme"})


def find_links(text: str) -> Iterator[Link]:
    """All links of a text in order. A malformed one is left out."""
    if "://" not in text and "www." not in text.casefold():
        return
    for match in _LINK.finditer(text):
        raw = _without_trailing_marks(match[0][:4000])
        address = raw if "://" in raw[:8] else f"http://{raw}"
        try:
            parts = urlsplit(address)
            host = (parts.hostname or "").removeprefix("www.")
            port = parts.port
        except ValueError:  # an unclosed bracket or a port that is none
            continue
        if not host:
            continue
        path = unquote(parts.path).rstrip("/")
        kept = [pair for pair in parse_qsl(parts.query) if not _TRACKING.fullmatch(pair[0])]
        query = f"?{urlencode(kept)}" if kept else ""
        place = f":{port}" if port not in (None, 80, 443) else ""
        start, end = match.start(), match.start() + len(raw)
        label, span = _label(text, start, end)
        yield Link(span, "".join((host, place, path, query)).replace(" ", "%20"), host, path, label)


def _without_trailing_marks(link: str) -> str:
    while link:
        last = link[-1]
        if last in ".,;:!?'’*_~]" or (last == ")" and link.count("(") < link.count(")")):
            link = link[:-1]
        else:
            break
    return link


def _label(text: str, start: int, end: int) -> tuple[str | None, tuple[int, int]]:
    """The label of `label (https://…)`, and the span of both. Where it begins is a guess: at the
    nearest mark, or the run of capitalised or joined words before the bracket."""
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return None, (start, end)
    before = text[max(0, start - 1 - _LABEL_CHARACTERS) : start - 1].rstrip(" ")
    match = _LABEL.search(before)
    if match is None:
        return None, (start, end)
    label = match[0].strip(" \"'“”‘’*_")
    first = (
        start - 1 - (len(text[max(0, start - 1 - _LABEL_CHARACTERS) : start - 1]) - match.start())
    )
    return label or None, (first, end + 1)


_LABEL = re.compile(
    r"(?:[\"“'‘][^\"”'’\n]{2,100}[\"”'’]"
    r"|(?:[^\W\d_a-z][\w&/.'’+#-]{0,40}[ ](?:(?:of|for|and|the|to|in|on|&|de)[ ]){0,2}){0,8}"
    r"[^\W_][\w&/.'’+#-]{0,80})$"
)
