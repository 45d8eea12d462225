"""The parameters of a question about heat, in their own module: a command or route imports the rest when it runs."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from lineage_tt.model.answers import Level
from lineage_tt.model.errors import InvalidRequestError

Sort = Literal["rank", "references", "reads", "personal"]
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
#: The most rows of one request: a walk starts from each.
MAX_ROWS: Final = 10_000


class Asked(NamedTuple):
    """What is asked about heat: columns or tables, in which order, seen from which nodes, which rows."""

    level: Level = "table"
    sort: Sort = "rank"
    seeds: tuple[str, ...] = ()
    limit: int = 20
    offset: int = 0
    #: only these columns or tables, under any of their names
    nodes: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise InvalidRequestError for what cannot be answered."""
        if self.level not in get_args(Level):
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


#: The tables from which most others are made.
TOP: Final = Asked()
