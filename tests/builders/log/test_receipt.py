import json
from datetime import UTC, datetime

import pytest

from egcforest.builders.errors import BuilderError
from egcforest.builders.receipt import MAX_LISTED_REJECTS, Receipt, Rejection
from egcforest.graph.records import LogOutcome


def test_it_adds_up_and_can_be_printed_and_written_as_json():
    receipt = Receipt("acme", "export.zip", actors=3, elapsed_s=1.25)
    general = receipt.tally("C1")
    general.name = "general"
    for outcome in (LogOutcome.ADDED, LogOutcome.ADDED, LogOutcome.UNCHANGED):
        general.count(outcome)
    general.cover(datetime(2024, 1, 2, 3, 4, tzinfo=UTC))
    general.cover(datetime(2024, 1, 1, tzinfo=UTC))
    receipt.reject("C1", Rejection("general/2024-01-02.json #4", "it has no time", "Add one."))
    receipt.reject("", Rejection("users.json #1", "no id", ""), records=0)
    receipt.note("A folder is its own channel.")
    receipt.check()
    shown = str(receipt)
    assert "2024-01-01 00:00 .. 2024-01-02 03:04" in shown
    assert "Rejected: general/2024-01-02.json #4: it has no time. Add one." in shown
    assert "Note: A folder" in shown
    written = json.loads(json.dumps(receipt.as_dict()))
    assert written["total"]["read"] == 4
    assert written["channels"]["C1"]["rejected"] == 1
    assert written["rejections_total"] == 2
    assert written["total"]["first"] == "2024-01-01T00:00:00+00:00"


def test_the_list_of_rejections_is_capped_and_their_number_true():
    receipt = Receipt("acme", "x")
    for number in range(MAX_LISTED_REJECTS + 5):
        receipt.reject("C1", Rejection(f"line {number}", "bad", ""))
    assert len(receipt.rejections) == MAX_LISTED_REJECTS
    assert receipt.total.rejected == receipt.rejections_total == MAX_LISTED_REJECTS + 5
    assert "... and 5 more rejections" in str(receipt)


def test_a_receipt_that_does_not_add_up_is_a_fault():
    receipt = Receipt("acme", "x")
    receipt.tally("C1").read = 1
    with pytest.raises(BuilderError, match="does not add up"):
        receipt.check()
