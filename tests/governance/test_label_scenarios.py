"""The published scenarios of Apache Atlas's classification propagation, and the removal bugs of stored propagation.

Sources: Atlas, "Classification Propagation" (add, remove one of two sources, block an edge, restrict, delete with and
without keeping what was propagated); ATLAS-2807, ATLAS-3863, datahub#19502 (a label stays after its cause is gone).
"""

from __future__ import annotations

from pathlib import Path

from labelstories import BOARD, CLIENTS, DAYS, PEOPLE, USERS, chain, governed, label, of, state

from lineage_tt.governance.labels.statements import block_fact, reject_fact
from lineage_tt.testing import task_change


def test_a_label_comes_to_all_that_is_made_of_its_node(tmp_path: Path) -> None:
    """Added at the source, it is on the whole chain, from then on and not before."""
    store = chain(tmp_path)
    label(store, USERS, "pii", at=DAYS[1])

    assert [of(store, node) for node in (USERS, PEOPLE, BOARD, CLIENTS)] == [("pii",), ("pii",), ("pii",), ()]
    assert of(store, BOARD, DAYS[0]) == ()


def test_of_two_sources_one_may_lose_its_label(tmp_path: Path) -> None:
    """Taken from one source, the label stays for the other; taken from both, it is gone everywhere (ATLAS-2807)."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    label(store, CLIENTS, "pii")
    label(store, USERS, at=DAYS[2])
    label(store, CLIENTS, at=DAYS[3])

    assert [of(store, BOARD, day) for day in DAYS[1:4]] == [("pii",), ("pii",), ()]
    assert [of(store, USERS, day) for day in DAYS[1:4]] == [("pii",), (), ()]


def test_a_label_goes_with_the_edge_that_brought_it(tmp_path: Path) -> None:
    """The task stops reading the labelled source: nothing is left behind (datahub#19502)."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    store.append([task_change("users", "offline", DAYS[3])])

    assert [of(store, BOARD, DAYS[2]), of(store, BOARD, DAYS[3]), of(store, PEOPLE, DAYS[3])] == [("pii",), (), ()]


def test_a_middle_task_that_stops_takes_the_label_off_the_rest(tmp_path: Path) -> None:
    """Deleted in the middle and not kept: what is after it has nothing, what is before it keeps all."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    store.append([task_change("board", "offline", DAYS[3])])

    assert (of(store, BOARD), of(store, PEOPLE)) == ((), ("pii",))


def test_atlas_2807_of_all_ways_the_last_takes_the_label_along(tmp_path: Path) -> None:
    """Two ways to the board end one after the other, in both orders: the label stays for the last and goes with it."""
    for number, order in enumerate((("users", "extra"), ("extra", "users"))):
        store = chain(tmp_path / str(number))
        store.append([task_change("extra", "online", DAYS[0], [(USERS, BOARD)])])
        label(store, USERS, "pii")
        first, last = order
        store.append([task_change(first, "offline", DAYS[2]), task_change(last, "offline", DAYS[4])])

        assert [of(store, BOARD, day) for day in DAYS[1:6]] == [("pii",), ("pii",), ("pii",), (), ()]


def test_atlas_3863_a_label_taken_off_while_its_way_is_closed_does_not_come_back(tmp_path: Path) -> None:
    """Closed by a block, by a task that is offline, or by a rejection; the label goes; open again, nothing is there."""
    closed = {
        "block": lambda store: state(store, PEOPLE, block_fact(USERS), DAYS[2], DAYS[4]),
        "reject": lambda store: state(store, PEOPLE, reject_fact("pii"), DAYS[2], DAYS[4]),
        "offline": lambda store: store.append([
            task_change("users", "offline", DAYS[2]), task_change("users", "online", DAYS[4], [(USERS, PEOPLE)]),
        ]),
    }  # fmt: skip
    for name, close in closed.items():
        store = chain(tmp_path / name)
        label(store, USERS, "pii")
        close(store)
        label(store, USERS, at=DAYS[3])

        assert [of(store, BOARD, day) for day in DAYS[1:6]] == [("pii",), (), (), (), ()], name


def test_a_label_goes_with_the_message_that_is_retracted(tmp_path: Path) -> None:
    """The task's edge was never there, it turns out: its label was not either; as known before, it was."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    (event,) = store.sql("SELECT event_id FROM log WHERE task_id = 'users'")[1]
    known = store.version
    store.append([task_change("users", "retract", retracts=event[0])])

    assert of(store, BOARD) == ()
    assert of(store, BOARD, version=known) == ("pii",)


def test_what_is_kept_after_a_deletion_is_stated(tmp_path: Path) -> None:
    """Deleted with keeping: whoever wants the label to stay states it where it is to, and it spreads from there."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    label(store, PEOPLE, "pii", at=DAYS[2])
    store.append([task_change("users", "offline", DAYS[3])])

    assert of(store, BOARD) == ("pii",)
    (why,) = governed(store).labels(BOARD, governed(store).basis(DAYS[6]))
    assert (why.source, [hop.target for hop in why.way]) == (PEOPLE, [BOARD])


def test_a_blocked_edge_lets_nothing_through_until_it_is_open_again(tmp_path: Path) -> None:
    """Blocked for some time: for that time the label does not pass, other edges do."""
    store = chain(tmp_path)
    label(store, USERS, "pii", "gdpr")
    label(store, CLIENTS, "vip")
    state(store, PEOPLE, block_fact(USERS), DAYS[2], DAYS[4])

    assert [of(store, BOARD, day) for day in DAYS[1:5]] == [
        ("gdpr", "pii", "vip"), ("vip",), ("vip",), ("gdpr", "pii", "vip"),
    ]  # fmt: skip


def test_a_block_of_one_label_lets_the_others_through(tmp_path: Path) -> None:
    """Only the label named stays behind; a block between two datasets holds for their columns."""
    store = chain(tmp_path)
    label(store, USERS, "pii", "gdpr")
    state(store, "db:people", block_fact("db:users", ["pii"]), DAYS[2])

    assert of(store, BOARD) == ("gdpr",)


def test_a_label_that_is_restricted_on_a_node_goes_no_further(tmp_path: Path) -> None:
    """Rejected in the middle, with an end: neither there nor after it, and again after the end."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    state(store, PEOPLE, reject_fact("pii"), DAYS[2], DAYS[4])

    assert [of(store, BOARD, day) for day in DAYS[1:5]] == [("pii",), (), (), ("pii",)]
    assert of(store, USERS, DAYS[2]) == ("pii",)


def test_a_rejection_does_not_take_what_is_stated_of_the_node_itself(tmp_path: Path) -> None:
    """The decision is about what comes from others."""
    store = chain(tmp_path)
    label(store, PEOPLE, "pii")
    state(store, PEOPLE, reject_fact("pii"), DAYS[2])

    assert (of(store, PEOPLE), of(store, BOARD)) == (("pii",), ("pii",))


def test_a_label_of_a_dataset_is_on_its_columns(tmp_path: Path) -> None:
    """Stated of a table, it spreads from each of its columns; a column that nobody named has it, too."""
    store = chain(tmp_path)
    label(store, "db:users", "pii")

    assert [of(store, node) for node in ("db:users", USERS, BOARD, "db:users#other")] == [("pii",)] * 4


def test_a_column_that_is_named_later_has_had_its_datasets_label_before(tmp_path: Path) -> None:
    """Stated of the table in January, of a column that nothing named before in March: since January."""
    store = chain(tmp_path)
    label(store, "db:users", "pii", at=DAYS[0])
    label(store, "db:users#phone", "pii", at=DAYS[2])
    governance = governed(store)

    (why,) = governance.labels("db:users#phone", governance.basis(DAYS[4]))
    assert (why.since, why.exact) == (governance.basis(DAYS[0]).valid_at, True)


def test_a_circle_does_not_keep_a_label_alive(tmp_path: Path) -> None:
    """Two tables that feed each other hold no label up between them once its source is gone."""
    store = chain(tmp_path)
    store.append([task_change("back", "online", DAYS[0], [(BOARD, PEOPLE)])])
    label(store, USERS, "pii")
    label(store, USERS, at=DAYS[3])

    assert [of(store, BOARD, day) for day in (DAYS[2], DAYS[3])] == [("pii",), ()]


def test_what_was_believed_is_answered_as_it_was_believed(tmp_path: Path) -> None:
    """A label stated late about the past: not known at the version before."""
    store = chain(tmp_path)
    version = label(store, USERS, "pii", at=DAYS[0])

    assert of(store, BOARD, DAYS[1], version=version) == ("pii",)
    assert of(store, BOARD, DAYS[1], version=version - 1) == ()


def test_ways_that_take_turns_are_one_time(tmp_path: Path) -> None:
    """The label came by users, then by clients without a break: it is there since the first, and each way is shown."""
    store = chain(tmp_path)
    version = label(store, USERS, "pii", at=DAYS[1])
    label(store, CLIENTS, "pii", at=DAYS[2])
    label(store, USERS, at=DAYS[4])
    governance = governed(store)
    (why,) = governance.labels(BOARD, governance.basis(DAYS[5]))

    assert (why.source, why.since, why.exact) == (CLIENTS, governance.basis(DAYS[1]).valid_at, True)
    assert why.brought is not None
    assert why.brought.version == version
    assert why.brought.message is not None
    assert (why.brought.message.actor, why.brought.message.reason) == ("ana", "asked legal")


def test_the_end_of_a_decision_is_what_brings_a_label(tmp_path: Path) -> None:
    """The rejection ended in May: since then the label is there, and the end of the decision brought it."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    state(store, PEOPLE, reject_fact("pii"), DAYS[2], DAYS[4])
    governance = governed(store)
    (why,) = governance.labels(BOARD, governance.basis(DAYS[6]))

    assert why.since == governance.basis(DAYS[4]).valid_at
    assert why.brought is not None
    assert why.brought.what == f"the end of label-decision:pii on {PEOPLE}"


def test_two_points_differ_by_what_came_and_went(tmp_path: Path) -> None:
    """Between January and June the board lost one label and gained another."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    label(store, USERS, "gdpr", at=DAYS[3])
    governance = governed(store)
    found = governance.labels_diff(governance.basis(DAYS[1]), governance.basis(DAYS[5]))

    assert [(each.node, each.before, each.after) for each in found] == [
        (node, ("pii",), ("gdpr",)) for node in sorted((USERS, PEOPLE, BOARD))
    ]
