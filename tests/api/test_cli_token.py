"""`egcforest token` as its users run it, on a real Neo4j."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from egcforest.api.access.tokens import ApiKey
from tests.api.conftest import WORKSPACE, Cli, Finished


def create(cli: Cli, *flags: str) -> Finished:
    return cli("token", "create", "-w", WORKSPACE, *flags)


def listed(cli: Cli, token_id: str, *flags: str) -> dict[str, Any]:
    (found,) = [t for t in cli("token", "list", "--json", *flags).json if t["id"] == token_id]
    return found


def test_a_token_is_printed_once_and_only_on_standard_output(cli: Cli, chat: Path):
    done = create(cli, "--as", "ana", "--scope", "read", "--name", "nightly report")
    assert done.code == 0, done.err
    assert done.out.count("\n") == 1
    key = ApiKey.parse(done.out.strip())
    assert key is not None
    assert key.secret not in done.err
    assert key.token_id in done.err
    shown = cli("token", "list", "-w", WORKSPACE)
    assert key.secret not in shown.out + shown.err
    assert key.digest not in shown.out
    assert re.search(rf"^{key.token_id} .*nightly report .*good$", shown.out, re.MULTILINE)
    found = listed(cli, key.token_id, "-w", WORKSPACE)
    assert (found["actor"], found["scopes"]) == (f"{WORKSPACE}/a/u1", ["read"])
    assert (found["state"], found["last_used"]) == ("good", None)
    left = datetime.fromisoformat(found["expires"]) - datetime.now(UTC)
    assert timedelta(days=89) < left < timedelta(days=90)


def test_json_has_the_token_and_what_it_is_good_for(cli: Cli, chat: Path):
    made = create(cli, "--scope", "read", "--scope", "on_behalf", "--expires", "12h", "--json")
    found = made.json
    key = ApiKey.parse(found.pop("token"))
    assert key is not None
    assert found == listed(cli, key.token_id)
    assert found["scopes"] == ["on_behalf", "read"]
    assert found["actor"] is None
    assert key.secret not in made.err


def test_a_token_is_revoked(cli: Cli, chat: Path):
    text = create(cli, "--scope", "ingest", "--expires", "never").out.strip()
    key = ApiKey.parse(text)
    assert key is not None
    assert listed(cli, key.token_id)["expires"] is None
    assert cli("token", "revoke", key.token_id).out == "Revoked.\n"
    assert cli("token", "revoke", text).code == 0, "again, and by its whole text"
    assert listed(cli, key.token_id)["state"] == "revoked"
    gone = cli("token", "revoke", text.replace(key.token_id, "0" * 12))
    assert gone.code == 1
    assert key.secret not in gone.err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--scope", "read", "--as", "nobody"], "Nobody goes by 'nobody'"),
        (["--scope", "read", "--as", "sam"], "may be any of"),
        (["--scope", "read", "--expires", "soon"], "'soon' is not how long"),
        (["--scope", "read", "--expires", "0d"], "'0d' is not how long"),
        (["--scope", "read", "--expires", "99999d"], "ten years"),
        (["--scope", "read", "--name", "two\nlines"], "no name for a token"),
    ],
)
def test_what_cannot_be_is_refused(cli: Cli, chat: Path, flags: list[str], said: str):
    done = create(cli, *flags)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert said in done.err


def test_a_scope_is_wanted(cli: Cli, chat: Path):
    assert create(cli).code == 2
    assert create(cli, "--scope", "everything").code == 2


def test_a_workspace_has_to_be_there_or_asked_for(cli: Cli, chat: Path):
    flags = ["token", "create", "-w", "cli-new", "--scope", "ingest"]
    refused = cli(*flags)
    assert refused.code == 1
    assert "There is no workspace 'cli-new'" in refused.err
    assert cli(*flags, "--new-workspace").code == 0
    (token,) = cli("token", "list", "-w", "cli-new", "--json").json
    assert cli("wipe", "-w", "cli-new", "--yes").code == 0
    assert token["id"] not in cli("token", "list").out
