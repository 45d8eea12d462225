"""The answer for a text whose worker failed: no edges, and why."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.sql import Extraction


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
