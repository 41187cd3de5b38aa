"""Titles of documents: found in running text, and reduced to what drafts and finals share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_STAGES = (
    "final|finali[sz]ed|draft|drafted|latest|updated?|revised|revision|preliminary|wip|copy|proposed"
    "|approved|signed|initial|entwurf|endfassung|endgültige[rs]?|aktuelle[rs]?|überarbeitete[rs]?"
    "|brouillon|finale?|définitif|borrador|definitivo|version|ver|rev|v"
)
_MARKS = r"[\s_\-–—.:()\[\]]"
_LEADING = re.compile(
    rf"{_MARKS}*+(?:(?:{_STAGES})(?![^\W\d_]){_MARKS}*+(?:\d++(?:\.\d++)*+(?={_MARKS}|$){_MARKS}*+)?)++",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"(?:{_MARKS}+(?:{_STAGES})(?:{_MARKS}*\d+(?:\.\d+)*)?|{_MARKS}*\(\d+\)){_MARKS}*$",
    re.IGNORECASE,
)
_JAPANESE = re.compile(
    r"^(?:最終版?|最新版?|草案|下書き|最终版?|草稿)の?|の?(?:最終版|最新版|草案|下書き|最终版|草稿)$"
)
_LONGEST_TITLE = 300

_NOUNS = (
    "Documents?|Docs?|Reports?|Plans?|Proposals?|Specifications?|Specs?|Roadmaps?|Briefs?|Decks?"
    "|Policy|Policies|Runbooks?|Playbooks?|Guides?|Guidelines|Handbooks?|Checklists?|RFC|PRD|Memos?"
    "|Whitepapers?|Contracts?|Agreements?|Charters?|Budgets?|Post-?mortems?|Retrospectives?"
    "|Presentations?|Slides|Spreadsheets?|Templates?|Manuals?|Statement of Work|SOW|Press Release"
    "|Bericht|Dokument|Konzept|Vertrag|Entwurf|Handbuch|Rapport|Contrat|Informe|Contrato|Documento"
)
_WORD = r"[^\W\d_a-zß-öø-ÿ][\w&/’'+-]{0,40}"
_TITLE = re.compile(
    rf"(?<![\w/@#-])(?:{_WORD}[ ](?:(?:of|for|and|&|de|der|des|und|du)[ ])?){{1,6}}"
    rf"(?:{_NOUNS})(?![\w-]|[ ][^\W\d_a-z])"
)
_QUOTED = re.compile(
    r"(?<!\w)(?:\"([^\"\n]{3,100})\"|“([^”\n]{3,100})”|„([^“”\n]{3,100})[“”]|«([^»\n]{3,100})»"
    r"|「([^」\n]{2,100})」|『([^』\n]{2,100})』|‘([^’\n]{3,100})’(?!\w)|'([^'\n]{3,100})'(?!\w))"
)
_ENDS_AS_DOCUMENT = re.compile(
    rf"[ _-](?:{_NOUNS})(?:[ ]v?\d[\w.]*)?$"
    r"|.(?:書|表|案|計画|仕様|資料|报告|文档|计划|方案|報告|보고서|문서|계획)$",
    re.I,
)
_SAID_TO_BE_DOCUMENT = re.compile(
    r"\b(?:docs?|documents?|report|deck|file|spec|proposal|page|paper|sheet|spreadsheet|memo|slides"
    r"|Dokument|Datei|Bericht|documento|fichier)\s+(?:is\s+)?"
    r"(?:(?:called|titled|named|entitled|namens|titulado|intitulé)\s+)?$",
    re.IGNORECASE,
)
# A sentence begins with a capital too: these are not part of a title.
_NO_TITLE_WORD = re.compile(
    r"(?:(?:The|An?|Our|Your|My|Their|His|Her|Its|This|That|These|Those|Please|Here|Also|And|But|So"
    r"|In|On|For|With|As|Let|Lets|Let's|Hi|Hey|Hello|Thanks|Great|Awesome|Next|Lastly|First|Finally"
    r"|Can|Could|Would|Should|Will|Did|Does|Do|Is|Are|Was|Were|Has|Have|Who|What|When|Where|Which"
    r"|Why|How|If|We|I|You|They|He|She|It|All|Any|Each|Every|No|Yes|Both|Find|See|Read|Review|Share"
    r"|Sharing|Shared|Regarding|About|From|To|Of|At|By|After|Before|Since|Until|Updated?"
    r"|Der|Die|Das|Den|Dem|Ein|Eine|Unser|Unsere|Le|La|Les|El|Los|Un|Une|Una)[ ])+"
)


@dataclass(frozen=True, slots=True)
class Title:
    """A document's title as it stands in a text."""

    text: str
    span: tuple[int, int]


def find_titles(text: str) -> Iterator[Title]:
    """Titles of documents in running text.

    Quoted ones that are called a document or end like one, and runs of capitalised words that
    end in a word for a document (`Market Research Report`).
    """
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 0
        words = match[group].strip()
        if _ENDS_AS_DOCUMENT.search(words) or _SAID_TO_BE_DOCUMENT.search(
            text[max(0, match.start() - 60) : match.start()]
        ):
            yield Title(words, match.span())
    for match in _TITLE.finditer(text):
        lead = _NO_TITLE_WORD.match(match[0])
        start = match.start() + (lead.end() if lead else 0)
        words = text[start : match.end()]
        if " " in words:
            yield Title(words, (start, match.end()))


def strip_stage_words(title: str) -> str:
    """`title` without words for the stage of its life, at both ends: what drafts and finals share.

    `Final Product Vision Document` gives `Product Vision Document`, `draft_report_v2` gives
    `report`. A title that consists of such words alone stays as it is.
    """
    bare = unicodedata.normalize("NFKC", title[:_LONGEST_TITLE]).strip()
    bare = _JAPANESE.sub("", bare).strip() or bare
    leading = _LEADING.match(bare)
    bare = (bare[leading.end() :] if leading else bare).strip() or bare
    for _ in range(4):  # "(final) v2": one at a time
        bare = _TRAILING.sub("", bare).strip() or bare
    return bare


def document_slug(title: str) -> str:
    """The title's words without stage, in small letters, joined by hyphens; may be empty."""
    words = re.findall(r"[^\W_]+", strip_stage_words(title).casefold())
    return "-".join(words)


def readable_title(name: str) -> str:
    """A title to show, from the name of a page or file."""
    return " ".join(re.findall(r"[^\W_]+", strip_stage_words(name)))
