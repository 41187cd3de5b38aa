"""Sign-in with the JWTs of an OIDC provider."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt

from ...graph.directory import ActorDirectory, ActorMatch
from ...graph.errors import InvalidKeyError
from ...graph.keys import check_workspace
from ..errors import SettingsError
from ..settings import Settings
from .jwks import Jwk, KeySet, check_url
from .principal import ForbiddenError, Principal, TokenScope, UnauthenticatedError

ALGORITHMS = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
)  # fmt: skip
"""What may be configured: asymmetric ones alone. With HS256 who can check could also sign."""

LONGEST_JWT = 8192
OIDC_PREFIX = "oidc:"
"""What the id of a principal begins with who signed in so."""
_LONGEST_SUBJECT = 255
_SCOPE_PREFIX = "egcforest:"
_TYPES = {"jwt", "at+jwt", "application/at+jwt"}


@dataclass(frozen=True, slots=True)
class OidcConfig:
    """Which JWTs are good, and what they mean.

    Attributes:
        issuer: the provider, as `iss` names it.
        audience: this service, as `aud` names it.
        jwks_url: where the provider's keys are; empty to ask the provider.
        algorithms: the signatures that are taken.
        leeway_s: seconds that two clocks may differ.
        actor_claim: the claim that says who it is.
        actor_match: what of an actor that claim must equal.
        scope_claim: the claim that lists scopes as `egcforest:read`; empty for `scopes`.
        scopes: what every token is good for if there is no such claim configured.
        workspace_claim: the claim that names the workspace; empty for the only one.
        workspaces: those that may be opened.
    """

    issuer: str
    audience: str
    workspaces: frozenset[str]
    jwks_url: str = ""
    algorithms: tuple[str, ...] = ("RS256", "ES256")
    leeway_s: int = 30
    actor_claim: str = "email"
    actor_match: ActorMatch = ActorMatch.ALIAS
    scope_claim: str = ""
    scopes: frozenset[TokenScope] = frozenset({TokenScope.READ})
    workspace_claim: str = ""

    @classmethod
    def of(cls, settings: Settings) -> OidcConfig | None:
        """The configuration that `settings` hold; None if they name no issuer.

        Raises:
            SettingsError: something is missing, or would let in whom it should not.
        """
        if not settings.oidc_issuer:
            return None
        if not settings.oidc_audience:
            raise SettingsError(
                "OIDC has an issuer and no audience: a token made for any other service would do.",
                "Set oidc_audience to what the provider calls this one.",
            )
        return cls(
            issuer=check_url(settings.oidc_issuer),
            audience=settings.oidc_audience,
            workspaces=_workspaces(settings),
            jwks_url=check_url(settings.oidc_jwks_url) if settings.oidc_jwks_url else "",
            algorithms=_algorithms(settings.oidc_algorithms),
            leeway_s=settings.oidc_leeway_s,
            actor_claim=settings.oidc_actor_claim,
            actor_match=ActorMatch(settings.oidc_actor_match),
            scope_claim=settings.oidc_scope_claim,
            scopes=_fixed_scopes(settings.oidc_scopes),
            workspace_claim=settings.oidc_workspace_claim,
        )


class OidcSignIn:
    """From a JWT to who asks."""

    def __init__(
        self, config: OidcConfig, directory: ActorDirectory, keys: KeySet | None = None
    ) -> None:
        self._config = config
        self._directory = directory
        self._keys = keys or KeySet(config.issuer, config.jwks_url)

    async def close(self) -> None:
        """Stop fetching keys."""
        await self._keys.close()

    @property
    def leeway_s(self) -> int:
        """Seconds that a token is taken after its end."""
        return self._config.leeway_s

    async def principal(self, token: str) -> Principal:
        """Who `token` says, if it says so truly.

        Raises:
            UnauthenticatedError: it is not good.
            ForbiddenError: it is, but whom it names is nobody here, or not just one.
        """
        claims = await self._claims(token)
        workspace = self._workspace(claims)
        said = claims.get(self._config.actor_claim)
        unverified = (
            self._config.actor_claim == "email" and claims.get("email_verified") is not True
        )
        if unverified or not isinstance(said, str):
            raise nobody()
        actor = await self._directory.matching(workspace, said, self._config.actor_match)
        if actor is None:
            raise nobody()
        return Principal(
            workspace=workspace,
            actor=actor.key,
            scopes=self._scopes(claims),
            token_id=f"{OIDC_PREFIX}{claims['sub']}",
            name="oidc",
            expires=datetime.fromtimestamp(claims["exp"], UTC),
        )

    async def _claims(self, token: str) -> dict[str, Any]:
        header = _header(token)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if algorithm not in self._config.algorithms or not isinstance(key_id, str):
            raise UnauthenticatedError
        # An extension that must be understood is not; and where keys are is not the token's word.
        if "crit" in header or str(header.get("typ", "jwt")).lower() not in _TYPES:
            raise UnauthenticatedError
        key = await self._keys.key(key_id)
        if key is None:
            raise UnauthenticatedError
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                _public_key(key, algorithm),
                algorithms=[algorithm],
                audience=self._config.audience,
                issuer=self._config.issuer,
                leeway=self._config.leeway_s,
                options={
                    "require": ["exp", "iat", "iss", "aud", "sub"],
                    "enforce_minimum_key_length": True,
                },
            )
            datetime.fromtimestamp(claims["exp"], UTC)
        except Exception:  # whatever goes wrong over a token makes it no good
            raise UnauthenticatedError from None
        subject = claims["sub"]
        if not subject or len(subject) > _LONGEST_SUBJECT or not subject.isprintable():
            raise UnauthenticatedError
        return claims

    def _workspace(self, claims: Mapping[str, Any]) -> str:
        config = self._config
        if not config.workspace_claim:
            (only,) = config.workspaces
            return only
        named = claims.get(config.workspace_claim)
        if not isinstance(named, str) or named not in config.workspaces:
            raise nobody()
        return named

    def _scopes(self, claims: Mapping[str, Any]) -> frozenset[TokenScope]:
        if not self._config.scope_claim:
            return self._config.scopes
        said = claims.get(self._config.scope_claim)
        words = said.split(" ") if isinstance(said, str) else said if isinstance(said, list) else []
        known = {f"{_SCOPE_PREFIX}{scope}": scope for scope in TokenScope}
        return frozenset(known[w] for w in words if isinstance(w, str) and w in known)


def _header(token: str) -> dict[str, Any]:
    if len(token) > LONGEST_JWT:
        raise UnauthenticatedError
    try:
        return jwt.get_unverified_header(token)
    except Exception:  # nothing is known yet of who sent it
        raise UnauthenticatedError from None


def _public_key(key: Jwk, algorithm: str) -> jwt.PyJWK:
    # A key that names its algorithm is for that one alone; PyJWT compares it with the header.
    # An RSA key that names none may serve each RSA algorithm that is configured.
    if "alg" not in key and key.get("kty") == "RSA" and algorithm[:2] in ("RS", "PS"):
        return jwt.PyJWK(dict(key), algorithm)
    return jwt.PyJWK(dict(key))


def nobody() -> ForbiddenError:
    """The answer to a good token of somebody who is not one actor here."""
    return ForbiddenError(
        "This account is nobody in particular here.",
        "The operator maps accounts to actors; see docs/security.md.",
    )


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word]


def _algorithms(text: str) -> tuple[str, ...]:
    words = tuple(_words(text))
    wrong = [word for word in words if word not in ALGORITHMS]
    if wrong or not words:
        raise SettingsError(
            f"oidc_algorithms has {wrong[0]!r}." if wrong else "oidc_algorithms is empty.",
            f"Take some of: {', '.join(ALGORITHMS)}.",
        )
    return words


def _fixed_scopes(text: str) -> frozenset[TokenScope]:
    try:
        return frozenset(TokenScope(word) for word in _words(text))
    except ValueError as error:
        raise SettingsError(
            f"oidc_scopes: {error}.", f"Take some of: {', '.join(TokenScope)}."
        ) from None


def _workspaces(settings: Settings) -> frozenset[str]:
    try:
        named = frozenset(map(check_workspace, _words(settings.oidc_workspaces)))
    except InvalidKeyError as error:
        raise SettingsError(f"oidc_workspaces: {error.message}", error.remedy) from None
    if not named or (len(named) > 1 and not settings.oidc_workspace_claim):
        raise SettingsError(
            "OIDC needs the workspace that its tokens open, or a claim that names one of several.",
            "Set oidc_workspaces; for more than one, oidc_workspace_claim too.",
        )
    return named
