"""Whatever a record is, the normaliser never raises and accounts for it once."""

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from egcforest.builders.sources.base import SourceMessage, SourceReject
from egcforest.builders.sources.slack_directory import SlackDirectory
from egcforest.builders.sources.slack_json import JsonError, parse_list
from egcforest.builders.sources.slack_messages import HOUSEKEEPING_SUBTYPES, MessageNormaliser
from egcforest.builders.sources.slack_text import Named, render_mrkdwn
from egcforest.graph.keys import actor_key, message_key

KEYS = [
    "alt_text", "attachments", "author_name", "blocks", "bot_id", "bot_profile", "comment",
    "deleted_ts", "edited", "elements", "event_ts", "fallback", "fields", "file", "files",
    "from_url", "hidden", "id", "indent", "initial_comment", "message", "message_blocks", "mode",
    "name", "preview", "previous_message", "profile", "real_name", "rows", "style", "subtype",
    "text", "thread_ts", "timestamp", "title", "title_link", "transcription", "ts", "type", "url",
    "user", "user_id", "user_profile", "username", "value",
]  # fmt: skip
WORDS = [
    "1704189600.000200", "1.5", "message", "message_changed", "message_deleted", "tombstone",
    "rich_text", "rich_text_section", "rich_text_list", "rich_text_preformatted", "section",
    "context", "table", "user", "channel", "link", "date", "emoji", "U1", "<@U1|a>", "<#C1|>",
    "<!date^1^x|y>", "<!subteam^S1>", "<http://x|y>", "&amp;", "```", "\ud800", "\x00", "",
    *sorted(HOUSEKEEPING_SUBTYPES),
]  # fmt: skip
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=7)
    ),
    max_leaves=30,
)
records = values | st.fixed_dictionaries(
    {"ts": st.just("1704189600.000200"), "text": st.sampled_from(WORDS) | st.text(max_size=40)},
    optional={key: values for key in KEYS if key not in {"ts", "text"}},
)


def normaliser():
    directory = SlackDirectory()
    channel = directory.channel_of_folder((), "general")
    return MessageNormaliser(directory, "https://acme.slack.com"), channel


@settings(max_examples=250, deadline=None)
@given(records)
@example({"ts": "1.5", "text": "", "file": {"mode": []}})
@example({"ts": "1.5", "text": "", "blocks": [{"type": {}}, {"type": ["image"]}]})
@example({"ts": "1.5", "text": "", "blocks": [{"type": "context", "elements": [{"type": []}]}]})
def test_any_record_is_accounted_for_once(record):
    normalise, channel = normaliser()
    entries = normalise.entries(record, channel, "general/2024-01-01.json #1")
    own = [e for e in entries if isinstance(e, SourceReject) or not e.recovered]
    assert len(own) == 1
    for entry in entries:
        if isinstance(entry, SourceMessage):
            written = [entry.text, entry.raw, entry.revision, entry.author_id, *entry.files]
            written += [entry.thread or "", *entry.mentions, *(a.name for a in entry.introduces)]
            assert "\x00" not in "".join(written)
            "".join(written).encode()
            message_key("w", entry.channel_id, entry.source_id, entry.revision)
            for actor in (entry.author_id, *entry.mentions):
                actor_key("w", actor)
        else:
            assert entry.reason


@settings(max_examples=120, deadline=None)
@given(st.text(alphabet=st.sampled_from("<>@#!|^&;`U1ab: \n") | st.characters(), max_size=60))
def test_any_markup_is_rendered(text):
    class Names:
        def actor_name(self, actor_id, label):
            return label or actor_id

        channel_name = actor_name

    render_mrkdwn(text, Names(), Named())


@settings(max_examples=120, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(KEYS), values, max_size=4), max_size=4), st.data())
def test_a_file_cut_anywhere_gives_its_whole_items_and_says_where_it_breaks(items, data):
    content = json.dumps(items).encode()
    whole = list(parse_list(content))
    assert len(whole) == len(items)
    cut = data.draw(st.integers(0, len(content) - 1))
    parts = list(parse_list(content[:cut]))
    assert isinstance(parts[-1], JsonError)
    assert [str(part) for part in parts[:-1]] == [str(item) for item in whole[: len(parts) - 1]]


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_items_or_a_reason(content):
    list(parse_list(content))
