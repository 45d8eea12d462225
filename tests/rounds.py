"""The number of rounds of random tests: all with ``scripts/test --long``, otherwise only the first ones."""

from __future__ import annotations

import os
import secrets
from typing import Final

#: The share of rounds that runs, above 0 and up to 1.
SHARE: Final = float(os.environ.get("LINEAGE_TT_ROUNDS", "1"))


def rounds(whole: int, least: int = 1) -> int:
    """Return how many of ``whole`` rounds run, at least ``least``."""
    return min(whole, max(least, round(whole * SHARE)))


def seed_of(usual: int) -> int:
    """Return a new seed where all rounds run, else the ``usual`` one: a change is not judged by another's chance."""
    return secrets.randbits(32) if SHARE == 1 else usual
