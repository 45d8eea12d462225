"""The row's checksum: of the row before and of every column but itself, in one form that anybody can compute."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import pytest

from lineage_tt.model.format import COLUMN_TYPES, GENESIS, LogRow, canonical, chain_checksum

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
ROW = LogRow(
    1, 1_700_000_000_000_000, "accepted", "e1", "t", "online", 5, edges=[EDGE], changes=[(1, *EDGE, 5, None)],
    content_sha256=b"\x01\xff", rejected_bytes=b"\x00", actor="Zoë",
)  # fmt: skip


def test_the_canonical_form_is_plain_json() -> None:
    """Instants as integers, structs as arrays, bytes as hex, absent as null, UTF-8 without white space."""
    text = canonical(ROW)

    assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False).encode()
    values = dict(zip(LogRow._fields, json.loads(text), strict=False))
    assert values["system_time"] == 1_700_000_000_000_000
    assert values["edges"] == [list(EDGE)]
    assert values["changes"] == [[1, *EDGE, 5, None]]
    assert (values["content_sha256"], values["rejected_bytes"], values["actor"]) == ("01ff", "00", "Zoë")
    assert "checksum" not in values


def test_a_checksum_is_sha256_over_the_one_before_and_the_row() -> None:
    """As the reference page of the format says it; a long row, hashed in pieces, too."""
    for row in (ROW, ROW._replace(sql="SELECT 1" * 5000)):
        assert chain_checksum(GENESIS, row) == hashlib.sha256(GENESIS + canonical(row)).digest()


@pytest.mark.parametrize("name", LogRow._fields[:-1])
def test_every_column_counts(name: str) -> None:
    """A row with another value in any one column has another checksum."""
    given = getattr(ROW, name)
    other: Any = given + 1 if isinstance(given, int) else b"other" if isinstance(given, bytes) else "other"
    if isinstance(given, list | tuple):
        other = [*given, ("other",)]

    assert chain_checksum(GENESIS, ROW._replace(**{name: other})) != chain_checksum(GENESIS, ROW)


def test_the_order_of_rows_counts() -> None:
    """Random rows in another order end in another checksum."""
    draw = random.Random(7)
    rows = [ROW._replace(version=number, event_id=f"e{draw.random()}") for number in range(5)]

    def end(of: list[LogRow]) -> bytes:
        checksum = GENESIS
        for row in of:
            checksum = chain_checksum(checksum, row)
        return checksum

    assert end(rows) != end([rows[1], rows[0], *rows[2:]])
    assert end(rows) != end(rows[:-1])


def test_every_column_has_a_type() -> None:
    """The columns of the file are those of the row, in order."""
    assert tuple(COLUMN_TYPES) == LogRow._fields
