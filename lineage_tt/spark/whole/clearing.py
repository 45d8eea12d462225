"""Redundant and unused data, on Spark: executors process everything that was ever in force, the driver the point.

When a table was last read and fed depends on the whole history, which stays on the executors. Comparing edges with each
other (copies, equal columns) needs all edges in force: the driver holds them, and runs the same code as for a question
in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lineage_tt.governance.heat.observed import checked_days, last_runs
from lineage_tt.governance.upkeep.redundancy.redundancy import redundancy
from lineage_tt.governance.upkeep.redundancy.unused import DAYS
from lineage_tt.model.edges import ALIAS, REJECTED
from lineage_tt.spark.whole.arrays import columns_of, fold, mapped
from lineage_tt.spark.whole.point import datasets_in

if TYPE_CHECKING:
    from lineage_tt.governance.points.uses import Use
    from lineage_tt.governance.upkeep.redundancy.redundancy import Redundancy
    from lineage_tt.governance.upkeep.redundancy.statements import Define
    from lineage_tt.model.answers import Basis
    from lineage_tt.spark.whole.point import WholePoint

_MARKS: Final = (ALIAS, REJECTED)
_TIMES: Final = "source int, target int, valid_from bigint, valid_to bigint"


def redundancy_on_spark(whole: WholePoint, define: Define | None = None, days: int = DAYS) -> Redundancy:
    """Return what is redundant or unused at a point, as ``Governance.redundancy`` does.

    Raises InvalidRequestError for an invalid number of days.
    """
    checked_days(days)
    seen = last_runs(whole.store.log_path.parent, whole.basis.valid_at)
    return redundancy(_Recorded(whole), whole.gathered(), define, days, seen)


class _Recorded:
    """What the store and the executors know in addition to the edges in force."""

    def __init__(self, whole: WholePoint) -> None:
        self._whole = whole

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run one of the product's own queries over the store's files."""
        return self._whole.store.fetch(query, **parameters)

    def uses(self, basis: Basis) -> list[Use]:
        """Return when each dataset was read and fed up to a point; see ``points.uses``."""
        whole, begun = self._whole, self._whole.begun()  # it may name nodes that no edge in force names
        subtypes = [text.split("/", 2)[1] for text in whole.words.labels.listed]
        labels = ", ".join(str(at) for at, subtype in enumerate(subtypes) if subtype not in _MARKS) or "NULL"
        begun = begun.where(f"label IN ({labels})").select("source", "target", "valid_from", "valid_to")
        datasets = datasets_in(whole.words.nodes)
        tables = mapped(begun, fold, {"source": datasets, "target": datasets}, _TIMES).where("source <> target")
        result: list[Use] = []
        for side, is_read in (("source", True), ("target", False)):
            last = f"max(least(valid_to, {int(basis.valid_at)})) AS last"
            spans = tables.groupBy(side).agg(*map(_expression, (last, "min(valid_from) AS first")))
            nodes, latest, first = (column.tolist() for column in columns_of(spans))
            names = whole.words.nodes.texts(nodes)
            result += [(name, is_read, *times) for name, *times in zip(names, latest, first, strict=True)]
        return result


def _expression(text: str) -> Any:
    from pyspark.sql.functions import expr

    return expr(text)
