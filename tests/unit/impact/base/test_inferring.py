"""Types of columns: stated ones first, else what the texts that made the columns let one infer, from the sources up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from plain_base import PlainBase, edge, text

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.base import inferring
from lineage_tt.impact.base.inferring import TypesOf, side_of
from lineage_tt.impact.texts import Side, TextDifference

ODS, MID, TOP = "hive:ods.o", "hive:dw.mid", "hive:dw.top"


class Counted(SqlAnalyst):
    """An analyst in this process that counts the texts that it reads."""

    def __init__(self) -> None:
        super().__init__(0)
        self.read = 0

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Compare, and count."""
        self.read += len(pairs)
        return super().compare(pairs)


def chain(**more: object) -> PlainBase:
    """Return orders with stated types, a table made of them, and one made of that."""
    columns = {ODS: ("Id", "price"), MID: ("id", "half"), TOP: ("most",)}
    texts = [text("mid", "CREATE TABLE mid AS SELECT id, CAST(price AS STRING) AS half FROM ods.o"),
             text("top", "CREATE TABLE top AS SELECT max(half) AS most FROM mid")]  # fmt: skip
    edges = [edge("mid", f"{ODS}#id", f"{MID}#id"), edge("top", f"{MID}#half", f"{TOP}#most")]
    return PlainBase(
        *edges, columns=columns, types={ODS: {"Id": "BIGINT", "price": "DOUBLE"}}, texts=texts,
        declared={MID: "mid", TOP: "top"},
    )  # fmt: skip


def test_stated_types_need_no_text() -> None:
    """Names come in lower case; a dataset of which nothing is known is left out."""
    analyst = Counted()

    assert TypesOf(chain(), analyst)([ODS, "hive:dw.nowhere"]) == {ODS: {"id": "BIGINT", "price": "DOUBLE"}}
    assert analyst.read == 0


def test_types_are_inferred_from_the_sources_up() -> None:
    """The maximum of a cast column of declared ones has the type of the cast."""
    types = TypesOf(chain(), Counted())

    assert types([TOP])[TOP]["most"].upper() in ("TEXT", "STRING", "VARCHAR")
    assert types([MID])[MID]["id"].upper() == "BIGINT"


def test_a_text_is_read_once() -> None:
    """Whoever asks again, or asks for a dataset that was met on the way, costs nothing."""
    analyst = Counted()
    types = TypesOf(chain(), analyst)

    for _ in range(2):
        types([TOP])
        types([MID, TOP])

    assert analyst.read == 2


def test_a_dataset_made_of_itself_ends() -> None:
    """Its own type is not known while it is inferred; what the text computes is."""
    base = PlainBase(
        edge("loop", f"{MID}#a", f"{MID}#a"), columns={MID: ("a", "b")}, declared={MID: "loop"},
        texts=[text("loop", "CREATE TABLE mid AS SELECT a, CAST(a AS DATE) AS b FROM mid")],
    )  # fmt: skip

    assert TypesOf(base, Counted())([MID])[MID]["b"].upper() == "DATE"


def test_beyond_so_many_texts_types_stay_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read before the limit is kept, what would exceed it is not read, and a note of the report says so."""
    monkeypatch.setattr(inferring, "MAX_TEXTS", 1)
    analyst = Counted()
    types = TypesOf(chain(), analyst)

    assert set(types([MID])) == {MID}
    assert list(types.notes()) == []
    assert types([TOP]) == {}
    assert analyst.read == 1
    assert [note for note in types.notes() if "no more than 1 texts: those of columns of 1 dataset," in note]


def test_a_text_comes_with_what_it_reads_alone() -> None:
    """Columns and types of its sources, where they are known; fields that are None are empty."""
    given = text("t", None)._replace(dialect=None, namespace=None, default_database=None, target="bi:x")

    side = side_of(given, {ODS, "n:new"}, {ODS: ("id",), MID: ("x",)}, {MID: {"x": "INT"}, ODS: {}})

    assert side == Side("", "", "", "", "bi:x", {}, {ODS: ("id",)}, {})
