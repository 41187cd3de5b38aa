"""Identifiers of deliverables, found by rule and normalised so that the same thing is named alike.

The text is read as a person reads it: a labelled link stands as `label (https://…)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from .links import Link, find_links
from .titles import document_slug, find_titles, readable_title, strip_stage_words

__all__ = ["Identifier", "IdentifierKind", "find_identifiers", "strip_stage_words"]


class IdentifierKind(StrEnum):
    """What sort of deliverable an identifier names."""

    PULL_REQUEST = "pull_request"
    TICKET = "ticket"
    INCIDENT = "incident"
    URL = "url"
    DOCUMENT = "document"
    FILE = "file"
    RELEASE = "release"
    COMMIT = "commit"
    PHASE = "phase"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier in a text."""

    kind: IdentifierKind
    value: str
    """Normalised: `atlas#482`, or `#482` where no repository is known; `OPS-214`; `INC-37`;
    `v2.4.0`; a link without scheme, tracking and fragment; a document's title as a slug without
    draft and final; a file's name in small letters; a commit's first seven digits; `phase-2`."""
    surface: str
    """As it stands in the text: `text[span[0]:span[1]]`."""
    title: str | None
    """The label of the link or the title as written, for aliases."""
    scope: str | None
    """`owner/repository`, host or project it is said to live in, where that is known."""
    span: tuple[int, int]


_Found = tuple[IdentifierKind, str, str | None, str | None]

_NUMBER_LIST = re.compile(r"(?: ?(?:,|and|&|und|et|y) ?(?:and )?#?(\d{1,9})\b(?![.:/\-]?\d))")
_DIGIT = re.compile(r"\d")
_PULL = re.compile(
    r"\b(?:PR|MR|pull[ -]request|merge[ -]request|プルリク(?:エスト)?|合并请求)(s?)[ ]{0,2}"
    r"(?:#|!|no\.?|number|nr\.?)?[ ]?(\d{1,9})\b(?![.:/]\d)",
    re.IGNORECASE,
)
_SCOPED_PULL = re.compile(
    r"(?<![\w/#&.-])((?:[A-Za-z0-9][\w.-]{0,60}/)?[A-Za-z][\w.-]{0,60})#(\d{1,9})\b"
)
_BARE_PULL = re.compile(r"(?<![\w#&/])#(\d{2,7})\b(?![.:/-]\d)")
_TICKET = re.compile(r"(?<![\w/#@.-])([A-Z][A-Z0-9]{1,9})-(\d{1,7})\b(?!-?\d|\.\d)")
_LOWER_TICKET = re.compile(r"(?<![\w/#@.-])([A-Za-z][A-Za-z0-9]{1,9})-(\d{1,7})\b(?!-?\d|\.\d)")
_VULNERABILITY = re.compile(r"\b(CVE-\d{4}-\d{4,7})\b", re.IGNORECASE)
_INCIDENT = re.compile(
    r"\b(?:incident|inc|Vorfall|インシデント|事故)(?:[ ]?(?:no\.?|number|nr\.?))?[ #-]{0,2}"
    r"(\d{1,7})\b(?!\.\d)",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?<![\w.\-/])v(\d{1,4}(?:\.\d{1,5}){1,3}(?:-[A-Za-z0-9]{1,12}(?:\.\d{1,5})?)?)\b"
)
_NAMED_VERSION = re.compile(
    r"\b(?:release|version|rel\.|バージョン|版本|Fassung)[ ]?v?"
    r"(\d{1,4}(?:\.\d{1,5}){0,3}(?:-[A-Za-z]{1,8}\.?\d{0,4})?)\b(?![-/:]\d)",
    re.IGNORECASE,
)
_COMMIT = re.compile(
    r"\b(?:commit|sha|rev|revision|Commit)[ :#`(]{1,3}([0-9a-f]{7,40})\b"
    r"|(?<![\w/@.-])([0-9a-f]{40})(?![\w@.-])"
)
_PHASE = re.compile(
    r"\b(phase|sprint|milestone|iteration|フェーズ|スプリント|阶段|Meilenstein)[ -]?#?"
    r"(\d{1,3}|[IVX]{1,4}|[A-D])\b(?![.:/]\d)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"(?<![\w/@.\-])((?:[\w][\w\-]{0,80}[.]){1,4}(?:"
    r"pdf|docx?|odt|rtf|xlsx?|ods|csv|tsv|pptx?|odp|key|pages|numbers|md|rst|txt|tex|epub"
    r"|png|jpe?g|gif|svg|webp|heic|mp4|mov|mp3|wav|fig|sketch|psd|drawio|vsdx"
    r"|zip|tar|t?gz|7z|rar|json|ya?ml|toml|xml|html?|ini|cfg|conf|env|log|sql|db|parquet"
    r"|py|ipynb|js|jsx|ts|tsx|java|kt|go|rs|rb|php|cs|cpp|cc|h|hpp|c|swift|scala|sh|ps1|tf|proto"
    r"|css|scss|vue|lock"
    r"))(?![\w\-]|\.\w)",
    re.IGNORECASE,
)
_DOCUMENT_ENDINGS = frozenset(
    {"pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "ppt", "pptx", "odp", "key", "md"}
)
# Written like a file, but a library or a runtime, a member of an object, or an abbreviation.
_LIBRARY = re.compile(
    r"(?:node|next|vue|nuxt|react|express|d3|three|chart|ember|backbone|angular|graphql|apollo|discord"
    r"|socket\.io|p5|moment|lodash|alpine|knockout|meteor|electron|gatsby|nest|solid|svelte|video"
    r"|pixi|phaser|tensorflow|brain|ml5|leaflet|fastify|koa|hapi|sails|jest|mocha|prisma|day|deck"
    r"|transformers|vite|htmx|require|jquery|bootstrap|handlebars|less|deno|bun)"
    # and members of objects, and abbreviations that a word runs on from
    r"\.(?:js|ts|py|go|rs|c|h)|(?:console|math|window|logger|np)\.log|process\.env|import\.meta\.env"
    r"|(?:[a-z]\.){2,4}\w+|[a-z]\.[a-z]",
    re.IGNORECASE,
)
# Looks like a ticket, names a standard, a model, a period or a size.
_NO_PROJECT = re.compile(
    "AES|API|ASCII|BASE|BERT|CIS|CLASS|CODE|COVID|CP|CVE|CWE|DAY|DDR|DIN|EN|FIPS|FY|GMT|GPT|H|HTTPS?"
    "|IEC|IEEE|IPV?|ISO|LATIN|LEVEL|MD|MR|NIST|OAUTH|P|PART|PCI|PEP|PHASE|PM|PR|PY|PYTHON|Q|RFC|ROUND"
    "|RSA|SEV|SHA|SOC|SPRINT|SSE|SSL|STEP|TIER|TLS|TOP|TYPE|UTC|UTF|VERSION|WCAG|WEB|WEEK|WIN|WINDOWS"
    "|X|Y|YEAR|Q[1-4]|H[12]|FY[0-9]*|[CK]W[0-9]*"
)
_ROMAN = {
    "I": 1,
    "II": 2,
    "III": 3,
    "IV": 4,
    "V": 5,
    "VI": 6,
    "VII": 7,
    "VIII": 8,
    "IX": 9,
    "X": 10,
}


def find_identifiers(text: str, *, lenient: bool = False) -> list[Identifier]:
    """All identifiers of a text, by position; no two overlap.

    Args:
        text: as a person reads it. Any string is accepted.
        lenient: also take a ticket in small letters (`ops-214`). Right for a question, whose
            identifiers are looked up; in a message it would make artifacts of `top-10`.

    A labelled link to a document is one identifier: its kind is DOCUMENT, its value the slug of the
    page's name, its title the label, and it spans label and link.
    """
    taken: list[Identifier] = []
    covered = bytearray(len(text))

    def add(span: tuple[int, int], found: _Found) -> None:
        start, end = span
        if start >= end or any(covered[start:end]):
            return
        covered[start:end] = b"\x01" * (end - start)
        kind, value, title, scope = found
        taken.append(Identifier(kind, value, text[start:end], title, scope, span))

    for link in find_links(text):
        add(link.span, _of_link(link))
    for span, found in _files(text):
        add(span, found)
    if _DIGIT.search(text):
        for rule in _NUMBERED:
            for span, found in rule(text):
                add(span, found)
        if lenient:
            for span, found in _lower_tickets(text):
                add(span, found)
    for title in find_titles(text):
        slug = document_slug(title.text)
        if slug:
            add(title.span, (IdentifierKind.DOCUMENT, slug, title.text, None))
    return sorted(taken, key=lambda identifier: identifier.span)


def _of_link(link: Link) -> _Found:
    title = link.label
    if link.pull is not None:
        repository, number = link.pull
        return IdentifierKind.PULL_REQUEST, _scoped(repository, number), title, repository
    if link.ticket is not None:
        return _ticket_kind(link.ticket), link.ticket, title, link.host
    if link.issue is not None:
        repository, number = link.issue
        return IdentifierKind.TICKET, _scoped(repository, number), title, repository
    if link.commit is not None:
        repository, digits = link.commit
        return IdentifierKind.COMMIT, digits[:7], title, repository
    if link.release is not None:
        repository, version = link.release
        return IdentifierKind.RELEASE, _version(version), title, repository
    name = link.document_name
    if name is not None:
        slug = document_slug(name)
        if slug:
            return IdentifierKind.DOCUMENT, slug, title or readable_title(name), link.host
    return IdentifierKind.URL, link.value, title, link.host


def _scoped(repository: str, number: str) -> str:
    return f"{repository.rsplit('/', 1)[-1]}#{int(number)}"


def _ticket_kind(value: str) -> IdentifierKind:
    return IdentifierKind.INCIDENT if value.startswith("INC-") else IdentifierKind.TICKET


def _version(text: str) -> str:
    text = text.casefold()
    return text if text[:1] == "v" or not text[:1].isdigit() else f"v{text}"


def _pulls(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _SCOPED_PULL.finditer(text):
        repository = match[1].casefold()
        if repository.rstrip("s") in ("pr", "mr", "issue", "ticket", "bug"):
            yield match.span(), (IdentifierKind.PULL_REQUEST, f"#{int(match[2])}", None, None)
        else:
            value = _scoped(repository, match[2])
            yield match.span(), (IdentifierKind.PULL_REQUEST, value, None, repository)
    for match in _PULL.finditer(text):
        yield match.span(), (IdentifierKind.PULL_REQUEST, f"#{int(match[2])}", None, None)
        end = match.end()
        # "PRs #12, #13 and 14": the list goes on.
        if match[1]:
            for _ in range(20):
                following = _NUMBER_LIST.match(text, end)
                if following is None:
                    break
                span = following.span(1)
                yield span, (IdentifierKind.PULL_REQUEST, f"#{int(following[1])}", None, None)
                end = following.end()
    for match in _BARE_PULL.finditer(text):
        yield match.span(), (IdentifierKind.PULL_REQUEST, f"#{int(match[1])}", None, None)


def _tickets(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _VULNERABILITY.finditer(text):
        yield match.span(), (IdentifierKind.TICKET, match[1].upper(), None, None)
    for match in _TICKET.finditer(text):
        yield from _ticket(match)


def _lower_tickets(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _LOWER_TICKET.finditer(text):
        yield from _ticket(match)


def _ticket(match: re.Match[str]) -> Iterator[tuple[tuple[int, int], _Found]]:
    project, number = match[1].upper(), match[2]
    if _NO_PROJECT.fullmatch(project):
        return
    value = f"{project}-{number}"
    yield match.span(), (_ticket_kind(value), value, None, project)


def _incidents(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _INCIDENT.finditer(text):
        # "INC-0037" of one tool and "incident 37" in talk are the same.
        yield match.span(), (IdentifierKind.INCIDENT, f"INC-{int(match[1])}", None, None)


def _files(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _FILE.finditer(text):
        if _LIBRARY.fullmatch(match[1]):
            continue
        stem, _, ending = match[1].casefold().rpartition(".")
        slug = document_slug(stem)
        staged = slug != "-".join(re.findall(r"[^\W_]+", stem))
        if ending in _DOCUMENT_ENDINGS and staged and "-" in slug:
            # "design-draft-1.md" and "design-final.pdf" are one document at two stages.
            yield match.span(), (IdentifierKind.DOCUMENT, slug, readable_title(stem).title(), None)
        else:
            yield match.span(), (IdentifierKind.FILE, match[1].casefold(), None, None)


def _releases(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for pattern in (_VERSION, _NAMED_VERSION):
        for match in pattern.finditer(text):
            yield match.span(), (IdentifierKind.RELEASE, _version(match[1]), None, None)


def _commits(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _COMMIT.finditer(text):
        group = 1 if match[1] else 2
        digits = match[group]
        if not digits.isdigit() and not digits.isalpha():
            yield match.span(group), (IdentifierKind.COMMIT, digits[:7], None, None)


_PHASE_WORDS = {
    "フェーズ": "phase",
    "阶段": "phase",
    "スプリント": "sprint",
    "meilenstein": "milestone",
}


def _phases(text: str) -> Iterator[tuple[tuple[int, int], _Found]]:
    for match in _PHASE.finditer(text):
        word = match[1].casefold()
        number = match[2]
        if number.isalpha() and not number.isupper():
            continue  # "phase a" of a sentence
        count = str(_ROMAN.get(number, number)).casefold()
        value = f"{_PHASE_WORDS.get(word, word)}-{count}"
        yield match.span(), (IdentifierKind.PHASE, value, None, None)


_NUMBERED: tuple[Callable[[str], Iterator[tuple[tuple[int, int], _Found]]], ...] = (
    _incidents,
    _pulls,
    _tickets,
    _releases,
    _commits,
    _phases,
)
"""What has a number in it, in order of precedence: the first to claim a place has it."""
