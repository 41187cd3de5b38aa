"""Settings: precedence, origins, and what is said about mistakes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from egcforest.api.errors import SettingsError
from egcforest.api.settings import Settings, load_settings, variable


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in [name for name in os.environ if name.startswith("EGCFOREST_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_flag_beats_environment_beats_file_beats_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    write(tmp_path / "egcforest.toml", 'items = 3\ntokens = 300\nworkspace = "filed"\n')
    monkeypatch.setenv("EGCFOREST_ITEMS", "4")
    monkeypatch.setenv("EGCFOREST_TOKENS", "400")
    loaded = load_settings({"items": 5, "tokens": None})
    assert (loaded.values.items, loaded.origins["items"]) == (5, "flag")
    assert (loaded.values.tokens, loaded.origins["tokens"]) == (400, "environment")
    assert (loaded.values.workspace, loaded.origins["workspace"]) == ("filed", "file")
    assert (loaded.values.neo4j_user, loaded.origins["neo4j_user"]) == ("neo4j", "default")
    assert loaded.origin("tokens") == "environment EGCFOREST_TOKENS"


def test_file_named_by_flag_beats_that_of_the_environment_beats_those_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    users = write(tmp_path / "config" / "egcforest" / "egcforest.toml", "items = 1\n")
    assert load_settings().file == users
    write(tmp_path / "egcforest.toml", "items = 2\n")
    assert load_settings().values.items == 2
    named = write(tmp_path / "c.toml", "items = 3\n")
    monkeypatch.setenv("EGCFOREST_SETTINGS", str(named))
    assert load_settings().values.items == 3
    assert load_settings(settings_file=write(tmp_path / "d.toml", "items = 4\n")).values.items == 4


def test_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EGCFOREST_ITEMS", "")
    assert load_settings().origins["items"] == "default"


def test_options_come_as_table_or_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    write(tmp_path / "egcforest.toml", '[encoder_options]\ndimension = 128\napi_key = "abc"\n')
    loaded = load_settings()
    assert loaded.values.encoder_options == {"dimension": 128, "api_key": "abc"}
    assert loaded.shown("encoder_options") == "dimension=128, api_key=********"
    monkeypatch.setenv("EGCFOREST_ENCODER_OPTIONS", '{"dimension": 64}')
    assert load_settings().values.encoder_options == {"dimension": 64}


def test_password_is_never_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD", "tell-nobody")
    loaded = load_settings()
    assert loaded.values.neo4j_password is not None
    assert loaded.values.neo4j_password.get_secret_value() == "tell-nobody"
    assert "tell-nobody" not in loaded.shown("neo4j_password") + repr(loaded)


@pytest.mark.parametrize("content", ["tell-nobody", "tell-nobody\n", "tell-nobody\r\n"])
def test_the_password_may_come_in_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
):
    secret = tmp_path / "secret"
    secret.write_bytes(content.encode())
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", "secret")
    loaded = load_settings()
    assert loaded.values.neo4j_password is not None
    assert loaded.values.neo4j_password.get_secret_value() == "tell-nobody"
    assert loaded.shown("neo4j_password") == "********"
    assert loaded.origin("neo4j_password") == f"neo4j_password_file {secret}"
    assert loaded.shown("neo4j_password_file") == str(secret)
    assert loaded.origin("neo4j_password_file") == "environment EGCFOREST_NEO4J_PASSWORD_FILE"
    assert "tell-nobody" not in repr(loaded)


def test_blanks_of_a_password_in_a_file_are_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    write(tmp_path / "secret", " a b \n")
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", "secret")
    password = load_settings().values.neo4j_password
    assert password is not None
    assert password.get_secret_value() == " a b "


def test_password_and_file_override_each_other_from_the_place_further_ahead(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    write(tmp_path / "egcforest.toml", 'neo4j_password = "filed"\n')
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", str(write(tmp_path / "secret", "kept\n")))
    loaded = load_settings()
    assert loaded.values.neo4j_password is not None
    assert loaded.values.neo4j_password.get_secret_value() == "kept"
    # What is overridden is not even read.
    write(tmp_path / "egcforest.toml", 'neo4j_password_file = "nowhere"\n')
    monkeypatch.delenv("EGCFOREST_NEO4J_PASSWORD_FILE")
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD", "given")
    loaded = load_settings()
    assert loaded.values.neo4j_password is not None
    assert loaded.values.neo4j_password.get_secret_value() == "given"
    assert loaded.origin("neo4j_password") == "environment EGCFOREST_NEO4J_PASSWORD"
    assert loaded.origin("neo4j_password_file") == "default"
    assert loaded.values.neo4j_password_file is None


def test_password_and_file_in_one_place_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    secret = write(tmp_path / "secret", "tell-nobody")
    text = f'neo4j_password = "tell-nobody"\nneo4j_password_file = "{secret}"\n'
    write(tmp_path / "egcforest.toml", text)
    both = "Both neo4j_password and neo4j_password_file are set"
    with pytest.raises(SettingsError, match=both) as caught:
        load_settings()
    assert "tell-nobody" not in str(caught.value)
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD", "given")
    assert load_settings().origins["neo4j_password"] == "environment", "overrides both"
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", str(secret))
    with pytest.raises(SettingsError, match=both):
        load_settings()
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", "")
    assert load_settings().origins["neo4j_password"] == "environment", "empty is not set"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no password file"),
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"tell-nobody\nanything\n", "holds more than one line"),
        (b"tell-nobody" * 1000, "holds more than one line"),
        (b"tell-nobody\xff", "is not UTF-8"),
    ],
)
def test_mistakes_with_the_password_file_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, said: str
):
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", "secret")
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings()
    assert str(tmp_path / "secret") in str(caught.value)
    assert "tell-nobody" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_password_file_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    # A folder cannot be read by root either, which tests may run as.
    monkeypatch.setenv("EGCFOREST_NEO4J_PASSWORD_FILE", str(tmp_path))
    with pytest.raises(SettingsError, match=r"cannot be read: Is a directory\..*Let the user"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("itmes = 3\n", r"the key 'itmes', which is no setting\. Did you mean 'items'\?"),
        ("zzz = 3\n", r"the key 'zzz', which is no setting\. The settings are: neo4j_uri, "),
        ("items = \n", r"cannot be read: .*Correct it; it is TOML"),
        ("items = 0\n", r"'items' in .*egcforest\.toml is not usable: input should be greater"),
        ('neo4j_uri = "bolt://me:secret@host"\n', "carries no user or password"),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, text: str, said: str):
    write(tmp_path / "egcforest.toml", text)
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings()
    assert "secret" not in str(caught.value)


def test_mistakes_in_the_environment_are_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EGCFOREST_HEAP_MIB", "lots")
    with pytest.raises(SettingsError, match="EGCFOREST_HEAP_MIB is not usable"):
        load_settings()
    monkeypatch.delenv("EGCFOREST_HEAP_MIB")
    monkeypatch.setenv("EGCFOREST_ENCODER_OPTIONS", "{dimension")
    with pytest.raises(SettingsError, match="as JSON"):
        load_settings()


def test_missing_file_that_was_named_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EGCFOREST_SETTINGS", "nowhere.toml")
    with pytest.raises(SettingsError, match=r"no settings file nowhere\.toml"):
        load_settings()


def test_variables_that_are_no_settings_are_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EGCFOREST_ITEM", "3")
    monkeypatch.setenv("EGCFOREST_TEST_NEO4J_URI", "bolt://127.0.0.1")
    monkeypatch.setenv("EGCFOREST_SETTINGS", "")
    monkeypatch.setenv("EGCFOREST_TOKEN", "the client's")
    assert load_settings().stray == ("EGCFOREST_ITEM",)


def test_paths_are_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("EGCFOREST_DATA_DIR", "here")
    assert load_settings().values.data_dir == tmp_path / "here"


def test_every_setting_says_what_it_means():
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert variable(name).isupper()
