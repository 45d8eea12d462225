"""How a dialect's scripts name their variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Variables:
    """A dialect's rules. Defaults are those of most engines."""

    colon: Literal["bind", "variable", "only"] = "bind"
    """What ``:x`` is: a value that the caller hands in; a variable of the script, and ``SELECT … INTO`` sets variables;
    the latter, and a name without the colon is a column wherever a query has one."""
    set_gives_dollar: bool = False
    """``SET x = 1`` gives ``$x`` its value."""
    select_into: bool = True
    """``SELECT a INTO x, y FROM t`` and ``SELECT a FROM t INTO x`` set variables, at least in a block."""
    cursors_have_attributes: bool = False
    """``c%NOTFOUND`` and ``SQL%ROWCOUNT`` ask what a cursor, or the last statement, found."""
    functions: frozenset[str] = frozenset()
    """Functions (lower case) that read the variable which a constant text names."""


PLAIN_VARIABLES: Final = Variables()
