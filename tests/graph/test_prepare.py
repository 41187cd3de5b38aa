"""What a start checks and creates, on a real Neo4j. The encoder is put back at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from egcforest.graph import prepare
from egcforest.graph.errors import EncoderMismatchError, SchemaError
from egcforest.graph.identity import EncoderIdentity
from egcforest.graph.prepare import stored_encoder
from egcforest.graph.schema import INSTALLATION_KEY, SCHEMA_VERSION
from egcforest.graph.store import ForestStore
from egcforest.text.encoders.hashing import HashingEncoder
from tests.graph.log_records import append, dump, message, prepared_log

ENCODER = EncoderIdentity.of(HashingEncoder())
OTHER = EncoderIdentity("some/other-model", 64, "passage: ", "query: ")


@pytest.fixture
async def restored(store: ForestStore) -> AsyncIterator[ForestStore]:
    yield store
    await store.prepare(ENCODER, reencode=True)


async def indexes(store: ForestStore) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in await store.read("schema/existing")}


async def test_everything_is_online_and_preparing_again_changes_nothing(
    store: ForestStore,
) -> None:
    before = await indexes(store)
    await asyncio.gather(*(store.prepare(ENCODER) for _ in range(3)), store.prepare(None))
    assert await indexes(store) == before
    assert {row["state"] for row in before.values()} == {"ONLINE"}
    assert before["message_vector"]["dimension"] == ENCODER.dimension
    assert await stored_encoder(store) == ENCODER


@pytest.mark.parametrize(
    "other",
    [
        OTHER,
        replace(ENCODER, query_prompt="query: "),
        replace(ENCODER, document_prompt="passage: "),
        replace(ENCODER, model_id="another"),
    ],
)
async def test_another_encoder_over_a_filled_graph_is_refused_with_both_named(
    store: ForestStore, workspace: str, other: EncoderIdentity
) -> None:
    """Fault 5."""
    log = await prepared_log(store, workspace)
    await append(log, message(workspace, "1"))
    with pytest.raises(EncoderMismatchError) as info:
        await store.prepare(other)
    assert str(ENCODER) in str(info.value)
    assert str(other) in str(info.value)
    assert "egcforest wipe" in info.value.remedy
    assert "reencode" in info.value.remedy
    assert await stored_encoder(store) == ENCODER


async def test_reencoding_drops_vectors_and_marks_everything(
    restored: ForestStore, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "_FORGET_BATCH", 2)
    log = await prepared_log(restored, workspace)
    await append(log, *(message(workspace, str(n)) for n in range(5)))
    await append(log, message(workspace, "0", "edited", revision="1"))
    async with restored._session() as session:
        await session.run(
            "MATCH (m:Message {workspace: $w}) WHERE m.live "
            "SET m.vector = $v, m.encode_pending = null",
            w=workspace, v=[0.5] * ENCODER.dimension,
        )  # fmt: skip
    await restored.prepare(OTHER, reencode=True)
    found = (await dump(restored, workspace))["nodes"]
    messages = [p for (label, _), p in found.items() if label == "Message"]
    assert not any("vector" in p for p in messages)
    assert (
        sorted(p.get("encode_pending", "") == workspace for p in messages) == [False] + [True] * 5
    )
    assert (await indexes(restored))["message_vector"]["dimension"] == OTHER.dimension
    assert await stored_encoder(restored) == OTHER


async def test_an_interrupted_change_of_encoder_goes_on(
    restored: ForestStore, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = await prepared_log(restored, workspace)
    await append(log, message(workspace, "1"))

    async def dies(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ForestStore, "run_autocommit", dies)
        with pytest.raises(KeyboardInterrupt):
            await restored.prepare(OTHER, reencode=True)
    await restored.prepare(OTHER)
    assert (await indexes(restored))["message_vector"]["dimension"] == OTHER.dimension
    row = (await restored.read("schema/installation", {"key": INSTALLATION_KEY}))[0]
    assert "reencoding" not in row["installation"]


async def test_a_graph_of_a_newer_release_is_refused(
    store: ForestStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "SCHEMA_VERSION", SCHEMA_VERSION - 1)
    with pytest.raises(SchemaError, match="Upgrade egcforest"):
        await store.prepare(ENCODER)


async def test_an_old_server_is_refused_by_its_version(
    store: ForestStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "OLDEST_SERVER", (2099, 1))
    with pytest.raises(SchemaError, match=r"has version 20\d\d.*Use Neo4j 2099.01 or newer"):
        await store.prepare(ENCODER)


async def test_the_vector_index_filters_inside(store: ForestStore, workspace: str) -> None:
    """Faults 3 and 4: what another audience or workspace has nearby takes no place."""
    log = await prepared_log(store, workspace)
    await append(log, *(message(workspace, str(n), minute=n) for n in range(6)))
    near, far = [1.0] + [0.0] * 255, [0.6, 0.8] + [0.0] * 254
    async with store._session() as session:
        await session.run(
            "MATCH (m:Message {workspace: $w}) "
            "SET m.vector = CASE WHEN m.source_id IN ['0', '1'] THEN $far ELSE $near END, "
            "m.audience = CASE WHEN m.source_id IN ['0', '1'] THEN 'public' ELSE 'P1' END",
            w=workspace, near=near, far=far,
        )  # fmt: skip
        result = await session.run(
            "CYPHER 25 MATCH (m:Message) SEARCH m IN (VECTOR INDEX message_vector FOR $v "
            "WHERE m.workspace = $w AND m.audience IN $a LIMIT 2) SCORE AS score "
            "RETURN collect(m.source_id) AS found",
            v=near, w=workspace, a=["public"],
        )  # fmt: skip
        record = await result.single(strict=True)
    assert sorted(record["found"]) == ["0", "1"]


def test_an_encoder_needs_an_id_and_a_width() -> None:
    for model_id, dimension in (("", 5), ("m", 0), ("m", 5000)):
        with pytest.raises(ValueError, match="needs a model id"):
            EncoderIdentity(model_id, dimension)
