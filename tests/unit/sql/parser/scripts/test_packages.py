"""Packages of PL/SQL taken apart."""

from __future__ import annotations

from token_texts import text_of, tokens_in

from ingest.sql.parser.parse import split
from ingest.sql.parser.scripts.packages import unpacked, without_slashes


def parts(sql: str) -> list[str | None]:
    """Return the statements of a script of Oracle as texts."""
    return [text_of(chunk) for chunk in unpacked(list(split(tokens_in(sql, "oracle"))))]


def test_a_slash_ends_a_statement_only_alone_on_its_line() -> None:
    """Division stays, at the end of a line too."""
    sql = "select 1 from dual\n/\nselect 4 / 2 /\n2\n/ 3 from dual\n/"

    assert text_of(without_slashes(tokens_in(sql, "oracle"))) == "select 1 from dual ; select 4 / 2 / 2 / 3 from dual ;"


def test_the_routines_of_a_body_are_created_each() -> None:
    """What comes before the first routine is declared; what follows is left as it is."""
    sql = "create or replace package body d.p as v number; procedure a is begin null; x := 1; end; end p"

    assert parts(sql) == ["DECLARE v number", "CREATE procedure a is begin null", "x := 1", "end", "end p"]


def test_a_routine_declared_before_its_definition_is_only_an_end() -> None:
    """It holds nothing that runs."""
    sql = "create package body p is procedure a; procedure a as begin null"

    assert parts(sql) == ["END", "CREATE procedure a as begin null"]


def test_a_packages_declaration_holds_nothing() -> None:
    """The statements after its END are read again."""
    assert parts("create package p as procedure a; v number; end p; select 1 from dual") == ["select 1 from dual"]


def test_a_script_without_packages_is_left_as_it_is() -> None:
    """A table may be called package."""
    assert parts("select 1 from dual; procedure a is begin null") == ["select 1 from dual", "procedure a is begin null"]
    assert parts("select a from package") == ["select a from package"]
