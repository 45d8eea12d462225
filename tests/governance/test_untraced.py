"""Tasks whose texts nobody could read: what they are known to touch counts in plans, chains, rules and clean-up."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.governance.config import Config
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.heat.asked import Asked
from lineage_tt.model.completeness.gaps import UNTRACED_READ
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change

BEGIN, DAY = 1_714_521_600_000_000, 86_400_000_000
NOW = BEGIN + 200 * DAY
RULES = Config.parse("[rules]\nends = ['bi:*']\n")


@pytest.fixture
def asks(tmp_path: Path) -> Governance:
    """raw → stage → (a script that nobody could read) → mart → board; the script begins on day 150."""
    store = Store.create(tmp_path / "s", clock=ManualClock(NOW))
    unread = [Problem("syntax", "why"), Problem(UNTRACED_READ, "it is read", "db:stage")]
    script = Lineage((), "opaque", unread, [("db:mart", ())])
    store.append(
        [
            task_change("load", "online", BEGIN, [("db:raw#a", "db:stage#a"), ("db:raw#b", "db:stage#b")]),
            TaskChange("s", "script", "online", BEGIN + 150 * DAY, lineage=script),
            task_change("publish", "online", BEGIN, [("db:mart#a", "bi:board#a")]),
        ]
    )
    return store.governance(RULES)


def test_a_backfill_runs_what_may_have_read_the_wrong_values_and_says_that_it_is_not_sure(asks: Governance) -> None:
    """The script and all after it run again for the partitions that it made, not for those before it began."""
    plan = asks.backfill(["db:raw#a"], BEGIN + 148 * DAY, BEGIN + 152 * DAY, asks.basis(NOW))
    steps = {step.task_id: step for step in plan.steps}

    assert [step.task_id for step in plan.steps] == ["load", "script", "publish"]
    assert [step.uncertain for step in plan.steps] == [False, True, False]
    assert [len(steps[task].partitions) for task in ("load", "script", "publish")] == [4, 3, 3]
    assert [task.task_id for task in plan.completeness.tasks] == ["script"]


def test_a_backfill_of_what_is_made_in_unknown_ways_runs_its_maker(asks: Governance) -> None:
    """A plan without the script would leave the table as it is."""
    plan = asks.backfill(["db:mart"], BEGIN + 160 * DAY, BEGIN + 161 * DAY, asks.basis(NOW))

    assert [(step.task_id, step.origin, step.uncertain) for step in plan.steps] == [
        ("script", True, False), ("publish", False, False),
    ]  # fmt: skip
    assert not plan.completeness.complete


def test_a_chain_goes_through_what_nobody_could_read(asks: Governance) -> None:
    """The board waits for the script, and that for what it is known to read; so does what a delay reaches."""
    chain = asks.core("bi:board", asks.basis(NOW)).chains[0]

    assert [(link.task_id, link.waits_for) for link in chain.links] == [
        ("load", ()), ("script", ("load",)), ("publish", ("script",)),
    ]  # fmt: skip
    assert not asks.core("bi:board", asks.basis(NOW)).completeness.complete
    before = asks.basis(BEGIN + 100 * DAY)
    assert [link.task_id for link in asks.core("bi:board", before).chains[0].links] == ["publish"]


def test_what_such_a_task_touches_is_neither_unused_nor_a_source_nor_cold(asks: Governance) -> None:
    """Its table would be deleted, and its product be taken for a source, for want of knowledge."""
    basis = asks.basis(NOW)
    violated = {(each.rule, each.subject) for each in asks.rules(basis).violations}
    rows = {row.node: row.heat for row in asks.heat(basis, Asked()).rows}

    assert "db:stage" not in {each.dataset for each in asks.redundancy(basis).unused}
    assert ("unused_models", "db:stage") not in violated
    assert ("undocumented_sources", "db:mart") not in violated
    assert ("exposure_parents_materializations", "bi:board") not in violated
    assert rows["db:stage"] != "cold"
    early = asks.basis(BEGIN + 100 * DAY)
    assert ("unused_models", "db:stage") in {(each.rule, each.subject) for each in asks.rules(early).violations}


def test_what_is_covered_little_is_extended_before_anything_is_measured(asks: Governance) -> None:
    """A task of three is opaque, and no engine told columns; before it began all were complete."""
    now, before = (asks.quality(asks.basis(at)).groups[0] for at in (NOW, BEGIN + 100 * DAY))

    assert [(each.coverage, each.agreement, each.fix) for each in (now, before)] == [
        (pytest.approx(2 / 3), None, "extend"), (1.0, None, "measure"),
    ]  # fmt: skip
