"""What a Python worker has loaded is exempt from garbage collections once, in each process."""

from __future__ import annotations

import gc
import os

import pytest

from lineage_tt.spark import garbage
from lineage_tt.spark.garbage import freeze_once


def test_what_is_loaded_is_exempt_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later calls exempt nothing: what a task leaves behind must be collected. A forked process does so again."""
    calls: list[int] = []
    monkeypatch.setattr(gc, "freeze", lambda: calls.append(1))
    monkeypatch.setattr(garbage, "_frozen_in", None)
    freeze_once()
    freeze_once()
    assert len(calls) == 1
    monkeypatch.setattr(os, "getpid", lambda: 1)
    freeze_once()
    freeze_once()
    assert len(calls) == 2
