"""What stops labels, levels that fall, scenes, and rules that say nothing sensible."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelstories import ANA, BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, of, state

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.governance.config import Config
from lineage_tt.governance.labels.propagation_rules import is_masked
from lineage_tt.governance.labels.scene import scene_of
from lineage_tt.governance.labels.statements import downgrade_fact
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.testing import ManualClock, task_change

LEVELS = '[labels]\nlevels = ["public", "internal", "secret"]\n'


def made(folder: Path, *edges: tuple[str, ...]) -> Store:
    """A store with one task."""
    store = Store.create(folder / "m", clock=ManualClock(DAYS[6]))
    store.append([task_change("t", "online", DAYS[0], edges)])
    return store


@pytest.mark.parametrize(
    ("expression", "column", "masked"),
    [
        ("SHA256(mail)", "mail", True),
        ("sha256(lower(mail)) || '@'", "mail", True),
        ("sha256(mail) || mail", "mail", False),
        ("concat(sha256(salt), mail)", "mail", False),
        ("concat(sha256(salt), 'mail')", "mail", False),
        ("sha256(a.m)", "mail", True),  # the whole of it is one call, whatever its column is called here
        ("sha256(a.m) || 'x'", "mail", False),  # the column is called otherwise: it is not known
        ("coalesce(mask_mail(u.mail), '')", "mail", True),
        ("sha256x(mail)", "mail", False),
        ("sha256(mail", "mail", False),
        ("emailed(mail)", "mail", False),
        ("sha256(')' || mail)", "mail", True),
        ("", "mail", False),
    ],
)
def test_a_value_is_masked_where_only_a_masking_function_sees_it(expression: str, column: str, masked: bool) -> None:
    """What is not known is not masked."""
    assert is_masked(expression, column, ["sha256", "mask_*"]) is masked


def test_a_masking_function_stops_labels(tmp_path: Path) -> None:
    """With the rule, the hash of an address is no address; without, it is."""
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


def test_more_labels_than_a_word_has_bits_spread(tmp_path: Path) -> None:
    """A hundred and thirty labels."""
    store = chain(tmp_path)
    many = [f"label{at:03}" for at in range(130)]
    label(store, USERS, *many)

    assert of(store, BOARD) == tuple(many)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[labels]\nlevel = []", "no key is called 'level'"),
        ("[label]\n", "no area is called 'label'"),
        ("labels = 3", "labels is no table"),
        ('[labels]\nlevels = ["a", "a"]', "a level twice"),
        ("[labels]\ndepth = -1", "depth is -1"),
        ("[labels]\ndepth = true", "depth is true or false"),
        ('[labels]\ncarry = ["VALUES"]', "carry is"),
        ('[labels]\ncarry = "DIRECT"', "carry is a text"),
        ('[labels]\ndirection = "left"', "direction is 'left'"),
        ("[labels]\nlevels = [1]", "levels is no list of texts"),
        ("[labels]\nscenes = 1", "labels.scenes is no table"),
        ("labels", "is not TOML"),
    ],
)
def test_rules_that_say_nothing_sensible_are_errors(text: str, words: str) -> None:
    """Each says what is wrong."""
    with pytest.raises(InvalidRequestError, match=words):
        scene_of(Config.parse(text))


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A scene, a node, a level."""
    store = chain(tmp_path)
    with pytest.raises(InvalidRequestError, match="has no scene 'x'"):
        governed(store).labelled(scene="x")
    with pytest.raises(UnknownNodeError):
        governed(store).labels("db:nowhere#x")
    with pytest.raises(InvalidRequestError, match="'x' is no level"):
        downgrade_fact("x", "y", ("y",))
