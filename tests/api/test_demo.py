"""`make demo`, on the test server."""

from __future__ import annotations

import re
import sys

import pytest

from tests.api.conftest import ROOT, Cli, Finished

pytestmark = pytest.mark.timeout(900)


def test_demo_answers_five_questions_with_cited_evidence(sample: Finished):
    assert sample.code == 0, sample.err
    asked = re.split(r"^Question \d", sample.out, flags=re.MULTILINE)[1:]
    assert len(asked) == 5
    for answer in asked:
        assert re.search(r"^## .+, 2026-\d\d-\d\d", answer, re.MULTILINE)
        assert re.search(r"^\[1\] 2026-\d\d-\d\d \d\d:\d\d  #\S+  ", answer, re.MULTILINE)
    assert "What to try next" in asked[-1]
    assert "─" * 60 in sample.out
    assert "─" * 81 not in sample.out


def test_demo_can_be_run_again_and_adds_nothing(cli: Cli, sample: Finished):
    again = cli.run(sys.executable, str(ROOT / "examples" / "demo.py"))
    assert again.code == 0, again.err
    assert "853 records: 0 added, 853 unchanged, 0 superseded, 0 rejected." in again.out


def test_what_the_demo_suggests_works(cli: Cli, sample: Finished):
    """The commands that it ends with, word by word, but for the placeholder of one's own export."""
    import shlex

    suggested = re.findall(r"^  (egcforest (?:ask|inspect) .+)$", sample.out, re.MULTILINE)
    assert len(suggested) == 3
    for command in suggested:
        done = cli(*shlex.split(command)[1:])
        assert done.code == 0, done.err
        assert "2026-" in done.out
