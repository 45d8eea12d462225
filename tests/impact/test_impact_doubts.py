"""Downstreams that nobody knows whole, and releases that only look like breaks, as the command reports them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import SALES, impact
from releases import platform, sql_change

#: Readers of dw.sales (columns id, amount, status) whose lineage is not complete.
READERS = {
    "torn": "MERGE dw.torn FROM dw.sales",
    "mixed": "CREATE TABLE mixed AS SELECT status, nobody_knows FROM sales JOIN src.mystery m ON sales.id = m.id"
    " JOIN src.riddle d ON sales.id = d.id",
    "templated": "CREATE TABLE templated AS SELECT id FROM sales WHERE id > ${least}",
}
#: A table of unknown columns, by star, and what reads it.
STAR = {
    "copy": "CREATE TABLE copy AS SELECT * FROM src.mystery",
    "sums": "CREATE TABLE sums AS SELECT sum(price) AS price FROM copy",
}
LOAD = "INSERT INTO TABLE loaded SELECT id AS a, amount AS b FROM sales"
LOADED = {"load": LOAD, "loaded_reader": "CREATE TABLE loaded_reader AS SELECT a, b FROM loaded"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store whose tasks are not all complete."""
    folder = tmp_path_factory.mktemp("doubtful")
    tasks = READERS | STAR | LOADED
    readers = {f"r{n}": f"CREATE TABLE r{n} AS SELECT id FROM sales WHERE amount > {n}" for n in range(17)}
    platform(folder / "store", *(sql_change(task, sql) for task, sql in (tasks | readers).items()))
    return folder


def test_a_downstream_that_ends_at_partial_or_opaque_tasks_is_unknown_and_names_them(work: Path) -> None:
    """A filter changes: potentially breaking for the readers that are known, unknown for what the others do with it."""
    (work / "sales.sql").write_text(SALES.replace("'paid'", "'open'"))

    done = impact(work, "sales.sql", "--format", "json")
    found = {f["reader"]: f for f in done.result["findings"] if f["kind"] == "unknown-reader"}

    assert done.status == 1
    assert done.tasks == {"sales": ("update", "unknown")}
    assert set(found) == {"torn", "mixed"}
    assert "its lineage is opaque" in found["torn"]["reason"]
    assert "its lineage is partial" in found["mixed"]["reason"]
    assert found["torn"]["subject"] == "hive:dw.sales"
    completeness = json.loads(done.out)["completeness"]
    assert completeness["complete"] is False
    assert {"torn": "opaque", "mixed": "partial"}.items() <= {
        task["task_id"]: task["coverage"] for task in completeness["tasks"]
    }.items()
    allowed = impact(work, "sales.sql", "--allow", "unknown")
    assert allowed.status == 0
    assert "incomplete: what is known of mixed (partial)" in allowed.out


def test_an_added_column_is_unknown_where_a_direct_reader_is(work: Path) -> None:
    """A reader that could not be read may take columns by position: what is only added is not safe for it."""
    (work / "sales.sql").write_text(SALES.replace("status FROM", "status, email FROM"))

    assert impact(work, "sales.sql", "--format", "json").tasks == {"sales": ("update", "unknown")}


def test_layout_stays_no_impact_whatever_is_downstream(work: Path) -> None:
    """Where nothing changes, nothing downstream can be in doubt."""
    (work / "sales.sql").write_text(SALES + " -- hi")

    done = impact(work, "sales.sql", "--format", "json")

    assert done.status == 0
    assert done.tasks == {"sales": ("update", "none")}


def test_a_star_over_unknown_columns_does_not_end_the_downstream(work: Path) -> None:
    """What reads a column of a table filled by a star is downstream of the star's source."""
    (work / "copy.sql").write_text("CREATE TABLE copy AS SELECT * FROM src.mystery WHERE price > 1")

    done = impact(work, "copy.sql", "--format", "json")

    assert done.tasks == {"copy": ("update", "potentially_breaking")}
    assert "hive:dw.sums" in {reader["dataset"] for reader in done.result["readers"]}


def test_a_star_in_the_place_of_columns_is_unknown_not_a_loss(work: Path) -> None:
    """Columns become a star over a table that nobody declares: nobody can say whether they are still there."""
    (work / "sales.sql").write_text("CREATE TABLE sales AS SELECT * FROM src.mystery")

    done = impact(work, "sales.sql", "--format", "json")

    assert done.tasks == {"sales": ("update", "unknown")}
    assert ("unknown-columns", "hive:dw.sales") in {(f["kind"], f["subject"]) for f in done.result["findings"]}
    assert "breaking" not in {f["class"] for f in done.result["findings"]}


def test_a_coordinated_rename_is_one_finding(work: Path) -> None:
    """A column and its readers are renamed in one release: one finding names them, no filter is said to change."""
    names = ["mirror", "totals", "load", "mixed", "torn"]
    (work / "sales.sql").write_text(SALES.replace("amount,", "amount AS paid,"))
    for n in range(17):
        (work / f"r{n}.sql").write_text(f"CREATE TABLE r{n} AS SELECT id FROM sales WHERE paid > {n}")
    (work / "totals.sql").write_text(
        "CREATE TABLE totals AS SELECT status, sum(paid) AS total FROM sales GROUP BY status"
    )
    (work / "load.sql").write_text(LOAD.replace("amount AS b", "paid AS b"))
    (work / "mirror.sql").write_text("CREATE TABLE mirror AS SELECT id, paid AS amount, status FROM sales")

    done = impact(work, ".", "--format", "json", "--allow", "unknown")
    findings = [f for f in done.result["findings"] if f["reader"] not in names]

    assert [(f["kind"], f["class"], f["subject"]) for f in findings] == [
        ("unread", "potentially_breaking", "hive:dw.sales#amount")
    ]
    assert (
        "renamed to paid; what reads it changes with it (load, mirror, r0, r1, r10 and 15 more)"
        in findings[0]["reason"]
    )
    assert {name for name, (_, class_) in done.tasks.items() if class_ != "none"} == {"sales"}


def test_renames_are_followed_from_task_to_task(work: Path) -> None:
    """The reader renames its own column, too, and so does the reader's reader."""
    (work / "sales.sql").write_text(SALES.replace("amount,", "amount AS paid,"))
    (work / "totals.sql").write_text(
        "CREATE TABLE totals AS SELECT status, sum(paid) AS paid FROM sales GROUP BY status"
    )
    (work / "task.yaml").write_text("task_id: board\nsql: board.sql\ntarget: bi:board/42\n")
    (work / "board.sql").write_text("SELECT status, paid AS total FROM totals")

    done = impact(work, "sales.sql", "totals.sql", "board.sql", "--format", "json", "--allow", "unknown")
    changes = {(c["dataset"], c["change"], c["column"], c["after"]) for t in done.result["tasks"] for c in t["columns"]}

    assert changes == {
        ("hive:dw.sales", "renamed", "amount", "paid"),
        ("hive:dw.totals", "renamed", "total", "paid"),
    }


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        (LOAD.replace("AS a", "AS x").replace("AS b", "AS y"), "none"),
        (LOAD.replace(" AS a", ""), "none"),
        (LOAD.replace("amount AS b", "amount * 2 AS b"), "potentially_breaking"),
        (LOAD.replace("id AS a, amount AS b", "amount AS a, id AS b"), "potentially_breaking"),
        (LOAD.replace("AS b", "AS b, status AS c"), "unknown"),
    ],
)
def test_a_positional_insert_does_not_break_on_an_alias(work: Path, text: str, class_: str) -> None:
    """An alias of an insert by position names nothing outside of it; another number of columns cannot be judged."""
    (work / "load.sql").write_text(text)

    assert impact(work, "load.sql", "--format", "json").tasks == {"load": ("update", class_)}


@pytest.mark.parametrize(
    ("before", "after", "meaning"),
    [
        ("id > ${least}", "id > ${least} AND amount > ${most}", {"id"}),
        ("id > ${least}", "id  >  ${least} -- hi", set()),
        ("dt = '${dt}'", "dt = '${day}'", {"id"}),
    ],
)
def test_a_templated_text_is_compared_column_by_column(work: Path, before: str, after: str, meaning: set[str]) -> None:
    """A value that nobody gave is compared by its name: a text with templates does not change as a whole."""
    sql = "CREATE TABLE windows AS SELECT id FROM sales WHERE {}"
    given = [{"task_id": "w", "sql": sql.format(after), "earlier": {"sql": sql.format(before)}}]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))
    columns = {c["column"] for t in done.result["tasks"] for c in t["columns"] if c["change"] == "meaning"}

    assert columns == meaning


def test_what_is_added_to_a_templated_text_leaves_the_other_columns_alone(work: Path) -> None:
    """A column more: the columns that were there mean what they meant."""
    sql = "CREATE TABLE w AS SELECT id{} FROM sales WHERE id > ${{least}}"
    given = [{"task_id": "w", "sql": sql.format(", amount"), "earlier": {"sql": sql.format("")}}]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))

    assert done.tasks == {"w": ("update", "additive")}
    assert [(c["change"], c["column"]) for c in done.result["tasks"][0]["columns"]] == [("added", "amount")]


@pytest.mark.parametrize(
    "after",
    [
        "CREATE OR REPLACE TABLE w COMMENT 'x' AS SELECT id, amount FROM sales",
        "SET spark.sql.shuffle.partitions = 2; CREATE TABLE w AS SELECT id, amount FROM sales",
        "CREATE TABLE w AS SELECT id, amount FROM sales ORDER BY id",
    ],
    ids=["properties", "setting", "order"],
)
def test_an_unchanged_column_does_not_mean_something_else(work: Path, after: str) -> None:
    """How a table is written, settings and the order of stored rows are reported without a word about columns."""
    before = "CREATE TABLE w AS SELECT id, amount FROM sales"
    given = [{"task_id": "w", "sql": after, "earlier": {"sql": before}}]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))

    assert done.tasks == {"w": ("update", "potentially_breaking")}
    assert done.result["tasks"][0]["columns"] == []


def test_no_reason_is_given_twice(work: Path) -> None:
    """Neither among a task's reasons, nor among the findings, nor by a finding and again by its task."""
    (work / "sales.sql").write_text(SALES.replace("'paid'", "'open'").replace("id, amount", "id, amount * 2 AS amount"))
    (work / "totals.sql").write_text("SELECT status FROM (")

    done = impact(work, ".", "--format", "json")

    for task in done.result["tasks"]:
        assert len(task["reasons"]) == len(set(task["reasons"]))
        for reason in task["reasons"]:
            others = [other for other in task["reasons"] if other != reason]
            assert not any(reason in other for other in others), reason
    said = [(f["task"], f["reason"]) for f in done.result["findings"]]
    assert len(said) == len(set(said))


def test_a_column_that_a_star_newly_leaves_out_breaks_its_readers(work: Path) -> None:
    """``SELECT *`` becomes ``SELECT * EXCEPT (price)``: the columns are unknown, but who reads the price is known."""
    (work / "copy.sql").write_text("CREATE TABLE copy AS SELECT * EXCEPT (price) FROM src.mystery")

    done = impact(work, "copy.sql", "--format", "json")

    assert done.tasks == {"copy": ("update", "breaking")}
    assert [(f["kind"], f["subject"]) for f in done.result["findings"] if f["reader"] == "sums"] == [
        ("stale-reader", "hive:dw.copy#price")
    ]
