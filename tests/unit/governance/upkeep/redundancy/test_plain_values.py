"""The answer about redundancy as plain values."""

from __future__ import annotations

from lineage_tt.governance.upkeep.redundancy.equivalent import Alike
from lineage_tt.governance.upkeep.redundancy.pairs import Contained, Equal, SameTable
from lineage_tt.governance.upkeep.redundancy.plain_values import redundancy_result
from lineage_tt.governance.upkeep.redundancy.redundancy import Landed, Redundancy
from lineage_tt.governance.upkeep.redundancy.unused import Unused, UnusedColumn
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import COMPLETE

NOTHING = Redundancy(Basis(0, 1, 0), [], [], [], [], [], [], [], 0, 0, 0, COMPLETE)


def test_each_finding_is_an_object_with_its_fields() -> None:
    """Under the name of its list; counts are beside the lists."""
    found = NOTHING._replace(
        equal=[Equal(("d:a#x", "d:b#x"))], contained=[Contained("d:p#x", "d:w#x")], tables=[SameTable("d:a", "d:b", 2)],
        alike=[Alike(("d:e#x", "d:f#x"))], landed=[Landed("d:s", ("d:a", "d:b"))],
        unused_columns=[UnusedColumn("d:a#y")], texts=5, texts_read=4, unknown_columns=3,
    )  # fmt: skip

    assert redundancy_result(found) == {
        "equal": [{"columns": ("d:a#x", "d:b#x")}],
        "contained": [{"part": "d:p#x", "whole": "d:w#x"}],
        "tables": [{"dataset": "d:a", "like": "d:b", "columns": 2}],
        "alike": [{"columns": ("d:e#x", "d:f#x")}],
        "landed": [{"source": "d:s", "copies": ("d:a", "d:b")}],
        "unused_columns": [{"column": "d:a#y"}],
        "unused": [],
        "texts": 5, "texts_read": 4, "unknown_columns": 3,
    }  # fmt: skip


def test_instants_are_iso_and_what_was_never_used_has_none() -> None:
    """When a table last was used, and since when it is known."""
    never = Unused("d:a", "unread", None, "lineage", 0, ("t",), ())
    once = never._replace(last=86_400_000_000, by="observation", owners=("ana",))
    first, second = redundancy_result(NOTHING._replace(unused=[never, once]))["unused"]

    assert (first["last"], first["since"][:19], first["tasks"]) == (None, "1970-01-01T00:00:00", ("t",))
    assert (second["last"][:19], second["by"], second["owners"]) == ("1970-01-02T00:00:00", "observation", ("ana",))
