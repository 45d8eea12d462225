"""Forms of statements that the parser reads in every dialect, and that some engines reject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """Which of them an engine takes; by default all, so that none is reported which some engine may know."""

    distinct_on: bool = True
    """``SELECT DISTINCT ON (a) …``."""
    star_changes: bool = True
    """EXCEPT, REPLACE and RENAME of a star."""
    set_operations_by_name: bool = True
    """``UNION ALL BY NAME``."""
    mixed_set_operations: bool = True
    """Different set operations in a row without brackets: ``a UNION ALL b UNION DISTINCT c``."""
    plain_qualify: bool = True
    """QUALIFY without a window function, in it or in the select list."""
    windows_in_macros: bool = False
    """A call of a user's function is put as its definition, which may be a window function."""
    several_generators: bool = True
    """Two functions in one select list that make rows: ``explode(a), explode(b)``."""
    changes_without_where: bool = True
    """UPDATE and DELETE of all rows without WHERE."""


ANY: Final = Accepted()
