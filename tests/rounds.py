"""How often a random test repeats: all rounds with ``scripts/test --long``, the first of the same ones without it."""

from __future__ import annotations

import os
from typing import Final

#: The share of rounds that runs, above 0 and up to 1.
SHARE: Final = float(os.environ.get("LINEAGE_TT_ROUNDS", "1"))


def rounds(whole: int, least: int = 1) -> int:
    """Return how many of so many rounds run, ``least`` or more: as few as still prove something."""
    return min(whole, max(least, round(whole * SHARE)))
