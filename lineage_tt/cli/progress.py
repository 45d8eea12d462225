"""How far an ingest has come: a bar on a terminal, a line now and then elsewhere, both on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lineage_tt.cli.render.ink import shown

if TYPE_CHECKING:
    from ingest.pipeline import Progress

LINE_EVERY = 10.0


class Watch(Protocol):
    """Something that is told how far a file has been read."""

    def begin(self, file: str) -> None:
        """A file is opened."""

    def move(self, progress: Progress) -> None:
        """So much of it has been read."""


class Silent:
    """Says nothing."""

    def begin(self, file: str) -> None:
        """Say nothing."""

    def move(self, progress: Progress) -> None:
        """Say nothing."""


class Lines:
    """Says where it stands every ten seconds, for a log file."""

    def __init__(self) -> None:
        self._file = ""
        self._began = self._said = time.monotonic()

    def begin(self, file: str) -> None:
        """Start to measure a file."""
        self._file = file
        self._began = self._said = time.monotonic()

    def move(self, progress: Progress) -> None:
        """Print a line where the last one is ten seconds old."""
        now = time.monotonic()
        if now - self._said >= LINE_EVERY:
            self._said = now
            print(progress_line(self._file, progress, now - self._began), file=sys.stderr, flush=True)


class Bar:
    """A bar with rate and time left."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._task: Any = None

    def begin(self, file: str) -> None:
        """Show a bar for a file."""
        name = "standard input" if file == "-" else Path(file).name
        self._task = self._bar.add_task(shown(name), total=None, messages="", start=True)

    def move(self, progress: Progress) -> None:
        """Move the bar."""
        task = self._bar.tasks[self._task]
        elapsed = task.elapsed or 0.0
        rate = f", {progress.received / elapsed:,.0f}/s" if elapsed > 1 else ""
        self._bar.update(
            self._task,
            completed=progress.bytes_read,
            total=progress.bytes_total,
            messages=f"{progress.received:,} messages{rate}",
        )


def progress_line(file: str, progress: Progress, seconds: float) -> str:
    """Return where a file stands in words: messages, rate, and what is left where the file's size is known."""
    rate = progress.received / seconds if seconds > 0 else 0.0
    words = f"{shown(file)}: {progress.received:,} messages, {rate:,.0f}/s"
    if progress.bytes_total and progress.bytes_read:
        part = progress.bytes_read / progress.bytes_total
        words += f", {part:.0%}, {seconds * (1 - part) / part:,.0f} s left"
    return words


@contextmanager
def following(*, quiet: bool) -> Iterator[Watch]:
    """Yield the watch that fits standard error."""
    if quiet:
        yield Silent()
    elif not sys.stderr.isatty():
        yield Lines()
    else:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[messages]}", markup=False),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            yield Bar(bar)
