"""lineage_tt: a temporal lineage store with a change feed.

Lineage as of any valid time (when it was in force) and any system time (when the store knew):

>>> import lineage_tt
>>> store = lineage_tt.Store.open("./lineage")  # doctest: +SKIP
>>> store.as_of(valid_at="-7d").upstream("hive:ads.sales#revenue", depth=3)  # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import LineageError

if TYPE_CHECKING:
    from lineage_tt.model.messages import Lineage, RejectedMessage, TaskChange
    from lineage_tt.store import Store

__version__ = "0.1.0"

__all__ = ["Edge", "Lineage", "LineageError", "RejectedMessage", "Store", "TaskChange", "__version__"]


def __getattr__(name: str) -> Any:
    """Import slow modules when they are first used (PEP 562)."""
    if name == "Store":
        from lineage_tt.store import Store

        return Store
    if name in __all__:
        from lineage_tt.model import messages

        return getattr(messages, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
