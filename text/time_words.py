"""Words for times in the languages the time expressions are read in."""

from __future__ import annotations

_MONTHS_TEXT = """
1 january jan januar jänner janvier enero gennaio janeiro januari январь января январе
2 february feb februar février fevrier febrero febbraio fevereiro februari февраль февраля феврале
3 march mar märz maerz mars marzo março marco maart март марта марте
4 april apr avril abril aprile апрель апреля апреле
5 may mai mayo maggio maio mei май мая мае
6 june jun juni juin junio giugno junho июнь июня июне
7 july jul juli juillet julio luglio julho июль июля июле
8 august aug août aout agosto augustus август августа августе
9 september sep sept septembre septiembre settembre setembro сентябрь сентября сентябре
10 october oct oktober okt octobre octubre ottobre outubro октябрь октября октябре
11 november nov novembre noviembre novembro ноябрь ноября ноябре
12 december dec dezember dez décembre decembre diciembre dicembre dezembro декабрь декабря декабре
"""

_WEEKDAYS_TEXT = """
0 monday montag lundi lunes lunedì понедельник 月曜日 月曜 星期一 周一 월요일
1 tuesday dienstag mardi martes martedì вторник 火曜日 火曜 星期二 周二 화요일
2 wednesday mittwoch mercredi miércoles mercoledì среда среду 水曜日 水曜 星期三 周三 수요일
3 thursday donnerstag jeudi jueves giovedì четверг 木曜日 木曜 星期四 周四 목요일
4 friday freitag vendredi viernes venerdì пятница пятницу 金曜日 金曜 星期五 周五 금요일
5 saturday samstag samedi sábado sabato суббота субботу 土曜日 土曜 星期六 周六 토요일
6 sunday sonntag dimanche domingo domenica воскресенье 日曜日 日曜 星期日 星期天 周日 일요일
"""

_UNITS_TEXT = """
hour hour hours hrs stunde stunden heure heures hora horas ora ore uur час часа часов 時間 小时 시간
day day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen день дня дней 日 日間 天 일
week week weeks woche wochen semaine semaines semana semanas settimana settimane weken неделя неделю недели недель неделе 週間 週 周 星期 个星期 주
month month months monat monate monaten mois mes meses mese mesi maand maanden месяц месяца месяцев месяце か月 ヶ月 ヵ月 カ月 个月 月 개월
quarter quarter quarters quartal quartale quartals trimestre trimestres kwartaal квартал квартале 四半期 季度 분기
weekend weekend weekends wochenende wochenenden weekeinde выходные 週末 周末 주말
year year years jahr jahre jahren an ans année années año años ano anos anno anni jaar год года лет году 年間 年 년
"""

# How many units lie between the named period and the one that `now` is in.
_LAST = (
    "last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vorige vorigen voriges dernière dernier"
    " dernières derniers passé passée pasada pasado última último últimas últimos scorsa scorso passata passato ultimi ultime passada afgelopen прошлые последние 先 上 上个 去 昨 지난 vorige прошлый прошлой прошлую прошлом прошлого"
)
_THIS = "this current diese dieser dieses diesen diesem aktuelle aktuellen laufenden cette ce esta este questa 今 本 这 这个 本 이번 questo deze dit эта эту этой этом этот"
_NEXT = (
    "next coming upcoming following nächste nächsten nächster nächstes nächstem kommende kommenden prochaine prochain próxima próximo prossima"
    " prossimo volgende 来 下 下个 다음 следующий следующей следующую следующем"
)

_DAYS_TEXT = """
0 today heute aujourd'hui hoy oggi hoje vandaag сегодня 今日 本日 今天 오늘
-1 yesterday gestern hier ayer ieri ontem gisteren вчера 昨日 昨天 어제
-2 vorgestern avant-hier anteayer позавчера 一昨日 おととい 前天 그저께
1 tomorrow morgen demain mañana domani amanhã завтра 明日 明天 내일
2 übermorgen après-demain послезавтра 明後日 后天 모레
"""

_SPELLED = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "couple of": 2, "few": 3, "ein": 1, "eine": 1, "einem": 1, "einer": 1, "zwei": 2, "drei": 3,
    "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "un": 1, "une": 1, "deux": 2,
    "trois": 3, "quatre": 4, "una": 1, "dos": 2, "tres": 3, "cuatro": 4,
}  # fmt: skip


def _table(text: str) -> dict[str, int]:
    table: dict[str, int] = {}
    for line in text.strip().splitlines():
        number, *words = line.split()
        table.update(dict.fromkeys(words, int(number)))
    return table


MONTHS = _table(_MONTHS_TEXT)
WEEKDAYS = _table(_WEEKDAYS_TEXT)
DAYS = _table(_DAYS_TEXT)
UNITS = {
    word: line.split()[0] for line in _UNITS_TEXT.strip().splitlines() for word in line.split()[1:]
}
SHIFTS = {
    **dict.fromkeys(_LAST.split(), -1),
    **dict.fromkeys(_THIS.split(), 0),
    **dict.fromkeys(_NEXT.split(), 1),
}
SPELLED = _SPELLED

AMBIGUOUS_MONTHS = frozenset(
    "may march april june august jan mars marco mayo juni juli mai janeiro maart agosto out set".split()
)
"""Also verbs or first names: a month only where the words around say so."""
