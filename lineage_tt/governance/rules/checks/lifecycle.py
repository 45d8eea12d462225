"""Life cycle and retention: the sources of a table must be kept as long as the table, and still be in use.

People state facts about a dataset: ``life-cycle`` (``active``, ``deprecated``, ``retired``) and ``retention``, in whole
days. The rule looks through a table without a retention, to the sources of that table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lineage_tt.governance.rules.settings import Settings
from lineage_tt.governance.rules.violation import Breach
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from lineage_tt.governance.rules.tables import Tables

LIFE_CYCLE: Final = "life-cycle"
RETENTION: Final = "retention"
STATES: Final = ("active", "deprecated", "retired")
MAX_DAYS: Final = 1_000_000


def checked_state(state: str) -> str:
    """Return a state of the life cycle. Raises InvalidRequestError for an invalid state."""
    if state not in STATES:
        raise InvalidRequestError(f"{state!r} is not a state of a life cycle", hint=f"give {', '.join(STATES)}")
    return state


def days_of(text: str) -> int | None:
    """Return the number of days in a fact about retention, None for an invalid value."""
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text[:8]) <= MAX_DAYS and len(text) < 8 else None


def shorter_retention(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table is kept longer than its sources: it cannot be rebuilt, and outlives the data that it quotes."""
    days = _retention(tables)
    for number in sorted((n for n in tables.written if n in days), key=tables.name.__getitem__):
        seen, waiting = {number}, list(tables.parents.get(number, ()))
        shorter = set()
        while waiting:
            above = waiting.pop()
            if above in seen:
                continue
            seen.add(above)
            if above not in days:
                waiting += tables.parents.get(above, ())
            elif days[above] < days[number]:
                shorter.add(above)
        for above in sorted(shorter, key=tables.name.__getitem__):
            detail = f"kept {days[number]} days, made of what is kept {days[above]} days"
            yield Breach(tables.name[number], (tables.name[above],), detail, tuple(tables.writers[number]))


def _retention(tables: Tables) -> dict[int, int]:
    """Return for how many days tables are kept; of several statements the shortest counts."""
    result: dict[int, int] = {}
    for fact in tables.point.facts(RETENTION):
        number, days = tables.number.get(fact.node), days_of(fact.value)
        if number is not None and days is not None:
            result[number] = min(days, result.get(number, days))
    return result


def retired_sources(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table in use is made from a table that is deprecated or retired."""
    states = {fact.node: fact.value for fact in tables.point.facts(LIFE_CYCLE) if fact.value in STATES}
    for source, target in tables.pairs.tolist() if states else ():
        state = states.get(tables.name[source], "active")
        if STATES.index(states.get(tables.name[target], "active")) < STATES.index(state):
            yield Breach(tables.name[target], (tables.name[source],), f"made of a table that is {state}",
                        tuple(tables.tasks_between[source, target]))  # fmt: skip
