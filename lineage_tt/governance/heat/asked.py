"""How heat is asked: apart from what computes it, which a command or a route need not import before it runs."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from lineage_tt.model.errors import InvalidRequestError

HeatLevel = Literal["column", "table"]
Sort = Literal["rank", "references", "reads", "personal"]
SORTS: Final = ("rank", "references", "reads", "personal")
#: The most rows of one request: a walk starts from each.
MAX_ROWS: Final = 10_000


class Asked(NamedTuple):
    """How heat is asked: columns or tables, in which order, seen from which nodes, which rows."""

    level: HeatLevel = "table"
    sort: Sort = "rank"
    seeds: tuple[str, ...] = ()
    limit: int = 20
    offset: int = 0
    #: only these columns or tables, under whichever of their names
    nodes: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise InvalidRequestError for what cannot be answered."""
        if self.level not in ("column", "table"):
            raise InvalidRequestError(f"no level {self.level!r}", hint="give column or table")
        if self.sort not in SORTS:
            raise InvalidRequestError(f"no order {self.sort!r}", hint=f"give {', '.join(SORTS)}")
        if not 1 <= self.limit <= MAX_ROWS or self.offset < 0:
            raise InvalidRequestError(f"rows {self.offset} to {self.offset + self.limit}",
                                      hint=f"give a limit from 1 to {MAX_ROWS:,} and an offset from 0")  # fmt: skip
        if self.sort == "personal" and not self.seeds:
            raise InvalidRequestError(
                "the personal rank is seen from some nodes", hint="name them: --of NODE, over HTTP of=NODE"
            )


#: The tables that most is made of.


TOP: Final = Asked()
