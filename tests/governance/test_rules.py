"""Rules over a store: other names of a table, allowances that end, and what is new since a point."""

from __future__ import annotations

from pathlib import Path

from labelstories import DAYS, governed

from lineage_tt import Store
from lineage_tt.curation.statements import add_alias, annotate
from lineage_tt.testing import ManualClock, task_change


def test_aliases_are_no_tables_of_their_own_making(tmp_path: Path) -> None:
    """Two names of one table are not a circle."""
    store = Store.create(tmp_path / "s", clock=ManualClock(DAYS[0]))
    store.append([task_change("t", "online", DAYS[0], [("db:a#x", "db:b#x")])])
    add_alias(store, "db:a", "lake:a", at=DAYS[0])
    assert {each.rule for each in governed(store).rules().violations} & {"cycle", "two_writers"} == set()


def test_an_allowance_holds_until_its_last_day(tmp_path: Path) -> None:
    """Allowed with its reason; after its end it counts again, and says that it was allowed. Off is off."""
    store = Store.create(tmp_path / "s", clock=ManualClock(DAYS[6]))
    store.append([
        task_change("t", "online", DAYS[0], [("db:a#x", "db:c#x")]),
        task_change("u", "online", DAYS[2], [("db:b#x", "db:c#x")]),
    ])  # fmt: skip
    annotate(store, "db:c", "owner", ["ana"], at=DAYS[0])
    rules = """[rules]
off = ["unused_models", "undocumented_models", "undocumented_sources", "untested_models", "multiple_sources_joined"]
[rules.severity]
two_writers = "warning"
[[rules.allow]]
rule = "two_writers"
subject = "db:*"
reason = "moves"
until = 2026-04-30
"""
    governance = governed(store, rules)
    april, may = (governance.rules(governance.basis(day)) for day in (DAYS[3], DAYS[4]))

    assert [(e.rule, e.severity, e.owners, e.allowed) for e in april.violations] == [
        ("two_writers", "warning", ("ana",), "moves (until 2026-04-30)")
    ]
    assert (april.counting, april.at_least("info")) == ([], [])
    assert [(e.expired, e.allowed) for e in may.counting] == [("moves (ended 2026-04-30)", None)]
    assert (len(may.at_least("warning")), may.at_least("error")) == (1, [])
    assert [e.rule for e in governance.rules(governance.basis(DAYS[4]), governance.basis(DAYS[1])).violations] == [
        "two_writers"
    ]
    assert governance.rules(governance.basis(DAYS[4]), governance.basis(DAYS[3])).violations == ()
