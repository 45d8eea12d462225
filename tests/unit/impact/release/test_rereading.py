"""Readers that nobody edits, read again under the columns that the release leaves, step by step."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import PlainBase, candidate, edge, resolved, text

from lineage_tt.impact.release import rereading
from lineage_tt.impact.release.release import Release
from lineage_tt.model.edges import Edge

RAW, SRC, ONE, TWO = "hive:ods.raw", "hive:dw.src", "hive:dw.one", "hive:dw.two"
SOURCE = "CREATE TABLE src AS SELECT id FROM ods.raw"
WIDER = "CREATE TABLE src AS SELECT id, name FROM ods.raw"
TEXTS = [
    text("src", SOURCE),
    text("one", "CREATE TABLE one AS SELECT * FROM src"),
    text("two", "CREATE TABLE two AS SELECT * FROM one"),
    text("named", "CREATE TABLE named AS SELECT id FROM one"),
]
EDGES = [edge("src", f"{RAW}#id", f"{SRC}#id"), edge("one", f"{SRC}#id", f"{ONE}#id"),
         edge("two", f"{ONE}#id", f"{TWO}#id"), edge("named", f"{ONE}#id", "hive:dw.named#id")]  # fmt: skip
COLUMNS: dict[str, Any] = {RAW: ("id", "name"), SRC: ("id",), ONE: ("id",), TWO: ("id",), "hive:dw.named": ("id",)}


def chain(*more: Any, **known: Any) -> PlainBase:
    """Return a table, a star over it, a star over that, and a reader that names its column."""
    return PlainBase(*EDGES, *more, **({"texts": TEXTS, "columns": COLUMNS} | known))


def outputs(made: Release) -> dict[str, tuple[str, ...]]:
    """Return the columns that each reader writes after the release."""
    return {task: columns for task, found in made.readers.items() for _, columns in found.new.outputs}


def test_a_star_takes_on_what_its_source_gets_and_so_does_the_next() -> None:
    """Each says which candidate it is because of; before the release they were as the base has them."""
    made = resolved(chain(), candidate("src", WIDER))

    assert outputs(made) == {"one": ("id", "name"), "two": ("id", "name"), "named": ("id",)}
    assert {task: found.because for task, found in made.readers.items()} == {task: {"src"} for task in made.readers}
    assert {task: found.sources for task, found in made.readers.items()} == {"one": {SRC}, "two": {ONE}, "named": {ONE}}
    assert made.readers["one"].old.edges == [Edge(f"{SRC}#id", f"{ONE}#id")]
    assert Edge(f"{ONE}#name", f"{TWO}#name") in made.readers["two"].new.edges
    assert made.after[TWO] == ("id", "name")
    assert made.notes == []


def test_where_no_columns_change_nobody_is_read() -> None:
    """A filter moves no column."""
    assert resolved(chain(), candidate("src", f"{SOURCE} WHERE id > 1")).readers == {}


def test_a_reader_whose_own_columns_stay_ends_the_way() -> None:
    """``one`` names its column now: what lies after it is not read."""
    texts = [TEXTS[0], text("one", "CREATE TABLE one AS SELECT id FROM src"), *TEXTS[2:]]

    assert set(resolved(chain(texts=texts), candidate("src", WIDER)).readers) == {"one"}


def test_edited_tasks_and_those_without_a_text_are_not_read_again() -> None:
    """The former are candidates, of the latter only edges are known."""
    base = chain(edge("plain", f"{SRC}#id", "bi:x"), texts=[TEXTS[0], TEXTS[1], text("plain", None)])

    made = resolved(base, candidate("src", WIDER), candidate("one", "CREATE TABLE one AS SELECT id FROM src"))

    assert made.readers == {}


def test_two_candidates_of_one_reader_are_both_its_reason() -> None:
    """A reader of two sources that change, found in different steps."""
    base = PlainBase(
        edge("src", f"{RAW}#id", f"{SRC}#id"), edge("one", f"{SRC}#id", f"{ONE}#id"), edge("far", RAW, "hive:dw.far#z"),
        edge("both", f"{ONE}#id", "hive:dw.both#id"), edge("both", "hive:dw.far#z", "hive:dw.both#z"),
        columns={**COLUMNS, "hive:dw.far": ("z",), "hive:dw.both": ("id", "z")},
        texts=[*TEXTS[:2], text("far", "CREATE TABLE far AS SELECT 1 AS z FROM ods.raw"),
               text("both", "CREATE TABLE both AS SELECT a.*, b.* FROM one a JOIN far b")],
    )  # fmt: skip

    made = resolved(
        base, candidate("src", WIDER), candidate("far", "CREATE TABLE far AS SELECT 1 AS z, 2 AS y FROM ods.raw")
    )

    both = made.readers["both"]
    assert both.because == frozenset({"src", "far"})
    assert both.sources == frozenset({ONE, "hive:dw.far"})
    assert both.old.outputs == (("hive:dw.both", ("id", "z")),)
    assert outputs(made)["both"] == ("id", "name", "z", "y")


def test_another_type_alone_has_readers_read_again() -> None:
    """Their own columns then are of another type, too."""
    base = chain(types={RAW: {"id": "INT", "name": "STRING"}}, declared={SRC: "src", ONE: "one", TWO: "two"})

    made = resolved(base, candidate("src", "CREATE TABLE src AS SELECT CAST(id AS DATE) AS id FROM ods.raw"))

    assert {"one", "two"} <= made.readers.keys()
    assert made.types[TWO]["id"].upper() == "DATE"


def test_a_reader_that_fills_an_unknown_table_by_position_knows_it_by_its_text() -> None:
    """A star over more columns than the text filled before no longer fits."""
    base = chain(edge("load", f"{SRC}#id", "hive:dw.loaded#id"),
                 texts=[TEXTS[0], text("load", "INSERT INTO loaded SELECT * FROM src")])  # fmt: skip

    load = resolved(base, candidate("src", WIDER)).readers["load"]

    assert [problem.code for problem in load.old.problems] == []
    assert [(problem.code, problem.subject) for problem in load.new.problems] == [("column-count", "hive:dw.loaded")]


def test_readers_in_a_ring_come_to_an_end() -> None:
    """Each is read again until nothing changes any more, and no longer."""
    base = chain(edge("back", f"{TWO}#id", f"{SRC}#id"),
                 texts=[*TEXTS, text("back", "CREATE TABLE src AS SELECT * FROM two")])  # fmt: skip

    made = resolved(base, candidate("src", WIDER))

    assert {"one", "two", "back"} <= made.readers.keys()
    assert made.notes == []


@pytest.mark.parametrize(
    ("limit", "value", "note", "read"),
    [
        ("MAX_STEPS", 1, "readers were followed over 1 steps, not further", {"one"}),
        ("MAX_READERS", 0, "only the first 1 readers were resolved again", {"one"}),
    ],
)
def test_what_is_not_followed_to_its_end_is_said(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int, note: str, read: set[str]
) -> None:
    """A report that stopped must not look whole."""
    monkeypatch.setattr(rereading, limit, value)

    made = resolved(chain(), candidate("src", WIDER))

    assert (made.notes, set(made.readers)) == ([note], read)
