"""Why a node has a label: the shortest way, since when it is so, and what brought it."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelstories import ANA, BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, state
from plain_labels import A, B, C, D, edge, fact, labelled

from lineage_tt import Store
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import block_fact
from lineage_tt.governance.labels.why import Hop, Why, way_of, why
from lineage_tt.model.times import parse_instant
from lineage_tt.testing import task_change

DAY = [parse_instant(day) for day in DAYS]


def ways(of: Labelled, node: str, word: str = "pii") -> list[tuple[str, str]] | None:
    """The ends of the hops of a way."""
    found = way_of(of, node, word)
    return None if found is None else [(hop.source, hop.target) for hop in found]


def reason(store: Store, node: str, at: int = 6, word: str = "pii", version: int | None = None) -> Why | None:
    """Why a node has a label at the beginning of a month."""
    asks = governed(store)
    found = asks.labelled(asks.basis(DAYS[at], version=version))
    return why(asks.points, found, node, word)


def test_the_way_is_a_shortest_one_from_where_the_label_is_stated() -> None:
    """A node that states it itself has an empty way, although the label comes to it, too."""
    found = labelled([(A, B), (B, C), (C, D), (A, C)], {A: "pii", D: "pii"})

    assert ways(found, C) == [(A, C)]
    assert ways(found, D) == ways(found, A) == []


def test_from_a_dataset_to_its_column_is_a_hop_without_a_task_and_no_step() -> None:
    """So that the way over it counts as one step."""
    found = labelled([edge(A, "d:b", task="fill"), edge(B, C, "f(x)")], {"d:a": "pii"}, scene=Scene(depth=2))
    hops = way_of(found, C, "pii")

    assert hops is not None
    assert [(hop.source, hop.target, hop.task_id) for hop in hops] == [
        ("d:a", A, ""), (A, "d:b", "fill"), ("d:b", B, ""), (B, C, "t"),
    ]  # fmt: skip
    assert hops[-1] == Hop(B, C, "t", "DIRECT", "IDENTITY", "f(x)", 0, 1)


def test_a_way_goes_round_what_is_decided() -> None:
    """Round a blocked edge, and round a node that rejects the label; none is left where both are closed."""
    edges = [(A, D), (A, B), (B, D)]
    block = fact(D, f"label-block:{A}", "*")

    assert ways(labelled(edges, {A: "pii"}), D) == [(A, D)]
    assert ways(labelled(edges, {A: "pii"}, block), D) == [(A, B), (B, D)]
    assert ways(labelled(edges, {A: "pii"}, block, fact(B, "label-decision:pii", "reject")), D) is None


def test_a_way_goes_as_labels_go() -> None:
    """Up where the scene says so, no further than its depth, and not over edges that carry nothing."""
    assert ways(labelled([(A, B), (B, C)], {C: "pii"}, scene=Scene(direction="up")), A) == [(C, B), (B, A)]
    assert ways(labelled([(A, B), (C, B)], {A: "pii"}, scene=Scene(direction="both")), C) == [(A, B), (B, C)]
    assert ways(labelled([(A, B), (B, C)], {A: "pii"}, scene=Scene(depth=1)), C) is None
    assert ways(labelled([edge(A, B, "sha256(x)")], {A: "pii"}, scene=Scene(stop_functions=("sha256",))), B) is None


def test_a_label_that_a_node_has_not_has_no_way() -> None:
    """Nor one that nobody states, nor that of a node which is not there."""
    found = labelled([(A, B)], {A: "pii"})

    assert way_of(found, B, "gdpr") is way_of(found, "d:nothing", "pii") is None
    assert ways(labelled([(A, B), (B, A)]), A) is None


def test_of_levels_the_way_is_that_of_the_level_itself() -> None:
    """Or of one above, which has it, too."""
    found = labelled([(A, C), (B, D), (D, C)], {A: "low", B: "high"}, scene=Scene(levels=("low", "high")))

    assert ways(found, C, "low") == [(A, C)]
    assert ways(found, C, "high") == [(B, D), (D, C)]
    assert ways(found, D, "low") == [(B, D)]


def test_a_label_is_since_the_last_part_of_its_way_began(tmp_path: Path) -> None:
    """The statement, or an edge; the message that began it is named."""
    store = chain(tmp_path)
    label(store, USERS, "pii", at=DAYS[1])
    store.append([task_change("late", "online", DAYS[3], [(USERS, "db:late#x")])])
    stated, came, edged = (reason(store, node) for node in (USERS, BOARD, "db:late#x"))

    assert stated is not None
    assert (stated.stated, stated.since, stated.exact) == (True, DAY[1], True)
    assert came is not None
    assert (came.source, came.since) == (USERS, DAY[1])
    assert came.brought is not None
    assert (came.brought.what, came.brought.version) == (f"label pii on {USERS}", 4)
    assert came.brought.message is not None
    assert (came.brought.message.actor, came.brought.message.reason) == (ANA.actor, ANA.reason)
    assert edged is not None
    assert edged.since == DAY[3]
    assert edged.brought is not None
    assert (edged.brought.what, edged.brought.version) == (f"{USERS} -> db:late#x", 5)


def test_a_label_that_changed_its_way_is_since_the_first(tmp_path: Path) -> None:
    """Without a break; where there was one, since after it."""
    store = chain(tmp_path)
    label(store, USERS, "pii", at=DAYS[0])
    label(store, CLIENTS, "pii", at=DAYS[2])
    label(store, USERS, at=DAYS[3])
    label(store, CLIENTS, at=DAYS[4])
    label(store, USERS, "pii", at=DAYS[5])
    turned, again = reason(store, PEOPLE, 3), reason(store, PEOPLE, 6)

    assert turned is not None
    assert (turned.source, turned.since, turned.exact) == (CLIENTS, DAY[0], True)
    assert again is not None
    assert (again.source, again.since) == (USERS, DAY[5])
    assert reason(store, PEOPLE, 4) is None


def test_the_end_of_a_block_brings_a_label(tmp_path: Path) -> None:
    """Since when the edge is open again."""
    store = chain(tmp_path)
    label(store, USERS, "pii", at=DAYS[0])
    state(store, PEOPLE, block_fact(USERS), DAYS[1], expires=DAYS[4])
    found = reason(store, BOARD)

    assert found is not None
    assert found.since == DAY[4]
    assert found.brought is not None
    assert found.brought.what == f"the end of label-block:{USERS} on {PEOPLE}"
    assert found.to_json()["brought_by"]["actor"] == "ana"


def test_what_is_not_known_at_a_version_did_not_bring_the_label(tmp_path: Path) -> None:
    """A statement that was put earlier later: as known before, the label is since the time known then."""
    store = chain(tmp_path)
    first = label(store, USERS, "pii", at=DAYS[3])
    label(store, USERS, "pii", at=DAYS[1])
    known, now = reason(store, BOARD, version=first), reason(store, BOARD)

    assert known is not None
    assert now is not None
    assert (known.since, now.since) == (DAY[3], DAY[1])


@pytest.mark.parametrize("node", [CLIENTS, "db:nothing#x"])
def test_a_node_without_the_label_has_no_reason(tmp_path: Path, node: str) -> None:
    """Whether it is there or not."""
    store = chain(tmp_path)
    label(store, USERS, "pii")

    assert reason(store, node) is None
    assert reason(store, USERS, word="gdpr") is None
