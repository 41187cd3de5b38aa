"""What a sentence says about the life of work: opened, approved, decided, slipped, owned, promised.

Found by rule, in English, German and Japanese. A sentence in another language is simply none of
these, and is then judged by its words alone.
"""

from __future__ import annotations

import re


class Fact:
    """Kinds of facts that a sentence may state, as bits. Plain integers: enumerations are slow,
    and every sentence of the log is judged."""

    NONE = 0
    STATUS = 1
    DECISION = 2
    OWNER = 4
    COMMITMENT = 8
    DATE = 16
    RENAME = 32
    QUESTION = 64
    NOT_YET = 128


_WORD = re.compile(r"[^\W\d_]+|20(?=\d\d-)")
_UNSPACED = re.compile("[\u3000-\u9fff]")


def _cues(words: str, *more: str) -> frozenset[str]:
    return frozenset(words.casefold().split()) | frozenset(more)


_STATUS = re.compile(
    r"\b(?:opened|filed|created|merged|approved|LGTM|rejected|closed|reopened|resolved|fixed"
    r"|mitigated|reverted"
    r"|rolled (?:back|out)|released|shipped|deployed|launched|published|signed(?: off)?"
    r"|finali[sz]ed|completed"
    r"|cancel+ed|paused|blocked|unblocked|slipped|delayed|postponed|pushed (?:back|out|to)"
    r"|moved to|handed over"
    r"|went live|is live|is done|in review|escalated|superseded|deprecated|archived"
    r"|rolling back|reverting"
    r"|gemergt|gemerged|freigegeben|genehmigt|abgelehnt|geschlossen|behoben|zurückgerollt"
    r"|zurückgenommen"
    r"|veröffentlicht|ausgeliefert|ausgerollt|verschoben|verzögert|abgeschlossen|unterschrieben"
    r"|blockiert)\b"
    r"|マージ|承認|却下|クローズ|修正(?:済|し|完了)|リバート|差し戻|ロールバック|リリース(?:し|済|完了)|公開し|デプロイ|延期|遅れ|完了|署名|中止",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decided|decision|decid(?:e|ing) (?:to|on|against)|agreed (?:to|on|that)|we(?:'"
    r"|’)?(?:ll| will| are going to)"
    r" (?:go with|use|keep|drop|stick|ship|move|not)|let(?:'|’)?s (?:go with|not|hold off|keep"
    r"|drop|stick)"
    r"|going with|settled on|final call|signed off on|ruled out|instead of .{1,40} we"
    r"|entschieden|Entscheidung|beschlossen|Beschluss|wir nehmen|einigen uns|geeinigt)\b"
    r"|決定|決めました|決まりました|に決|することにし|方針",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\b(?:owner|owned by|owns|I own|assigned to|assignee|in charge|responsible for|takes? over"
    r"|took over"
    r"|taking over|hand(?:ed|ing)? (?:it |this )?over to|will (?:lead|own|drive)|is leading"
    r"|my PR|I opened"
    r"|zuständig|verantwortlich|übernimmt|übernehme|übernommen)\b|担当|引き継",
    re.IGNORECASE,
)
_COMMITMENT = re.compile(
    r"\b(?:I(?:'|’)?(?:ll| will| am going to|(?:'|’)m going to| can have)"
    r" (?!be (?:out|there|late|honest)|also say|say|admit|assume|check out early)\w+"
    r"|I promise|count on me|on it\b|leave it (?:to|with) me|by (?:tomorrow|end of|EOD|Monday"
    r"|Tuesday|Wednesday"
    r"|Thursday|Friday)|ich (?:kümmere|mache|schicke|liefere|werde|übernehme))\b"
    r"|します(?:。|$)|しておきます|対応します|送ります|やります",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b(?:deadline|due|target date|ETA|go-live|cut-?off|freeze|launch date|release date"
    r"|no later than|scheduled for"
    r"|Termin|Frist|fällig|bis (?:zum|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Ende))\b"
    r"|\b(?:on|by|to|until|from|am|bis) (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:the )?"
    r"(?:\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t"
    r"|Nov|De[cz])"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{1,2}\b)"
    r"|\b20\d\d-\d\d-\d\d\b|締め切り|締切|期限|\d{1,2}月\d{1,2}日",
    re.IGNORECASE,
)
_RENAME = re.compile(
    r"\b(?:renam(?:e|ed|ing)|now called|now known as|formerly|rebrand(?:ed|ing)?|umbenannt"
    r"|heißt jetzt)\b|改名|改称|名称を",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:should we|could we|can we|shall we|would you|can you|could you|if we|whether"
    r"|not (?:yet )?(?:been )?"
    r"(?:merged|approved|released|decided|signed)|please (?:review|check|approve)|let me know"
    r"|what if)\b",
    re.IGNORECASE,
)
_RULES: tuple[tuple[int, re.Pattern[str], frozenset[str]], ...] = (
    (
        Fact.STATUS,
        _STATUS,
        _cues(
            """opened filed created merged approved lgtm rejected closed reopened resolved fixed
            mitigated reverted rolled released shipped deployed launched published signed finalized
            finalised completed canceled cancelled paused blocked unblocked slipped delayed
            postponed pushed moved handed went live done review escalated superseded deprecated
            archived rolling reverting gemergt gemerged freigegeben genehmigt abgelehnt geschlossen
            behoben zurückgerollt zurückgenommen veröffentlicht ausgeliefert ausgerollt verschoben
            verzögert abgeschlossen unterschrieben blockiert"""
        ),
    ),
    (
        Fact.DECISION,
        _DECISION,
        _cues(
            """decided decision decide deciding agreed we let lets going settled final signed ruled
            instead entschieden entscheidung beschlossen beschluss wir einigen geeinigt"""
        ),
    ),
    (
        Fact.OWNER,
        _OWNER,
        _cues(
            """owner owned owns own assigned assignee charge responsible take takes took taking hand
            handed handing lead drive leading pr opened zuständig verantwortlich übernimmt
            übernehme übernommen"""
        ),
    ),
    (Fact.COMMITMENT, _COMMITMENT, _cues("i count on leave by ich")),
    (
        Fact.DATE,
        _DATE,
        _cues(
            """deadline due target eta go cut cutoff freeze launch release later scheduled termin
            frist fällig bis on by to until from am 20"""
        ),
    ),
    (
        Fact.RENAME,
        _RENAME,
        _cues(
            "rename renamed renaming called known formerly umbenannt heißt jetzt",
            "rebrand",
            "rebranded",
            "rebranding",
        ),
    ),
    (Fact.NOT_YET, _NOT_YET, _cues("should could can shall would if whether not please let what")),
)


def facts_of(sentence: str) -> int:
    """The kinds of facts (bits of `Fact`) that `sentence` states or asks about."""
    found = Fact.NONE
    words = set(_WORD.findall(sentence.casefold()))
    unspaced = bool(_UNSPACED.search(sentence))
    for fact, pattern, cues in _RULES:
        # The patterns are slow, and most sentences have none of their words.
        if (unspaced or not cues.isdisjoint(words)) and pattern.search(sentence):
            found |= fact
    if sentence.rstrip().endswith(("?", "？")):
        found |= Fact.QUESTION
    return found


def states(facts: int, wanted: int) -> bool:
    """Whether a sentence with `facts` states one of `wanted`: a question or a wish does not."""
    return bool(facts & wanted) and not facts & (Fact.QUESTION | Fact.NOT_YET)
