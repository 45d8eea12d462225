"""The report for a terminal."""

from __future__ import annotations

from dataclasses import replace

from reports import BOARD, finding, reader, report, story, task

from lineage_tt.impact.render.text_page import MAX_LISTED, page
from lineage_tt.impact.report import BREAKING, NONE, Backfill, GroupReach


def test_the_verdict_is_first_and_the_basis_last() -> None:
    """Findings with their place, class, reason, owners and way; then tasks, readers, labels, backfill, notes, gate."""
    assert page(story()).splitlines() == [
        "BREAKING: 1 of 2 tasks breaks what others read",
        "1 breaking, 1 additive, 2 datasets downstream, edges +1 −1 ~0, 1 label reaches",
        "  jobs/sales.sql:3: breaking: totals reads amount of hive:dw.sales, which no longer exists [owners: bo]",
        "      hive:dw.sales#amount → hive:dw.totals#total",
        "  jobs/sales.sql:1: breaking: mirror selects * and loses amount",
        "  jobs/sales.sql:3:8: breaking: narrowed-star of hive:dw.mirror",
        "",
        "sales (update): breaking",
        "    columns removed: amount",
        "    columns: −amount",
        "fresh (online): additive",
        "    a new task",
        "",
        "downstream:",
        "  hive:dw.totals (total) by totals [bo]",
        "      hive:dw.sales#amount → hive:dw.totals#total",
        "  bi:board/42 (total) by board [ana]",
        "      hive:dw.sales#amount → hive:dw.totals#total → bi:board/42#total",
        "label: this makes key reach hive:dw.fresh#id: hive:ods.orders#id → hive:dw.fresh#id",
        "backfill, in this order: sales",
        "note: nobody was asked",
        "gate: breaking: 1 of 2 tasks",
        "gate: FAILED (fail on breaking)",
        "basis: version 9, valid at 2024-06-01T00:00:00Z; effective at 2024-06-01T00:00:00Z",
    ]


def test_a_release_without_impact_is_short() -> None:
    """The reasons of a task without impact are not shown, and no empty section is."""
    assert page(report([task("t", NONE, "nothing but layout")])).splitlines() == [
        "NO IMPACT: nothing that is read changes",
        "1 no impact, 0 datasets downstream, edges +0 −0 ~0",
        "",
        "t (update): no impact",
        "gate: passed (fail on none)",
        "basis: version 9, valid at 2024-06-01T00:00:00Z; effective at 2024-06-01T00:00:00Z",
    ]


def test_groups_stand_under_their_level() -> None:
    """A level without groups still has its heading: nothing of it is downstream."""
    level = report(level="owner", groups=(GroupReach("ana", BREAKING, 1, 1, 1, 2),))

    assert "downstream, by owner:\n  ana: breaking (1 dataset, 1 column, 1 task, 2 steps)\n" in page(level)
    assert "\ndownstream, by owner:\ngate:" in page(replace(level, groups=()))


def test_long_lists_are_cut_and_counted() -> None:
    """What is left out is a number, with where to find it; a list that just fits is not cut."""
    listed = [finding(of=f"t{place}", reason=f"finding {place:03}") for place in range(MAX_LISTED + 2)]
    fits, cut = (page(report(findings=listed[:count])) for count in (MAX_LISTED, MAX_LISTED + 2))

    assert f"finding {MAX_LISTED - 1:03}" in fits
    assert "more: see" not in fits
    assert f"finding {MAX_LISTED:03}" not in cut
    assert "  … and 2 more: see --format json" in cut


def test_lists_within_a_line_say_how_many_are_left_out() -> None:
    """Reasons of a task, columns of a reader, and tasks to run again."""
    columns = tuple(f"c{number}" for number in range(8))
    again = tuple(Backfill(f"again{number}", (), "why") for number in range(MAX_LISTED + 3))
    reasons = [f"reason {number}" for number in range(7)]

    lines = page(report([task("t", BREAKING, *reasons)], readers=[reader(BOARD, columns=columns)], backfill=again))

    assert "    reason 4\n    2 more: see --format json\n" in lines
    assert f"  {BOARD} (c0, c1, c2, c3, c4, c5 and 2 more) by " in lines
    assert f"again{MAX_LISTED - 1} and 3 more\n" in lines


def test_files_that_were_not_judged_and_allowances_are_listed() -> None:
    """So are allowed findings, with the reason why they are."""
    made = report(findings=[finding(allowed="known (until 2025-01-01)")]).with_unmapped(["b.sql", "a.sql"])
    lines = page(
        replace(made, gate=replace(made.gate, expired=("the allowance 'x' ended on 2024-01-01",)))
    ).splitlines()

    assert "  breaking: stale-reader of hive:dw.sales [allowed: known (until 2025-01-01)]" in lines
    at = lines.index("2 changed .sql files match no path rule and were not judged: map them in impact.toml:")
    assert lines[at + 1 : at + 3] == ["  a.sql", "  b.sql"]
    assert "allow-list: the allowance 'x' ended on 2024-01-01" in lines


def test_a_line_end_in_a_name_begins_no_line() -> None:
    """Nobody can write lines of a report by the name of a task."""
    for end in ("\n", "\u2028", "\x85"):
        text = page(report([task(f"evil{end}gate: passed")]))
        assert f"evil\\u{ord(end):04x}gate: passed (update): breaking" in text
        assert end == "\n" or end not in text
