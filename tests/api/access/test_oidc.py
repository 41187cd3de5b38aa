"""Sign-in with JWTs, on a real Neo4j and with a provider that answers over HTTP."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import RSAAlgorithm
from jwt.warnings import InsecureKeyLengthWarning

from egcforest.api.access.authenticate import Authenticator
from egcforest.api.access.jwks import KeySet
from egcforest.api.access.oidc import OidcConfig, OidcSignIn
from egcforest.api.access.principal import ForbiddenError, TokenScope, UnauthenticatedError
from egcforest.api.access.rate import FailureLimit
from egcforest.api.errors import SettingsError
from egcforest.api.settings import Settings
from egcforest.graph.directory import ActorDirectory, ActorMatch
from egcforest.graph.log_store import LogStore
from egcforest.graph.store import ForestStore
from tests.api.access.conftest import AUDIENCE, Provider, SigningKey
from tests.graph.log_records import actor

READ, INGEST, ADMIN, ON_BEHALF = TokenScope
KEY = SigningKey("first")


class SignIn:
    """An authenticator that takes the provider's tokens, configured as a test wants it."""

    def __init__(self, store: ForestStore, provider: Provider, workspace: str) -> None:
        self.store, self.provider, self.workspace = store, provider, workspace
        self.made: list[Authenticator] = []
        provider.keys = [KEY.jwk()]

    def authenticator(self, keys: dict[str, float] | None = None, **more: Any) -> Authenticator:
        config = OidcConfig(
            **{
                "issuer": self.provider.url,
                "audience": AUDIENCE,
                "workspaces": frozenset({self.workspace}),
                "algorithms": ("RS256", "ES256", "PS256", "EdDSA"),
            }
            | more
        )
        key_set = KeySet(config.issuer, config.jwks_url, **(keys or {}))
        sign_in = OidcSignIn(config, ActorDirectory(self.store), key_set)
        # Many bad tokens come from one address here.
        limit = FailureLimit(100_000)
        self.made.append(Authenticator(self.store, sign_in=sign_in, cache_s=0, failures=limit))
        return self.made[-1]


@pytest.fixture
async def sign_in(
    store: ForestStore, provider: Provider, workspace: str, people: LogStore
) -> AsyncIterator[SignIn]:
    made = SignIn(store, provider, workspace)
    yield made
    for authenticator in made.made:
        await authenticator.close()


async def test_a_good_token_is_its_actors(
    sign_in: SignIn, provider: Provider, workspace: str
) -> None:
    token = KEY.sign(provider.claims())
    found = await sign_in.authenticator().authenticate(f"Bearer {token}")
    assert (found.workspace, found.actor) == (workspace, f"{workspace}/a/U1")
    assert found.scopes == {READ}
    assert (found.token_id, found.behind) == ("oidc:account-1", None)
    assert found.expires is not None
    assert abs(found.expires - datetime.now(UTC)) < timedelta(minutes=10)
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "PS256", "EdDSA"])
async def test_signatures_of_each_kind(sign_in: SignIn, provider: Provider, algorithm: str) -> None:
    key = SigningKey("k", algorithm)
    provider.keys = [key.jwk()]
    bearer = f"Bearer {key.sign(provider.claims())}"
    assert await sign_in.authenticator().authenticate(bearer)
    with pytest.raises(UnauthenticatedError):
        await sign_in.authenticator(algorithms=("RS384",)).authenticate(bearer)


async def test_an_rsa_key_without_an_algorithm_serves_those_configured(
    sign_in: SignIn, provider: Provider
) -> None:
    listed = KEY.jwk()
    del listed["alg"]
    provider.keys = [listed]
    authenticator = sign_in.authenticator(algorithms=("RS256", "PS256"))
    for algorithm in ("RS256", "PS256"):
        assert await authenticator.authenticate(
            f"Bearer {KEY.sign(provider.claims(), alg=algorithm)}"
        )
    with pytest.raises(UnauthenticatedError):
        await authenticator.authenticate(f"Bearer {KEY.sign(provider.claims(), alg='RS512')}")


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.example.org"},
        {"iss": None},
        {"iss": "{url}/"},
        {"iss": "{url}".upper()},
        {"iss": ["{url}"]},
        {"aud": None},
        {"aud": ""},
        {"aud": []},
        {"aud": [None]},
        {"aud": "https://other.example.org"},
        {"aud": AUDIENCE + "/"},
        {"aud": [["https://memory.example.org"]]},
        {"aud": {AUDIENCE: True}},
        {"aud": 0},
        {"exp": None},
        {"exp": timedelta(minutes=-5)},
        {"exp": "never"},
        {"exp": 1e300},
        {"exp": 10**15},
        {"nbf": timedelta(minutes=5)},
        {"iat": None},
        {"iat": timedelta(minutes=5)},
        {"iat": "today"},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 300},
        {"sub": "line\nbreak"},
    ],
    ids=str,
)
async def test_claims_that_do_not_fit(
    sign_in: SignIn, provider: Provider, claims: dict[str, Any]
) -> None:
    # Times are given from now on.
    claims = json.loads(
        json.dumps(claims, default=lambda ahead: int((datetime.now(UTC) + ahead).timestamp()))
    )
    claims = {
        name: json.loads(json.dumps(value).replace("{url}", provider.url))
        for name, value in claims.items()
    }
    with pytest.raises(UnauthenticatedError) as info:
        await bare(sign_in, provider, claims)
    assert info.value.__cause__ is None


async def bare(sign_in: SignIn, provider: Provider, claims: dict[str, Any]) -> Any:
    """Sign whatever the claims are: PyJWT's own encoder checks some of them."""
    said = {
        name: int(value.timestamp()) if isinstance(value, datetime) else value
        for name, value in provider.claims(**claims).items()
    }
    return await sign_in.authenticator().authenticate(f"Bearer {signed(said)}")


def signed(claims: object, header: dict[str, Any] | None = None) -> str:
    head = {"alg": "RS256", "typ": "JWT", "kid": KEY.kid} | (header or {})
    body = ".".join(part64(json.dumps(part).encode()) for part in (head, claims))
    signature = RSAAlgorithm(RSAAlgorithm.SHA256).sign(body.encode(), KEY.private)
    return f"{body}.{part64(signature)}"


def part64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


async def test_clocks_may_differ_a_little(sign_in: SignIn, provider: Provider) -> None:
    late = provider.claims(exp=datetime.now(UTC) - timedelta(seconds=20))
    early = provider.claims(nbf=datetime.now(UTC) + timedelta(seconds=20))
    lenient, strict = sign_in.authenticator(leeway_s=120), sign_in.authenticator(leeway_s=0)
    for claims in (late, early):
        assert await lenient.authenticate(f"Bearer {KEY.sign(claims)}")
        with pytest.raises(UnauthenticatedError):
            await strict.authenticate(f"Bearer {KEY.sign(claims)}")


async def test_a_token_may_be_for_several_services(sign_in: SignIn, provider: Provider) -> None:
    token = KEY.sign(provider.claims(aud=["https://other.example.org", AUDIENCE]))
    assert await sign_in.authenticator().authenticate(f"Bearer {token}")


async def test_forged_tokens(sign_in: SignIn, provider: Provider) -> None:
    """What is known to have worked against one library or another."""
    claims = provider.claims()
    plain = {k: int(v.timestamp()) if isinstance(v, datetime) else v for k, v in claims.items()}
    thief = SigningKey(KEY.kid)
    good = KEY.sign(claims)
    head, body, signature = good.split(".")
    public = json.dumps(KEY.jwk())
    pem = KEY.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def with_hmac(secret: bytes) -> str:
        start = ".".join(
            part64(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": KEY.kid}, plain)
        )
        return f"{start}.{part64(hmac.digest(secret, start.encode(), hashlib.sha256))}"

    ana = part64(json.dumps(plain | {"email": "sam@example.org"}).encode())
    forged = {
        "another key": thief.sign(claims),
        "its own key": signed(plain, {"jwk": thief.jwk(), "kid": "own"}),
        "key elsewhere": signed(plain, {"jku": f"{provider.url}/evil", "kid": "x"}),
        "certificate": thief.sign(claims, x5u="https://evil.example.org", x5c=["MIIB"]),
        "none": f"{part64(json.dumps({'alg': 'none', 'kid': KEY.kid}).encode())}.{body}.",
        "None": f"{part64(json.dumps({'alg': 'NoNe', 'kid': KEY.kid}).encode())}.{body}.",
        "no algorithm": f"{part64(json.dumps({'kid': KEY.kid}).encode())}.{body}.{signature}",
        "list": f"{part64(json.dumps({'alg': ['RS256'], 'kid': KEY.kid}).encode())}.{body}.x",
        "public key as secret": with_hmac(pem),
        "JWK as secret": with_hmac(public.encode()),
        "empty secret": with_hmac(b""),
        "claims exchanged": f"{head}.{ana}.{signature}",
        "no signature": f"{head}.{body}.",
        "no body": f"{head}..{signature}",
        "more of it": f"{good}A",
        "other padding": f"{good}==",
        "critical": signed(plain, {"crit": ["exp"]}),
        "unknown critical": signed(plain, {"crit": ["mine"], "mine": 1}),
        "detached": signed(plain, {"b64": False, "crit": ["b64"]}),
        "other type": signed(plain, {"typ": "logout+jwt"}),
        "no key id": signed(plain, {"kid": None}),
        "number as key id": signed(plain, {"kid": 7}),
        "path as key id": signed(plain, {"kid": "../../dev/null"}),
        "no object": signed([1]),
        "header no object": f"{part64(b'[]')}.{body}.{signature}",
        "deep": f"{part64(b'[' * 3000)}.{body}.{signature}",
        "deep body": signed(json.loads("[" * 500 + "]" * 500)),
        "large": KEY.sign(provider.claims(more="x" * 9000)),
        "dots": "..",
        "not base 64": "~.~.~",
        "four parts": f"{good}.x",
    }
    authenticator = sign_in.authenticator()
    taken = []
    for what, token in forged.items():
        try:
            await authenticator.authenticate(f"Bearer {token}")
        except UnauthenticatedError:
            continue
        taken.append(what)
    assert taken == []
    assert await authenticator.authenticate(f"Bearer {good}")
    assert "/evil" not in provider.asked


@pytest.mark.parametrize(
    ("listed", "taken"),
    [
        ({}, True),
        ({"use": "enc"}, False),
        ({"alg": "RS512"}, False),
        ({"kty": "oct", "k": "c2VjcmV0"}, False),
        ({"kid": 7}, False),
        ({"n": "AQAB"}, False),
        ({"n": ""}, False),
        ({"n": None}, False),
    ],
)
async def test_keys_are_taken_for_what_they_are(
    sign_in: SignIn, provider: Provider, listed: dict[str, Any], taken: bool
) -> None:
    provider.keys = ["nonsense", {}, KEY.jwk(**listed)]
    trying = sign_in.authenticator().authenticate(f"Bearer {KEY.sign(provider.claims())}")
    if taken:
        assert await trying
    else:
        with pytest.raises(UnauthenticatedError):
            await trying


async def test_short_keys_are_refused(sign_in: SignIn, provider: Provider) -> None:
    short = SigningKey("short", "RS256", rsa.generate_private_key(65537, 1024))
    provider.keys = [short.jwk()]
    with pytest.warns(InsecureKeyLengthWarning):
        token = short.sign(provider.claims())
    with pytest.raises(UnauthenticatedError):
        await sign_in.authenticator().authenticate(f"Bearer {token}")


# Whose token it is


@pytest.mark.parametrize(
    ("config", "claims", "wanted"),
    [
        ({}, {"email": "ANA@example.org"}, "U1"),
        ({}, {"email": "ana@example.org", "email_verified": None}, None),
        ({}, {"email": "ana@example.org", "email_verified": False}, None),
        ({}, {"email": "ana@example.org", "email_verified": "true"}, None),
        ({}, {"email": None}, None),
        ({}, {"email": ["ana@example.org"]}, None),
        ({}, {"email": ""}, None),
        ({}, {"email": "lee@example.org"}, None),
        ({}, {"email": "\uff41na@example.org"}, None),
        ({"actor_claim": "uid", "actor_match": ActorMatch.ID}, {"uid": "U2"}, "U2"),
        ({"actor_claim": "uid", "actor_match": ActorMatch.ID}, {"uid": "u2"}, None),
        ({"actor_claim": "uid", "actor_match": ActorMatch.ID}, {"uid": 2}, None),
        ({"actor_claim": "uid", "actor_match": ActorMatch.ID}, {"uid": "sam"}, None),
        ({"actor_claim": "sub", "actor_match": ActorMatch.ID}, {"sub": "U2"}, "U2"),
        ({"actor_claim": "name", "actor_match": ActorMatch.NAME}, {"name": "Sam Okafor"}, "U2"),
        ({"actor_claim": "name", "actor_match": ActorMatch.NAME}, {"name": "Kim Stone"}, None),
        ({"actor_claim": "name", "actor_match": ActorMatch.NAME}, {"name": "Okafor"}, None),
    ],
    ids=str,
)
async def test_a_claim_means_one_actor_or_nobody(
    sign_in: SignIn,
    provider: Provider,
    workspace: str,
    config: dict[str, Any],
    claims: dict[str, Any],
    wanted: str | None,
) -> None:
    trying = sign_in.authenticator(**config).authenticate(
        f"Bearer {KEY.sign(provider.claims(**claims))}"
    )
    if wanted:
        assert (await trying).actor == f"{workspace}/a/{wanted}"
    else:
        with pytest.raises(ForbiddenError, match="nobody in particular"):
            await trying


async def test_one_who_leaves_is_out(
    sign_in: SignIn, provider: Provider, people: LogStore, workspace: str
) -> None:
    authenticator = sign_in.authenticator()
    bearer = f"Bearer {KEY.sign(provider.claims())}"
    assert await authenticator.authenticate(bearer)
    gone = actor(workspace, "U1", "ana", aliases=("ana@example.org",), deleted=True)
    await people.upsert_actors([gone])
    with pytest.raises(ForbiddenError):
        await authenticator.authenticate(bearer)


@pytest.mark.parametrize(
    ("said", "scopes"),
    [
        ("egcforest:read", {READ}),
        ("openid egcforest:read egcforest:on_behalf", {READ, ON_BEHALF}),
        (["egcforest:admin", 7, None], {ADMIN}),
        ("read admin", set()),
        ("EGCFOREST:ADMIN", set()),
        ("egcforest:admin\negcforest:read", set()),
        (None, set()),
        ({"egcforest:admin": True}, set()),
        (True, set()),
    ],
)
async def test_scopes_come_from_a_claim(
    sign_in: SignIn, provider: Provider, said: Any, scopes: set[TokenScope]
) -> None:
    token = KEY.sign(provider.claims(scope=said))
    found = await sign_in.authenticator(scope_claim="scope").authenticate(f"Bearer {token}")
    assert found.scopes == scopes
    fixed = await sign_in.authenticator(scopes=frozenset({INGEST})).authenticate(f"Bearer {token}")
    assert fixed.scopes == {INGEST}


async def test_workspaces_come_from_a_claim_within_a_list(
    sign_in: SignIn, provider: Provider, workspace: str, people: LogStore
) -> None:
    other = f"{workspace}-other"
    await people.upsert_workspace(other)
    await people.upsert_actors([actor(other, "U1", "ana", aliases=("ana@example.org",))])
    authenticator = sign_in.authenticator(
        workspace_claim="tenant", workspaces=frozenset({workspace, "empty"})
    )
    token = KEY.sign(provider.claims(tenant=workspace))
    assert (await authenticator.authenticate(f"Bearer {token}")).workspace == workspace
    answers = set()
    for tenant in (other, "empty", "nowhere", None, [workspace], workspace.upper(), ""):
        with pytest.raises(ForbiddenError) as info:
            await authenticator.authenticate(f"Bearer {KEY.sign(provider.claims(tenant=tenant))}")
        answers.add(str(info.value))
    assert len(answers) == 1
    await people.wipe(other)


async def test_an_agent_may_sign_in_by_jwt_too(
    sign_in: SignIn, provider: Provider, workspace: str
) -> None:
    authenticator = sign_in.authenticator(scope_claim="scope")
    token = KEY.sign(provider.claims(scope="egcforest:read egcforest:on_behalf"))
    found = await authenticator.authenticate(f"Bearer {token}", on_behalf_of="U4")
    assert (found.actor, found.behind) == (f"{workspace}/a/U4", f"{workspace}/a/U1")
    with pytest.raises(ForbiddenError):
        await authenticator.authenticate(f"Bearer {KEY.sign(provider.claims())}", on_behalf_of="U4")


async def test_a_stream_ends_with_its_jwt_or_when_somebody_leaves(
    sign_in: SignIn, provider: Provider, people: LogStore, workspace: str
) -> None:
    authenticator = sign_in.authenticator(scope_claim="scope", leeway_s=0)
    claims = {
        "scope": "egcforest:read egcforest:on_behalf",
        "iat": datetime.now(UTC) - timedelta(minutes=1),
    }
    long = f"Bearer {KEY.sign(provider.claims(**claims))}"
    own, asking = [await authenticator.authenticate(long, on_behalf_of=who) for who in (None, "U4")]
    assert await authenticator.renew(own) == own
    assert await authenticator.renew(asking) == asking
    await people.upsert_actors([actor(workspace, "U4", "Kim Stone", deleted=True)])
    assert await authenticator.renew(own) == own
    with pytest.raises(UnauthenticatedError):
        await authenticator.renew(asking)
    with pytest.raises(UnauthenticatedError):
        await authenticator.renew(replace(own, expires=datetime.now(UTC)))


async def test_api_keys_alone_where_no_provider_is_named(
    store: ForestStore, provider: Provider
) -> None:
    authenticator = Authenticator(store, OidcConfig.of(Settings()))
    with pytest.raises(UnauthenticatedError):
        await authenticator.authenticate(f"Bearer {KEY.sign(provider.claims())}")
    assert provider.asked == []
    await authenticator.close()


# The provider's keys


async def test_keys_are_kept_and_fetched_again_for_an_unknown_one(
    sign_in: SignIn, provider: Provider
) -> None:
    authenticator = sign_in.authenticator({"retry_s": 0.1})
    old = f"Bearer {KEY.sign(provider.claims())}"
    await asyncio.gather(*(authenticator.authenticate(old) for _ in range(20)))
    assert provider.asked.count("/keys") == 1
    new = SigningKey("second", "ES256")
    provider.keys = [new.jwk()]
    await asyncio.sleep(0.1)
    assert await authenticator.authenticate(f"Bearer {new.sign(provider.claims())}")
    assert provider.asked.count("/keys") == 2
    await asyncio.sleep(0.1)
    with pytest.raises(UnauthenticatedError):
        await authenticator.authenticate(old)  # taken back by the provider


async def test_unknown_keys_cannot_make_the_service_ask_and_ask(
    sign_in: SignIn, provider: Provider
) -> None:
    authenticator = sign_in.authenticator({"retry_s": 1000})
    assert await authenticator.authenticate(f"Bearer {KEY.sign(provider.claims())}")
    tokens = [
        SigningKey(f"unknown-{number}", "RS256", KEY.private).sign(provider.claims())
        for number in range(50)
    ]
    found = await asyncio.gather(
        *(authenticator.authenticate(f"Bearer {token}") for token in tokens),
        return_exceptions=True,
    )
    assert {type(one) for one in found} == {UnauthenticatedError}
    assert provider.asked.count("/keys") == 1


async def test_a_provider_may_be_away_for_a_while(sign_in: SignIn, provider: Provider) -> None:
    authenticator = sign_in.authenticator({"fresh_s": 0.1, "kept_s": 1.5, "retry_s": 0.2})
    bearer = f"Bearer {KEY.sign(provider.claims())}"
    assert await authenticator.authenticate(bearer)
    provider.down = True
    await asyncio.sleep(0.4)
    assert await authenticator.authenticate(bearer)  # asks beside it, in vain
    await asyncio.sleep(0.2)
    assert await authenticator.authenticate(bearer)
    assert len(provider.asked) > 2
    await asyncio.sleep(1.2)
    with pytest.raises(UnauthenticatedError):
        await authenticator.authenticate(bearer)  # for too long
    provider.down = False
    await asyncio.sleep(0.3)
    assert await authenticator.authenticate(bearer)


async def test_keys_taken_back_are_noticed(sign_in: SignIn, provider: Provider) -> None:
    authenticator = sign_in.authenticator({"fresh_s": 0.1, "retry_s": 0.0})
    bearer = f"Bearer {KEY.sign(provider.claims())}"
    assert await authenticator.authenticate(bearer)
    provider.keys = [SigningKey("second", "ES256").jwk()]
    for _ in range(20):
        await asyncio.sleep(0.1)
        try:
            await authenticator.authenticate(bearer)
        except UnauthenticatedError:
            return
    pytest.fail("a key that the provider no longer lists is still taken")


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/keys", (200, b"{}")),
        ("/keys", (200, b"[]")),
        ("/keys", (200, b"\xff\xfe")),
        ("/keys", (200, b'{"keys": []}')),
        ("/keys", (200, b'{"keys": ' + b"[" * 50_000)),
        ("/keys", (200, b'{"keys": [' + b" " * 300_000 + b"]}")),
        ("/keys", (500, b"")),
        ("/keys", (302, b"/elsewhere")),
        ("/.well-known/openid-configuration", (200, b'{"issuer": "x", "jwks_uri": "/keys"}')),
        (
            "/.well-known/openid-configuration",
            (200, b'{"issuer": "{url}", "jwks_uri": "http://10.0.0.1/keys"}'),
        ),
        (
            "/.well-known/openid-configuration",
            (200, b'{"issuer": "{url}", "jwks_uri": "file:///etc/passwd"}'),
        ),
        ("/.well-known/openid-configuration", (200, b'{"issuer": "{url}"}')),
        ("/.well-known/openid-configuration", (404, b"")),
    ],
)
async def test_answers_of_a_provider_that_make_no_sense(
    sign_in: SignIn, provider: Provider, path: str, answer: tuple[int, bytes]
) -> None:
    status, body = answer
    provider.answers[path] = (status, body.replace(b"{url}", provider.url.encode()))
    with pytest.raises(UnauthenticatedError):
        await sign_in.authenticator().authenticate(f"Bearer {KEY.sign(provider.claims())}")
    assert "/elsewhere" not in provider.asked


async def test_keys_at_a_named_address_need_no_discovery(
    sign_in: SignIn, provider: Provider
) -> None:
    authenticator = sign_in.authenticator(jwks_url=f"{provider.url}/keys")
    assert await authenticator.authenticate(f"Bearer {KEY.sign(provider.claims())}")
    assert provider.asked == ["/keys"]


# Settings


def settings(**more: Any) -> Settings:
    base = {
        "oidc_issuer": "https://id.example.org",
        "oidc_audience": AUDIENCE,
        "oidc_workspaces": "acme",
    }
    return Settings(**(base | more))


def test_settings_make_a_configuration() -> None:
    found = OidcConfig.of(
        settings(
            oidc_algorithms="ES256, EdDSA",
            oidc_scopes="read ingest",
            oidc_workspaces="acme, beta",
            oidc_workspace_claim="tenant",
            oidc_actor_match="id",
        )
    )
    assert found is not None
    assert found.algorithms == ("ES256", "EdDSA")
    assert found.scopes == {READ, INGEST}
    assert found.workspaces == {"acme", "beta"}
    assert found.actor_match is ActorMatch.ID
    assert OidcConfig.of(Settings()) is None


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"oidc_audience": ""}, "oidc_audience"),
        ({"oidc_workspaces": ""}, "oidc_workspaces"),
        ({"oidc_workspaces": "acme beta"}, "oidc_workspace_claim"),
        ({"oidc_workspaces": "No Such"}, "oidc_workspaces"),
        ({"oidc_algorithms": "none"}, "none"),
        ({"oidc_algorithms": "RS256 HS256"}, "HS256"),
        ({"oidc_algorithms": ""}, "oidc_algorithms"),
        ({"oidc_scopes": "read everything"}, "everything"),
        ({"oidc_issuer": "http://id.example.org"}, "https"),
        ({"oidc_issuer": "id.example.org"}, "https"),
        ({"oidc_issuer": "https://user:pass@id.example.org"}, "credentials"),
        ({"oidc_jwks_url": "http://id.example.org/keys"}, "https"),
        ({"oidc_jwks_url": "file:///etc/passwd"}, "https"),
    ],
)
def test_settings_that_would_let_in_the_wrong_ones(more: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        OidcConfig.of(settings(**more))
