"""Texts of one task compared for the search for root causes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.governance.cause.ports import Text, TextChange
from lineage_tt.impact.causes import comparing
from lineage_tt.impact.texts import Side, TextDifference

SOURCES = ("hive:dw.a#id", "hive:dw.a#paid", "hive:dw.b#id", "hive:dw.b#name", "hive:dw.b", "hive:dw.c#*")


def changed(*pairs: tuple[str, str], sources: tuple[str, ...] = SOURCES) -> Sequence[TextChange | None]:
    """Compare texts of a task over ``hive:dw`` in this process."""
    with SqlAnalyst(0) as analyst:
        texts = [tuple(Text(sql, "spark", "hive", "dw", None, sources) for sql in pair) for pair in pairs]
        return comparing(analyst)([(one, other) for one, other in texts])


SQL = "CREATE TABLE t AS SELECT a.id, paid, name FROM a JOIN b ON a.id = b.id"


def test_layout_is_no_change_and_what_changes_is_named() -> None:
    """Answers come in the order of the pairs, each with the columns and the word that tell."""
    same, expression = changed(
        (SQL, SQL.replace(" JOIN", "\n  JOIN /* é */")), (SQL, SQL.replace(" paid,", " paid + 1 AS paid,"))
    )

    assert same == TextChange(True)
    assert expression == TextChange(False, frozenset({"paid"}), ("expression",))


def test_a_bare_name_is_of_the_table_that_was_found_to_have_it() -> None:
    """``name`` can be of one source alone: writing its table before it changes nothing."""
    assert changed((SQL, SQL.replace(" name", " b.name"))) == [TextChange(True)]


def test_a_text_that_cannot_be_read_is_none() -> None:
    """Nothing is claimed of it; the other pairs are answered."""
    unread, same = changed((SQL, "SELECT FROM ((("), (SQL, SQL))

    assert (unread, same) == (None, TextChange(True))


def test_nothing_to_compare_is_nothing() -> None:
    """Without pairs there are no answers."""
    assert changed() == []


class Kept:
    """Answers as it is given them, and keeps what it was asked."""

    def __init__(self, *answers: TextDifference) -> None:
        self.answers, self.asked = list(answers), list[tuple[Side, Side]]()

    def __call__(self, waiting: object) -> list:
        """Read nothing."""
        return []

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Return the answers."""
        self.asked += pairs
        return self.answers


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        (TextDifference(failure="syntax", same=True), None),
        (TextDifference(changed=("x",), reasons=("filter",)), TextChange(False, None, ("filter",))),
        (TextDifference(comparable=True, changed=("x", "y")), TextChange(False, frozenset({"x", "y"}), ())),
    ],
    ids=["not read", "not comparable", "comparable"],
)
def test_columns_are_named_only_where_each_could_be_followed(difference: TextDifference, expected) -> None:
    """Where single columns could not be distinguished, None says so."""
    assert comparing(Kept(difference))([(Text("a"), Text("b"))]) == [expected]


def test_what_is_not_stated_of_a_text_has_its_default() -> None:
    """Without dialect and namespace a text is Hive's; both sides know the columns by name that either reads."""
    analyst = Kept(TextDifference(same=True))

    comparing(analyst)(
        [(Text("a", sources=("hive:x#b", "hive:x#a")), Text("b", "trino", sources=("hive:y#c", "hive:z", "hive:z#*")))]
    )

    ((one, other),) = analyst.asked
    assert (one.dialect, one.namespace, one.default_database) == ("hive", "hive", "")
    assert (other.dialect, other.namespace) == ("trino", "trino")
    assert dict(one.columns) == dict(other.columns) == {"hive:x": ("a", "b"), "hive:y": ("c",)}
