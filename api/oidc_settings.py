"""Settings of sign-in with an OIDC provider: `EGCFOREST_OIDC_...` in the environment."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings


class OidcSettings(BaseSettings):
    """Which JWTs a served API takes; they stand beside the others in `Settings`."""

    oidc_issuer: str = Field(
        default="",
        description="The OIDC provider, as its tokens name it (iss). Empty: API keys alone.",
    )
    oidc_audience: str = Field(
        default="", description="This service, as the provider's tokens name it (aud)."
    )
    oidc_jwks_url: str = Field(
        default="", description="Where the provider's keys are. Empty: the provider is asked."
    )
    oidc_algorithms: str = Field(
        default="RS256 ES256", description="Signatures that are taken; asymmetric ones alone."
    )
    oidc_leeway_s: int = Field(
        default=30, ge=0, le=300, description="Seconds that two clocks may differ."
    )
    oidc_actor_claim: str = Field(
        default="email", min_length=1, description="The claim that says who it is."
    )
    oidc_actor_match: Literal["id", "alias", "name"] = Field(
        default="alias", description="What of an actor that claim must equal."
    )
    oidc_scope_claim: str = Field(
        default="",
        description="The claim that lists scopes, as egcforest:read. Empty: oidc_scopes.",
    )
    oidc_scopes: str = Field(
        default="read", description="What all its tokens are good for, without such a claim."
    )
    oidc_workspaces: str = Field(default="", description="The workspaces that its tokens may open.")
    oidc_workspace_claim: str = Field(
        default="", description="The claim that names the workspace; not needed where it is one."
    )
