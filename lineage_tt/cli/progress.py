"""The progress of an ingest on standard error: a bar on a terminal, otherwise a line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage_tt.model.names import shown

if TYPE_CHECKING:
    from ingest.pipeline import Progress

LINE_EVERY = 10.0


class Watch:
    """Receives how far a file has been read; this class prints nothing.

    The data that was read last may still be parsed and committed. Therefore only the previous report counts as done.
    """

    def begin(self, file: str) -> None:
        """Start to report on a file."""
        self.file = file
        self.began = time.monotonic()
        self._read: Progress | None = None

    def move(self, progress: Progress) -> None:
        """Record how far the file has been read, and show the previous report: its data is in the store."""
        if self._read is not None:
            self.show(self._read)
        self._read = progress

    def show(self, done: Progress) -> None:
        """Show how much of the file is done."""


class Lines(Watch):
    """Reports progress every ten seconds, for a log file."""

    def begin(self, file: str) -> None:
        """Start to measure a file."""
        super().begin(file)
        self._printed_at = self.began

    def show(self, done: Progress) -> None:
        """Print a line if the last one is ten seconds old."""
        now = time.monotonic()
        if now - self._printed_at >= LINE_EVERY:
            self._printed_at = now
            print(progress_line(self.file, done, now - self.began), file=sys.stderr, flush=True)


class Bar(Watch):
    """A progress bar with the rate and the remaining time."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._task: Any = None

    def begin(self, file: str) -> None:
        """Show a bar for a file."""
        super().begin(file)
        name = "standard input" if file == "-" else Path(file).name
        self._task = self._bar.add_task(shown(name), total=None, messages="")

    def show(self, done: Progress) -> None:
        """Move the bar."""
        seconds = time.monotonic() - self.began
        rate = f", {done.received / seconds:,.0f}/s" if seconds > 1 else ""
        self._bar.update(
            self._task,
            completed=done.bytes_read,
            total=done.bytes_total,
            messages=f"{done.received:,} messages{rate}",
        )


def progress_line(file: str, progress: Progress, seconds: float) -> str:
    """Return the progress of a file as text: messages, rate, and the time left if the file's size is known."""
    rate = progress.received / seconds if seconds > 0 else 0.0
    words = f"{shown(file)}: {progress.received:,} messages, {rate:,.0f}/s"
    if progress.bytes_total and progress.bytes_read:
        part = progress.bytes_read / progress.bytes_total
        words += f", {part:.0%}, {seconds * (1 - part) / part:,.0f} s left"
    return words


@contextmanager
def following(*, quiet: bool) -> Iterator[Watch]:
    """Yield what shows the progress: nothing if ``quiet``, a bar on a terminal, lines otherwise."""
    if quiet:
        yield Watch()
    elif not sys.stderr.isatty():
        yield Lines()
    else:
        from rich import progress as rich
        from rich.console import Console

        columns = (
            rich.SpinnerColumn(),
            rich.TextColumn("{task.description}", markup=False),
            rich.BarColumn(),
            rich.TaskProgressColumn(),
            rich.TextColumn("{task.fields[messages]}", markup=False),
            rich.TimeElapsedColumn(),
            rich.TextColumn("left"),
            rich.TimeRemainingColumn(),
        )
        bar = rich.Progress(
            *columns,
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=4,  # drawing takes interpreter time from committing threads
            speed_estimate_period=600,  # a batch of SQL may take half a minute
        )
        with bar:
            yield Bar(bar)


@contextmanager
def counting(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows how many items are done, and the total; ``what`` names the items."""
    if quiet:
        yield lambda done, total: None
    elif not sys.stderr.isatty():
        printed_at = time.monotonic()

        def say(done: int, total: int) -> None:
            nonlocal printed_at
            if time.monotonic() - printed_at >= LINE_EVERY:
                printed_at = time.monotonic()
                print(f"{done:,} of {total:,} {what}", file=sys.stderr, flush=True)

        yield say
    else:
        from rich.console import Console
        from rich.progress import Progress as Bars

        with Bars(console=Console(stderr=True), transient=True, refresh_per_second=4) as bars:
            task = bars.add_task(what, total=None)
            yield lambda done, total: bars.update(task, completed=done, total=total)
