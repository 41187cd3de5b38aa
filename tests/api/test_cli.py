"""The commands as their users run them, on a real Neo4j."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import WORKSPACE, Cli

PRIVATE_WORDS = ("Brightwater", "board-room")


def test_asking_shows_verbatim_cited_evidence(cli: Cli, chat: Path):
    done = cli("ask", "When does the night ferry leave?", "-w", WORKSPACE, "--as", "u3")
    assert done.code == 0, done.err
    assert "    Yes, the night ferry leaves at 23:40 from October.\n" in done.out
    (head,) = [line for line in done.out.splitlines() if "09:05" in line]
    assert head.startswith("[")
    assert head.endswith("2026-03-02 09:05  #harbour  ana (Release lead)")
    assert "\x1b[" not in done.out
    assert not any(word in done.out for word in PRIVATE_WORDS)


def test_only_members_see_a_private_channel(cli: Cli, chat: Path):
    question = "Who buys the night ferry?"
    member = cli("ask", question, "-w", WORKSPACE, "--as", "Sam Okafor")
    assert "sold to Brightwater" in member.out
    for flags in (["--as", "u3"], []):
        other = cli("ask", question, "-w", WORKSPACE, *flags, "--explain")
        assert other.code == 0, other.err
        assert not any(word in other.out for word in PRIVATE_WORDS)


def test_json_is_what_docs_json_says(cli: Cli, chat: Path):
    flags = ["-w", WORKSPACE, "--as", "ana", "--items", "2", "--json"]
    found = cli("ask", "night ferry", *flags).json
    documented = example("ask")
    assert set(found) == set(documented)
    assert set(found["items"][0]) == set(documented["items"][0])
    assert set(found["headings"][0]) == set(documented["headings"][0])
    assert len(found["items"]) == 2
    assert "trace" in cli("ask", "night ferry", *flags, "--explain").json


def test_times_limit_the_answer(cli: Cli, chat: Path):
    ask = ["ask", "night ferry OPS-71", "-w", WORKSPACE, "--json"]
    assert cli(*ask, "--since", "2026-03-02", "--until", "2026-03-02").json["items"]
    assert not cli(*ask, "--since", "2026-03-03").json["items"]
    early = cli(*ask, "--until", "2026-03-02T10:02+01:00").json["items"]
    assert [item["source_id"] for item in early] == ["1"]
    wrong = cli(*ask, "--since", "yesterday")
    assert (wrong.code, wrong.err.count("\n")) == (1, 1)
    assert "--since 'yesterday' is no time" in wrong.err


def test_nothing_found_is_said(cli: Cli, chat: Path):
    done = cli("ask", "zzgrmpf", "-w", WORKSPACE, "--until", "2020-01-01")
    assert (done.code, done.out) == (0, "No message that you may see matches the question.\n")


def test_a_name_that_fits_two_people_lists_both_with_titles(cli: Cli, chat: Path):
    done = cli("ask", "anything", "-w", WORKSPACE, "--as", "sam")
    assert done.code == 1
    assert "Sam Okafor, Support (u2); Sam Whitby, Sales (u3)" in done.err


def test_second_ingest_adds_nothing_and_the_receipt_adds_up(cli: Cli, chat: Path):
    receipt = cli("ingest", str(chat), "-w", WORKSPACE, "--json").json["receipt"]
    total = receipt["total"]
    assert (total["read"], total["unchanged"], total["added"]) == (5, 5, 0)
    assert receipt["channels"]["c1"]["read"] == 3


def test_records_that_cannot_be_used_are_listed_and_change_the_exit_code(cli: Cli, chat: Path):
    more = chat.with_name("more.jsonl")
    more.write_text(chat.read_text("utf-8") + "not json\n", encoding="utf-8")
    done = cli("ingest", str(more), "-w", WORKSPACE)
    assert done.code == 3
    assert "Rejected: " in done.out
    assert "Encoding" not in done.out


def test_inspect_prints_card_and_summaries(cli: Cli, chat: Path):
    done = cli("inspect", "channel", "#Harbour", "-w", WORKSPACE)
    assert done.code == 0, done.err
    assert "3 messages, 2026-03-02, seen by everybody" in done.out
    assert "night ferry" in done.out
    (tree,) = cli("inspect", "channel", "harbour", "-w", WORKSPACE, "--json").json
    assert set(tree) == set(example("inspect")[0])
    assert set(tree["root"]) == set(example("inspect")[0]["root"])
    assert tree["messages"] == 3
    assert tree["card"]["period"] == ["2026-03-02, 3 messages"]
    assert "2026-03-02, 3 messages" in done.out


def test_inspect_respects_the_asker(cli: Cli, chat: Path):
    for view, name in (("channel", "board-room"), ("channel", "c2"), ("artifact", "OPS-71")):
        member = cli("inspect", view, name, "-w", WORKSPACE, "--as", "ana")
        assert "Brightwater" in member.out, member.err
        other = cli("inspect", view, name, "-w", WORKSPACE, "--as", "u3")
        assert "Brightwater" not in other.out + other.err
    hidden = cli("inspect", "channel", "board-room", "-w", WORKSPACE)
    absent = cli("inspect", "channel", "bored-rome", "-w", WORKSPACE)
    assert hidden.code == absent.code == 1
    assert hidden.err.replace("board-room", "X") == absent.err.replace("bored-rome", "X")


def test_inspect_suggests_similar_names(cli: Cli, chat: Path):
    done = cli("inspect", "channel", "harbor", "-w", WORKSPACE)
    assert done.code == 1
    assert "Similar: harbour." in done.err


def test_status_shows_engine_settings_and_coverage(cli: Cli, chat: Path):
    done = cli("--encoder", "hashing", "status", "-w", WORKSPACE, EGCFOREST_ITEM="3")
    assert done.code == 0, done.err
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line.strip()}
    assert rows["harbour"][:3] == ["harbour", "public", "2026-03-02"]
    assert rows["harbour"][-1] == "3"
    assert rows["encoder"] == ["encoder", "hashing", "flag", "--encoder"]
    assert rows["neo4j_password"][1:] == ["********", "environment", "EGCFOREST_NEO4J_PASSWORD"]
    assert cli.variables["EGCFOREST_NEO4J_PASSWORD"] not in done.out
    assert "EGCFOREST_ITEM in the environment is no setting" in done.out
    found = cli("status", "-w", WORKSPACE, "--json").json
    assert found["workspaces"][0]["counts"]["messages"] == 5


def test_settings_file_is_read_and_its_mistakes_are_named(cli: Cli, chat: Path):
    named = cli.folder / "mine.toml"
    named.write_text(f'workspace = "{WORKSPACE}"\nitems = 1\n', encoding="utf-8")
    found = cli("--settings", str(named), "ask", "night ferry", "--as", "ana", "--json")
    assert len(found.json["items"]) == 1
    by_flag = cli("--settings", str(named), "ask", "night ferry", "--items", "2", "--json")
    assert len(by_flag.json["items"]) == 2
    named.write_text("workspaces = 1\n", encoding="utf-8")
    wrong = cli("--settings", str(named), "status")
    assert wrong.code == 1
    assert "has the key 'workspaces', which is no setting. Did you mean 'workspace'?" in wrong.err


def test_wipe_wants_to_be_sure(cli: Cli, chat: Path):
    done = cli("wipe", "--workspace", WORKSPACE)
    assert done.code == 1
    assert "Add --yes." in done.err
    assert cli("status", "-w", WORKSPACE, "--json").json["workspaces"][0]["counts"]["messages"] == 5


def test_wipe_forgets_one_workspace_alone(cli: Cli, chat: Path):
    assert cli("ingest", str(chat), "-w", "cli-test-2", "-q").code == 0
    assert cli("wipe", "-w", "cli-test-2", "--yes").code == 0
    gone = cli("status", "-w", "cli-test-2")
    assert (gone.code, "There is no workspace 'cli-test-2'" in gone.err) == (1, True)
    assert cli("status", "-w", WORKSPACE, "--json").json["workspaces"][0]["counts"]["messages"] == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ingest", "nowhere.zip", "-w", "x"], "no file or folder 'nowhere.zip'"),
        (["ingest", "nowhere.zip"], "Add --workspace NAME."),
        (
            ["ingest", "nowhere.zip", "-w", "Not A Name"],
            "workspace name 'Not A Name' is not usable",
        ),
        (["ask", "x", "-w", "no-such"], "There is no workspace 'no-such'."),
        (["ask", "x", "-w", WORKSPACE, "--as", "nobody"], "Nobody goes by 'nobody'."),
        (["ask", "x", "-w", WORKSPACE, "--items", "0"], "flag --items is not usable"),
        (["--encoder", "wordllama", "ask", "x", "-w", WORKSPACE], "wordllama"),
        (["--encoder", "word2vec", "ask", "x", "-w", WORKSPACE], "no encoder named 'word2vec'"),
        (["--neo4j-uri", "bolt://127.0.0.1:1", "status"], "No Neo4j answers at"),
        (["--neo4j-uri", "http://127.0.0.1", "status"], "is not usable"),
        (["--neo4j-uri", "bolt://[::1", "status"], "is not usable"),
        (["--settings", "nowhere.toml", "status"], "no settings file nowhere.toml"),
        (["ask", " ", "-w", WORKSPACE], "The question is empty."),
        (["ask", "x", "-w", WORKSPACE, "--as", ""], "No name was given."),
        (["ask", "x", "-w", WORKSPACE, "--as", "\udcff"], "Nobody goes by"),
        (["inspect", "channel", "\udcff", "-w", WORKSPACE], "There is no channel"),
        (["ask", "x", "-w", WORKSPACE, "--until", "9999-12-31"], "beyond the times there are"),
        (["ask", "x", "-w", WORKSPACE, "--since", "0001-01-01T00:00+05:00"], "beyond the times"),
        (
            ["ask", "x", "-w", WORKSPACE, "--since", "2026-03-02", "--until", "2026-03-01"],
            "is not before --until",
        ),
    ],
)
def test_errors_are_one_sentence_with_a_remedy(
    cli: Cli, chat: Path, arguments: list[str], said: str
):
    done = cli(*arguments)
    assert done.code == 1
    assert said in done.err
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert not done.out


def test_what_the_terminal_cannot_write_is_escaped(cli: Cli, chat: Path):
    line = {
        "channel": "c",
        "id": "1",
        "time": "2026-03-02T09:00:00Z",
        "author": "a",
        "text": "東京",
    }
    (cli.folder / "tokyo.jsonl").write_text(json.dumps(line))
    assert cli("ingest", "tokyo.jsonl", "-w", "escapes", "-q").code == 0
    done = cli("ask", "東京", "-w", "escapes", PYTHONIOENCODING="ascii")
    assert done.code == 0, done.err
    assert "\\u6771\\u4eac" in done.out
    assert cli("ask", "東京 \udcff", "-w", "escapes", "--json").json["items"]
    assert cli("wipe", "-w", "escapes", "--yes").code == 0


def test_a_traceback_is_there_with_debug_alone(cli: Cli, chat: Path):
    done = cli("--debug", "ask", "x", "-w", "no-such")
    assert done.code == 1
    assert "Traceback" in done.err


def test_wrong_usage_has_its_own_exit_code(cli: Cli):
    assert cli("ask").code == 2
    assert cli("inspect", "forest", "x").code == 2
    assert cli("frobnicate").code == 2
    assert cli("--help").code == 0
    assert cli("--version").out.startswith("egcforest ")


def test_wrong_password_is_told_without_showing_it(cli: Cli):
    done = cli("status", EGCFOREST_NEO4J_PASSWORD="not-the-password")
    assert done.code == 1
    assert "refuses the user 'neo4j' or the password" in done.err
    assert "not-the-password" not in done.err


def test_the_password_may_come_in_a_file(cli: Cli):
    secret = cli.folder / "neo4j_password"
    secret.write_text(cli.variables["EGCFOREST_NEO4J_PASSWORD"] + "\n", encoding="utf-8")
    given = {"EGCFOREST_NEO4J_PASSWORD": "", "EGCFOREST_NEO4J_PASSWORD_FILE": str(secret)}
    done = cli("status", **given)
    assert done.code == 0, done.err
    rows = {line.split()[0]: line.split() for line in done.out.splitlines() if line.strip()}
    assert rows["neo4j_password"][1:] == ["********", "neo4j_password_file", str(secret)]
    assert rows["neo4j_password_file"][1] == str(secret)
    assert cli.variables["EGCFOREST_NEO4J_PASSWORD"] not in done.out
    secret.write_text("not-the-password", encoding="utf-8")
    done = cli("status", **given)
    assert done.code == 1
    assert "refuses the user 'neo4j' or the password" in done.err
    assert "EGCFOREST_NEO4J_PASSWORD_FILE" in done.err
    assert "not-the-password" not in done.err


def test_address_without_a_password_is_told(cli: Cli):
    done = cli("status", EGCFOREST_NEO4J_PASSWORD="")
    assert done.code == 1
    assert "Set EGCFOREST_NEO4J_PASSWORD" in done.err


def test_where_nothing_was_ingested_nothing_is_started(bare_cli: Cli):
    done = bare_cli("status")
    assert done.code == 0
    assert "private Neo4j, never started" in done.out
    asked = bare_cli("ask", "anything")
    assert asked.code == 1
    assert "Nothing has been ingested yet" in asked.err
    assert not (bare_cli.folder / ".local").exists()


def test_output_cut_short_ends_quietly(cli: Cli, chat: Path):
    import subprocess

    from tests.api.conftest import EXECUTABLE

    done = subprocess.run(
        f"'{EXECUTABLE}' status | true",
        shell=True,
        env=cli.environment(),
        cwd=cli.folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not done.stderr


def example(command: str) -> Any:
    """The JSON example of a command in docs/json.md."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "json.md").read_text("utf-8")
    section = text.partition(f"## `egcforest {command}")[2]
    return json.loads(section.partition("```json\n")[2].partition("```")[0])
