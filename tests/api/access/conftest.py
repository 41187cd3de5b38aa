"""A workspace with people in it, tokens for it, and an OIDC provider that is really there."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from egcforest.api.access.authenticate import Authenticator
from egcforest.api.access.issue import issue_token
from egcforest.api.access.principal import TokenScope
from egcforest.api.access.tokens import ApiKey
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from tests.graph.log_records import actor, channel

AUDIENCE = "https://memory.example.org"
Issue = Callable[..., Any]


@pytest.fixture
async def people(store: ForestStore, workspace: str) -> LogStore:
    """U1 Ana and U2 Sam share the private C2; U3 has left; U4 and U5 share a name."""
    log = LogStore(store)
    await log.upsert_workspace(workspace)
    await log.upsert_actors(
        [
            actor(workspace, "U1", "ana", real_name="Ana Ruiz", aliases=("ana@example.org",)),
            actor(workspace, "U2", "sam", real_name="Sam Okafor", aliases=("sam@example.org",)),
            actor(workspace, "U3", "lee", aliases=("lee@example.org",), deleted=True),
            actor(workspace, "U4", "Kim Stone", aliases=("stone@example.org",)),
            actor(workspace, "U5", "Kim Stone"),
            actor(workspace, "B1", "helper", is_bot=True),
        ]
    )
    await log.upsert_channels(
        [
            channel(workspace, "C1", members=keys_of(workspace, "U1", "U2", "U4")),
            channel(workspace, "C2", private=True, members=keys_of(workspace, "U1", "U2")),
            channel(workspace, "C3", private=True, members=keys_of(workspace, "B1")),
        ]
    )
    return log


def keys_of(workspace: str, *ids: str) -> tuple[str, ...]:
    return tuple(f"{workspace}/a/{source_id}" for source_id in ids)


@pytest.fixture
def issue(store: ForestStore, workspace: str, people: LogStore) -> Issue:
    """Makes a token of the workspace; READ for Ana unless it is told otherwise."""

    async def make(
        *scopes: TokenScope, actor: str | None = "U1", lifetime: timedelta | None = None
    ) -> ApiKey:
        held = scopes or (TokenScope.READ,)
        key, _ = await issue_token(store, workspace, scopes=held, actor=actor, lifetime=lifetime)
        return key

    return make


@pytest.fixture
async def authenticator(store: ForestStore) -> AsyncIterator[Authenticator]:
    """One that believes the database for no time at all."""
    made = Authenticator(store, cache_s=0)
    yield made
    await made.close()


@dataclass
class SigningKey:
    """A private key, and the public half as a provider lists it."""

    kid: str
    algorithm: str = "RS256"
    private: Any = None

    def __post_init__(self) -> None:
        if self.private is None:
            match self.algorithm[:2]:
                case "ES":
                    self.private = ec.generate_private_key(ec.SECP256R1())
                case "Ed":
                    self.private = ed25519.Ed25519PrivateKey.generate()
                case _:
                    self.private = rsa.generate_private_key(65537, 2048)

    def jwk(self, **more: Any) -> dict[str, Any]:
        kinds = {"ES": ECAlgorithm, "Ed": OKPAlgorithm}
        kind = kinds.get(self.algorithm[:2], RSAAlgorithm)
        listed = json.loads(kind.to_jwk(self.private.public_key()))
        return listed | {"kid": self.kid, "use": "sig", "alg": self.algorithm} | more

    def sign(self, claims: dict[str, Any], **headers: Any) -> str:
        algorithm = headers.pop("alg", self.algorithm)
        return jwt.encode(claims, self.private, algorithm, headers={"kid": self.kid} | headers)


@dataclass
class Provider:
    """An OIDC provider on a port of its own: discovery and keys."""

    url: str = ""
    keys: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    down: bool = False

    def answer(self, path: str) -> tuple[int, bytes]:
        self.asked.append(path)
        if self.down:
            return 503, b"away"
        if path in self.answers:
            return self.answers[path]
        found: dict[str, Any] | None = {
            "/.well-known/openid-configuration": {
                "issuer": self.url,
                "jwks_uri": f"{self.url}/keys",
            },
            "/keys": {"keys": self.keys},
        }.get(path)
        return (200, json.dumps(found).encode()) if found else (404, b"{}")

    def claims(self, **more: Any) -> dict[str, Any]:
        """What a good token says; what is None is left out."""
        now = datetime.now(UTC)
        claims = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "account-1",
            "iat": now,
            "exp": now + timedelta(minutes=5),
            "email": "ana@example.org",
            "email_verified": True,
        }
        return {name: value for name, value in (claims | more).items() if value is not None}


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider without keys; a test gives it some."""
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = made.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status == 302:
                self.send_header("Location", body.decode())
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()
