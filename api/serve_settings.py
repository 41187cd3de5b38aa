"""Settings of the service: `EGCFOREST_SERVE_...` in the environment."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode

_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?")
_DEFAULT_PORTS = {("http", ":80"), ("https", ":443")}


def _half_the_processors() -> int:
    return max(1, (os.cpu_count() or 1) // 2)


class ServeSettings(BaseSettings):
    """Every setting of `egcforest serve`; they stand beside the others in `Settings`."""

    serve_host: str = Field(default="127.0.0.1", description="Address that the service listens on.")
    serve_port: int = Field(
        default=8080, ge=0, le=65535, description="Its port; 0 takes any that is free."
    )
    serve_insecure: bool = Field(
        default=False,
        description="Ask for no token: whoever reaches the port reads what is public and "
        "writes as an administrator.",
    )
    serve_development: bool = Field(
        default=False, description="GraphiQL and introspection, for people who write queries."
    )
    serve_cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Origins of web pages that may call the service, as https://host[:port], "
        "separated by commas.",
    )
    serve_trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Addresses or networks of reverse proxies, separated by commas; what they "
        "say of the client's address is believed.",
    )
    serve_questions_at_once: int = Field(
        default_factory=_half_the_processors,
        ge=1,
        le=64,
        description="Questions that are answered at the same time; others wait for their turn. "
        "Half as many as there are processors unless set, since the database needs the others.",
    )
    serve_max_depth: int = Field(
        default=16, ge=1, le=100, description="Levels of fields in one operation, at most."
    )
    serve_max_aliases: int = Field(
        default=30, ge=0, le=1000, description="Aliases in one operation, at most."
    )
    serve_max_fields: int = Field(
        default=300, ge=1, le=2000, description="Fields in one operation, at most."
    )
    serve_max_query_tokens: int = Field(
        default=2000, ge=50, le=100_000, description="Lexical tokens in one document, at most."
    )
    serve_max_cost: int = Field(
        default=5000, ge=1, description="Cost of one operation, at most; docs/security.md."
    )
    serve_timeout_s: float = Field(
        default=30.0, gt=0, le=3600, description="Seconds that one operation may take."
    )
    serve_max_body_bytes: int = Field(
        default=1024 * 1024, ge=1024, description="Bytes in one request's body, but for uploads."
    )
    serve_rate_per_minute: int = Field(
        default=600, ge=1, description="Operations of one token within a minute, at most."
    )
    serve_max_subscriptions: int = Field(
        default=20, ge=1, le=1000, description="Operations at a time on one WebSocket, at most."
    )
    serve_trusted_documents: Path | None = Field(
        default=None,
        description="File or folder of GraphQL documents; with it, no others are run.",
    )
    serve_metrics_port: int | None = Field(
        default=None,
        ge=0,
        le=65535,
        description="Port of the metrics for Prometheus; without it there are none.",
    )
    serve_metrics_host: str = Field(
        default="127.0.0.1", description="Address that the metrics listen on."
    )
    serve_otlp_endpoint: str = Field(
        default="",
        description="Where traces are sent by OTLP over HTTP; without it there are none.",
    )
    serve_shutdown_s: float = Field(
        default=20.0, ge=0, description="Seconds that running requests may finish in at the end."
    )

    @field_validator("serve_cors_origins", "serve_trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(filter(None, (origin.strip() for origin in value.split(","))))
        return value

    @field_validator("serve_cors_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(_origin, value))


def _origin(entry: str) -> str:
    """`entry` as browsers write an origin: in small letters, without the port that goes without
    saying. It is compared with theirs letter by letter."""
    origin = entry.lower()
    found = _ORIGIN.fullmatch(origin)
    if found is None:
        raise ValueError(
            f"{entry!r} is no origin, which is a scheme, a host and perhaps a port, without a path "
            "or a wildcard, such as https://dashboard.example.org"
        )
    return origin.removesuffix(found[2]) if found.groups() in _DEFAULT_PORTS else origin
