"""What GROUP BY may list in a dialect, and what a grouped query may select."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Grouping:
    """A dialect's rules. Defaults are those of most engines."""

    item_names: bool = True
    """GROUP BY may name an item of the select list."""
    takes_places: bool = True
    """A number in GROUP BY is an output's place, and fails where there is none; elsewhere it may be a constant."""
    brackets_list: bool = True
    """``GROUP BY (1, 2)`` lists two outputs; elsewhere the brackets hold one row."""
    all_word: str = ""
    """A word alone in GROUP BY that means all items without aggregates, beside ALL."""
    time_windows: bool = False
    """Grouping by ``window(c, '1 day')`` brings a column ``window`` into sight."""
    nested: bool = False
    """An aggregate may hold another one, which is of the groups; elsewhere only one over a window may."""
    strict: bool = False
    """A column outside of aggregates must be grouped by; elsewhere it may depend on a key, or be any row's."""
    strict_whole: bool = False
    """The same, but only in a query without GROUP BY, which has one group: its columns depend on no key."""
    distinct_orders_by_items: bool = False
    """ORDER BY of SELECT DISTINCT may only name what the query selects."""


USUAL: Final = Grouping()
