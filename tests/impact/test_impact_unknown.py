"""The gate never calls the unknown safe: what cannot be read or judged trips it, unless somebody lets it pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import CONTEXT, SALES, impact
from sqlglot.dialects.dialect import Dialects

from ingest.dialect_names import PARSED, is_known, nearest


@pytest.mark.parametrize("name", ["sales", "brand_new"], ids=["known", "new"])
@pytest.mark.parametrize(
    "text", ["SELECT a FROM (", "CREATE TABLE x AS SELECT 1 FROM WHERE", "CALL refresh()"], ids="abc"
)
def test_a_text_that_cannot_be_read_is_unknown_and_trips(work: Path, name: str, text: str) -> None:
    """Whether the task is known or new: the class is unknown, the exit status 1, and the file is named."""
    (work / f"{name}.sql").write_text(text)

    done = impact(work, f"{name}.sql", "--format", "json")

    assert done.status == 1
    assert {name} == set(done.tasks)
    assert done.tasks[name][1] == "unknown"
    assert done.result["gate"]["passed"] is False
    assert [(f["kind"], f["file"]) for f in done.result["findings"]] == [("unreadable", f"{name}.sql")]


@pytest.mark.parametrize("name", ["sales", "brand_new"], ids=["known", "new"])
def test_an_unknown_dialect_of_one_candidate_is_unknown(work: Path, name: str) -> None:
    """A platform that sends a dialect nobody knows gets unknown, and the name that it may have meant."""
    given = [{"task_id": name, "sql": SALES, "dialect": "sprak"}]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))

    assert done.status == 1
    assert done.tasks[name][1] == "unknown"
    assert "did you mean 'spark'?" in done.result["findings"][0]["reason"]


@pytest.mark.parametrize(
    ("args", "policy", "status"),
    [
        ([], "", 1),
        (["--fail-on", "none"], "", 1),
        (["--fail-on", "breaking"], "", 1),
        (["--allow", "unknown"], "", 0),
        (["--allow", "unknown", "--fail-on", "breaking"], "", 0),
        ([], "[policy]\nallow_unknown = true\n", 0),
        ([], '[policy]\nallow_unknown = true\nfail_on = ["breaking"]\n', 0),
        (["--fail-on", "unknown"], "[policy]\nallow_unknown = true\n", 1),
        (["--allow", "unknown", "--fail-on", "unknown"], "", 2),
        (["--allow", "breaking"], "", 2),
    ],
)
def test_unknown_passes_only_where_it_is_allowed(work: Path, args: list[str], policy: str, status: int) -> None:
    """``--allow unknown`` or ``allow_unknown`` of the policy let it pass; the report says unknown all the same."""
    (work / "impact.toml").write_text(CONTEXT + policy)
    (work / "sales.sql").write_text("SELECT a FROM (")

    done = impact(work, "sales.sql", *args)

    assert done.status == status, done
    assert ("UNKNOWN" in done.out) == (status < 2)
    assert ("gate: FAILED" in done.out) == (status == 1)


@pytest.mark.parametrize(
    ("config", "args", "words"),
    [
        ('dialect = "sprak"\n', [], "impact.toml: dialect: there is no dialect 'sprak'"),
        (
            CONTEXT + '[[paths]]\nmatch = "*.sql"\ndialect = "Sprak"\n',
            [],
            "impact.toml: paths.0.dialect: there is no dialect 'Sprak'",
        ),
        ('[dbt]\ndialect = "sprak"\n', [], "impact.toml: dbt.dialect: there is no dialect 'sprak'"),
        (CONTEXT, ["--dialect", "sprak"], "--dialect: there is no dialect 'sprak'"),
    ],
    ids=["top", "paths", "dbt", "option"],
)
def test_an_unknown_dialect_of_the_configuration_is_refused(
    work: Path, config: str, args: list[str], words: str
) -> None:
    """A dialect that is set for many files and that nobody knows is exit status 2, with the nearest name."""
    (work / "impact.toml").write_text(config)
    (work / "sales.sql").write_text(SALES)

    done = impact(work, "sales.sql", *args)

    assert done.status == 2, done
    assert words in done.err
    assert "did you mean 'spark'?" in done.err


def test_the_names_of_dialects_are_those_of_the_parser() -> None:
    """The list that is kept beside the parser holds what the parser reads, no more and no less."""
    assert {each.value for each in Dialects if each.value} == set(PARSED)
    assert [is_known("Spark"), is_known("postgresql"), is_known("sprak")] == [True, True, False]
    assert (nearest("bigquerry"), nearest("qqqq")) == ("bigquery", None)
