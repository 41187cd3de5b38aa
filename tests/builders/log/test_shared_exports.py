"""Real exports that may not be copied here: `EGCFOREST_SHARED_DATA` names their folder."""

import os
from pathlib import Path

import pytest

from egcforest.builders.log import append_source
from egcforest.builders.sources import open_source

DATA = os.environ.get("EGCFOREST_SHARED_DATA", "")

pytestmark = pytest.mark.skipif(not DATA, reason="EGCFOREST_SHARED_DATA is not set")


@pytest.mark.parametrize(
    ("name", "read", "added", "housekeeping"),
    [
        ("official_style.zip", 158, 158, 11),
        ("langchain_example.zip", 5, 5, 1),
        ("mock_zip_no_users.zip", 2, 2, 1),
        # Its two days hold the same two messages.
        ("mock_zip_with_users.zip", 4, 2, 2),
    ],
)
async def test_slack_zips(log, name, read, added, housekeeping):
    path = Path(DATA, "exports", "slack", name)
    receipt = await append_source(open_source(path), log.workspace, log.log_store)
    total = receipt.total
    assert (total.read, total.added, total.unchanged) == (read, added, read - added)
    assert total.housekeeping == housekeeping
    assert (total.rejected, receipt.rejections_total) == (0, 0)
    before = await log.contents()
    again = (await append_source(open_source(path), log.workspace, log.log_store)).total
    assert (again.read, again.unchanged) == (read, read)
    assert await log.contents() == before
    live = await log.cypher("MATCH (m:Message {workspace: $w, live: true}) RETURN count(m) AS n")
    assert live[0]["n"] == added - housekeeping * added // read
