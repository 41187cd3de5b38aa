import pytest

from egcforest.builders.sources.slack_text import Named, date_text, labelled_link, render_mrkdwn


class Names:
    def actor_name(self, actor_id, label):
        return {"U1": "Ana Ruiz"}.get(actor_id) or label or actor_id

    def channel_name(self, channel_id, label):
        return {"C1": "general"}.get(channel_id) or label or channel_id


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("<@U1> ok?", "@Ana Ruiz ok?"),
        ("<@U1|ana> ok?", "@Ana Ruiz ok?"),
        ("<@U9|old name>", "@old name"),
        ("<@U9>", "@U9"),
        (
            "in <#C1>, <#C1|gen>, <#C1|>, <#C9|there> and <#C9>",
            "in #general, #general, #general, #there and #C9",
        ),
        ("<!here> <!channel> <!everyone|everyone>", "@here @channel @everyone"),
        ("<!here|@here> now", "@here now"),
        ("<!subteam^S1|@team> <!subteam^S2>", "@team @S2"),
        ("<!date^1392734382^{date_num}|18 Feb 2014>", "18 Feb 2014"),
        ("<!date^1392734382^{date_num}^https://x.test>", "2014-02-18 14:39 UTC"),
        ("<https://x.test/a?b=1&amp;c=2|the doc>", "the doc (https://x.test/a?b=1&c=2)"),
        ("<https://x.test/a>", "https://x.test/a"),
        ("<https://x.test|x.test>", "https://x.test"),
        ("<https://x.test/|https://x.test>", "https://x.test/"),
        ("<mailto:a@x.test|a@x.test>", "a@x.test"),
        ("<mailto:a@x.test|mail Ana>", "mail Ana (a@x.test)"),
        ("<tel:+123|+123>", "+123"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("x < y > z", "x < y > z"),
        ("an <odd thing>", "an <odd thing>"),
        ("broken <@U1", "broken <@U1"),
        ("*bold* _it_ :tada: `code`", "*bold* _it_ :tada: `code`"),
        ("```if a &lt; b:\n  <http://x.test|x.test>```", "```if a < b:\n  x.test```"),
        ("```never closed <http://x.test|doc>", "```never closed doc (http://x.test)"),
        ("<>", "<>"),
        ("<@>", "<@>"),
        ("<!>", "<!>"),
        ("", ""),
    ],
)
def test_reads_as_a_person_reads_it(raw, read):
    assert render_mrkdwn(raw, Names(), Named()) == read


def test_named_ids_are_collected_with_their_labels():
    named = Named()
    render_mrkdwn("<@U1> <@U2|bo> <@U2> <#C1|gen> <@U2|bobo>", Names(), named)
    assert named.actors == {"U1": "", "U2": "bo"}
    assert named.channels == {"C1": "gen"}


def test_dates_and_links_without_sense_do_no_harm():
    assert date_text("9" * 40) == ""
    assert date_text(None) == ""
    assert date_text("x", "soon") == "soon"
    assert labelled_link("https://x.test", "  ") == "https://x.test"
