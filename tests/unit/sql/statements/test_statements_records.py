"""Records of PL/SQL: fields that rows fill by position, and whole records that are inserted."""

from __future__ import annotations

import pytest
from scripted import ran, running
from sqlglot import parse_one

from ingest.sql import Extraction, extract
from ingest.sql.statements.records import assigned_field, row_in

_RECORD = "TYPE t_r IS RECORD (a NUMBER, b NUMBER); r t_r;"
_RECORDS = "TYPE t_r IS RECORD (a NUMBER, b NUMBER); TYPE tt IS TABLE OF t_r INDEX BY PLS_INTEGER; l tt;"
_INTO = "SELECT id, nm INTO r FROM q;"
_INSERT = "INSERT INTO u (x, y) VALUES (r.a, r.b);"
_OF_ROW = {"X": "Q#ID", "Y": "Q#NM"}


def read(declared: str, body: str, **columns: tuple[str, ...]) -> Extraction:
    """Extract a block, over tables of these columns."""
    known = {f"n:{name}": names for name, names in columns.items()}
    return extract(f"DECLARE {declared} BEGIN {body} END;", dialect="oracle", namespace="n", columns=known)


def filled(found: Extraction) -> dict[str, str]:
    """Return the sources of each column that is written."""
    edges = [(edge.target.partition("#")[2], edge.source[2:]) for edge in found.edges if "#" in edge.target]
    return {target: " ".join(source for name, source in edges if name == target) for target, _ in edges}


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        (_RECORD, f"{_INTO} {_INSERT}"),
        ("r k%ROWTYPE;", f"{_INTO} {_INSERT}"),
        ("CURSOR c IS SELECT a, b FROM k; r c%ROWTYPE;", f"{_INTO} {_INSERT}"),
        ("CURSOR c IS SELECT id, nm FROM q; " + _RECORD, f"OPEN c; FETCH c INTO r; {_INSERT}"),
        (
            _RECORDS,
            "SELECT id, nm BULK COLLECT INTO l FROM q; FOR i IN 1..l.COUNT LOOP"
            " INSERT INTO u (x, y) VALUES (l(i).a, l(i).b); END LOOP;",
        ),
        (
            _RECORDS,
            "SELECT id, nm BULK COLLECT INTO l FROM q;"
            " FORALL i IN 1..l.COUNT INSERT INTO u (x, y) VALUES (l(i).a, l(i).b);",
        ),
        (f"{_RECORD} s t_r;", f"{_INTO} s := r; INSERT INTO u (x, y) VALUES (s.a, s.b);"),
        (_RECORD, f"SELECT nm, id INTO r.b, r.a FROM q; {_INSERT}"),
        (_RECORD, f"SELECT id INTO r.a FROM q; SELECT nm INTO r.b FROM q; {_INSERT}"),
        (_RECORDS, "SELECT id, nm INTO l(1) FROM q; INSERT INTO u (x, y) VALUES (l(1).a, l(1).b);"),
    ],
)
def test_a_row_fills_the_fields_by_position(declared: str, body: str) -> None:
    """Each field took the first column, in a complete answer."""
    found = read(declared, body, K=("A", "B"), Q=("ID", "NM"))

    assert (filled(found), found.problems) == (_OF_ROW, ())


def test_a_row_of_unknown_columns_is_told() -> None:
    """Which column comes first is not known; fields of the type of the read table have its names."""
    fields = read(_RECORD, f"SELECT * INTO r FROM q; {_INSERT}")
    names = read("r q%ROWTYPE;", "SELECT * INTO r FROM q; INSERT INTO u (x, y) VALUES (r.id, r.nm);")

    assert ({problem.code for problem in fields.problems}, filled(fields)) == (
        {"unknown-columns"},
        {"X": "Q", "Y": "Q"},
    )
    assert (names.problems, filled(names)) == ((), _OF_ROW)


@pytest.mark.parametrize("declared", ["r pk.t_r;", "r k%ROWTYPE;"])
def test_a_field_of_an_unknown_type_is_ambiguous(declared: str) -> None:
    """No column of the row has its name: the type decides, and what was the first column is no edge."""
    found = read(declared, f"{_INTO} {_INSERT}")

    assert {(problem.code, problem.subject) for problem in found.problems} == {
        ("ambiguous-column", "R.A"),
        ("ambiguous-column", "R.B"),
    }
    assert filled(found) == {}


def test_another_number_of_columns_than_of_fields_is_told() -> None:
    """The text fails, or the type is another one by now."""
    found = read(_RECORD, f"SELECT id, nm, x INTO r FROM q; {_INSERT}")

    assert [(problem.code, problem.subject) for problem in found.problems] == [("column-count", "r")]


def test_a_field_may_be_set_by_itself() -> None:
    """The others stay; a field that nothing sets feeds nothing."""
    changed = read(_RECORD, f"{_INTO} r.b := 3; {_INSERT}")
    one = read(_RECORD, f"SELECT id INTO r.a FROM q; {_INSERT}")

    assert (filled(changed), changed.problems) == ({"X": "Q#ID"}, ())
    assert (filled(one), one.problems) == ({"X": "Q#ID"}, ())


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        (_RECORD, f"{_INTO} INSERT INTO u VALUES r;"),
        ("r q%ROWTYPE;", "SELECT * INTO r FROM q; INSERT INTO u VALUES r;"),
        ("", "FOR r IN (SELECT * FROM q) LOOP INSERT INTO u VALUES r; END LOOP;"),
        (_RECORDS, "SELECT id, nm BULK COLLECT INTO l FROM q; FORALL i IN 1..l.COUNT INSERT INTO u VALUES l(i);"),
        (
            _RECORDS,
            "SELECT id, nm BULK COLLECT INTO l FROM q; FOR i IN 1..9 LOOP INSERT INTO u VALUES l(i); END LOOP;",
        ),
        (_RECORD, f"{_INTO} UPDATE u SET ROW = r WHERE x = 3;"),
    ],
)
def test_a_whole_record_fills_the_columns_in_order(declared: str, body: str) -> None:
    """``VALUES r`` was one value, of a column ``col1``, and ROW was a column."""
    found = read(declared, body, U=("X", "Y"), Q=("ID", "NM"))

    assert (filled(found), found.problems) == (_OF_ROW, ())


def test_which_columns_a_whole_record_updates_is_told_where_they_are_not_known() -> None:
    """The table is changed, from the rows' table; no column of it is called ROW."""
    found = read(_RECORD, f"{_INTO} UPDATE u SET ROW = r WHERE x = 3;")

    assert [(problem.code, problem.subject) for problem in found.problems] == [("unknown-columns", "n:U")]
    assert {(edge.source, edge.target) for edge in found.edges} == {("n:Q", "n:U"), ("n:U#X", "n:U")}


def test_a_record_as_a_value_comes_from_all_its_columns() -> None:
    """A function's argument was the first column."""
    found = read(_RECORD, f"{_INTO} INSERT INTO u (x) VALUES (f(r));")

    assert filled(found) == {"X": "Q#ID Q#NM"}


def test_only_a_declared_name_is_a_record() -> None:
    """``r`` and ``l(i)`` hold a row, ``r.a`` a field; another name is a column or a function."""
    run = running("oracle", {})
    ran(run, f"DECLARE {_RECORD} BEGIN {_INTO} END;")
    texts = ("r", "r(1)", "r.a", "s", "r(1).a", "s.a", "3")
    nodes = [parse_one(text, dialect="oracle") for text in texts]

    assert [row_in(run, node) is not None for node in nodes] == [True, True, *[False] * 5]
    assert [assigned_field(run, node) for node in nodes] == [
        *[("", "")] * 2, ("r", "a"), ("", ""), ("r", "a"), *[("", "")] * 2,
    ]  # fmt: skip
