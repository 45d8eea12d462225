"""The answer as plain values: what commands and the service send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.governance.upkeep.redundancy.redundancy import Redundancy


def redundancy_result(answer: Redundancy) -> dict[str, Any]:
    """Return the result object of an answer; instants are ISO 8601."""
    lists = {
        name: [each._asdict() for each in getattr(answer, name)]
        for name in ("equal", "contained", "tables", "alike", "landed", "unused_columns")
    }
    unused = [
        each._asdict()
        | {"last": None if each.last is None else format_instant(each.last), "since": format_instant(each.since)}
        for each in answer.unused
    ]
    counts = {"texts": answer.texts, "texts_read": answer.texts_read, "unknown_columns": answer.unknown_columns}
    return lists | {"unused": unused} | counts
