"""Functions of the pages' modules as they are written, called in a real browser; and a page made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsers import Watched, watching
from playwright.sync_api import Browser, expect
from services import Served


@pytest.fixture(scope="module")
def opened(browser: Browser, as_written: Served) -> Iterator[Watched]:
    """A page whose modules are those of the source: it calls functions that keep nothing."""
    with watching(browser, as_written.base) as page:
        page.open()
        yield page


def run(opened: Watched, module: str, code: str, *given: Any) -> Any:
    """Call a function of the pages in the browser: ``code`` is an expression over ``m``, the module, and ``a``."""
    result = opened.page.evaluate(f"([a]) => import('/ui/app/{module}').then((m) => {code})", [list(given)])
    opened.clean()
    return result


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (["a", 'b"c', "d,e"], 'a,"b""c","d,e"'),
        (["=1+1", "+x", "-x", "@x", "\uff1dx"], "'=1+1,'+x,'-x,'@x,'\uff1dx"),
        ([-5, None, "l\nm"], '-5,,"l\nm"'),
    ],
)
def test_csv_is_safe_in_a_spreadsheet(opened: Watched, row: list[Any], line: str) -> None:
    """Fields are quoted as RFC 4180 has it, and none is a formula."""
    assert run(opened, "parts/export.js", "m.csvOf(['h'], [a[0]])", row) == f"h\r\n{line}\r\n"


@pytest.mark.parametrize("word", ["", "2026-03-05T12:00:00Z", "2026-03-05T12:00:00Z@v91", "now@2026-03-06T09:00:00Z"])
def test_a_point_is_read_and_written(opened: Watched, word: str) -> None:
    """Reading a point and writing it gives the word again."""
    assert run(opened, "points.js", "m.pointWord(m.readPoint(a[0]))", word) == word


@pytest.mark.parametrize(
    ("node", "namespace", "label", "column"),
    [
        ("hive:dw.orders#id", "hive", "dw.orders", "id"),
        ("postgres://crm:5432:crm.public.customers", "postgres://crm:5432", "crm.public.customers", None),
        ("s3://drop:fx/rates.csv#rate", "s3://drop", "fx/rates.csv", "rate"),
        ("kafka:prod/a:b", "kafka", "prod/a:b", None),
        ("kafka://b1:9092,b2:9092:a#x", "kafka://b1:9092,b2:9092", "a", "x"),
        ("arn:aws:glue:us-east-1:12:table/db/t", "arn:aws:glue:us-east-1:12", "table/db/t", None),
        ("azurecosmos://acc.example/dbs/x:colls/t", "azurecosmos://acc.example/dbs/x", "colls/t", None),
        ("spanner://p:i:db.t", "spanner://p:i", "db.t", None),
        ("postgres://[::1]:None:db.t", "postgres://[::1]:None", "db.t", None),
        ("1st of all:t", "1st of all", "t", None),
    ],
)
def test_names_are_taken_apart_as_the_store_does(
    opened: Watched, node: str, namespace: str, label: str, column: str | None
) -> None:
    """Namespace, dataset and column are those of ``lineage_tt.model.edges``."""
    from lineage_tt.model.edges import dataset_of, split_dataset

    assert split_dataset(dataset_of(node)) == (namespace, label)
    expected = {"namespace": namespace, "dataset": dataset_of(node), "label": label, "column": column}
    assert run(opened, "parts/names.js", "m.splitNode(a[0])", node) == expected


def test_sql_keeps_every_letter_and_marks_the_span(opened: Watched) -> None:
    """The pieces of a text put together are the text; the marked ones are the span."""
    sql = "SELECT a, 'it''s -- no comment' AS b -- why\nFROM t /* over\nlines */ WHERE x = 1.5"
    start = sql.index("'it")
    lines = run(opened, "parts/sql.js", "m.pieces(a[0], [{start: a[1], end: a[2]}])", sql, start, start + 5)

    assert "\n".join("".join(piece["text"] for piece in line) for line in lines) == sql
    assert "".join(piece["text"] for line in lines for piece in line if piece["marked"]) == "'it''"
    kinds = {piece["text"]: piece["kind"] for line in lines for piece in line}
    assert (kinds["-- why"], kinds["lines */"], kinds["1.5"]) == ("comment", "comment", "number")


def test_marks_of_direction_are_seen(opened: Watched) -> None:
    """A mark that would turn round the text beside it is shown as its code."""
    assert run(opened, "texts.js", "m.plain(a[0])", "a\u202eb\u2066\u0639") == "a\\u202eb\\u2066\u0639"


def test_the_modules_as_written_make_the_page(browser: Browser, as_written: Served) -> None:
    """A checkout serves the modules one by one, and they show what the packed ones show."""
    with watching(browser, as_written.base) as written:
        written.open("graph", node="hive:dws.revenue_daily#revenue", direction="up")
        expect(written.page.locator(".g-port .g-head").first).to_be_visible()
        written.clean()
