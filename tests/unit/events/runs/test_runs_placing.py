"""Messages make the log follow what the points of a subject say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest

from ingest.events.openlineage.datasets import Content
from ingest.events.openlineage.statement import Statement
from ingest.events.runs import contents
from ingest.events.runs.journal import Journal
from ingest.events.runs.meaning import DECLARED, FACTS, RUN
from ingest.events.runs.placing import Placing
from lineage_tt.model.messages import Lineage

TASK = contents.task_subject("t")
OTHER = contents.task_subject("u")
FACET = contents.facet_subject("ownership", "d:a")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A journal with three runs."""
    with closing(Journal(tmp_path)) as made:
        with made.transaction() as db:
            db.executemany("INSERT INTO runs (id, kind, run_id, ended) VALUES (?, 'run', ?, ?)",
                           [(number, f"r{number}", 1000 + number) for number in range(1, 4)])  # fmt: skip
        yield made


def content(journal: Journal, said: str) -> bytes:
    """The fingerprint of a task's content with an edge for each letter, or of a facet with members by letters."""
    if said.isupper():
        members = {
            f"fact\x1fd:a\x1f{each}": contents.pack_content(Content("set", (), (("d:a", each, "v"),))) for each in said
        }
        packed = [
            contents.pack_members({name: fingerprint for name, (fingerprint, _) in members.items()}),
            *members.values(),
        ]
    else:
        edges = [(f"d:{each}", "d:t", "DIRECT", "IDENTITY", "") for each in sorted(said)]
        packed = [contents.pack_statement(Statement("t", Lineage(edges=edges, ordered=True), [], True))]
    with journal.transaction() as db:
        db.executemany("INSERT OR IGNORE INTO contents VALUES (?, ?)", packed)
    return packed[0][0]


def put(journal: Journal, at: int, said: str | None, *, subject: str = TASK, run: int = 1, weight: int = RUN) -> None:
    """Put a point on a timeline, or take the one of that time away."""
    fingerprint = content(journal, said) if said is not None else None
    with journal.transaction() as db:
        db.execute("DELETE FROM points WHERE subject = ? AND at = ? AND run = ?", (subject, at, run))
        if fingerprint is not None:
            db.execute(
                "INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)", (subject, at, f"{run}", run, fingerprint, weight)
            )
        db.execute("INSERT OR IGNORE INTO affected VALUES (?, ?)", (subject, at))


def add_up(journal: Journal, subject: str = TASK, *, runs: int | None = None, time: int | None = None) -> None:
    """Let the points of a subject add up."""
    with journal.transaction() as db:
        db.execute("INSERT OR REPLACE INTO rules VALUES (?, 'union', ?, ?)", (subject, runs, time))


def messages(journal: Journal) -> list[dict[str, Any]]:
    """The messages that are due."""
    count = Placing(journal).settle()
    found = [orjson.loads(packed) for _, packed in journal.outbox(100)]
    assert len(found) == count
    with journal.transaction() as db:
        db.execute("DELETE FROM outbox")
    return found


def written_messages(journal: Journal) -> list[tuple[int, str]]:
    """When each message takes effect, and the letters of its content; ``-`` for none, ``<`` for a retraction."""
    return [(each["at"], letters(each)) for each in messages(journal)]


def letters(message: dict[str, Any]) -> str:
    """The letters of a message's content."""
    if "retracts" in message:
        return "<"
    if message["content"] is None:
        return "-"
    said = orjson.loads(message["content"])
    return (
        "".join(edge[0][-1] for edge in said["edges"])
        if "edges" in said
        else "".join(fact[1] for fact in said["facts"])
    )


def test_a_point_that_says_what_is_in_force_makes_no_message(journal: Journal) -> None:
    """One that says something else makes one, at its time; each is made once."""
    for at, said in ((1, "x"), (2, "x"), (3, "y"), (4, "x")):
        put(journal, at, said)

    assert written_messages(journal) == [(1, "x"), (3, "y"), (4, "x")]
    assert written_messages(journal) == []


def test_the_end_does_not_depend_on_the_order_in_which_points_came(journal: Journal) -> None:
    """A late point that says what a message says later takes its place: that one is retracted."""
    put(journal, 3, "x")
    assert written_messages(journal) == [(3, "x")]
    put(journal, 1, "x")
    assert written_messages(journal) == [(1, "x"), (3, "<")]
    put(journal, 2, "y")
    assert written_messages(journal) == [(2, "y"), (3, "x")]


def test_what_is_said_otherwise_later_replaces_the_message_of_its_time(journal: Journal) -> None:
    """A second event of the same time; the next neighbour that says the same goes."""
    put(journal, 1, "x")
    put(journal, 5, "y")
    messages(journal)
    put(journal, 1, "y")

    assert written_messages(journal) == [(1, "y"), (5, "<")]


def test_a_point_that_goes_is_withdrawn(journal: Journal) -> None:
    """Before it nothing was in force; each message that was placed there is retracted, the earliest first."""
    put(journal, 1, "x")
    (first,) = messages(journal)
    put(journal, 1, "y")
    (second,) = messages(journal)
    put(journal, 1, None)
    gone = messages(journal)

    assert [each["retracts"] for each in gone] == [first["event"], second["event"]]
    assert written_messages(journal) == []
    put(journal, 1, "x")
    (again,) = messages(journal)
    assert again["event"] not in (first["event"], second["event"])


def test_where_a_point_goes_what_was_before_holds_on(journal: Journal) -> None:
    """Up to the next one."""
    for at, said in ((1, "x"), (2, "y"), (3, "x")):
        put(journal, at, said)
    messages(journal)
    put(journal, 2, None)

    assert written_messages(journal) == [(2, "<"), (3, "<")]


def test_of_points_of_one_time_the_last_counts(journal: Journal) -> None:
    """By their tie; the message names its run."""
    put(journal, 1, "x", run=2)
    put(journal, 1, "y", run=1)
    (found,) = messages(journal)

    assert (letters(found), found["origin"]["run"]) == ("x", "r2")


def noted(journal: Journal) -> list[tuple[int, str, list[str]]]:
    """When each message takes effect, the letters of its content, and the codes of its problems."""
    found = [(each, orjson.loads(each["content"])) for each in messages(journal) if each["content"]]
    return [(each["at"], letters(each), [problem[0] for problem in said["problems"]]) for each, said in found]


def test_a_run_beside_another_one_says_that_it_counts_alone(journal: Journal) -> None:
    """Airflow's mapped tasks run at once, each for a table of its own: all but the last were lost without a word."""
    with journal.transaction() as db:
        db.executemany(
            "UPDATE runs SET state = 'complete', began = ?, ended = ? WHERE id = ?", [(1, 9, 1), (2, 8, 2), (9, 10, 3)]
        )
    put(journal, 2, "y", run=2)
    assert noted(journal) == [(2, "y", [])]
    put(journal, 1, "x", run=1)
    put(journal, 9, "z", run=3)

    assert noted(journal) == [(1, "x", []), (2, "y", ["parallel-runs"]), (9, "z", [])]


@pytest.mark.parametrize("more", ["state = 'failed'", "streaming = 1", "began = 1, ended = 2"])
def test_runs_that_say_no_more_or_were_not_under_way_are_not_lost(journal: Journal, more: str) -> None:
    """What follows a run may differ from it; so may a run that says what the other one says, and more."""
    with journal.transaction() as db:
        db.execute("UPDATE runs SET state = 'complete', began = 2, ended = 9")
    put(journal, 1, "x", run=1)
    put(journal, 2, "xy", run=2)
    assert noted(journal) == [(1, "x", []), (2, "xy", [])]

    with journal.transaction() as db:
        db.execute(f"UPDATE runs SET {more} WHERE id = 2")
    put(journal, 3, "z", run=3)
    assert noted(journal) == [(3, "z", [])]


def test_facts_alone_count_until_lineage_is_known(journal: Journal) -> None:
    """Not after it; where the lineage goes they count again."""
    for at, said, weight in ((1, "f", FACTS), (3, "g", FACTS), (2, "x", RUN)):
        put(journal, at, said, weight=weight)
    assert written_messages(journal) == [(1, "f"), (2, "x")]
    put(journal, 2, None)

    assert written_messages(journal) == [(2, "<"), (3, "g")]


def test_a_facet_that_names_fewer_members_clears_the_others(journal: Journal) -> None:
    """Each member has messages of its own; they come by time, then by name."""
    put(journal, 1, "AB", subject=FACET)
    put(journal, 2, "BC", subject=FACET)
    found = messages(journal)

    assert [(each["at"], each["member"][-1], letters(each)) for each in found] == [
        (1, "A", "A"), (1, "B", "B"), (2, "A", "-"), (2, "C", "C"),
    ]  # fmt: skip


def test_runs_add_up_where_the_policy_says_so(journal: Journal) -> None:
    """All that was said counts; a declaration starts over, and facts alone say no lineage."""
    add_up(journal)
    for at, said, weight in (
        (1, "x", RUN),
        (2, "y", RUN),
        (3, "x", RUN),
        (4, "f", FACTS),
        (5, "z", DECLARED),
        (6, "y", RUN),
    ):
        put(journal, at, said, weight=weight)

    assert written_messages(journal) == [(1, "x"), (2, "xy"), (5, "z"), (6, "yz")]


@pytest.mark.parametrize(
    ("runs", "time", "expected"),
    [(2, None, [(10, "x"), (20, "xy"), (30, "y"), (60, "xy")]), (1, None, [(10, "x"), (20, "y"), (60, "x")]),
     (None, 20, [(10, "x"), (20, "xy"), (50, "y"), (60, "xy")]), (None, 0, [(10, "x"), (20, "y"), (60, "x")]),
     (2, 20, [(10, "x"), (20, "xy"), (50, "y"), (60, "xy")])],
)  # fmt: skip
def test_an_edge_ends_where_it_was_not_seen_for_so_long(
    journal: Journal, runs: int | None, time: int | None, expected: list[tuple[int, str]]
) -> None:
    """For so many runs, and for so long a time, where both are given."""
    add_up(journal, runs=runs, time=time)
    for at, said in ((10, "x"), (20, "y"), (30, "y"), (50, "y"), (60, "x")):
        put(journal, at, said)

    assert written_messages(journal) == expected


def test_a_late_run_changes_all_unions_in_which_it_counts(journal: Journal) -> None:
    """Up to the one in which it is not seen any more."""
    add_up(journal, runs=2)
    for at in (20, 30, 40):
        put(journal, at, "y")
    assert written_messages(journal) == [(20, "y")]
    put(journal, 10, "x")

    assert written_messages(journal) == [(10, "x"), (20, "xy"), (30, "y")]


def test_runs_do_not_add_up_under_another_rule(journal: Journal) -> None:
    """The last one says all."""
    with journal.transaction() as db:
        db.execute("INSERT INTO rules VALUES (?, 'replace', 2, NULL)", (TASK,))
    put(journal, 1, "x")
    put(journal, 2, "y")

    assert written_messages(journal) == [(1, "x"), (2, "y")]


def test_facets_do_not_add_up(journal: Journal) -> None:
    """Even of a job whose edges do."""
    add_up(journal, FACET)
    put(journal, 1, "A", subject=FACET)
    put(journal, 2, "B", subject=FACET)

    assert [letters(each) for each in messages(journal)] == ["A", "-", "B"]


def test_messages_come_in_the_order_of_valid_time(journal: Journal) -> None:
    """Over all subjects that are decided together."""
    put(journal, 2, "x", subject=contents.task_subject("b"))
    put(journal, 1, "x", subject=contents.task_subject("c"))
    put(journal, 1, "x", subject=contents.task_subject("a"))

    put(journal, 3, "y", subject=contents.task_subject("a"))

    assert [(each["at"], each["member"][-1]) for each in messages(journal)] == [(1, "a"), (1, "c"), (2, "b"), (3, "a")]


def test_a_message_says_which_run_it_is_of(journal: Journal) -> None:
    """With what is kept beside it; equal histories give equal ids."""
    with journal.transaction() as db:
        db.execute("UPDATE runs SET meaning = ?, run_id = ? WHERE id = 3", (b"key", "x" * 300))
        db.execute("INSERT INTO meanings (key, about) VALUES (?, ?)", (b"key", b'{"job":1}'))
    put(journal, 1, "x", run=3)
    put(journal, 2, "y", run=1)
    put(journal, 3, None)
    found = messages(journal)

    assert found[0]["origin"] == {"run": "x" * 300, "kind": "run", "ended": 1003, "about": '{"job":1}'}
    assert found[0]["event"].startswith("x" * 200 + "/")
    assert (found[1]["origin"]["about"], found[1]["event"][:3]) == ("{}", "r1/")
    assert len({each["event"] for each in found}) == 2


def test_runs_that_do_not_replace_each_other_are_not_parallel(journal: Journal) -> None:
    """What is declared while a run is under way is no run; runs of several intervals may be under way at once."""
    with journal.transaction() as db:
        db.executemany("UPDATE runs SET state = 'complete', kind = ?, began = ?, ended = ? WHERE id = ?",
                       [("run", 110, 190, 1), ("job", 150, 150, 2), ("run", 120, 180, 3)])  # fmt: skip
    put(journal, 110, "x", run=1)
    put(journal, 150, "y", run=2, weight=DECLARED)
    assert noted(journal) == [(110, "x", []), (150, "y", [])]

    put(journal, 1, "x", run=1, subject=OTHER)
    put(journal, 2, "y", run=3, subject=OTHER)  # of the next interval
    assert noted(journal) == [(1, "x", []), (2, "y", [])]

    put(journal, 2, "z", run=1, subject=OTHER)  # of the same one
    assert noted(journal) == [(2, "y", ["parallel-runs"])]
