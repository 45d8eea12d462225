"""What the head of a PL/SQL block says of the fields of its variables."""

from __future__ import annotations

import pytest
from token_texts import tokens_in

from ingest.sql.parser.scripts.blocks import declared
from ingest.sql.parser.scripts.records import Typed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TYPE t IS RECORD (a NUMBER(3, 2), b d.q.c%TYPE := 'x')", Typed("t", is_type=True, fields=("a", "b"))),
        ("TYPE t IS TABLE OF d.q%ROWTYPE INDEX BY PLS_INTEGER", Typed("t", is_type=True, like="d.q")),
        ("TYPE t IS VARRAY(10) OF r", Typed("t", is_type=True, of="r")),
        ("r t", Typed("r", of="t")),
        ("r CONSTANT p.t := p.f()", Typed("r", of="p.t")),
        ("r c%ROWTYPE", Typed("r", like="c")),
        ("v NUMBER(3)", Typed("v", of="NUMBER")),
    ],
)
def test_a_declaration_says_what_the_fields_are(text: str, expected: Typed) -> None:
    """Their names, the table or cursor whose columns they are, or a type that says so."""
    assert declared(tokens_in(text, "oracle")).typed == (expected,)


def test_cursors_and_exceptions_have_no_fields() -> None:
    """Nor have routines and pragmas."""
    head = declared(tokens_in("CURSOR c IS SELECT 1 FROM t; PRAGMA autonomous_transaction; TYPE k", "oracle"))

    assert head.typed == ()
