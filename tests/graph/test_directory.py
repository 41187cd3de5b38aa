"""Who signs in as whom: exact, or nobody; on a real Neo4j."""

from __future__ import annotations

import pytest

from egcforest.graph.directory import ActorDirectory, ActorMatch
from egcforest.graph.store import ForestStore
from tests.graph.log_records import actor, prepared_log

ID, ALIAS, NAME = ActorMatch


@pytest.fixture
async def directory(store: ForestStore, workspace: str) -> ActorDirectory:
    log = await prepared_log(store, workspace)
    await log.upsert_actors(
        [
            actor(workspace, "A1", "kim", real_name="Kim Park", aliases=("kim@example.org",)),
            actor(workspace, "A2", "José", aliases=("jose@example.org",)),
            actor(workspace, "A3", "former", aliases=("gone@example.org",), deleted=True),
            actor(workspace, "A4", "A3"),
            actor(workspace, "A5", "twin", aliases=("both@example.org",)),
            actor(workspace, "A6", "twin", aliases=("both@example.org", "kim")),
            actor(workspace, "a b/c%", "odd"),
        ]
    )
    return ActorDirectory(store)


@pytest.mark.parametrize(
    ("rule", "text", "wanted"),
    [
        (ID, "A1", "A1"),
        (ID, "a b/c%", "a b/c%"),
        (ALIAS, "kim@example.org", "A1"),
        (ALIAS, "KIM@Example.ORG", "A1"),
        (NAME, "Kim Park", "A1"),
        (NAME, "kim park", "A1"),
        (NAME, "José", "A2"),
        # To the letter.
        (ID, "a1", None),
        (ID, " A1", None),
        (NAME, "park", None),
        (NAME, "kim@example.org", None),
        (ALIAS, "kim@example.org ", None),
        (ALIAS, "@kim", None),
        # The Kelvin sign and the long s are letters of their own; so is an accent that combines.
        (ALIAS, "\u212aim@example.org", None),
        (ALIAS, "jo\u017fe@example.org", None),
        (NAME, "Jose\u0301", None),
        (NAME, "JOSÉ", None),
        (ALIAS, "kim@example.org\u200b", None),
        # Two who fit, or one who has left.
        (NAME, "twin", None),
        (ALIAS, "both@example.org", None),
        (ALIAS, "kim", None),
        (ID, "A3", None),
        (ALIAS, "gone@example.org", None),
        # Nothing at all.
        (ID, "", None),
        (NAME, "", None),
        (ALIAS, "  ", None),
        (ALIAS, "x" * 5000, None),
        (ALIAS, "\ud800", None),
        (ID, "\ud800", None),
        (ID, "*", None),
    ],
)
async def test_a_text_means_one_actor_or_none(
    directory: ActorDirectory, workspace: str, rule: ActorMatch, text: str, wanted: str | None
) -> None:
    found = await directory.matching(workspace, text, rule)
    assert (found and found.source_id) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A1", "A1"),
        ("{w}/a/A1", "A1"),
        ("Kim Park", "A1"),
        ("kim@example.org", "A1"),
        # The id of somebody who left is theirs, whoever calls themselves so.
        ("A3", None),
        ("{w}/a/A3", None),
        ("{w}/a/", None),
        ("{w}/a/A1/", None),
        ("{w}/c/C1", None),
        ("other/a/A1", None),
        ("{w}/a/../../other/a/A1", None),
        ("twin", None),
        ("Kim", None),
        ("", None),
    ],
)
async def test_a_service_names_an_actor_by_key_id_or_full_name(
    directory: ActorDirectory, workspace: str, text: str, wanted: str | None
) -> None:
    found = await directory.named(workspace, text.format(w=workspace))
    assert (found and found.source_id) == wanted


async def test_keys_of_another_workspace_are_nobody(
    directory: ActorDirectory, workspace: str
) -> None:
    key = f"{workspace}/a/A1"
    assert await directory.by_key(workspace, key)
    for other in (f"{workspace}x", workspace[:-1], "", "other"):
        assert await directory.by_key(other, key) is None
        assert await directory.named(other or "x", key) is None
