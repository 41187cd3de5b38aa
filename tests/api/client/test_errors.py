"""What a client tells of what goes wrong, and what it tries again. Over real HTTP."""

from __future__ import annotations

import itertools
import socket
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from egcforest.api.client import (
    AsyncForestClient,
    BadInputError,
    ClientTimeoutError,
    ClosedError,
    ConfigurationError,
    ConflictError,
    CostLimitError,
    ForbiddenError,
    ForestClient,
    ForestClientError,
    InternalError,
    NotConfiguredError,
    NotFoundError,
    RateLimitedError,
    RetryPolicy,
    ServerTimeoutError,
    ServiceError,
    TooLargeError,
    TransportError,
    UnauthenticatedError,
    UnavailableError,
    UnexpectedAnswerError,
    UnreachableError,
)
from egcforest.graph.connection import ConnectionConfig
from tests.api.client.conftest import Connect
from tests.api.client.misbehaving import (
    JOB,
    WORKSPACE,
    Misbehaving,
    cut,
    cut_midway,
    drip,
    good,
    refuse,
    reply,
    slow,
)
from tests.api.serving import Api, serving

SECRET = "egc_secret-of-this-test"
GREEDY = "{ channels(first: 100) { nodes { messages(first: 100) { nodes { id } } } } }"
NEW = {"channel": "c", "id": "1", "time": "2026-03-01T10:00:00Z", "author": "u", "text": "Hi."}


# Against the service itself


@pytest.mark.parametrize("token", ["wrong", SECRET, None])
def test_a_bad_token(connect: Connect, api: Api, token: str | None) -> None:
    with pytest.raises(UnauthenticatedError) as caught:
        connect(api.url, token).workspace()
    error = caught.value
    assert error.code == "UNAUTHENTICATED"
    assert "token create" in error.remedy
    assert error.request_id
    assert str(error).endswith(f"(request {error.request_id})")


def test_a_scope_that_the_token_does_not_have(connect: Connect, api: Api, reader: str) -> None:
    client = connect(api.url, reader)
    with pytest.raises(ForbiddenError, match="scope 'admin'"):
        client.rebuild()
    with pytest.raises(ForbiddenError, match="scope 'on_behalf'"):
        client.on_behalf_of("oliver").workspace()


def test_what_is_not_there(connect: Connect, api: Api, reader: str) -> None:
    client = connect(api.url, reader)
    for call in (
        lambda: client.message("sample/m/none"),
        lambda: client.node("sample/n/none"),
        lambda: client.tree("artifact", "INC-999999"),
        lambda: client.messages.of("sample/c/none").take(1),
        lambda: client.messages.below("sample/n/none").take(1),
        lambda: client.messages.in_thread("sample/m/none").take(1),
    ):
        with pytest.raises(NotFoundError) as caught:
            call()
        assert caught.value.code == "NOT_FOUND"
        assert caught.value.request_id


def test_bad_input_and_cost(connect: Connect, api: Api, reader: str) -> None:
    client = connect(api.url, reader)
    with pytest.raises(BadInputError) as caught:
        client.evidence("Who?", items=0)
    assert caught.value.path == ("evidence",)
    with pytest.raises(BadInputError):
        client.search("x", view="forest").take(1)
    with pytest.raises(BadInputError):
        client.execute("{ nothing }")
    with pytest.raises(CostLimitError) as dear:
        client.execute(GREEDY)
    assert dear.value.limit is not None
    assert dear.value.figure is not None
    assert dear.value.figure > dear.value.limit


def test_no_model_is_configured(connect: Connect, api: Api, reader: str) -> None:
    with pytest.raises(NotConfiguredError) as caught:
        connect(api.url, reader).answer("Who?")
    assert caught.value.remedy


def test_what_came_of_the_other_fields_is_not_lost(connect: Connect, api: Api, reader: str) -> None:
    query = '{ workspace { name } channel(id: "sample/c/none") { id } }'
    assert connect(api.url, reader).execute(query)["channel"] is None


@pytest.fixture(scope="module")
def strict(api: Api, connection: ConnectionConfig) -> Iterator[Api]:
    """A service that allows each token three operations a minute."""
    with serving(connection, "sample", serve_rate_per_minute=3) as running:
        yield running


def test_a_real_rate_limit(connect: Connect, strict: Api) -> None:
    client = connect(strict.url, strict.token(), timeout_s=5.0)
    with pytest.raises(RateLimitedError) as caught:
        # The window may slide on in between.
        [client.workspace() for _ in range(10)]
    # It would have been worth waiting for, had there been the time.
    assert caught.value.retry_after_s is not None
    assert 0 < caught.value.retry_after_s <= 60


def test_a_real_time_limit(connect: Connect, api: Api, connection: ConnectionConfig) -> None:
    with serving(connection, "sample", serve_timeout_s=0.001) as running:
        client = connect(running.url, running.token())
        with pytest.raises(ServerTimeoutError) as caught:
            client.evidence("Why was the project renamed?")
    assert caught.value.code == "TIMEOUT"


def test_nobody_is_there(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    client = connect(f"http://127.0.0.1:{port}", SECRET)
    with pytest.raises(UnreachableError, match="egcforest serve"):
        client.workspace()


# Against a server that misbehaves


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("UNAUTHENTICATED", UnauthenticatedError),
        ("FORBIDDEN", ForbiddenError),
        ("NOT_FOUND", NotFoundError),
        ("BAD_INPUT", BadInputError),
        ("COST_LIMIT", CostLimitError),
        ("RATE_LIMITED", RateLimitedError),
        ("TIMEOUT", ServerTimeoutError),
        ("TOO_LARGE", TooLargeError),
        ("CONFLICT", ConflictError),
        ("NOT_CONFIGURED", NotConfiguredError),
        ("UNAVAILABLE", UnavailableError),
        ("INTERNAL", InternalError),
        ("OF_A_LATER_RELEASE", ServiceError),
    ],
)
def test_every_code_has_its_class(
    misbehaving: Misbehaving, code: str, kind: type[ForestClientError]
) -> None:
    misbehaving.script = [refuse(code, figure=9, limit=4)]
    client = ForestClient(misbehaving.url, SECRET, retry=RetryPolicy(attempts=1))
    with client, pytest.raises(kind) as caught:
        client.workspace()
    error = caught.value
    assert type(error) is kind
    assert (error.code, error.message, error.remedy) == (code, "Not so.", "Do otherwise.")
    assert error.request_id == "theirs-1234"
    assert error.details == {"figure": 9, "limit": 4}


@pytest.mark.parametrize("trouble", [cut, cut_midway, reply(502, b"<html>"), refuse("UNAVAILABLE")])
def test_a_query_is_sent_again(connect: Connect, misbehaving: Misbehaving, trouble: Any) -> None:
    misbehaving.script = [trouble, trouble, good()]
    assert connect(misbehaving.url).workspace().name == "acme"
    first, second, third = misbehaving.received
    assert first.body == second.body == third.body
    # Each attempt has an id of its own, and one sees that they belong together.
    ids = [one.headers["x-request-id"] for one in misbehaving.received]
    assert ids[1:] == [f"{ids[0]}-2", f"{ids[0]}-3"]


def test_it_is_not_sent_for_ever(connect: Connect, misbehaving: Misbehaving) -> None:
    misbehaving.script = [cut]
    with pytest.raises(TransportError) as caught:
        connect(misbehaving.url).workspace()
    assert len(misbehaving.received) == 4
    assert caught.value.request_id == misbehaving.received[-1].headers["x-request-id"]


@pytest.mark.parametrize("ahead", [None, timedelta(hours=1)])
def test_waits_as_long_as_retry_after_says(
    connect: Connect, misbehaving: Misbehaving, ahead: timedelta | None
) -> None:
    header = format_datetime(datetime.now(UTC) + ahead) if ahead else "1"
    misbehaving.script = [reply(503, b"", Retry_After=header), good()]
    client = connect(misbehaving.url, timeout_s=10.0)
    if ahead is None:
        client.workspace()
        first, second = misbehaving.received
        assert second.at - first.at >= 1
    else:
        with pytest.raises(UnavailableError) as caught:
            client.workspace()
        assert len(misbehaving.received) == 1
        assert caught.value.retry_after_s is not None
        assert caught.value.retry_after_s > 3000


def test_a_mutation_is_sent_again_with_the_same_id(
    connect: Connect, misbehaving: Misbehaving
) -> None:
    misbehaving.script = [cut, good(appendMessages=JOB | {"state": "DONE"})]
    connect(misbehaving.url).messages.append([NEW])
    first, second = (one.json["variables"]["input"] for one in misbehaving.received)
    assert first == second
    assert first["clientRequestId"]


@pytest.mark.parametrize("what", ["retry", "answer", "mutation", "hidden mutation"])
def test_what_is_not_safe_is_sent_once(
    connect: Connect, misbehaving: Misbehaving, what: str
) -> None:
    misbehaving.script = [cut]
    client = connect(misbehaving.url)
    calls = {
        "retry": lambda: client.jobs.retry("acme/j/1"),
        "answer": lambda: client.answer("Who?"),
        "mutation": lambda: client.execute('mutation { cancelJob(id: "1") { id } }'),
        "hidden mutation": lambda: client.execute("query A { a } # \n mutation B { b }"),
    }
    with pytest.raises(TransportError):
        calls[what]()
    assert len(misbehaving.received) == 1


@pytest.mark.parametrize("query", ["{ a }", '{ a(text: "mutation") }', "# mutation\nquery { a }"])
def test_own_queries_are_safe(connect: Connect, misbehaving: Misbehaving, query: str) -> None:
    misbehaving.script = [cut, good(a=1)]
    assert connect(misbehaving.url).execute(query) == {"a": 1}


def test_a_refused_request_was_not_done_and_is_sent_again(
    connect: Connect, misbehaving: Misbehaving
) -> None:
    misbehaving.script = [refuse("RATE_LIMITED", 429, retryAfter=0), good(retryJob=JOB)]
    assert connect(misbehaving.url).jobs.retry("acme/j/1").id == JOB["id"]


@pytest.mark.parametrize("trouble", [slow(3, good()), drip])
def test_a_call_ends_in_time(connect: Connect, misbehaving: Misbehaving, trouble: Any) -> None:
    misbehaving.script = [trouble]
    began = time.monotonic()
    with pytest.raises(ClientTimeoutError, match=r"0\.5 s") as caught:
        connect(misbehaving.url, timeout_s=0.5).workspace()
    assert time.monotonic() - began < 2
    assert caught.value.request_id
    assert len(misbehaving.received) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply(200, b"<html>Welcome"), UnexpectedAnswerError),
        (reply(404, b"<html>"), UnexpectedAnswerError),
        (reply(200, []), UnexpectedAnswerError),
        (reply(200, {}), UnexpectedAnswerError),
        (reply(200, {"data": {}}), UnexpectedAnswerError),
        (good(workspace={"id": SECRET}), UnexpectedAnswerError),
        (reply(302, b"", Location="https://elsewhere.example/"), UnexpectedAnswerError),
        (reply(401, b"<html>"), UnauthenticatedError),
        (reply(403, b""), ForbiddenError),
        (reply(413, b""), TooLargeError),
        (reply(504, b""), ServerTimeoutError),
        (reply(500, b"x"), InternalError),
        (reply(400, {"errors": [None]}), ServiceError),
        (reply(400, {"errors": [{"message": 7, "extensions": []}]}), ServiceError),
    ],
)
def test_what_is_no_answer_of_the_service(
    misbehaving: Misbehaving, answer: Any, kind: type[ForestClientError]
) -> None:
    misbehaving.script = [answer]
    with ForestClient(misbehaving.url, SECRET) as client, pytest.raises(kind) as caught:
        client.workspace()
    assert caught.value.request_id
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert len(misbehaving.received) == 1


def test_what_a_later_service_adds_is_passed_over(
    connect: Connect, misbehaving: Misbehaving
) -> None:
    misbehaving.script = [
        good(workspace=WORKSPACE | {"colour": "green"}),
        good(ingestJob=JOB | {"kind": "PRUNE", "state": "PAUSED"}),
    ]
    client = connect(misbehaving.url)
    assert client.workspace().name == "acme"
    job = client.jobs.get("acme/j/1")
    assert (job.kind, job.state, job.ended) == ("PRUNE", "PAUSED", False)


# The client itself


def test_the_token_is_shown_nowhere(connect: Connect, misbehaving: Misbehaving) -> None:
    misbehaving.script = [reply(401, b"")]
    client = connect(misbehaving.url, SECRET)
    with pytest.raises(UnauthenticatedError) as caught:
        client.workspace()
    assert misbehaving.received[0].headers["authorization"] == f"Bearer {SECRET}"
    shown = [repr(client), str(caught.value), repr(caught.value)]
    shown += traceback.format_exception(caught.value)
    assert SECRET not in "".join(shown)
    assert misbehaving.url in repr(client)


@pytest.mark.parametrize("token", ["", " ", "two words", "new\nline", "ключ", "x" * 9000, 7])
def test_a_token_that_is_none_is_refused_before_it_is_sent(token: Any) -> None:
    calls = [lambda: ForestClient("http://127.0.0.1:9", lambda: token).workspace()]
    if token and isinstance(token, str):
        calls.append(lambda: ForestClient("http://127.0.0.1:9", token).workspace())
    for call in calls:
        with pytest.raises(ConfigurationError) as caught:
            call()
        assert not str(token).strip() or str(token) not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    ["", "ftp://x", "localhost:8080", "http://", f"http://a:{SECRET}@x", f"http://x?t={SECRET}"],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        ForestClient(url)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "options", [{"timeout_s": 0}, {"max_connections": 0}, {"on_behalf_of": "a\nb"}]
)
def test_options_that_make_no_sense(options: Any) -> None:
    with pytest.raises(ConfigurationError):
        AsyncForestClient("http://x", "t", **options)


def test_the_environment_has_the_defaults(
    misbehaving: Misbehaving, monkeypatch: pytest.MonkeyPatch
) -> None:
    misbehaving.script = [good()]
    monkeypatch.setenv("EGCFOREST_URL", f"{misbehaving.url}/graphql")
    monkeypatch.setenv("EGCFOREST_TOKEN", f" {SECRET}\n")
    with ForestClient() as client:
        client.workspace()
    assert misbehaving.received[0].path == "/graphql"
    assert misbehaving.received[0].headers["authorization"] == f"Bearer {SECRET}"
    monkeypatch.delenv("EGCFOREST_URL")
    assert "127.0.0.1:8080" in repr(ForestClient())


def test_a_service_below_a_path(connect: Connect, misbehaving: Misbehaving) -> None:
    misbehaving.script = [good()]
    connect(f"{misbehaving.url}/memory/").workspace()
    assert misbehaving.received[0].path == "/memory/graphql"


def test_a_token_can_be_handed_out_anew(connect: Connect, misbehaving: Misbehaving) -> None:
    misbehaving.script = [good()]
    numbers = itertools.count(1)
    client = connect(misbehaving.url, lambda: f"token-{next(numbers)}")
    client.workspace()
    client.workspace()
    sent = [one.headers["authorization"] for one in misbehaving.received]
    assert sent == ["Bearer token-1", "Bearer token-2"]


def test_on_behalf_of_somebody_shares_the_connections(
    connect: Connect, misbehaving: Misbehaving
) -> None:
    misbehaving.script = [good()]
    client = connect(misbehaving.url, on_behalf_of="Müller")
    client.workspace()
    other = client.on_behalf_of("高橋")
    other.workspace()
    other.close()
    client.on_behalf_of(None).workspace()
    client.workspace()
    told = [one.headers.get("x-egcforest-on-behalf-of") for one in misbehaving.received]
    names = [None if name is None else name.encode("latin-1").decode() for name in told]
    assert names == ["Müller", "高橋", None, "Müller"]
    client.close()
    with pytest.raises(ClosedError):
        other.workspace()


def test_closing(connect: Connect, misbehaving: Misbehaving) -> None:
    misbehaving.script = [good()]
    with connect(misbehaving.url) as client:
        client.workspace()
        pages = client.channels()
    client.close()
    client.close()
    for call in (client.workspace, lambda: client.messages.append([NEW]), pages.all):
        with pytest.raises(ClosedError, match="closed"):
            call()
    with pytest.raises(ClosedError):
        list(client.jobs.watch("acme/j/1"))
    assert len(misbehaving.received) == 1


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ({"id": "1"}, r"messages\[1\]\.channel"),
        (NEW | {"reply": "2"}, r"messages\[1\]\.reply"),
        (NEW | {"files": [{"size": 1}]}, r"messages\[1\]\.files\.0\.size"),
        ("secret words", r"messages\[1\]"),
    ],
)
def test_records_that_are_none_are_not_sent(new: Any, told: str) -> None:
    with ForestClient("http://127.0.0.1:9") as client, pytest.raises(BadInputError) as caught:
        client.messages.append([NEW, new])
    assert caught.match(told)
    assert "secret" not in "".join(traceback.format_exception(caught.value))


def test_times_need_a_zone_and_variables_have_to_be_json() -> None:
    naive = datetime(2026, 3, 1)  # noqa: DTZ001
    with ForestClient("http://127.0.0.1:9") as client:
        with pytest.raises(BadInputError, match="zone"):
            client.evidence("Who?", since=naive)
        with pytest.raises(ConfigurationError, match="JSON"):
            client.execute("{ a }", {"b": object()})
        with pytest.raises(ConfigurationError, match="JSON"):
            client.execute("{ a }", {"b": float("nan")})
