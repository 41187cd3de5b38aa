"""The client and a service that runs the client's own documents and no others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from egcforest.api.access.principal import TokenScope
from egcforest.api.client import ForestClient, ForestClientError
from egcforest.graph.connection import ConnectionConfig
from egcforest.graph.store import ForestStore
from tests.api.access.transports import TRANSPORTS, send
from tests.api.client.conftest import QUICK
from tests.api.serving import Api, own_workspace, serving

QUERIES = Path(__file__).resolve().parents[3] / "api" / "client" / "queries"
FOREIGN = "{ serviceVersion }"
SAID = {"channel": "ops", "id": "1", "time": "2026-03-02T09:00:00Z", "author": "u1", "text": "Up."}


@pytest.fixture(scope="module")
def strict(connection: ConnectionConfig) -> Iterator[Api]:
    with serving(connection, "", serve_trusted_documents=QUERIES) as running:
        yield running


@pytest.fixture
async def token(strict: Api, store: ForestStore) -> AsyncIterator[str]:
    async with own_workspace(store) as name:
        yield strict.token(None, TokenScope.ADMIN, workspace=name)


def called(client: ForestClient, tmp_path: Path) -> Iterator[tuple[str, Any]]:
    """Every method of the client, with the document that it sends and what it returned."""
    job = client.messages.append([SAID, SAID | {"id": "2", "text": "Since when?", "thread": "1"}])
    yield "append_messages", job
    yield "ingest_job", client.jobs.get(job.id)
    yield "ingest_jobs", client.jobs.list().take(1)
    yield "ingest_job_progress", list(client.jobs.watch(job))
    yield "cancel_job", client.jobs.cancel(job)
    yield "retry_job", client.jobs.retry(job)
    yield "rebuild", client.rebuild(["ops"], wait=True)
    export = tmp_path / "export.jsonl"
    export.write_text('{"type": "actor", "id": "u1", "name": "ana"}\n', "utf-8")
    yield "start_upload", client.upload(export, wait=True)
    yield "workspace", client.workspace()
    yield "evidence", client.evidence("What is up?")
    (channel,) = client.channels().all()
    yield "channels", channel
    yield "actors", client.actors().all()
    client.artifacts().all()
    yield "artifacts", "there may be none"
    yield "coverage", client.coverage().all()
    yield "search", client.search("up").take(1)
    yield "statistics", client.statistics()
    message, _ = client.messages.of(channel.id).all()
    yield "messages_of", message
    yield "messages_in_thread", client.messages.in_thread(message.id).all()
    yield "message", client.message(message.id)
    tree = client.tree("channel", "ops")
    yield "tree", tree
    yield "forest_node", client.node(tree.root.id)
    yield "messages_below", client.messages.below(tree.root.id).all()
    try:
        client.answer("What is up?")
    except ForestClientError as error:
        # It was understood; only a model is missing.
        yield "answer", error.code == "NOT_CONFIGURED"


def test_all_that_the_client_asks_is_allowed_and_nothing_else(
    strict: Api, token: str, tmp_path: Path
) -> None:
    with ForestClient(strict.url, token, retry=QUICK) as client:
        done = dict(called(client, tmp_path))
        with pytest.raises(ForestClientError) as caught:
            client.execute(FOREIGN)
    assert done.keys() == {path.stem for path in QUERIES.glob("*.graphql")}
    assert all(done.values()), done
    assert caught.value.code == "FORBIDDEN"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_foreign_document_is_refused_by_every_way_in(
    strict: Api, token: str, transport: str
) -> None:
    trusted = (QUERIES / "workspace.graphql").read_text("utf-8")
    assert send(transport, strict.url, trusted, token).data
    for document in (FOREIGN, f"{trusted} ", trusted.replace("workspace", "a: workspace", 1)):
        reply = send(transport, strict.url, document, token)
        assert reply.codes == {"FORBIDDEN"}
        assert not reply.data
