"""What is opened when the process starts and closed when it ends, on the server's own loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI

from ...text.errors import EGCForestError
from ..access.authenticate import Authenticator, InsecureAuthenticator
from ..access.oidc import OidcConfig
from ..answering import open_composer
from ..asking import open_questions, warming
from ..engine import Engine
from ..graphql.context import Authenticates, Runtime
from ..graphql.protection import Protection
from ..graphql.schema import build_schema
from ..jobs.configure import open_jobs
from ..service import Service, open_service
from ..settings import Settings
from .health import Readiness
from .monitors import observing

MakeAuthenticator = Callable[[Service, Settings], AbstractAsyncContextManager[Authenticates]]
"""Opens what finds out who asks, for as long as the context lasts."""


@asynccontextmanager
async def open_authenticator(service: Service, settings: Settings) -> AsyncIterator[Authenticates]:
    """What finds out who asks, as the settings want it.

    Raises:
        NotFoundError: sign-in is off, and it is not clear which workspace is meant.
        SettingsError: what is set for OIDC is not usable.
    """
    if settings.serve_insecure:
        yield InsecureAuthenticator(await service.workspace(settings.workspace))
        return
    authenticator = Authenticator(service.store, OidcConfig.of(settings))
    try:
        yield authenticator
    finally:
        await authenticator.close()


@dataclass(slots=True)
class ServeConfig:
    """What an application is made from.

    Attributes:
        settings: how it is to behave.
        engine: where the graph is.
        make_authenticator: opens what finds out who asks.
        failure: why the application could not be started; set by its lifespan.
    """

    settings: Settings
    engine: Engine
    make_authenticator: MakeAuthenticator = open_authenticator
    failure: EGCForestError | None = None


@asynccontextmanager
async def open_runtime(config: ServeConfig) -> AsyncIterator[Runtime]:
    """The graph, the encoder, sign-in and the worker; closed in the opposite order.

    Raises:
        ConnectionFailedError: the graph does not answer or refuses the credentials.
        EncoderMismatchError: the graph's vectors come from another encoder.
        SettingsError: a setting of the service cannot be used.
    """
    async with (
        open_service(config.engine, config.settings) as service,
        config.make_authenticator(service, config.settings) as authenticator,
        open_composer(config.settings) as composer,
        open_questions(service, at_once=config.settings.serve_questions_at_once) as questions,
        warming(service, questions),
        open_jobs(service.store, config.settings, config.engine) as jobs,
    ):
        schema = build_schema(development=config.settings.serve_development)
        protection = Protection(schema.core, config.settings)
        yield Runtime(
            config.settings, service, authenticator, composer, jobs, protection, questions
        )


def lifespan(config: ServeConfig) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """The lifespan of an application made from `config`."""

    @asynccontextmanager
    async def alive(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with open_runtime(config) as runtime, observing(runtime) as monitors:
                app.state.runtime = runtime
                app.state.monitors = monitors
                app.state.readiness = Readiness(runtime)
                yield
                runtime.closing.set()
        except EGCForestError as error:
            config.failure = error
            raise

    return alive
