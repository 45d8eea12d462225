"""The gate: what trips it, what is allowed and until when, what is protected and who must approve."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reports import BOARD, SALES, TOTALS, finding, reader, report, story, task

from lineage_tt.impact.base.port import Facts
from lineage_tt.impact.policy import DENIED, RULE, Allowed, Approval, Policy, judge
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY, UNKNOWN, ColumnChange, Report

LATE = "2024-12-31"


@pytest.mark.parametrize(
    ("fail_on", "allow", "gates"),
    [
        (("none",), False, ("unknown",)),
        (("breaking", "none"), False, ("breaking", "unknown")),
        (("breaking",), True, ("breaking",)),
        (("none",), True, ("none",)),
        (("unknown", "labels"), False, ("unknown", "labels")),
        (("unknown",), True, ("unknown",)),
    ],
)
def test_what_is_unknown_trips_unless_it_is_allowed(fail_on: tuple[str, ...], allow: bool, gates: object) -> None:
    """Also where nothing else does; asked for by name it trips whatever is allowed."""
    assert Policy(fail_on, allow_unknown=allow).gates == gates


def tripped(made: Report, *fail_on: str, **more: object) -> list[str]:
    """Return the gates that a report trips, by their first words."""
    gate = judge(made, Policy(fail_on, **more)).gate  # type: ignore[arg-type]
    assert gate.passed is (not gate.tripped)
    return [reason.partition(":")[0] for reason in gate.tripped]


@pytest.mark.parametrize(
    ("class_", "trips"),
    [
        (BREAKING, {"any", "breaking", "potentially_breaking"}),
        (POTENTIALLY, {"any", "potentially_breaking"}),
        (UNKNOWN, {"any", "unknown"}),
        (ADDITIVE, {"any"}),
        (NONE, set()),
    ],
)
def test_a_class_trips_its_gate_and_those_below(class_: str, trips: set[str]) -> None:
    """``potentially_breaking`` includes what breaks; what is unknown trips by itself."""
    made = report([task("t", class_)])

    for gate in ("any", "breaking", "potentially_breaking", "labels", "rules", "permissions", "none"):
        assert bool(tripped(made, gate, allow_unknown=True)) is (gate in trips), gate
    assert (tripped(made, "none") == ["unknown"]) is (class_ == UNKNOWN)


def test_an_unknown_finding_trips_though_its_task_breaks() -> None:
    """A task is called by its worst; what cannot be judged of it is not forgotten."""
    made = report([task("t", BREAKING)], [finding("unknown-reader", UNKNOWN, "t")])

    assert judge(made, Policy()).gate.tripped == ("unknown: 1 of 1 tasks cannot be judged (--allow unknown)",)


@pytest.mark.parametrize(
    ("kind", "class_", "gate", "trips"),
    [(RULE, POTENTIALLY, "rules", True), (RULE, ADDITIVE, "rules", False), (DENIED, POTENTIALLY, "permissions", True),
     ("layer", POTENTIALLY, "rules", False)],
)  # fmt: skip
def test_rules_and_rights_have_gates_of_their_own(kind: str, class_: str, gate: str, trips: bool) -> None:
    """A rule that only warns passes; what is allowed passes; without its gate nothing does any harm."""
    made = report([task("t", NONE)], [finding(kind, class_, "t")])

    assert (tripped(made, gate) == [gate]) is trips
    assert tripped(made, "breaking") == []
    assert tripped(replace(made, findings=(finding(kind, class_, "t", allowed="ok"),)), gate) == []


def test_a_gate_says_how_many_sources_it_does_not_name() -> None:
    """Three were named as if they were all that may not be read."""
    made = report([task("t", NONE)], [finding(DENIED, POTENTIALLY, "t", f"n:{name}") for name in "abcde"])

    assert judge(made, Policy(("permissions",))).gate.tripped == (
        "permissions: n:a, n:b, n:c and 2 more may not be read",
    )


def test_labels_trip_by_their_names_and_layers_wherever_they_are_configured() -> None:
    """Each label once; a lower layer made from a higher one needs no gate."""
    assert judge(story(), Policy(("labels",))).gate.tripped == ("labels: key newly reach datasets",)
    made = report([task("t", POTENTIALLY)], [finding("layer", POTENTIALLY, "t")])
    assert tripped(made, "none", layers=("hive:ods.*",)) == ["layers"]
    assert tripped(made, "none") == []


@pytest.mark.parametrize(
    ("entry", "allowed"),
    [
        (Allowed("r", LATE), True),
        (Allowed("r", "2024-06-01"), True),
        (Allowed("r", "2024-05-31"), False),
        (Allowed("r", LATE, task="sal*", subject="hive:dw.*", kind="stale-*"), True),
        (Allowed("r", LATE, task="Sales"), False),
        (Allowed("r", LATE, subject="hive:dw"), False),
        (Allowed("r", LATE, kind="unread"), False),
    ],
)
def test_an_allowance_holds_through_its_day_for_what_it_matches(entry: Allowed, allowed: bool) -> None:
    """Patterns are of the whole name, and case counts."""
    (found,) = judge(report(findings=[finding()]), Policy(allow=(entry,), today="2024-06-01")).findings

    assert found.allowed == (f"r (until {entry.until})" if allowed else None)


def test_what_is_unknown_cannot_be_allowed_one_by_one() -> None:
    """What governance.toml allowed keeps its reason."""
    listed = [finding(class_=UNKNOWN), finding(allowed="by the rules")]

    found = judge(report(findings=listed), Policy(allow=(Allowed("r", LATE),))).findings

    assert [each.allowed for each in found] == [None, "by the rules"]


def test_an_expired_allowance_is_named_where_it_would_matter() -> None:
    """One that matches no finding is not."""
    entries = (Allowed("old", "2024-01-01"), Allowed("other", "2024-01-01", task="x"), Allowed("now", LATE))

    gate = judge(report(findings=[finding()]), Policy(allow=entries, today="2024-06-01")).gate

    assert gate.expired == ("the allowance 'old' ended on 2024-01-01",)


def test_a_task_is_as_bad_as_what_is_left_of_its_findings() -> None:
    """With all allowed it still may change something; verdict, counts and order of the tasks follow."""
    tasks = [task("sales"), task("b", UNKNOWN), task("c", BREAKING)]
    listed = [finding(subject="n:1"), finding("unread", POTENTIALLY, subject="n:2"), finding(of="c", subject="n:1"),
              finding(of="c", subject="n:3")]  # fmt: skip
    allow = (Allowed("r", LATE, subject="n:1"),)

    judged = judge(report(tasks, listed), Policy(allow=allow))

    assert [(each.task_id, each.class_) for each in judged.tasks] == [
        ("c", BREAKING), ("b", UNKNOWN), ("sales", POTENTIALLY),
    ]  # fmt: skip
    assert (judged.verdict, judged.counts["breaking"], judged.counts["potentially_breaking"]) == (BREAKING, 1, 1)
    without = judge(report([task("sales")], listed[:1]), Policy(allow=allow))
    assert (without.verdict, without.gate.passed) == (POTENTIALLY, True)


def test_a_protected_dataset_trips_where_harm_reaches_it() -> None:
    """Written or read, with the worst that comes to it; what is only added to it is not harm."""
    policy = Policy(protected=("bi:*", "hive:dw.*"))
    made = report([task("t", POTENTIALLY, writes=(SALES,)), task("u", ADDITIVE, writes=(TOTALS,))],
                  readers=[reader(BOARD, POTENTIALLY), reader(SALES, BREAKING)])  # fmt: skip

    assert judge(made, policy).gate.tripped == (
        f"protected: {BOARD} is touched (potentially_breaking)", f"protected: {SALES} is touched (breaking)",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "trips"),
    [(f"{SALES}#amount", [SALES]), (f"{SALES}#id", []), ("hive:dw.*#amount", [TOTALS, SALES]),
     (f"{BOARD}#anything", [BOARD]), (f"{TOTALS}#*", [TOTALS]), (f"{TOTALS}#other", []), ("n:star#x", ["n:star"]),
     ("n:gone#x", ["n:gone"])],
)  # fmt: skip
def test_a_protected_column_trips_where_harm_reaches_it(pattern: str, trips: list[str]) -> None:
    """Changed or downstream; where a dataset is reached as a whole, or by a star, so is each of its columns."""
    lost = ColumnChange("removed", SALES, "amount"), ColumnChange("added", SALES, "id")
    made = report(
        [task("t", BREAKING, writes=(SALES,), columns=lost), task("u", POTENTIALLY, op="offline", writes=("n:gone",))],
        readers=[reader(TOTALS, columns=("amount",)), reader(BOARD), reader("n:star", columns=("*",))],
    )

    gate = judge(made, Policy(protected=(pattern,))).gate

    assert {each.split()[1] for each in gate.tripped} == set(trips)


def test_an_owner_must_approve_what_is_touched_until_they_did() -> None:
    """Three datasets are named, the rest counted; a task without impact touches nothing."""
    wants = (Approval("ana", ("n:*",)), Approval("bo", ("bi:*",)))
    made = report([task("t", ADDITIVE, writes=("n:1", "n:2", "n:3", "n:4")), task("u", NONE, writes=(BOARD,))])

    gate = judge(made, Policy(approvals=wants)).gate

    assert gate.approvals == gate.tripped == ("approval: ana must approve (n:1, n:2, n:3 and 1 more)",)
    assert judge(made, Policy(approvals=wants, approved_by=("ana",))).gate.passed


def test_the_policy_adds_owners_and_labels_to_those_of_the_store() -> None:
    """The store's come first, each once; priorities stay."""
    known = Facts({"n:a": ("ana",)}, {"n:a": ("pii",)}, {"n:a": "P0"})

    facts = Policy(owners={"n:a": ("bo", "ana"), "n:b": ("bo",)}, labels={"n:c": ("key",)}).facts(known)

    assert facts == Facts({"n:a": ("ana", "bo"), "n:b": ("bo",)}, {"n:a": ("pii",), "n:c": ("key",)}, {"n:a": "P0"})
    assert Policy().facts(known) == known
