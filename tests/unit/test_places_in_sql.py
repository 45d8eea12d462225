"""Where in a text an edge is made, line differences, and the history of columns: each against a plain way."""

from __future__ import annotations

import random

import pytest
from rounds import rounds

from lineage_tt.api.browsing.columns import Span, changes_of
from lineage_tt.api.browsing.linediff import MAX_LINES, is_compared, line_diff
from lineage_tt.api.browsing.places import MAX_SPANS, MAX_TEXT, spans
from lineage_tt.model.answers import EdgeAsOf

SEED = 20_261_124
SQL = """-- x + y, in a comment, is not it
CREATE TABLE tmp.t AS SELECT a FROM ods.orders;
INSERT INTO dw.orders SELECT X  +
  y /* not here */ AS total, `a b`, 'x + y' FROM ods.orders WHERE d = '${dt}';"""


def edge(expression: str, source: str = "hive:ods.orders#x", target: str = "hive:dw.orders#total") -> EdgeAsOf:
    """An edge with an expression."""
    return EdgeAsOf("t", source, target, "DIRECT", "", expression, 1, 0, None)


def said(sql: str, *edges: EdgeAsOf) -> list[tuple[str, str]]:
    """The places found, each with its words."""
    return [(span.what, sql[span.start : span.end]) for span in spans(sql, edges)[0]]


def test_an_expression_is_found_whatever_its_spaces_case_and_comments() -> None:
    """The statement that names both tables is marked, and in it the words of the expression."""
    found = said(SQL, edge("x + y"))

    assert [what for what, _ in found] == ["statement", "expression"]
    assert found[0][1].startswith("INSERT")
    assert found[1][1] == "X  +\n  y"


def test_an_edge_without_an_expression_marks_its_columns() -> None:
    """The names of its columns, quoted or not."""
    found = said(SQL, edge("", source="hive:ods.orders#a b"))

    assert [text for what, text in found if what == "column"] == ["total", "`a b`"]


def test_a_temporary_table_between_them_marks_both_ends() -> None:
    """Where no statement names both tables, those that name one are marked."""
    sql = "CREATE TEMP TABLE t AS SELECT a FROM ods.src; INSERT INTO dw.dst SELECT a FROM t"
    found = said(sql, edge("", source="hive:ods.src#a", target="hive:dw.dst#a"))

    assert [text[:6] for what, text in found if what == "statement"] == ["CREATE", "INSERT"]


def test_a_text_that_names_neither_has_no_place() -> None:
    """Nothing is invented."""
    assert said("SELECT 1", edge("x + y")) == []
    assert said("", edge("x")) == []
    assert said(SQL) == []


def test_runs_of_words_are_those_that_a_plain_search_finds() -> None:
    """Random rows of few words, also ones that overlap themselves."""
    print("seed", SEED)
    chance = random.Random(SEED)
    total = 0
    for _ in range(2_000):
        words = [chance.choice("ab(") for _ in range(chance.randint(1, 30))]
        wanted = [chance.choice("ab(") for _ in range(chance.randint(1, 4))]
        sql = "s t " + " ".join(words)
        found = [text for what, text in said(sql, edge(" ".join(wanted), "n:s#q", "n:t#q")) if what == "expression"]
        ends = [i for i in range(len(words)) if words[i : i + len(wanted)] == wanted]
        assert len(found) == len(ends)
        assert set(found) <= {" ".join(wanted)}
        total += len(ends)
    assert total > 2_000


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "part",
    [
        "${",
        "'",
        '"',
        "`",
        "[a",
        "/*",
        "{#",
        "--",
        "\\",
        "'\\",
        "''",
        ";",
        "(",
        "a.",
        "é",
        "\U0001f600",
        "\0",
        "x+",
        "$",
    ],
)
def test_hostile_texts_are_read_in_time_that_grows_with_them(part: str) -> None:
    """A very long text of one sign again and again is read, where a square of it would take hours; places lie in it."""
    size = rounds(MAX_TEXT)
    sql = (part * size)[: size - 20] + " s t x + y"
    found, _ = spans(sql, [edge("x + y", "n:s#x", "n:t#y")])

    assert all(0 <= span.start < span.end <= len(sql) for span in found)


def test_what_is_too_much_to_search_is_said() -> None:
    """Places were missing without a word, as if the text did not have them."""
    one = edge("x", "n:s#x", "n:t#y")

    assert spans("insert into t select x from s", [one])[1] == ""
    assert spans(f"select {'x, ' * MAX_SPANS} x from s", [one])[1] == "of 202 places only the first 200 are listed"
    assert spans("select x from s", [one] * 30)[1] == "of 30 edges only the first 20 are searched for"
    assert spans(" " * (MAX_TEXT + 1), [one]) == (
        [],
        "it has more than 500,000 characters, so it is not searched for places",
    )


def test_a_line_difference_gives_both_texts_back() -> None:
    """Random texts of few lines; also where they are too long to be compared."""
    print("seed", SEED)
    chance = random.Random(SEED)
    sizes = [(chance.randint(0, 12), chance.randint(0, 12)) for _ in range(500)]
    for sizes_of_both in [*sizes, (MAX_LINES + 10, 3), (3, MAX_LINES + 10)]:
        before, after = ("\n".join(chance.choice("abc") for _ in range(n)) for n in sizes_of_both)
        found = line_diff(before, after)
        assert is_compared(before, after) is (max(sizes_of_both) <= MAX_LINES)
        for side, gone, text in (("left", "added", before), ("right", "removed", after)):
            lines = [line for line in found if line["op"] != gone]
            assert "\n".join(line["text"] for line in lines) == text
            assert [line[side] for line in lines] == list(range(1, len(lines) + 1))
        assert all((line["left"] is None) == (line["op"] == "added") for line in found)
        assert any(line["op"] != "same" for line in found) == (before != after)


def test_the_history_of_a_column_is_what_one_sees_moment_by_moment() -> None:
    """Random intervals: replayed from the oldest, the changes say at every moment whether the column is there."""
    print("seed", SEED)
    chance = random.Random(SEED)
    for _ in range(500):
        held = []
        for version in range(chance.randint(0, 5)):
            start = chance.randint(0, 8)
            end = None if chance.random() < 0.2 else start + chance.randint(1, 4)
            held.append(Span(chance.choice("ab"), None, start, end, version))
        there: set[str] = set()
        moves = changes_of(held)
        assert moves == sorted(moves, key=lambda each: -each[0])
        for moment in range(14):
            for at, _, change, column, _, _ in reversed(moves):
                if at == moment:
                    (there.add if change == "appeared" else there.discard)(column)
            expected = {
                s.column for s in held if s.valid_from <= moment and (s.valid_to is None or moment < s.valid_to)
            }
            assert there == expected, (moment, held)


def test_another_type_is_a_change_and_the_same_type_again_is_none() -> None:
    """Two declarations one after another: only what differs is reported."""
    changes = changes_of([Span("a", "INT", 0, 5, 1), Span("a", "INT", 5, 7, 2), Span("a", "BIGINT", 7, None, 3)])

    assert changes == [(7, 3, "type-changed", "a", "BIGINT", "INT"), (0, 1, "appeared", "a", "INT", None)]
