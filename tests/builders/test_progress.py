import io

import pytest
from rich.console import Console

from egcforest.builders.progress import BarReport, LineReport, SilentReport, open_report


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_lines_come_at_intervals_and_at_the_end():
    clock, stream = Clock(), io.StringIO()
    report = LineReport(stream, interval_s=5, clock=clock)
    report.step("Reading", 1000)
    report.advance(100)
    clock.now = 6
    report.advance(150)
    report.advance(1)
    report.step("Building")
    clock.now = 12
    report.advance(2)
    report.step("Looking")
    report.close()
    report.close()
    assert stream.getvalue().splitlines() == [
        "Reading: 250 of 1,000 (25 %)",
        "Reading: 251 done in 6.0 s",
        "Building: 2",
        "Building: 2 done in 6.0 s",
        "Looking: done in 0.0 s",
    ]


def test_advance_outside_a_step_is_ignored():
    stream = io.StringIO()
    for report in (LineReport(stream), SilentReport(), BarReport(Console(file=stream))):
        report.advance(3)
        report.close()
    assert stream.getvalue() == ""


def test_bars_take_names_and_notes_with_brackets_verbatim():
    stream = io.StringIO()
    report = BarReport(Console(file=stream, force_terminal=True, width=120))
    report.step("Channel [bold]x", 10)
    report.advance(4)
    report.note("a note about [red]x")
    report.step("Next", None)
    report.close()
    report.step("Again", 1)
    report.close()
    shown = stream.getvalue()
    assert "Channel [bold]x" in shown
    assert "a note about [red]x" in shown
    assert "4/4" in shown


@pytest.mark.parametrize("quiet", [True, False])
def test_a_pipe_gets_lines_without_control_codes(quiet):
    stream = io.StringIO()
    with open_report(stream, quiet=quiet) as report:
        report.step("Reading", 1)
        report.advance()
    assert ("Reading: 1 done" in stream.getvalue()) is not quiet
    assert "\x1b" not in stream.getvalue()


def test_a_step_that_failed_is_not_called_done() -> None:
    stream = io.StringIO()

    def fail() -> None:
        with open_report(stream) as report:
            report.step("Logging", 10)
            report.advance(3)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert stream.getvalue() == ""
