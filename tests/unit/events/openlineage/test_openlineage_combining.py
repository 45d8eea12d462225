"""Column lineage of an engine and that of the text of its query, as one."""

from __future__ import annotations

from ingest.events.openlineage.combining import combined, matched, with_kinds_of_names
from lineage_tt.model.edges import EdgeTuple


def direct(source: str, target: str, subtype: str = "TRANSFORMATION", expression: str = "") -> EdgeTuple:
    """An edge that carries values."""
    return source, target, "DIRECT", subtype, expression


def deciding(source: str, target: str) -> EdgeTuple:
    """An edge that decides over rows."""
    return source, target, "INDIRECT", "FILTER", ""


def test_the_text_says_of_what_kind_a_pair_is() -> None:
    """Of a pair that both have, all kinds of the text count and not the engine's; what one has alone is kept."""
    text = [direct("d:a#x", "d:b#x", "IDENTITY"), deciding("d:a#x", "d:b#x"), deciding("d:a#w", "d:b")]
    engine = [direct("d:a#x", "d:b#x"), direct("d:a#z", "d:b#y")]

    assert combined(engine, text) == {*text, engine[1]}
    assert combined(engine, []) == set(engine)
    assert combined([], text) == set(text)


def test_a_star_gives_way_to_an_engine_that_knows_columns() -> None:
    """Only between the same two datasets: of others the star is all that is known."""
    star, other = direct("d:a#*", "d:b#*", "IDENTITY"), direct("d:c#*", "d:b#*", "IDENTITY")
    half = direct("d:a#x", "d:b#*")

    assert combined([direct("d:a#x", "d:b#x")], [star, other, half]) == {direct("d:a#x", "d:b#x"), other}
    assert combined([direct("d:a", "d:b")], [star]) == {direct("d:a", "d:b"), star}


def test_a_name_in_the_place_of_an_expression_takes_the_kind_of_the_text() -> None:
    """As Hive gives the columns of a UNION; an expression that is more than a name stays, and so does a condition."""
    named, computed = direct("d:a#x", "d:b#y", expression="y"), direct("d:a#z", "d:b#y", expression="y + 1")
    condition = ("d:a#x", "d:b#y", "INDIRECT", "FILTER", "y")
    text = [direct("d:a#x", "d:b#y", "AGGREGATION", "max(x)"), direct("d:a#z", "d:b#y", "IDENTITY", "z")]

    assert with_kinds_of_names([named, computed, condition], text) == {text[0], computed, condition}


def test_a_name_stays_where_the_text_is_not_clear() -> None:
    """Where it has no such pair, several values of it, or only conditions."""
    named = direct("d:a#x", "d:b#y", expression="y")
    two = [direct("d:a#x", "d:b#y", "IDENTITY"), direct("d:a#x", "d:b#y", "AGGREGATION")]

    assert with_kinds_of_names([named], []) == {named}
    assert with_kinds_of_names([named], two) == {named}
    assert with_kinds_of_names([named], [deciding("d:a#x", "d:b#y")]) == {named}
    assert with_kinds_of_names([named], [two[0], deciding("d:a#x", "d:b#y")]) == {two[0]}


def test_a_star_counts_as_the_engine_s_pairs_of_one_name() -> None:
    """Between its two datasets; a pair of different names is none of a star's."""
    engine = {("d:a#x", "d:b#x"), ("d:a#y", "d:b#z"), ("d:c#x", "d:b#x")}
    text = {("d:a#*", "d:b#*"), ("d:a#y", "d:b#y")}

    assert matched(engine, text) == (engine, {("d:a#x", "d:b#x"), ("d:a#y", "d:b#y")})
    assert matched(engine, {("d:c#x", "d:b#x")}) == (engine, {("d:c#x", "d:b#x")})
    assert matched(set(), text) == (set(), {("d:a#y", "d:b#y")})
