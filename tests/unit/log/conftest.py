"""Fixtures for tests of the log."""

from __future__ import annotations

from filled import folder, template

__all__ = ["folder", "template"]
