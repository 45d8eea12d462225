"""After the deployment: the prediction beside what the first message about each task did."""

from __future__ import annotations

from dataclasses import replace

from reports import report, task

from lineage_tt.impact.report import BREAKING, SignedEdge
from lineage_tt.impact.verify import Verified, verify
from lineage_tt.model.format import ChangeTuple

GONE = SignedEdge(-1, "n:a#x", "n:b#x", "DIRECT", "IDENTITY", "", 100, None)
COME = SignedEdge(1, "n:a#y", "n:b#y", "DIRECT", "IDENTITY", "", 100, None)


def change(edge: SignedEdge, valid_from: int, valid_to: int | None = None, sign: int | None = None) -> ChangeTuple:
    """Return an edge's change over other times."""
    sign = edge.sign if sign is None else sign
    return sign, edge.source, edge.target, edge.type, edge.subtype, edge.expression, valid_from, valid_to


def verified(*changes: ChangeTuple, predicted: tuple[SignedEdge, ...] = (GONE, COME)) -> Verified:
    """Verify one task whose message at version 12 made these changes."""
    (found,) = verify(report([task("t", BREAKING, predicted=predicted)]), lambda name, since: (12, changes))
    return found


def test_the_instant_is_the_deployments_own() -> None:
    """The same edges come and go a day later, or until the next message: as predicted."""
    assert verified(change(COME, 200, 300), change(GONE, 200)) == Verified("t", "as predicted", 12)


def test_a_rectangle_that_is_cut_is_one_that_goes_from_then_on() -> None:
    """The log takes it away whole and puts back its beginning; what both have in common is not a change."""
    cut = change(GONE, 0, None, -1), change(GONE, 0, 200, 1)

    assert verified(*cut, change(COME, 200)).status == "as predicted"


def test_what_did_not_come_and_what_came_unpredicted_are_listed() -> None:
    """Another expression is another edge: the predicted one is missing, the other unexpected."""
    other = replace(COME, expression="y + 1", valid_from=200)

    found = verified(change(GONE, 200), change(other, 200))

    assert found == Verified("t", "differs", 12, (COME,), (other,))


def test_an_edge_that_comes_instead_of_going_differs() -> None:
    """The sign counts."""
    assert verified(change(GONE, 200, None, 1), predicted=(GONE,)).status == "differs"


def test_a_message_that_changes_nothing_is_as_predicted_where_nothing_was() -> None:
    """A task without impact that was deployed."""
    assert verified(predicted=()) == Verified("t", "as predicted", 12)


def test_a_task_without_a_message_since_is_not_deployed() -> None:
    """It is asked about from the version on at which the prediction was made, each task in turn."""
    asked = []

    def first_since(task_id: str, version: int) -> None:
        asked.append((task_id, version))

    found = verify(report([task("a"), task("b")]), first_since)

    assert found == (Verified("a", "not deployed"), Verified("b", "not deployed"))
    assert asked == [("a", 9), ("b", 9)]


def test_a_datasets_own_change_has_no_edges_to_compare() -> None:
    """It is left out, and not called undeployed."""
    assert verify(report([task("dataset:n:a", kind="dataset")]), lambda name, since: None) == ()
