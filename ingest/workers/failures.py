"""Worker failures in words: the answer for the text, with no edges and why, and the line of the log."""

from __future__ import annotations

import logging
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ingest.sql import Extraction

LOGGER: Final = logging.getLogger("lineage_tt.workers")


def opaque(code: str, detail: str) -> Extraction:
    """Return the extraction of a text that could not be read: no edges, and why."""
    from ingest.sql import Extraction, Problem
    from ingest.sql.result import OPAQUE

    return Extraction((), OPAQUE, (Problem(code, detail),), (), (), (), (), ())


def cause_of(status: int) -> str:
    """Return in words how a process ended, from its exit status (negative for a signal)."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def why_not_started(status: int, *, stalled: bool) -> str:
    """Return why a worker did not start: it ended (with this exit status), or it did nothing and was ended."""
    return "workers do nothing when they start" if stalled else f"workers do not start: {cause_of(status)}"
