"""The order of suspects: recency × class of the change × share of the value × distance × what checks found."""

from __future__ import annotations

from typing import Final, NamedTuple

from lineage_tt.governance.cause.classes import WEIGHTS, Class
from lineage_tt.governance.cause.flow import Part

#: The age, in windows, at which a change counts half as much as a change now: within a window, age says little.
HALF: Final = 2.0
#: The exponent of the share of a value: below 1, since one wrong summand already makes a sum wrong.
SHARE_POWER: Final = 0.25
#: The factor of the score for each step between the change and the node.
STEP: Final = 0.85


class Score(NamedTuple):
    """The factors of a score, each in (0, 1] except what checks found (0.3 … 2), and their product."""

    recency: float
    class_: float
    share: float
    distance: float
    checks: float

    @property
    def total(self) -> float:
        """The product of the factors."""
        return self.recency * self.class_ * self.share * self.distance * self.checks

    def to_json(self) -> dict[str, float]:
        """Return the factors, rounded, and the total."""
        named = self._asdict()
        named["class"] = named.pop("class_")
        return {"total": round(self.total, 6), **{name: round(value, 4) for name, value in named.items()}}


def score(age: int, window: int, class_: Class, part: Part | None, checks: float) -> Score:
    """Return the score of a change ``age`` microseconds before the time asked about, in a window of this length."""
    recency = 0.5 ** (max(0, age) / max(1.0, window * HALF))
    if part is None:
        return Score(recency, WEIGHTS[class_], 0.1, STEP**10, checks)
    return Score(recency, WEIGHTS[class_], part.share**SHARE_POWER, STEP**part.steps, checks)
