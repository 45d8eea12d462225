"""The questions of governance about one store: what they keep, refuse, and ask of each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelstories import ANA, BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, state

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.heat.asked import Asked
from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import block_fact
from lineage_tt.governance.permissions.grants import grant_key
from lineage_tt.governance.points.graphed import CACHED_POINTS
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, TaskChange
from lineage_tt.model.times import parse_instant
from lineage_tt.testing import task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Users and clients feed people, people the board; users are labelled since February."""
    result = chain(tmp_path)
    label(result, USERS, "pii", at=DAYS[1])
    return result


def test_the_labels_of_the_last_points_are_kept_by_scene(store: Store) -> None:
    """The same point and rules give the very same answer; others are computed again, and are equal."""
    asks = governed(store, "[labels.scenes.none]\nstop_nodes = ['*']")
    first = asks.labelled(asks.basis(DAYS[2]))

    assert asks.labelled(asks.basis(DAYS[2])) is first
    assert asks.labelled(asks.basis(DAYS[2]), "none") is not first
    assert asks.labelled(asks.basis(DAYS[2]), "none").of(BOARD) == ()
    for depth in range(CACHED_POINTS):
        asks.labelled_in(asks.basis(DAYS[2]), Scene(depth=depth))
    again = asks.labelled(asks.basis(DAYS[2]))
    assert again is not first
    assert again.point is first.point
    assert dict(again.all()) == dict(first.all())


def test_a_node_that_nothing_named_is_refused_and_a_column_of_a_known_dataset_is_not(store: Store) -> None:
    """It has the labels of its dataset."""
    asks = governed(store)
    with pytest.raises(UnknownNodeError):
        asks.labels("db:nothing#x")
    with pytest.raises(UnknownNodeError):
        asks.heat(asked=Asked(seeds=("db:nothing",)))
    with pytest.raises(UnknownNodeError):
        asks.heat(asked=Asked(nodes=("db:nothing",)))

    assert [(why.label, why.source) for why in asks.labels(BOARD)] == [("pii", USERS)]
    at = parse_instant(DAYS[0])
    store.append([NodeChange("q", "dataset", "db:q", "define", at, fields=[Field("z", "INT")])])
    label(store, "db:q", "gdpr")
    asks = governed(store)
    (declared,) = asks.labels("db:q#z")
    assert (declared.label, declared.source, declared.way) == ("gdpr", "db:q", ())
    assert asks.labels(BOARD, asks.basis(DAYS[0])) == asks.labels(CLIENTS) == []


def test_labels_of_two_points_differ_alike_whichever_way_they_are_found(store: Store) -> None:
    """Moved on by what changed, or computed where a block has begun."""
    gained = [Changed(node, (), ("pii",)) for node in (BOARD, PEOPLE, USERS)]
    asks = governed(store)
    assert asks.labels_diff(asks.basis(DAYS[0]), asks.basis(DAYS[2])) == gained

    state(store, "db:x", block_fact("db:y"), DAYS[1])
    asks = governed(store)
    assert asks.labels_diff(asks.basis(DAYS[0]), asks.basis(DAYS[2])) == gained


def test_rules_since_a_point_are_those_newly_violated(store: Store) -> None:
    """Without a point all that are violated."""
    rules = "[rules]\nmax_fanin = 1\n"
    asks = governed(store, rules)
    now, before = asks.basis(DAYS[2]), asks.basis(DAYS[1])

    assert [each.rule for each in asks.rules(now).violations].count("model_fanin") == 1
    assert "model_fanin" not in [each.rule for each in asks.rules(now, before).violations]


def test_a_principal_is_denied_what_decides_about_rows_too(store: Store) -> None:
    """Sources at any distance, those that filter among them; what may be read is not listed."""
    store.append([task_change("cut", "online", DAYS[0], [("db:secret#k", "bi:board", "INDIRECT", "FILTER", "")])])
    for node in ("db:users", "db:people", "db:secret"):
        annotate(store, node, grant_key("eve"), ["read"], by=ANA, at=DAYS[0])
    annotate(store, "db:secret", grant_key("eve"), [], by=ANA, at=DAYS[3])
    annotate(store, "db:secret", grant_key("zoe"), ["own"], by=ANA, at=DAYS[3])
    asks = governed(store)

    assert [asks.may_read("eve", "db:secret#k", asks.basis(DAYS[at])) for at in (2, 4)] == [True, False]
    assert "db:secret#k" not in [each.node for each in asks.sources_denied("eve", BOARD, asks.basis(DAYS[2]))]
    assert "db:secret#k" in [each.node for each in asks.sources_denied("eve", BOARD, asks.basis(DAYS[4]))]


@pytest.mark.parametrize("days", [0, 3651])
def test_a_number_of_days_that_cannot_be_is_refused(store: Store, days: int) -> None:
    """By every question that looks back."""
    asks = governed(store)
    questions = (
        lambda: asks.heat(days=days), lambda: asks.quality(days=days), lambda: asks.redundancy(days=days),
        lambda: asks.heat_trend(asks.basis(), asks.basis(), days=days),
    )  # fmt: skip
    for question in questions:
        with pytest.raises(InvalidRequestError, match=f"a window of {days} days"):
            question()


def test_what_is_not_known_above_a_node_is_about_values_alone(store: Store) -> None:
    """A task of unknown lineage that writes what the node is made of, not one that writes what decides about rows."""
    unread = [Lineage([], "opaque", outputs=[(dataset, ())]) for dataset in ("db:users", "db:other", "db:cut")]
    store.append([
        task_change("cut", "online", DAYS[0], [("db:cut#k", "bi:board", "INDIRECT", "FILTER", "")]),
        *(
            TaskChange(f"e{at}", f"script{at}", "online", parse_instant(DAYS[0]), lineage=lineage)
            for at, lineage in enumerate(unread)
        ),
    ])  # fmt: skip
    asks: Governance = governed(store)
    found = asks.completeness_above(BOARD, asks.basis())

    assert [task.task_id for task in found.tasks] == ["script0"]
    assert asks.completeness_above(CLIENTS, asks.basis()).complete


def test_notices_tell_owners_what_is_new_since_a_point(store: Store) -> None:
    """Each what they own; what nobody owns is counted."""
    annotate(store, "bi:board", "owner", ["mei"], by=ANA, at=DAYS[0])
    asks = governed(store)
    found, unowned = asks.notices(asks.basis(DAYS[2]), asks.basis(DAYS[0]))

    assert [notice.person for notice in found] == ["mei"]
    assert unowned == 2
    assert asks.notices(asks.basis(DAYS[3]), asks.basis(DAYS[2])) == ([], 0)
