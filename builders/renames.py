"""Projects that were given another name, learned from what people say.

"We are renaming pathX to RouteGenie", "Lantern is now called Beacon", "changing the product's
name from Lantern to Beacon".
What was renamed becomes one artifact of kind `project` with all its names. A rename that is said in
a private channel is known to that audience alone, and its artifact is another one than the public.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..graph.keys import PROJECT_KIND, artifact_key
from ..graph.records import PUBLIC_AUDIENCE

CUES = (
    "renam", "is called", "now called", "be called", "known as", "formerly", "previously",
    "rebrand", "name from", "name of", "namen von", "umben", "benennen", "heißt jetzt",
    "heisst jetzt", "改名", "改称", "名称",
)  # fmt: skip
"""Small letters; a text without any of them states no rename."""

_WORD = r"(?:[^\W\d_a-zß-öø-ÿ](?:[\w&+-]|\.\w){0,40}|[a-z]{1,16}[A-Z][\w&+-]{0,40})"
_QUOTES = r"[\"“”„'‘’«»*_`]*"


def _name(group: str) -> str:
    """A pattern for one to three words in capitals or camel case, quoted or not."""
    project = r"(?:(?i:project|projekt|codename)[ ])?"
    return rf"{_QUOTES}{project}(?P<{group}>{_WORD}(?:[ ]{_WORD}){{0,2}}){_QUOTES}"


_OLD, _NEW = _name("old"), _name("new")
_WHAT = (
    r"(?:(?i:the|our|this|das|unser)[ ])?(?:(?i:product|project|projekt|produkt|app|tool|service"
    r"|initiative|platform|programme?|team|internal|working|code ?name|name)[ ]){0,2}"
)
_TO = r"[ ](?i:to|as|into|→|->|=>)[ ]"
_BECOMES = (
    r"[ ](?i:is|are|has|was|will|gets|got)[ ](?:(?i:just|be|been|being|now|officially)[ ]){0,2}"
)
_CHANGED_NAME = r"chang(?:e|ed|es|ing)\b[^.!?\n]{0,40}?\bname"
_JAPANESE = r"[A-Za-z][\w-]{1,40}|[\u30a0-\u30ff\u4e00-\u9fff]{2,12}"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:\b(?:renam(?:e|ed|ing)|rebrand(?:ed|ing)?):?[ ]){_WHAT}(?:(?i:from)[ ])?"
        rf"{_OLD}{_TO}{_NEW}",
        # What is renamed is named before: "renaming it from A to B".
        rf"(?i:\b(?:renam(?:e|ed|ing)|rebrand(?:ed|ing)?|{_CHANGED_NAME})\b)[^.!?\n]{{0,40}}?"
        rf"[ ](?i:from)[ ]{_OLD}{_TO}{_NEW}",
        rf"(?i:\b{_CHANGED_NAME}[ ]of[ ]){_WHAT}{_OLD}{_TO}{_NEW}",
        rf"(?i:\bnamen[ ]von[ ]){_OLD}[ ](?i:in|auf|zu)[ ]{_NEW}",
        rf"{_OLD}{_BECOMES}(?i:renamed|rebranded)[ ](?:(?i:to|as|into)[ ])?{_NEW}",
        rf"{_OLD}{_BECOMES}(?i:called|known as|named)[ ]{_NEW}",
        rf"{_NEW}[ ,]{{1,2}}[(]?(?i:formerly|previously)[ ](?:(?i:known as|called|named)[ ])?"
        rf"{_OLD}",
        rf"{_OLD}[ ](?i:wird|wurde|ist)[ ](?:(?i:jetzt|nun|ab \w+)[ ])?(?i:in)[ ]{_NEW}[ ]"
        r"(?i:umbenannt)",
        rf"(?i:\bbenennen[ ](?:wir[ ])?|\bumbenennung von[ ]){_OLD}[ ](?i:in)[ ]{_NEW}",
        rf"{_OLD}[ ](?i:hei(?:ß|ss)t[ ](?:jetzt|nun|ab (?:jetzt|sofort|heute)))[ ]{_NEW}",
        rf"(?P<old>{_JAPANESE})(?:の名称)?(?:を|は)、?「?(?P<new>{_JAPANESE})」?(?:に|へ|と)"
        r"(?:改名|改称|名称変更|名称を変更|変更)",
    )
)
_NO_NAME = frozenset(
    re.findall(
        r"\w+",
        "The This That It We You They I He She Our Your Channel Please Hi Hey Also And But So PR "
        "PRs API URL File Branch Button Field Column Table Folder Who What Which",
    )
)
_OF_CODE = re.compile(
    r"\b(?:file|variable|function|method|class|column|table|field|branch|folder|directory|key|parameter|endpoint"
    r"|flag|package|module|test|button|tab|label|tag|channel|Datei|Kanal|Spalte)s?(?:[ ]names?)?"
    r"(?:[ ](?:from|of|von))?[ ]$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rename:
    """`old` was given the name `new`; `message` is the key of the message that says so."""

    old: str
    new: str
    message: str

    def encoded(self) -> str:
        """One line for a list property."""
        return f"{self.old}\t{self.new}\t{self.message}"

    @classmethod
    def decoded(cls, line: str) -> Rename:
        """The inverse of `encoded`."""
        old, new, message = line.split("\t")
        return cls(old, new, message)


def find_renames(text: str, message: str) -> list[Rename]:
    """What `text` says was renamed to what, in order."""
    lowered = text.casefold()
    if not any(cue in lowered for cue in CUES):
        return []
    found: dict[tuple[str, str], Rename] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            old, new = (_clean(match[name]) for name in ("old", "new"))
            if _OF_CODE.search(text[max(0, match.start("old") - 36) : match.start("old")]):
                continue
            if old and new and old.casefold() != new.casefold():
                found.setdefault((old.casefold(), new.casefold()), Rename(old, new, message))
    return list(found.values())


def _clean(name: str) -> str:
    words = name.rstrip(".-+&").split()
    while words and words[0] in _NO_NAME:
        words.pop(0)
    return " ".join(words) if words and len("".join(words)) > 2 else ""


@dataclass(frozen=True, slots=True)
class Project:
    """One thing under all its names, the oldest first. `identifier` is scoped if it is private."""

    key: str
    identifier: str
    names: tuple[str, ...]


class ProjectNames:
    """The projects one audience knows of, and where a text names them.

    Args:
        workspace: the tenant.
        audience: whose knowledge it is.
        public: the renames said in public, in whatever order.
        own: those said to this audience alone; none if it is the public.
    """

    def __init__(
        self,
        workspace: str,
        audience: str,
        public: Iterable[Rename],
        own: Iterable[Rename] = (),
    ) -> None:
        private = [] if audience == PUBLIC_AUDIENCE else list(own)
        self.projects = _projects(workspace, audience, list(public), private)
        self._by_name = {
            name.casefold(): project for project in self.projects for name in project.names
        }
        self._distinct = {
            name.casefold()
            for project in self.projects
            for name in project.names
            if " " in name or not name[1:].islower()
        }
        self._pattern = _names_pattern(self._by_name)

    @property
    def identity(self) -> str:
        """What is known: equal exactly if every text would be read alike."""
        return "\n".join(f"{p.identifier}\t{'|'.join(p.names)}" for p in self.projects)

    def named_in(self, text: str) -> list[Project]:
        """The projects that `text` names, each once, by first mention."""
        if self._pattern is None:
            return []
        found: dict[Project, None] = {}
        for match in self._pattern.finditer(text):
            # "Beacon" is a project, a "beacon" is not; "actiongenie" is nothing else.
            name = match[0]
            if not name[0].islower() or name.casefold() in self._distinct:
                found.setdefault(self._by_name[name.casefold()])
        return list(found)

    def called(self, key: str) -> Project | None:
        """The project with this artifact key, if this audience knows it."""
        return next((project for project in self.projects if project.key == key), None)


def _names_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    if not ordered:
        return None
    alternatives = "|".join(re.escape(name) for name in ordered)
    return re.compile(rf"(?<![\w])(?:{alternatives})(?!\w)", re.IGNORECASE)


def _projects(
    workspace: str, audience: str, public: Sequence[Rename], own: Sequence[Rename]
) -> tuple[Project, ...]:
    renames = sorted({(r.old, r.new) for r in (*public, *own)})
    spelled: dict[str, str] = {}
    for pair in renames:
        for name in pair:
            # Of two spellings the one with more capitals, then the first by alphabet.
            known = spelled.get(name.casefold())
            if known is None or _spelling(name) < _spelling(known):
                spelled[name.casefold()] = name
    group = {name: name for name in spelled}

    def find(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for old, new in renames:
        a, b = sorted((find(old.casefold()), find(new.casefold())))
        group[b] = a
    members: dict[str, list[str]] = {}
    for name in spelled:
        members.setdefault(find(name), []).append(name)
    private = {name.casefold() for r in own for name in (r.old, r.new)}
    made = {new.casefold() for _, new in renames}
    projects = []
    for names in members.values():
        ordered = sorted(names, key=lambda name: (name in made, name))
        identifier = ordered[0]
        if not private.isdisjoint(names):
            identifier = f"{audience}:{identifier}"
        key = artifact_key(workspace, PROJECT_KIND, identifier)
        projects.append(Project(key, identifier, tuple(spelled[name] for name in ordered)))
    return tuple(sorted(projects, key=lambda project: project.key))


def _spelling(name: str) -> tuple[int, str]:
    return -sum(character.isupper() for character in name), name
