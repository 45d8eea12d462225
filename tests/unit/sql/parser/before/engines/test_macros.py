"""What Teradata's macros and procedures hold is read, whether CREATE or REPLACE defines them."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.before.engines.macros import plain_routines

BODY = "INSERT INTO d.t (a) SELECT b FROM d.s WHERE c = :p; DELETE FROM d.u WHERE c = :p;"


def lineage(sql: str):
    """Return the pairs of a text's edges without their namespace, and its problems' codes."""
    found = extract(sql, dialect="teradata", namespace="n")
    pairs = {(edge.source.removeprefix("n:"), edge.target.removeprefix("n:")) for edge in found.edges}
    return pairs, [problem.code for problem in found.problems]


@pytest.mark.parametrize(
    "text",
    [
        f"CREATE MACRO d.m (p DATE) AS ({BODY});",
        f"REPLACE MACRO d.m (p DATE, q INTEGER DEFAULT 0) AS ( {BODY} );",
        f"create macro m AS ({BODY})",
        f"REPLACE PROCEDURE d.p (IN p DATE) BEGIN {BODY} END;",
        f"REPLACE PROCEDURE d.p (p DATE) SQL SECURITY OWNER L1: BEGIN {BODY} END L1;",
        f"CREATE PROCEDURE d.p (IN p DATE) BEGIN {BODY} END;",
    ],
)
def test_the_statements_of_a_routine_are_reported(text: str) -> None:
    """A macro's were syntax errors, and so was a procedure that REPLACE defines with a parameter."""
    pairs, codes = lineage(f"{text}\nINSERT INTO d.x (a) SELECT a FROM d.y;")

    assert pairs == {("d.s#b", "d.t#a"), ("d.s#c", "d.t"), ("d.u#c", "d.u"), ("d.y#a", "d.x#a")}
    assert codes == ["definition-only"]


@pytest.mark.parametrize(
    "text",
    [
        "REPLACE VIEW d.v AS SELECT a FROM d.s;",
        "SELECT macro AS a FROM d.s;",
        "EXEC d.m (1);",
        "CREATE MACRO d.m AS (INSERT INTO d.t (a) SELECT b FROM d.s;",
    ],
)
def test_other_statements_are_read_as_before(text: str) -> None:
    """Also a macro whose bracket is not closed, which is reported."""
    _, codes = lineage(text)

    assert ("syntax" in codes) == text.startswith("CREATE MACRO")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("replace macro m (p date) as (delete t;);", "CREATE PROCEDURE m ( p date ) BEGIN delete t ; ; END ;"),
        ("replace procedure p () begin end;", "CREATE procedure p ( ) begin end ;"),
        ("select 1; replace view v as select macro", "select 1 ; replace view v as select macro"),
    ],
)
def test_a_macro_is_a_procedure_with_a_block(text: str, plain: str) -> None:
    """And REPLACE of a routine is CREATE."""
    assert text_of(plain_routines(tokens_in(text, "teradata"))) == plain
