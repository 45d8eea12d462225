"""Edges over which a level falls: why, since when, over which way, and who owns the target."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelstories import ANA, BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, of, state
from plain_labels import A, B, C, edge, fact, filters, labelled

from lineage_tt.curation.statements import annotate
from lineage_tt.governance.labels.scan import Falls, falls_at
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import downgrade_fact
from lineage_tt.model.answers import EdgeAsOf, FactAsOf

LEVELS = '[labels]\nlevels = ["public", "internal", "secret"]\n'
SCENE = Scene(levels=("public", "internal", "secret"))


def test_a_node_has_the_highest_level_that_comes_to_it(tmp_path: Path) -> None:
    """Two sources of different levels; a downgrade holds from its time on, and a scan finds it with its owner."""
    store = chain(tmp_path)
    label(store, USERS, "secret")
    label(store, "db:clients#mail", "internal")
    annotate(store, "db:people", "owner", ["data office"], by=ANA, at=DAYS[0])
    state(store, PEOPLE, downgrade_fact("secret", "internal", ("public", "internal", "secret")), DAYS[3])

    assert [of(store, BOARD, day, LEVELS) for day in (DAYS[1], DAYS[4])] == [("secret",), ("internal",)]
    governance = governed(store, LEVELS)
    (fall,) = governance.labels_scan(governance.basis(DAYS[4]))
    assert (fall.source, fall.target, fall.level, fall.target_level) == (USERS, PEOPLE, "secret", "internal")
    assert (fall.because, fall.owners, fall.since) == ("decision", ("data office",), governance.basis(DAYS[3]).valid_at)
    assert (fall.path, fall.exact) == ((USERS, PEOPLE), True)
    assert governance.labels_scan(governance.basis(DAYS[1])) == []


def test_a_fall_is_since_the_level_came_and_names_its_way(tmp_path: Path) -> None:
    """Decided in January, secret since April by one source, and since February by another that ended in May."""
    store = chain(tmp_path)
    state(store, BOARD, downgrade_fact("secret", "internal", ("public", "internal", "secret")), DAYS[0])
    label(store, USERS, "secret", at=DAYS[3])
    label(store, CLIENTS, "secret", at=DAYS[1])
    label(store, CLIENTS, at=DAYS[4])
    governance = governed(store, LEVELS)

    (fall,) = governance.labels_scan(governance.basis(DAYS[6]))
    assert (fall.source, fall.target, fall.path) == (PEOPLE, BOARD, (USERS, PEOPLE, BOARD))
    assert (fall.since, fall.exact) == (governance.basis(DAYS[1]).valid_at, True)
    assert governance.labels_scan(governance.basis(DAYS[0])) == []


def fallen(edges: list[EdgeAsOf | tuple[str, str]], *facts: FactAsOf, scene: Scene = SCENE) -> list[Falls]:
    """The falls at a point at which ``A`` is secret."""
    return falls_at(labelled(edges, {A: "secret"}, *facts, scene=scene))


@pytest.mark.parametrize(
    ("edges", "facts", "scene", "because"),
    [
        ([edge(A, B)], [fact(B, "label-decision:secret", "reject")], SCENE, "decision"),
        ([edge(A, B)], [fact(B, f"label-block:{A}", "*")], SCENE, "blocked edge"),
        ([edge(A, B)], [fact("d:b", "label-block:d:a", "secret")], SCENE, "blocked edge"),
        ([edge(A, B)], [fact(B, "masked", A, subject="t")], SCENE, "masked"),
        ([edge(A, B, "sha256(x)")], [], SCENE._replace(stop_functions=("sha256",)), "masked"),
        ([edge(A, B, "SUM(x)", "AGGREGATION")], [], SCENE._replace(stop_aggregation=True), "not carried"),
        ([edge(A, B)], [], SCENE._replace(stop_nodes=("d:b",)), "stopped node"),
        ([edge(A, B)], [], SCENE._replace(depth=0), "too far"),
        ([edge(A, B)], [], SCENE._replace(direction="up"), "direction"),
    ],
)
def test_a_fall_says_why(edges: list[EdgeAsOf], facts: list[FactAsOf], scene: Scene, because: str) -> None:
    """What somebody decided, what the rules stop, or the way that labels go."""
    (found,) = fallen([*edges], *facts, scene=scene)

    assert (found.source, found.target, found.level, found.because) == (A, B, "secret", because)


def test_a_level_that_comes_otherwise_does_not_fall() -> None:
    """A blocked edge beside one that is not; what decides over rows alone is not a fall; no levels are not falls."""
    blocked = fact(B, f"label-block:{A}", "*")

    assert fallen([edge(A, B), edge(A, C), edge(C, B)], blocked) == []
    assert fallen([filters(A, "d:b")]) == []
    assert fallen([edge(A, B)], blocked, scene=Scene()) == []


def test_a_fall_names_what_is_left_and_who_owns_it() -> None:
    """The level that the target has by another way; owners of the column and of its dataset."""
    facts = [
        fact(B, "label-decision:secret", "downgrade internal"), fact(B, "owner", "bo"), fact("d:b", "owner", "ana"),
        fact("d:a", "owner", "cy"),
    ]  # fmt: skip
    (found,) = fallen([edge(A, B)], *facts)

    assert (found.target_level, found.owners, found.path) == ("internal", ("ana", "bo"), (A, B))


def test_only_the_edges_asked_for_are_looked_at() -> None:
    """By source, target and task."""
    at = labelled([edge(A, B), edge(A, C)], {A: "secret"}, scene=SCENE._replace(depth=0))

    assert [found.target for found in falls_at(at)] == [B, C]
    assert [found.target for found in falls_at(at, {(A, C, "t"), (A, B, "other")})] == [C]
