"""Stars and columns against a naive reading: at any valid time a star stands for the columns in force at that time."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import event, given, settings
from hypothesis import strategies as st
from rounds import rounds
from stars import star_resolver

from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Message, NodeChange, TaskChange

DATASETS = ("n:a", "n:b")
TASKS = ("t1", "t2")
TIMES = range(1, 7)


class Said(NamedTuple):
    """A message in the model's words; ``what`` are columns of a dataset, or the dataset that a task's star reads."""

    event: str
    subject: str
    op: str
    at: int
    what: tuple[str, ...] = ()
    retracts: str | None = None


def message(said: Said) -> Message:
    """Return the store's message."""
    if said.subject in TASKS:
        sql = said.what[0] if said.op == "update" else None
        at = None if said.op == "retract" else said.at
        return TaskChange(said.event, said.subject, said.op, at, sql=sql, retracts=said.retracts)  # type: ignore[arg-type]
    at = None if said.op == "retract" else said.at
    fields = [Field(name) for name in said.what]
    return NodeChange(said.event, "dataset", said.subject, said.op, at, fields=fields, retracts=said.retracts)  # type: ignore[arg-type]


def in_force(story: Sequence[Said], subject: str, at: int) -> Said | None:
    """Return the statement of a subject in force at a valid time: the last sent of those with the latest time."""
    withdrawn: set[str | None] = set()
    for said in reversed(story):
        if said.op == "retract" and said.subject == subject and said.event not in withdrawn:
            withdrawn.add(said.retracts)
    best: Said | None = None
    for said in story:
        counts = said.subject == subject and said.op != "retract" and said.event not in withdrawn and said.at <= at
        if counts and (best is None or said.at >= best.at):
            best = said
    return best


def expected(story: Sequence[Said], at: int) -> set[tuple[str, str, str]]:
    """Return (task, source, target) of every edge in force."""
    result = set()
    for task in TASKS:
        said = in_force(story, task, at)
        if said is not None and said.op == "update":
            columns = in_force(story, said.what[0], at)
            for name in columns.what if columns else ():
                result.add((task, f"{said.what[0]}#{name}", f"n:out_{task}#{name}"))
    return result


@st.composite
def stories(draw: st.DrawFn) -> list[Said]:
    """Up to twelve messages about two tasks and two datasets, some of them retracts of earlier ones."""
    story: list[Said] = []
    for number in range(draw(st.integers(1, 12))):
        subject, at = draw(st.sampled_from([*TASKS, *DATASETS])), draw(st.sampled_from(TIMES))
        earlier = [said.event for said in story if said.subject == subject]
        if earlier and draw(st.integers(0, 4)) == 0:
            story.append(Said(f"e{number}", subject, "retract", 0, retracts=draw(st.sampled_from(earlier))))
        elif subject in TASKS:
            op = draw(st.sampled_from(["update", "update", "offline"]))
            story.append(Said(f"e{number}", subject, op, at, (draw(st.sampled_from(DATASETS)),)))
        else:
            names = draw(st.lists(st.sampled_from("xyz"), unique=True, max_size=3))
            story.append(Said(f"e{number}", subject, "define" if names else "drop", at, tuple(names)))
    return story


def rows(store: Store) -> list[tuple[object, ...]]:
    """Return what the log says, without the times at which it came to know it."""
    return store.sql("SELECT * EXCLUDE (system_time, checksum) FROM log ORDER BY version")[1]


@settings(max_examples=rounds(25))
@given(story=stories(), cuts=st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_star_stands_for_the_columns_in_force(story: list[Said], cuts: list[bool]) -> None:
    """Whatever comes in whatever order, in one batch or in many, a star's edges are those of the columns then."""
    with tempfile.TemporaryDirectory() as folder:
        alone, batched = Store.create(Path(folder, "alone")), Store.create(Path(folder, "batched"))
        waiting: list[Message] = []
        for said, cut in zip(story, cuts, strict=False):
            alone = Store.open(Path(folder, "alone")) if cut else alone
            receipt = alone.append([message(said)], resolver=star_resolver)[0]
            assert receipt.status == "accepted"
            event("a star was resolved again" if receipt.derived else "nothing was resolved again")
            waiting.append(message(said))
            if cut:
                batched.append(waiting, resolver=star_resolver)
                waiting = []
        batched.append(waiting, resolver=star_resolver)

        for at in (0, *TIMES, 100):
            view = alone.as_of(at)
            assert expected(story, at) == {(e.task_id, e.source, e.target) for e in view.edges()}
            for dataset in DATASETS:
                declared = in_force(story, dataset, at)
                assert (declared.what if declared else ()) == tuple(
                    c.column for c in view.columns(dataset, inferred=False)
                )
        assert rows(alone) == rows(batched)
        assert check(Path(folder, "alone")) == []


@settings(max_examples=rounds(25))
@given(story=stories())
def test_a_field_id_is_never_given_twice(story: list[Said]) -> None:
    """A name keeps its id from one declaration to the next, and no id ever stands for two names of one declaration."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder))
        store.append([message(said) for said in story], resolver=star_resolver)

        for dataset in DATASETS:
            seen: dict[tuple[int | None, int], str] = {}
            for at in (0, *TIMES):
                for column in store.as_of(at).columns(dataset, inferred=False):
                    assert column.field_id is not None
                    assert seen.setdefault((column.field_id, column.version), column.column) == column.column
