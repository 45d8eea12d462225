"""Root cause: what changed upstream of a node before it went wrong, ranked, with when it was known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from cause_story import BEGIN, CLEAN, DAY, HOUR, REVENUE, Told, story, with_sql

from lineage_tt.curation.statements import annotate
from lineage_tt.governance.cause import suspects as cause_suspects
from lineage_tt.governance.cause.ports import Text, TextChange
from lineage_tt.governance.cause.root_cause import MAX_CHECKS, RootCause, root_cause
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange
from lineage_tt.testing import task_change


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """load → clean → report, and names beside; all from the first day."""
    return story(tmp_path)


def named(found: RootCause) -> list[tuple[str, str]]:
    """The suspects, likeliest first, by task and class."""
    return [(each.statement.subject, each.did.class_) for each in found.suspects]


def test_a_change_of_the_value_goes_before_later_changes_of_other_columns(told: Told) -> None:
    """Although they are nearer in time and in steps."""
    told.say(
        BEGIN + 2 * DAY,
        task_change("load", "update", BEGIN + 2 * DAY, [("d:src#y", "d:ods#x"), ("d:src#name", "d:ods#name")]),
    )
    told.say(BEGIN + 3 * DAY, task_change("clean", "update", BEGIN + 3 * DAY, [
        CLEAN[0], ("d:ods#name", "d:dw#name", "DIRECT", "TRANSFORMATION", "upper(name)"), CLEAN[2]]))  # fmt: skip
    found = told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY)

    assert named(found) == [("load", "sources"), ("clean", "other-columns")]
    first = found.suspects[0]
    assert first.did.added == (("d:src#y", "d:ods#x", "DIRECT", "IDENTITY", ""),)
    assert first.did.removed == (("d:src#x", "d:ods#x", "DIRECT", "IDENTITY", ""),)
    assert [edge.target for edge in first.path] == ["d:dw#x", REVENUE]
    assert (first.part and first.part.steps) == 2


def test_what_decides_over_rows_counts_for_every_column(told: Told) -> None:
    """A filter that changed is a cause, too; a task that went offline, and one that began to write, are."""
    told.say(BEGIN + 2 * DAY, task_change("clean", "update", BEGIN + 2 * DAY, CLEAN[:2]))
    told.say(BEGIN + 3 * DAY, task_change("second", "online", BEGIN + 3 * DAY, [("d:o#x", "d:dw#x")]))
    told.say(BEGIN + 4 * DAY, task_change("load", "offline", BEGIN + 4 * DAY))

    assert sorted(named(told.ask(BEGIN + 5 * DAY, since=BEGIN + DAY))) == [
        ("clean", "rows"), ("load", "stopped"), ("second", "started"),
    ]  # fmt: skip


def test_only_the_window_counts(told: Told) -> None:
    """What took effect up to its beginning, or after its end, does not."""
    for day, column in ((1, "a"), (3, "b"), (6, "c")):
        edges = [(f"d:src#{column}", "d:ods#x"), ("d:src#name", "d:ods#name")]
        told.say(BEGIN + day * DAY, task_change("load", "update", BEGIN + day * DAY, edges))
    found = told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY)

    assert [each.at for each in found.suspects] == [BEGIN + 3 * DAY]
    with pytest.raises(InvalidRequestError, match="window is empty"):
        told.ask(BEGIN + 4 * DAY, since=BEGIN + 4 * DAY)
    with pytest.raises(UnknownNodeError):
        told.ask(BEGIN + 4 * DAY, "d:nothing#x")
    with pytest.raises(InvalidRequestError, match="limit"):
        told.ask(BEGIN + 4 * DAY, shown=0)


def test_planned_late_and_corrected_changes_are_seen_as_such(told: Told) -> None:
    """By when they were sent, and what they were known to say before."""
    told.say(BEGIN + DAY, task_change("load", "update", BEGIN + 2 * DAY, [("d:src#p", "d:ods#x")], event_id="plan"))
    told.say(BEGIN + 5 * DAY, task_change("report", "update", BEGIN + 3 * DAY, [("d:dw#y", REVENUE)], event_id="late"))
    told.say(BEGIN + 6 * DAY, task_change("load", "update", BEGIN + 2 * DAY, [("d:src#q", "d:ods#x")], event_id="fix"))
    now = {each.statement.event_id: each for each in told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY).suspects}

    assert sorted(now) == ["fix", "late"]
    assert (now["late"].late, now["late"].hidden, now["late"].corrected) == (True, True, False)
    assert (now["fix"].late, now["fix"].corrected) == (True, True)
    assert now["fix"].before is not None
    assert now["fix"].before.event_id == "plan"

    then = root_cause(told.past(BEGIN + 4 * DAY, version=6), REVENUE, BEGIN + DAY)
    assert [(each.statement.event_id, each.planned, each.hidden) for each in then.suspects] == [("plan", True, False)]


def test_a_correction_of_the_past_is_a_suspect_of_the_day_it_was_recorded(told: Told) -> None:
    """A message about February that came in the window changes what is rebuilt; a retract does, too."""
    told.say(BEGIN + DAY, task_change("load", "update", BEGIN + 2 * HOUR, [("d:src#a", "d:ods#x")], event_id="first"))
    told.say(BEGIN + 9 * DAY, task_change("load", "update", BEGIN + 2 * HOUR, [("d:src#b", "d:ods#x")], event_id="fix"))
    told.say(BEGIN + 10 * DAY, task_change("load", "retract", retracts="fix", event_id="back"))
    (found,) = told.ask(BEGIN + 12 * DAY, since=BEGIN + 8 * DAY).suspects

    assert (found.statement.event_id, found.statement.op, found.corrected, found.late) == (
        "back",
        "retract",
        True,
        True,
    )
    assert (found.did.removed[0][0], found.did.added[0][0]) == ("d:src#b", "d:src#a")
    earlier = root_cause(told.past(BEGIN + 12 * DAY, version=7), REVENUE, BEGIN + 8 * DAY)
    assert [each.statement.event_id for each in earlier.suspects] == ["fix"]
    assert earlier.suspects[0].did.removed[0][0] == "d:src#a"


def test_checks_that_do_not_count_are_noted(told: Told) -> None:
    """Of 70 checks on the way the 64 nearest counted, and the others were left out without a word."""
    assert told.ask(BEGIN + 4 * DAY).notes == ()
    for number in range(70):
        annotate(told.store, "d:src#x", f"check:c{number}", ["passed"], at="2026-03-01T00:00:00Z")

    found = told.ask(BEGIN + 4 * DAY)

    assert len(found.checks) == MAX_CHECKS
    assert found.notes == ("70 checks are on the way: only the 64 nearest to the node count",)
    assert found.to_json()["notes"] == list(found.notes)


def test_texts_that_no_parser_compares_are_noted(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest are read, the others compared word by word."""
    monkeypatch.setattr(cause_suspects, "MAX_READ", 2)
    edges = [("d:dw#x", REVENUE, "DIRECT", "AGGREGATION", "SUM(x)")]
    for day in range(1, 5):
        told.say(BEGIN + day * DAY, with_sql("report", BEGIN + day * DAY, f"SELECT sum(x + {day}) FROM dw", edges))

    found = told.ask(BEGIN + 5 * DAY, since=BEGIN, comparing=lambda pairs: [None] * len(pairs))

    assert [note for note in found.notes if note.startswith("the parser compared the newest 2 of 3 pairs of texts")]


def test_texts_tell_layout_from_meaning(told: Told) -> None:
    """Word by word without a parser; with one by column."""
    edges = [("d:dw#x", REVENUE, "DIRECT", "AGGREGATION", "SUM(x)"), ("d:dw#name", "d:ads#name")]
    sql = "SELECT sum(x) AS revenue FROM dw WHERE k > 3"
    told.say(BEGIN + DAY, with_sql("report", BEGIN + DAY, sql, edges))
    told.say(BEGIN + 3 * DAY, with_sql("report", BEGIN + 3 * DAY, f"-- new\n{sql.lower()}", edges))
    told.say(BEGIN + 4 * DAY, with_sql("report", BEGIN + 4 * DAY, sql.replace("3", "4"), edges))
    since = BEGIN + 2 * DAY

    assert named(told.ask(BEGIN + 5 * DAY, since=since)) == [("report", "text"), ("report", "layout")]
    pairs: list[tuple[Text, Text]] = []

    def read(given: Sequence[tuple[Text, Text]]) -> list[TextChange | None]:
        pairs.extend(given)
        return [TextChange(False, frozenset({"Revenue"}), ("filter",))]

    assert named(told.ask(BEGIN + 5 * DAY, since=since, comparing=read)) == [("report", "rows"), ("report", "layout")]
    assert [text.sql for text in pairs[0]] == [f"-- new\n{sql.lower()}", sql.replace("3", "4")]
    other = lambda given: [TextChange(False, frozenset({"name"}), ("expression",)) for _ in given]  # noqa: E731
    assert named(told.ask(BEGIN + 5 * DAY, since=since, comparing=other))[0] == ("report", "other-columns")
    rows = lambda given: [TextChange(False, frozenset({"name"}), ("filter",)) for _ in given]  # noqa: E731
    assert named(told.ask(BEGIN + 5 * DAY, since=since, comparing=rows))[0] == ("report", "other-rows")
    placed = lambda given: [TextChange(False, frozenset({"expr_1"}), ("expression",)) for _ in given]  # noqa: E731
    assert named(told.ask(BEGIN + 5 * DAY, since=since, comparing=placed))[0] == ("report", "text")
    nothing = told.ask(BEGIN + 5 * DAY, since=since, comparing=lambda given: [None for _ in given])
    assert named(nothing)[0] == ("report", "text")


def check(node: str, status: str, at: int, name: str = "c") -> NodeChange:
    """The result of a check, as a fact."""
    key = f"check:{name}"
    facts = [(node, key, f'{{"status":"{status}"}}')]
    return NodeChange(f"{name}-{node}-{at}", "fact", node, "set", at, fact_key=key, facts=facts)


def test_a_failed_check_points_up_and_a_passed_one_clears(told: Told) -> None:
    """Of two changes alike the one that the failing check saw comes first; boards downstream are named."""
    for task, day in (("load", 2), ("clean", 3)):
        changed: dict[str, list[tuple[str, ...]]] = {"load": [("d:src#z", "d:ods#x"), ("d:src#name", "d:ods#name")],
                 "clean": [("d:ods#z", "d:dw#x"), *CLEAN[1:]]}  # fmt: skip
        told.say(BEGIN + day * DAY, task_change(task, "update", BEGIN + day * DAY, changed[task]))
    before = told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY)
    assert named(before)[0] == ("clean", "sources")
    told.say(BEGIN + 3 * DAY, check("d:ods#x", "failed", BEGIN + 3 * DAY))
    told.say(BEGIN + 4 * DAY, check("d:src", "passed", BEGIN + 4 * DAY))
    after = told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY)

    assert named(after)[0] == ("load", "sources")
    assert [each.name for each in after.suspects[0].failed] == ["c"]
    assert after.suspects[1].failed == ()
    assert {(each.node, each.status) for each in after.checks} == {("d:ods#x", "failed"), ("d:src", "passed")}
    assert [board.dataset for board in after.boards] == ["mail:daily"]


def test_a_check_that_passed_after_a_change_and_failed_later_clears_it(told: Told) -> None:
    """Of two changes the check passed on the older, nearer one, and failed with the later one, which is to blame."""
    told.say(BEGIN + DAY, check(REVENUE, "passed", BEGIN + DAY))
    told.say(BEGIN + 2 * DAY, task_change("report", "update", BEGIN + 2 * DAY, [("d:dw#y", REVENUE)]))
    told.say(BEGIN + 3 * DAY, check(REVENUE, "warned", BEGIN + 3 * DAY), check(REVENUE, "passed", BEGIN + 4 * DAY))
    told.say(BEGIN + 5 * DAY, task_change("more", "update", BEGIN + 5 * DAY, [("d:ods#x", "d:dw#y")]))
    before = told.ask(BEGIN + 7 * DAY, since=BEGIN + DAY)
    told.say(BEGIN + 6 * DAY, check(REVENUE, "failed", BEGIN + 6 * DAY))
    after = told.ask(BEGIN + 7 * DAY, since=BEGIN + DAY)

    assert [each[0] for each in named(before)][:1] == ["more"]
    assert [(each.statement.subject, bool(each.failed)) for each in after.suspects][:2] == [
        ("more", True), ("report", False),
    ]  # fmt: skip
    assert [each.passed for each in after.checks] == [BEGIN + 4 * DAY]


def test_a_column_that_was_dropped_upstream_is_a_suspect(told: Told) -> None:
    """A declaration counts where it concerns a column that feeds the node."""
    for day, names in ((0, ("x", "name", "old")), (2, ("name", "old")), (3, ("name",))):
        fields = [Field(name, "INT") for name in names]
        at = BEGIN + day * DAY + HOUR
        told.say(at, NodeChange(f"ods-{day}", "dataset", "d:ods", "define", at, fields=fields))
    found = told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY)

    assert [(each.at, each.did.class_, each.did.reasons) for each in found.suspects] == [
        (BEGIN + 2 * DAY + HOUR, "columns", ("x dropped",)),
        (BEGIN + 3 * DAY + HOUR, "other-columns", ("old dropped",)),
    ]


def test_a_task_that_can_no_longer_be_read_is_a_suspect_and_the_answer_says_it_is_incomplete(told: Told) -> None:
    """Its edges vanish with its text; what it does now nobody knows."""
    message = with_sql("clean", BEGIN + 2 * DAY, "SELEC", [])
    message.lineage = Lineage([], "opaque", outputs=[("d:dw", ("x", "name"))])
    told.say(BEGIN + 2 * DAY, message)
    found = told.ask(BEGIN + 4 * DAY, since=BEGIN + DAY)

    assert named(found) == [("clean", "unreadable")]
    assert not found.completeness.complete
