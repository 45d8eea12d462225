"""Triggers and rules: the table whose rows change, and what runs for each."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.triggered import triggered


@pytest.mark.parametrize(
    ("sql", "dialect", "name"),
    [("create trigger g after update on d.t for each row insert into u values (new.a)", "mysql", "g"),
     ("create or replace trigger s.g after update on d.t for each row insert into u values (:new.a)", "oracle", "s.g"),
     ("create trigger if not exists g after insert on d.t for each row insert into u values (new.a)", "sqlite", "g"),
     ("create definer=`a`@`%` trigger g after insert on d.t for each row insert into u values (new.a)", "mysql", "g"),
     ("create rule r as on insert to d.t do also insert into u values (new.a)", "postgres", "r")],
)  # fmt: skip
def test_a_trigger_is_its_table_and_its_statement(sql: str, dialect: str, name: str) -> None:
    """Oracle's colon before NEW is not part of the name."""
    found = triggered(tokens_in(sql, dialect))

    assert found is not None
    assert (text_of(found[0]), text_of(found[1])) == ("d . t", "insert into u values ( new . a )")
    assert (found[2].code, found[2].subject) == ("definition-only", name)


@pytest.mark.parametrize(
    "sql",
    ["create table trigger_log (a int)", "create trigger g after update on t", "create view v as select a from rule",
     "create trigger g before insert for each row insert into u values (1)", "create"],
)  # fmt: skip
def test_what_lacks_a_table_or_a_statement_is_no_trigger(sql: str) -> None:
    """It is left to the parser."""
    assert triggered(tokens_in(sql, "mysql")) is None
