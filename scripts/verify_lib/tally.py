"""What was compared and what differed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Set
from typing import Any

MAX_SHOWN = 20


class Tally:
    """Counts comparisons by kind and keeps the first that failed."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.different: list[str] = []

    def compare(self, kind: str, where: str, expected: Set[Any], found: Set[Any]) -> None:
        """Count one comparison of two sets; tell what differs."""
        self.compared[kind] += 1
        if expected == found:
            return
        missing, extra = sorted(expected - found, key=str), sorted(found - expected, key=str)
        words = f"{kind} {where}: {len(missing)} missing, {len(extra)} too many"
        self.different.append(words)
        if len(self.different) <= MAX_SHOWN:
            shown = [f"  missing {value}"[:400] for value in missing[:2]]
            shown += [f"  too many {value}"[:400] for value in extra[:2]]
            print("\n".join([f"DIFFERENT {words}", *shown]), file=sys.stderr)

    def lines(self) -> list[str]:
        """Return the counts in words."""
        found = [f"  {count:>9,} {kind}" for kind, count in self.compared.items()]
        return [*found, f"  {len(self.different):>9,} different"]
