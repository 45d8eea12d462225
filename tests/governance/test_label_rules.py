"""What stops labels, and what is asked for and is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelstories import BOARD, DAYS, PEOPLE, USERS, chain, governed, label, of

from lineage_tt import Store
from lineage_tt.governance.labels.statements import downgrade_fact
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.testing import ManualClock, task_change


def made(folder: Path, *edges: tuple[str, ...]) -> Store:
    """A store with one task."""
    store = Store.create(folder / "m", clock=ManualClock(DAYS[6]))
    store.append([task_change("t", "online", DAYS[0], edges)])
    return store


def test_a_masking_function_stops_labels(tmp_path: Path) -> None:
    """With the rule, the hash of an address is not an address; without, it is."""
    store = made(tmp_path, (USERS, PEOPLE, "DIRECT", "TRANSFORMATION", "SHA256(mail)"), (USERS, BOARD))
    label(store, USERS, "pii")
    rules = '[labels]\nstop_functions = ["sha*"]'

    assert (of(store, PEOPLE), of(store, PEOPLE, rules=rules), of(store, BOARD, rules=rules)) == (
        ("pii",),
        (),
        ("pii",),
    )


def test_aggregation_nodes_and_depth_stop_labels(tmp_path: Path) -> None:
    """Each rule alone."""
    store = made(
        tmp_path, (USERS, "db:sums#n", "DIRECT", "AGGREGATION", "COUNT(mail)"), (USERS, "tmp:x#m"), ("tmp:x#m", PEOPLE),
        (PEOPLE, BOARD),
    )  # fmt: skip
    label(store, USERS, "pii")

    assert of(store, "db:sums#n", rules="[labels]\nstop_aggregation = true") == ()
    assert of(store, "db:sums#n") == ("pii",)
    assert of(store, BOARD, rules='[labels]\nstop_nodes = ["tmp:*"]') == ()
    assert [of(store, BOARD, rules=f"[labels]\ndepth = {depth}") for depth in (2, 3)] == [(), ("pii",)]
    assert of(store, USERS, rules="[labels]\ndepth = 0") == ("pii",)


def test_what_decides_about_rows_carries_labels_only_if_asked(tmp_path: Path) -> None:
    """INDIRECT edges are for a strict scene; of one file both are asked."""
    store = made(tmp_path, (USERS, "db:other", "INDIRECT", "FILTER", "mail is not null"), ("db:other#x", BOARD))
    label(store, USERS, "pii")
    rules = '[labels]\nonly = ["pii"]\n[labels.scenes.strict]\ncarry = ["DIRECT", "INDIRECT"]'
    governance = governed(store, rules)

    assert governance.labelled().of(BOARD) == ()
    assert governance.labelled(scene="strict").of(BOARD) == ("pii",)


def test_labels_go_up_where_the_scene_says_so(tmp_path: Path) -> None:
    """A label on the board, up: all that it is made of has it."""
    store = chain(tmp_path)
    label(store, BOARD, "core")

    assert of(store, USERS, rules='[labels]\ndirection = "up"') == ("core",)
    assert of(store, "db:clients#mail", rules='[labels]\ndirection = "both"') == ("core",)
    assert of(store, USERS) == ()


def test_a_producer_says_that_a_transformation_masks(tmp_path: Path) -> None:
    """The fact ``masked`` of the edge's own task stops labels, unless the scene does not heed it."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    message = task_change("users", "update", DAYS[2], [(USERS, PEOPLE)], event_id="masked")
    message.facts = [(PEOPLE, "masked", USERS)]
    store.append([message])

    assert [of(store, BOARD, day) for day in (DAYS[1], DAYS[2])] == [("pii",), ()]
    assert of(store, BOARD, rules="[labels]\nstop_masking = false") == ("pii",)


def test_more_labels_than_a_word_has_bits_spread(tmp_path: Path) -> None:
    """A hundred and thirty labels."""
    store = chain(tmp_path)
    many = [f"label{at:03}" for at in range(130)]
    label(store, USERS, *many)

    assert of(store, BOARD) == tuple(many)


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A scene, a node, a level."""
    store = chain(tmp_path)
    with pytest.raises(InvalidRequestError, match="has no scene 'x'"):
        governed(store).labelled(scene="x")
    with pytest.raises(UnknownNodeError):
        governed(store).labels("db:nowhere#x")
    with pytest.raises(InvalidRequestError, match="'x' is not a level"):
        downgrade_fact("x", "y", ("y",))
