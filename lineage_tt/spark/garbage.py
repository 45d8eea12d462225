"""Garbage collections in Spark's Python workers, which run after every task."""

from __future__ import annotations

import gc
import os

_frozen_in: int | None = None


def freeze_once() -> None:
    """Exempt what this process has loaded from garbage collections, at the first call in it.

    PySpark calls ``gc.collect()`` after each task (``pyspark/daemon.py``), and visiting all modules takes longer than
    many tasks do. What later tasks leave behind is collected as before.
    """
    global _frozen_in
    if _frozen_in != os.getpid():
        _frozen_in = os.getpid()
        gc.freeze()
