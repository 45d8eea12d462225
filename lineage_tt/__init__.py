"""lineage_tt: a temporal lineage store with a change feed.

Lineage as of any valid time (when it was in force) and any system time (when the store knew):

>>> import lineage_tt
>>> store = lineage_tt.Store.open("./lineage")  # doctest: +SKIP
>>> store.as_of(valid_at="-7d").upstream("hive:ads.sales#revenue", depth=3)  # doctest: +SKIP
"""

from lineage_tt.edges import Edge
from lineage_tt.errors import LineageError
from lineage_tt.messages import Lineage, RejectedMessage, TaskChange
from lineage_tt.store import Store

__version__ = "0.1.0"

__all__ = ["Edge", "Lineage", "LineageError", "RejectedMessage", "Store", "TaskChange", "__version__"]
