"""Words that carry no topic, in the languages company chats are held in.

The list is closed: all languages are taken out of every text, because a word must give the same
term whatever surrounds it. Words that are topics in English (`die`, `war`, `man`, `hat`, `son`,
`sin`, `pour`) are therefore left out of the lists of other languages.
"""

from __future__ import annotations

import unicodedata

_ENGLISH = """
a about above after again against ain all almost along already also although always am among an and
another any anybody anyone anything are aren aren't around as at away be became because become
been before being below between both but by came can can't cannot come could couldn couldn't did
didn didn't do does doesn doesn't doing don don't done down during each either else enough etc
even ever every everybody everyone everything few for from further get gets getting go goes going gone got
had hadn hadn't has hasn hasn't have haven haven't having he he'd he'll he's hello hence her here here's
hers herself hey hi him himself his how how's however i i'd i'll i'm i've if in indeed instead into is isn
isn't it it'd it'll it's its itself just kind let let's lets ll lot lots made make makes many may maybe me
might more most much must mustn my myself neither never no nobody none nor not nothing now of off
often oh ok okay on once one ones only onto or other others otherwise our ours ourselves out over own
per perhaps please put quite rather re really said same say says see seem seems shall shan she
she'd she'll she's should shouldn shouldn't since so some somebody somehow someone something
sometimes somewhere still such sure than thank thanks that that's the their theirs them themselves
then there there's therefore these they they'd they'll they're they've thing things this those though
through thus to together too toward towards under until unless up upon us use used uses using
ve very via was wasn wasn't we we'd we'll we're we've well were weren weren't what what's whatever when
when's whenever where where's wherever whether which whichever while who who's whoever whole whom whose
why why's will with within without won won't would wouldn wouldn't yeah yep yes yet you you'd you'll
you're you've your yours yourself yourselves
"""

_GERMAN = """
aber alle allem allen aller alles als ander andere anderem anderen anderer anderes auch auf aus bei
beim bin bis bist bitte da dabei dafür damit danach dann daran darauf daraus darin darüber das dass dazu dein
deine deinem deinen deiner dem den denn der deren des dessen dich dies diese diesem diesen dieser
dieses dir doch dort du durch ein eine einem einen einer eines einige er es etwas euch euer eure für gab
gegen gibt habe haben hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im ins
ist ja jede jedem jeden jeder jedes jetzt kann kannst können könnte mal mehr mein meine meinem meinen
meiner mich mir mit muss musste müssen nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein
seine seinem seinen seiner selbst sich sie sind sollte soll sollen sondern sonst um und uns unser unsere
unserem unseren unserer unter viel vom von vor wann waren warum was weil weiter welche welchem welchen
welcher welches wenn wer wem wen werde werden wessen wie wieder wieso wir wird wirst wo wobei woher wohin
wollen womit worden wurde wurden während würde würden zu zum zur zwar zwischen über
"""

_FRENCH = """
ai ainsi alors au aucun aussi autre autres aux avaient avait avant avec avez avoir avons ayant c'est car ce
ceci cela celle celles celui ces cet cette ceux chaque chez comme comment dans de depuis des dont du
elle elles en encore entre es est et étaient était étant été être eu eux fait faire il ils j'ai je la le les
leur leurs lors lui ma mais même mes moi mon ne nos notre nous on ont ou où par parce pas pendant peu peut
pourquoi qu quand que quel quelle quelles quels quelque qui quoi sa sans se sera ses si soi sont sous
sur ta te tes toi tous tout toute toutes très tu un une vos votre vous y
"""

_SPANISH = """
al algo algunas algunos ante antes aunque así cada como con contra cual cuáles cuál cuando cuándo
cuánto cuántos cuya cuyo de del desde después donde dónde durante e el él ella ellas ellos en entre era eran es
esa esas ese eso esos esta está están estas este esto estos estaba fue fueron ha han hasta hay la
las le les lo los más mi mis mientras mucho muchos muy nada ni nos nosotros nuestra nuestro o os otra otras
otro otros para pero poco por porque pues que qué quien quién quiénes se según ser si sí sobre son su sus
también tan tanto te tiene tienen todo todos tu tus un una uno unos usted ustedes ya yo
"""

_ITALIAN_PORTUGUESE_DUTCH = """
agli alla alle anche ancora che chi ci come con cosa così cui da dal dalla dei del della delle dello di dove
ed era erano essere fra gli ha hanno ho il lo loro ma ma mi mio nel nella nelle non noi ogni per perché però
più poi quale quali quando quanto quella quelle quelli quello questa queste questi questo sia sono sua sul
sulla suo tra un una uno voi
ao aos às até com como da das de dela dele depois do dos e ela ele eles em entre essa esse esta este eu foi
foram isso isto já lhe mais mas mesmo meu minha muito na não nas nem no nos nós num numa o onde os ou para
pela pelo pelos por porque qual quais quando que quem são se sem ser seu seus só sua suas também tem têm
um uma você vocês
aan al alles als altijd bij dan dat de deze die dit doen door dus een eens en er ge geen had heb hebben heeft
het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar meer met mij mijn moet na naar niet
niets nog nu of om omdat onder ons ook op over te tegen toch toen tot u uit uw van veel voor waar waarom wat
werd wezen wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou
"""

_RUSSIAN = """
а без был была были было быть в вам вас весь во вот все всё всего всех вы где да даже для до его ее её
если есть ещё еще же за зачем здесь и из или им их к как какая какие какой ко когда который кто куда ли либо мне
может мы на надо наш не него нее нет ни них но ну о об он она они оно от очень по под после потому почему
при с со так также такой там те тем то того тоже той только том ты у уже хотя чего чей чем что чтобы
чье чья эта эти это этого этот я
"""

_ARABIC = """
في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين كيف لماذا هل كان كانت
يكون هو هي هم نحن أنا أنت ثم أو و لا لم لن قد كل بعد قبل بين عند حتى إذا أن إن
"""

_JAPANESE = """
これ それ あれ この その あの ここ そこ どこ だれ 誰 なに 何 なぜ どう どの どれ いつ です ます でした ました
した して する します しました しています している しますか ください され ない なか という ある いる あり いい から まで より など ため こと もの よう ので のに
でも けど だっ では には とは へ は が を に の で と も や か な ね よ
"""

_CHINESE = """
的 了 是 在 我 你 他 她 它 们 我们 你们 他们 这 那 这个 那个 和 与 及 或 也 都 就 还 吗 呢 吧 啊 把 被
什么 谁 哪 哪里 哪个 怎么 怎样 如何 为什么 何时 什么时候 多少 几
"""

_KEEP = frozenset({"die", "war", "hat", "man", "sin", "pour", "plus"})


def _words(*lists: str) -> frozenset[str]:
    words = {word for text in lists for word in unicodedata.normalize("NFKC", text).split()}
    words = {word.casefold() for word in words}
    words |= {word.replace("'", "") for word in words}
    return frozenset(words - _KEEP)


STOP_WORDS = _words(
    _ENGLISH,
    _GERMAN,
    _FRENCH,
    _SPANISH,
    _ITALIAN_PORTUGUESE_DUTCH,
    _RUSSIAN,
    _ARABIC,
    _JAPANESE,
    _CHINESE,
)
"""Case-folded, in NFKC; words with an apostrophe also without it."""
