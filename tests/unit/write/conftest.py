"""Fixtures for tests of the write path."""

from __future__ import annotations

from literals import literal_store
from past_log import past_log
from writing import writing

__all__ = ["literal_store", "past_log", "writing"]
