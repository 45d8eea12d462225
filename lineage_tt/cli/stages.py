"""The progress of a job on Spark: its stages, updated in place on a terminal, otherwise a line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LINE_EVERY: Final = 10.0


@contextmanager
def stages(*, quiet: bool) -> Iterator[Callable[[str, int], None]]:
    """Yield a function that shows a stage and its number of finished rows on standard error."""
    if quiet:
        yield lambda stage, rows: None
        return
    terminal = sys.stderr.isatty()
    begun = printed_at = time.monotonic()
    through: dict[str, int] = {}

    def tell(stage: str, rows: int) -> None:
        nonlocal printed_at
        through[stage] = rows
        now = time.monotonic()
        words = ", ".join(f"{name} {count:,}" for name, count in through.items()) + f" ({now - begun:.0f} s)"
        if terminal:
            print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)
        elif now - printed_at >= LINE_EVERY:
            printed_at = now
            print(words, file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if terminal and through:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
