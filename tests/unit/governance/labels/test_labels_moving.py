"""Labels at two points: moved on by what changed where that can be, computed where it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from labelstories import ANA, BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, state
from plain_labels import A, B, C, D, edge, fact, filters, labelled, point, said

from lineage_tt import Store
from lineage_tt.curation.statements import state_edge
from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.labels.moving import difference, moved, moved_to
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import block_fact, reject_fact
from lineage_tt.governance.points.plain import NOWHERE
from lineage_tt.model.answers import Difference, EdgeAsOf, FactAsOf
from lineage_tt.testing import task_change

CHAIN = [edge(A, B), edge(B, C)]
PII = {A: "pii"}


def move(
    removed: Sequence[EdgeAsOf] = (), added: Sequence[EdgeAsOf] = (), facts: Sequence[FactAsOf] | None = None,
    scene: Scene | None = None, edges: Sequence[EdgeAsOf] = CHAIN, before: Sequence[FactAsOf] = (),
) -> list[Changed] | None:  # fmt: skip
    """What changes where ``A`` is personal data and edges come and go; facts stay as they were for None."""
    start = labelled(edges, PII, *before, scene=scene)
    values = [tuple(each[:6]) for each in removed], [tuple(each[:6]) for each in added]
    changes = Difference(NOWHERE, NOWHERE, tuple(values[0]), tuple(values[1]))  # type: ignore[arg-type]
    return moved(start, changes, [*said(PII), *before] if facts is None else facts)


def test_points_differ_by_the_labels_of_their_nodes() -> None:
    """In order of names; one that is not there has none; the same point does not differ."""
    before, after = point([(A, B), (B, C)], PII), point([(A, B), (D, C)], {D: "gdpr", A: "pii"})

    assert difference(before, after, Scene()) == [Changed(C, ("pii",), ("gdpr",)), Changed(D, (), ("gdpr",))]
    assert difference(after, before, Scene())[1] == Changed(D, ("gdpr",), ())
    assert difference(before, before, Scene()) == []


def test_edges_that_come_and_go_move_labels() -> None:
    """Those that carry in the scene; a node that is new, too."""
    assert move(removed=[CHAIN[0]], added=[edge(A, "d:new#x")]) == [
        Changed(B, ("pii",), ()), Changed(C, ("pii",), ()), Changed("d:new#x", (), ("pii",)),
    ]  # fmt: skip
    assert move(added=[filters(A, "d:d")]) == []
    assert move(added=[filters(A, "d:d")], scene=Scene(carry=("DIRECT", "INDIRECT"))) == [Changed("d:d", (), ("pii",))]
    assert move(removed=[CHAIN[0]], added=[edge(A, B, task="other")]) == []


def test_edges_that_mask_or_aggregate_carry_nothing() -> None:
    """Where the scene says so."""
    sums, masks = edge(A, D, "SUM(x)", "AGGREGATION"), edge(A, D, "sha256(x)")

    assert move(added=[sums], scene=Scene(stop_aggregation=True)) == []
    assert move(added=[masks], scene=Scene(stop_functions=("sha256",))) == []
    assert move(added=[sums]) == move(added=[masks]) == [Changed(D, (), ("pii",))]


def test_edges_move_labels_as_these_go() -> None:
    """Up, an edge brings to its source what its target has."""
    assert move(added=[edge(D, A)], scene=Scene(direction="up")) == [Changed(D, (), ("pii",))]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([], [(A, ()), (B, ()), (C, ())]),
        (said({A: "gdpr"}), [(A, ("gdpr",)), (B, ("gdpr",)), (C, ("gdpr",))]),
        (said({A: ["pii", "new"]}), [(A, ("new", "pii")), (B, ("new", "pii")), (C, ("new", "pii"))]),
        ([*said(PII), fact(B, "label-decision:pii", "reject")], [(B, ()), (C, ())]),
        ([*said(PII), fact(B, "owner", "ana")], []),
    ],
)
def test_facts_that_change_move_labels(facts: list[FactAsOf], expected: list[tuple[str, tuple[str, ...]]]) -> None:
    """Statements, of labels that nobody had before too, and decisions; others do not."""
    found = move(facts=facts)

    assert found is not None
    assert [(each.node, each.after) for each in found] == expected


def test_the_end_of_a_decision_at_a_stopped_node_lets_nothing_through() -> None:
    """There the scene keeps all out, whatever is decided."""
    scene = Scene(stop_nodes=("d:b",))

    assert move(facts=said(PII), scene=scene, before=[fact(B, "label-decision:pii", "reject")]) == []


REJECT = edge(A, B, subtype="REJECTED", task="note:edge")


@pytest.mark.parametrize(
    "changes",
    [
        {"added": [REJECT]}, {"removed": [REJECT]},
        {"added": [edge("d:a#*", "d:b#*")]}, {"removed": [edge("d:a#*", D)]},
        {"scene": Scene(depth=2)}, {"scene": Scene(direction="both")}, {"edges": [*CHAIN, edge("d:q#*", "d:r#*")]},
        {"before": [fact(B, f"label-block:{A}", "*")]}, {"facts": [*said(PII), fact(B, f"label-block:{A}", "*")]},
        {"before": [fact(B, "masked", A, subject="t")]}, {"facts": [*said(PII), fact(B, "masked", A, subject="t")]},
    ],
)  # fmt: skip
def test_what_cannot_be_moved_on_is_left_to_be_computed(changes: Mapping[str, object]) -> None:
    """Stars, rejections, blocks, masked edges, and scenes with a depth or both ways."""
    assert move(**changes) is None  # type: ignore[arg-type]


def both(store: Store, first: str, second: str) -> list[Changed] | None:
    """The labels moved from one time to another; asserts that computing them gives the same."""
    asks = governed(store)
    start, basis = asks.labelled(asks.basis(first)), asks.basis(second)
    found = moved_to(asks.points, start, basis, asks.points.facts(basis))
    if found is not None:
        assert found == difference(start.point, asks.points.at(basis), start.scene)
    return found


def test_labels_of_a_store_are_moved_to_another_time_and_back(tmp_path: Path) -> None:
    """Edges, statements, decisions and nodes that came in between; the same time changes nothing."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    label(store, CLIENTS, "gdpr", at=DAYS[3])
    state(store, BOARD, reject_fact("pii"), DAYS[4])
    store.append([task_change("users", "update", DAYS[2], [(USERS, PEOPLE), (USERS, "db:fresh#x")])])
    forth, back = both(store, DAYS[1], DAYS[5]), both(store, DAYS[5], DAYS[1])

    assert forth is not None
    assert {(each.node, each.after) for each in forth} == {
        (CLIENTS, ("gdpr",)), (PEOPLE, ("gdpr", "pii")), (BOARD, ("gdpr",)), ("db:fresh#x", ("pii",)),
    }  # fmt: skip
    assert both(store, DAYS[5], DAYS[5]) == []
    assert back is None or {each.node for each in back} == {each.node for each in forth}


def test_what_a_point_of_a_store_cannot_be_moved_to_is_computed(tmp_path: Path) -> None:
    """A block that begins, and an edge that a person rejects in between."""
    blocked, rejected = chain(tmp_path / "one"), chain(tmp_path / "two")
    for store in (blocked, rejected):
        label(store, USERS, "pii")
    state(blocked, PEOPLE, block_fact(USERS), DAYS[3])
    state_edge(rejected, "reject", USERS, PEOPLE, by=ANA, at=DAYS[3])

    assert both(blocked, DAYS[1], DAYS[4]) is None
    assert both(rejected, DAYS[1], DAYS[4]) is None
    asks = governed(rejected)
    assert [each.node for each in asks.labels_diff(asks.basis(DAYS[1]), asks.basis(DAYS[4]))] == [BOARD, PEOPLE]
