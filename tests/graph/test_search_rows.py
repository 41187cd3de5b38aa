"""Rows of which a part was deleted while the query read them."""

from __future__ import annotations

from egcforest.graph.records import View
from egcforest.graph.search_rows import leaf_message, message_hit, whole

EPISODE = "w/t/channel/c/C1/public/1/C1/1"
LIFE = "w/t/artifact/x/1/public/1/C1/1"


def test_rows_without_a_key_are_left_out() -> None:
    kept = ["w/m/C1/1", EPISODE, EPISODE, 0, "20260302090000000", "w/a/A", None]
    gone = ["w/m/C1/2", None, EPISODE, 1, "20260302090000000", "w/a/A", None]
    found = [leaf_message(hit) for hit in whole([kept, gone], (0, 1, 2))]
    assert [message.key for message in found] == ["w/m/C1/1"]
    assert whole([[None, 1.0]]) == []


def test_leaves_that_were_deleted_are_no_leaves_of_a_message() -> None:
    found = message_hit(["w/m/C1/1", 2.5, EPISODE, "w/a/A", "20260302090000000", [None, LIFE]])
    assert found.leaves == [EPISODE, LIFE]
    unplaced = message_hit(["w/m/C1/1", 2.5, None, "w/a/A", "20260302090000000", []])
    assert (unplaced.episode, unplaced.leaves) == ("", [])
    assert {View.CHANNEL, View.ARTIFACT} == {View(leaf.split("/")[2]) for leaf in found.leaves}
