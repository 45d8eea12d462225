"""Impact on a store that does not keep texts as they came: what counts as an edit, and what a report shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import CONTEXT, impact
from policy_texts import CANARY, STRICT
from releases import TASKS, assessed, candidate, platform, sql_change

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store

PAID = f"CREATE TABLE paid AS SELECT id, amount + 100 AS more FROM ods.orders WHERE status = '{CANARY}' -- {CANARY}"
FORMATS = ("text", "json", "markdown", "html", "sarif", "junit", "gitlab")


@pytest.fixture(params=[(policy, history) for policy in STRICT for history in (False, True)],
                ids=lambda each: f"{each[0]}-{'history' if each[1] else 'new'}")  # fmt: skip
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Store:
    """The platform under a policy that was in force before it, or tightened for history after it."""
    policy, history = request.param
    path = tmp_path / "store"
    if not history:
        Store.create(path).set_text_policy(policy, "a test")
    store = platform(path, sql_change("paid", PAID))
    if history:
        with SqlResolver(1) as resolver:
            store.set_text_policy(policy, "a test", history=True, resolver=resolver)
    return store


def test_the_text_in_force_is_no_edit(store: Store) -> None:
    """Neither is one that differs in a literal or a comment alone: nobody could tell."""
    same = assessed(store, candidate("paid", PAID), candidate("sales", TASKS["sales"]))
    other = assessed(store, candidate("paid", PAID.replace(CANARY, "another").replace("100", "200")))

    assert (same.findings, other.findings) == ((), ())
    assert {task.class_ for task in (*same.tasks, *other.tasks)} == {"none"}


def test_an_edit_is_found_and_the_report_shows_no_literal(store: Store, tmp_path: Path) -> None:
    """A column that goes; a text that cannot be read, whose problem would quote it."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "impact.toml").write_text(CONTEXT)
    broken = f"CREATE TABLE odd AS SELECT ( FROM '{CANARY}' WHERE (("
    edited = PAID.replace("id, ", "").replace("+ 100", f"+ length('{CANARY}')")
    given = json.dumps([{"task_id": "paid", "sql": edited}, {"task_id": "odd", "sql": broken}])

    for form in FORMATS:
        done = impact(tmp_path / "work", "-", "--format", form, stdin=given)
        assert done.status in (0, 1), done.err
        assert CANARY not in done.out + done.err
        if form == "json":
            assert done.tasks["paid"][1] == "potentially_breaking"  # a column goes that nobody here reads
