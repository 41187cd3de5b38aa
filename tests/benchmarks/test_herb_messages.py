import importlib.util
import json
from pathlib import Path

import pytest

from egcforest.builders.sources import open_source

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "herb_messages.py"


@pytest.fixture
def herb():
    spec = importlib.util.spec_from_file_location("herb_messages", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def said(number, user, text):
    return {
        "Channel": {"name": "planning", "channelID": "ch-1"},
        "Message": {
            "User": {"userId": user, "timestamp": "2026-06-09T00:11:00", "text": text},
            "Reactions": [],
        },
        "ThreadReplies": [],
        "id": str(number),
    }


def test_a_folder_becomes_lines_that_the_source_reads(herb, tmp_path, capsys):
    people = {
        "eid_0a": {"employee_id": "eid_0a", "name": "Hanna T", "role": "Lead"},
        "eid_0b": {"employee_id": "eid_0b", "name": "Ian D", "role": "Engineer"},
    }
    messages = [
        said(1, "slack_admin_bot", "@eid_0a joined"),
        said(2, "'eid_0b'", "@'eid_0a' see <https://x.test/a|the doc>, @eid_0c &amp; all"),
    ]
    (tmp_path / "herb" / "metadata").mkdir(parents=True)
    (tmp_path / "herb" / "products").mkdir()
    (tmp_path / "herb" / "metadata" / "employee.json").write_text(json.dumps(people))
    (tmp_path / "herb" / "products" / "a.json").write_text(json.dumps({"slack": messages}))
    output = tmp_path / "herb.jsonl"
    assert herb.main([str(tmp_path / "herb"), str(output)]) == 0
    assert capsys.readouterr().out == "3 people, 1 channels, 2 messages\n"
    source = open_source(output)
    first, second = source.messages()
    assert (first.author_id, first.text) == ("slack_admin_bot", "@Hanna T joined")
    assert (second.author_id, second.mentions) == ("eid_0b", ("eid_0a", "eid_0c"))
    assert second.text == "@Hanna T see the doc (https://x.test/a), @eid_0c & all"
    assert {actor.id: actor.title for actor in source.actors()}["eid_0b"] == "Engineer"
    assert herb.main([]) == 2
