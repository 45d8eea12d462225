"""How far an ingest has come, in words."""

from __future__ import annotations

import pytest

from ingest.pipeline import Progress
from lineage_tt.cli.progress import Watch, following, progress_line


def test_a_line_has_rate_share_and_time_left() -> None:
    """A quarter of the bytes in ten seconds leaves thirty."""
    assert progress_line("a.jsonl", Progress(25, 100, 1000), 10.0) == "a.jsonl: 1,000 messages, 100/s, 25%, 30 s left"


def test_where_the_size_is_unknown_nothing_is_guessed() -> None:
    """Standard input has no share and no time left."""
    assert progress_line("-", Progress(0, None, 10), 2.0) == "-: 10 messages, 5/s"


class Shown(Watch):
    """Keeps what it would show."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def show(self, done: Progress) -> None:
        """Keep it."""
        self.done.append(done.received)


def test_what_is_read_is_done_when_the_next_is_read() -> None:
    """A batch counts once the one after it was handed on: before that it may still be parsed."""
    watch = Shown()
    watch.begin("a")
    for received in (5, 9, 9):
        watch.move(Progress(received, 10, received))

    assert watch.done == [5, 9]


def test_nothing_is_said_within_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """A short ingest into a log file has no progress lines."""
    with following(quiet=False) as watch:
        watch.begin("a")
        for received in range(100):
            watch.move(Progress(received, 100, received))

    assert capsys.readouterr().err == ""
