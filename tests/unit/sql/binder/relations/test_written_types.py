"""Types that a text says."""

from __future__ import annotations

import pytest
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from ingest.sql.binder.relations.written_types import written_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a INT, b STRUCT<c: STRING>", "STRUCT<a: INT, b: STRUCT<c: STRING>>"),
        ("struct<a:int>", "STRUCT<a: INT>"),
        ("array<struct<a:int>>", "ARRAY<STRUCT<a: INT>>"),
        ("a INT NOT NULL COMMENT 'x'", "STRUCT<a: INT NOT NULL COMMENT 'x'>"),
        ("map<string,int>", None),
        ('{"type": "struct"}', None),
        ("this is no ( type", None),
        ("", None),
        ("a", None),
        ("a STRUCT<" * 50, None),
    ],
)
def test_a_schema_is_a_type(text: str, expected: str | None) -> None:
    """Its columns, a whole type, or nothing that is known."""
    kind = written_type(exp.Literal.string(text), Dialect.get_or_raise("spark"))

    assert (kind.sql("spark") if kind is not None else None) == expected
    assert written_type(exp.column("a"), Dialect.get_or_raise("spark")) is None


def test_a_documents_fields_are_those_of_its_schema(lineage) -> None:
    """``p.*`` of a parsed column was a star, and the answer partial."""
    parsed = "SELECT x, from_json(m, 'q INT, r STRING') AS p FROM w"
    result = lineage(f"INSERT INTO o SELECT x, p.* FROM ({parsed})", "spark", target=None)

    assert result.names() == {"x": "w#x", "q": "w#m", "r": "w#m"}
    assert result.found.coverage == "complete"
    wrong = lineage(f"INSERT INTO o SELECT p.nope FROM ({parsed})", "spark", target=None)
    assert wrong.codes() == {"unknown-column"}
