"""Syntax errors at the line and column of the file that people edit: templates, YAML, dbt models, front matter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from calling import CONTEXT, impact

MODEL = {
    "resource_type": "model",
    "database": None,
    "schema": "dw",
    "alias": None,
    "unique_id": "sales",
    "name": "sales",
}
RAW = (
    "{{ config(\n  materialized='table'\n) }}\nselect id, {{ cents('amount') }} as a,\n"
    "  (b c d) from {{ ref('sales') }}\n"
)
COMPILED = "select id, (amount / 100) as a,\n  (b c d) from dw.sales\n"

#: File name, its text, and what is where the error is.
FILES = {
    "plain": ("sales.sql", "SELECT id,\n  amount b c FROM ods.orders\n", "c FROM"),
    "quote": ("sales.sql", "SELECT id,\n\n  'amount FROM ods.orders\n", "'amount"),
    "quoted name": ("sales.sql", "SELECT id, -- it's\n  `amount FROM ods.orders\n", "`amount"),
    "comment": ("sales.sql", "SELECT id\n FROM ods.orders /* later\n", "/* later"),
    "second statement": ("sales.sql", "SET a = 1;\n\n SELECT id x y FROM ods.orders\n", "y FROM"),
    "template": (
        "sales.sql",
        "SELECT ${long_name_of_a_value} AS a, ${b} AS b,\n  ${another_value} + + AS x FROM ods.${table} WHERE AND 1\n",
        "AS x",
    ),
    "jinja": ("sales.sql", "{% if a %}\n-- a\n{% endif %}\nSELECT {{ x }} AS y, (b c d) FROM t\n", "d)"),
    "front matter": (
        "sales.sql",
        "---\ntask_id: sales\ndialect: spark\n---\nSELECT id,\n  (b c d) FROM ods.orders\n",
        "d)",
    ),
    "yaml": (
        "task.yaml",
        "# the sales\ntask_id: sales\ndialect: spark\nsql: |\n    SELECT id,\n      (b c d)\n    FROM ods.orders\n",
        "d)",
    ),
    "two in yaml": (
        "task.yaml",
        "tasks:\n- task_id: other\n  sql: |\n    SELECT (b) FROM t\n"
        "- task_id: sales\n  sql: |-\n    SELECT\n      (b c d)\n",
        "d)",
    ),
    "dbt, edited": ("models/sales.sql", RAW, "d)"),
    "dbt, compiled": ("models/sales.sql", RAW, "d)"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_syntax_error_is_placed_in_the_original_file(work: Path, case: str) -> None:
    """JSON, SARIF and text name the line and the column of the file as it is written, whatever is made of it."""
    name, text, at = FILES[case]
    if case.startswith("dbt"):
        raw = RAW if case == "dbt, compiled" else "old"
        node: dict[str, Any] = MODEL | {"original_file_path": name, "raw_code": raw, "compiled_code": COMPILED}
        (work / "target").mkdir()
        manifest = {"metadata": {"adapter_type": "spark"}, "nodes": {"sales": node}, "sources": {}}
        (work / "target" / "manifest.json").write_text(json.dumps(manifest))
        (work / "impact.toml").write_text(CONTEXT + '[dbt]\nnamespace = "hive"\n')
        (work / "models").mkdir()
    (work / name).write_text(text)

    done = impact(work, name, "--format", "json", "--write", "sarif=s", "--write", "text=t")
    found = [f for f in done.result["findings"] if f["kind"] == "unreadable" and f["task"] == "sales"]
    places = {(f["file"], f["line"], f["column"]) for f in found}
    line = text[: text.index(at)].count("\n") + 1
    column = text.index(at) - text.rfind("\n", 0, text.index(at))

    assert done.status == 1
    assert (name, line, column) in places, [(f["line"], f["column"], f["reason"]) for f in found]
    regions = [
        r["locations"][0]["physicalLocation"]["region"]
        for r in json.loads((work / "s").read_text())["runs"][0]["results"]
    ]
    assert {"startLine": line, "startColumn": column} in regions
    assert f"{name}:{line}:{column}: unknown:" in (work / "t").read_text()


def test_what_front_matter_says_is_the_task(work: Path) -> None:
    """Its keys are those of ``task.yaml``; a comment between dashes is not front matter."""
    (work / "impact.toml").write_text("")
    (work / "a.sql").write_text(
        "---\ntask_id: board\ndialect: spark\nnamespace: hive\ntarget: bi:board/42\n---\nSELECT 1 AS a"
    )
    (work / "b.sql").write_text("---\n-- no: key\n---\nSELECT 1 AS a")

    assert set(impact(work, ".", "--dialect", "spark", "--format", "json").tasks) == {"board", "b"}


def test_sql_in_a_task_yaml_is_a_task_by_folder_too(work: Path) -> None:
    """A folder is gone through for ``task.yaml`` files that hold SQL themselves."""
    (work / "jobs").mkdir()
    (work / "jobs" / "task.yaml").write_text(
        "task_id: sales\nsql: |\n  SELECT id\n  FROM ods.orders\ntarget: hive:dw.sales\n"
    )

    assert impact(work, "jobs", "--format", "json").tasks["sales"][0] == "update"
