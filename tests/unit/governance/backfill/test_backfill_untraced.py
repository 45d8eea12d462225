"""Edges in place of what is not known: from what a task may read to what it writes in unknown ways."""

from __future__ import annotations

from lineage_tt.governance.backfill.untraced import UNTRACED, untraced_into, untraced_out
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.completeness.gaps import CoverageRow, Detail, Gaps, TaskCoverage
from lineage_tt.model.completeness.summary import GapsAt

COLUMNS = (("d:out", ("a", "b")), ("d:other", ()))


def gaps(
    reads: set[str], outputs: tuple[tuple[str, tuple[str, ...]], ...] = COLUMNS, targets: frozenset[str] = frozenset()
) -> GapsAt:
    """The gap of a task that reads these datasets as a whole and writes others, of which edges reach ``targets``."""
    said = CoverageRow(7, "online", "e", None, 0, None, None, "opaque")
    detail = Detail((), frozenset(reads), targets, outputs, None)
    return Gaps({"script": TaskCoverage([said])}, {7: detail}).at(0, 7)


def ends(edges: list[EdgeAsOf]) -> list[tuple[str, str]]:
    """The source and target of each edge."""
    return [(edge.source, edge.target) for edge in edges]


def test_each_node_that_may_be_read_leads_to_each_dataset_written_untraced() -> None:
    """Columns by their dataset, in order of names; what the task does not read leads nowhere."""
    found = list(untraced_out(gaps({"d:in"}), ["d:in#b", "d:in", "d:elsewhere#x"]))

    assert ends(found) == [
        ("d:in", "d:other"), ("d:in", "d:out"), ("d:in#b", "d:other"), ("d:in#b", "d:out"),
    ]  # fmt: skip
    assert {(edge.task_id, edge.version, edge.subtype) for edge in found} == {("script", 7, UNTRACED)}


def test_each_column_that_may_be_written_comes_from_all_that_is_read() -> None:
    """A column that the task does not write comes from nowhere; of unknown columns any may be written."""
    found = list(untraced_into(gaps({"d:two", "d:one"}), ["d:out#a", "d:out#z", "d:other#z", "d:in"]))

    assert ends(found) == [
        ("d:one", "d:other#z"), ("d:two", "d:other#z"), ("d:one", "d:out#a"), ("d:two", "d:out#a"),
    ]  # fmt: skip


def test_what_is_made_of_nothing_known_comes_from_itself() -> None:
    """So that its maker is in the plan although it is not known to read anything."""
    found = list(untraced_into(gaps(set()), ["d:out#a", "d:out"]))

    assert ends(found) == [("d:out", "d:out"), ("d:out", "d:out#a")]


def test_a_dataset_that_an_edge_reaches_is_not_untraced() -> None:
    """There edges tell what it is made of."""
    known = gaps({"d:in"}, targets=frozenset({"d:out"}))

    assert ends(list(untraced_out(known, ["d:in"]))) == [("d:in", "d:other")]
    assert list(untraced_into(known, ["d:out#a"])) == []


def test_without_gaps_and_without_nodes_there_are_no_such_edges() -> None:
    """A store where all is known costs nothing."""
    none = Gaps({}, {}).at(0, 7)

    assert list(untraced_out(none, ["d:in"])) == list(untraced_into(none, ["d:out"])) == []
    assert list(untraced_out(gaps({"d:in"}), [])) == []
