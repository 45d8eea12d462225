"""The changes upstream of a node in a window: which there are, what each did, and when it was known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from cause_story import BEGIN, CLEAN, DAY, HOUR, REVENUE, Told, story, with_sql

from lineage_tt.governance.cause.flow import flow_of
from lineage_tt.governance.cause.ports import Comparing, Text, TextChange
from lineage_tt.governance.cause.suspects import Suspect, suspects
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import task_change

NOW = BEGIN + 9 * DAY
EDGES = [("d:dw#x", REVENUE, "DIRECT", "AGGREGATION", "SUM(x)")]


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """load → clean → report, all from the first day."""
    return story(tmp_path)


def found(told: Told, since: int = BEGIN + DAY, at: int = NOW, comparing: Comparing | None = None) -> list[Suspect]:
    """The suspects of the revenue."""
    past = told.past(at)
    return suspects(past, flow_of(REVENUE, past.walk([REVENUE], "up", at)), since, at, comparing)


def test_only_changes_of_what_feeds_the_node_are_suspects_in_order_of_versions(told: Told) -> None:
    """Tasks downstream and beside are none."""
    for task, edges in (
        ("clean", CLEAN[:1]),
        ("mail", [("bi:1#name", "mail:daily#text")]),
        ("load", [("d:src#x", "d:ods#x")]),
    ):
        told.say(BEGIN + 2 * DAY, task_change(task, "update", BEGIN + 2 * DAY, edges))

    assert [each.statement.subject for each in found(told)] == ["clean", "load"]
    assert found(told, since=BEGIN + 3 * DAY) == []


@pytest.mark.parametrize(
    ("ahead", "planned", "late"),
    [(HOUR, False, False), (HOUR + 1, True, False), (-HOUR, False, False), (-HOUR - 1, False, True)],
)
def test_a_message_an_hour_before_or_after_its_time_is_neither_planned_nor_late(
    told: Told, ahead: int, planned: bool, late: bool
) -> None:
    """One more microsecond is."""
    at = BEGIN + 3 * DAY
    told.say(at - ahead, task_change("load", "update", at, [("d:src#y", "d:ods#x")]))
    (suspect,) = found(told)

    assert (suspect.planned, suspect.late, suspect.known_at) == (planned, late, at - ahead)


def test_what_nobody_could_know_at_the_time_is_hidden(told: Told) -> None:
    """Recorded after it; recorded at the very time it was known."""
    told.say(BEGIN + 4 * DAY, task_change("load", "update", BEGIN + 2 * DAY, [("d:src#y", "d:ods#x")]))

    assert [each.hidden for at in (3, 4, 5) for each in found(told, at=BEGIN + at * DAY)] == [True, False, False]


def test_a_suspect_leads_from_what_it_touched_to_the_node(told: Told) -> None:
    """By the nearest of these; what it touched with the greatest share is its part."""
    told.say(BEGIN + 2 * DAY, task_change("clean", "update", BEGIN + 2 * DAY, CLEAN[1:]))
    told.say(BEGIN + 3 * DAY, task_change("load", "update", BEGIN + 3 * DAY, [("d:src#y", "d:ods#x")]))
    told.say(BEGIN + 4 * DAY, task_change("clean", "update", BEGIN + 4 * DAY, CLEAN))
    suspect = next(each for each in found(told) if each.statement.subject == "load")

    assert [(edge.source, edge.target) for edge in suspect.path] == [("d:ods#x", "d:dw#x"), ("d:dw#x", REVENUE)]
    assert (suspect.part and suspect.part.steps) == 2


def test_a_change_that_concerns_other_columns_touches_nothing(told: Told) -> None:
    """It has no part, and no way."""
    edges = [CLEAN[0], ("d:ods#other", "d:dw#name"), CLEAN[2]]
    told.say(BEGIN + 2 * DAY, task_change("clean", "update", BEGIN + 2 * DAY, edges))
    (suspect,) = found(told)
    said = suspect.to_json()

    assert (suspect.did.class_, suspect.part, suspect.path) == ("other-columns", None, ())
    assert (said["touches"], said["share"], said["steps"], said["path"]) == ([], None, None, [])


def test_a_declaration_is_compared_with_the_one_just_before(told: Told) -> None:
    """Of a dataset that feeds the node."""
    for day, kind in ((0, "INT"), (3, "TEXT")):
        at = BEGIN + day * DAY + HOUR
        told.say(at, NodeChange(f"dw-{day}", "dataset", "d:dw", "define", at, fields=[Field("x", kind)]))
    (suspect,) = found(told)

    assert (suspect.did.class_, suspect.did.reasons, suspect.statement.kind) == (
        "columns",
        ("x: INT → TEXT",),
        "dataset",
    )


def test_only_texts_that_differ_in_more_than_layout_are_read(told: Told) -> None:
    """Each with the one before it; what cannot be read stays compared word by word."""
    texts = [
        "SELECT sum(x) FROM dw",
        "select SUM(x) -- same\nfrom dw",
        "SELECT sum(y) FROM dw",
        "SELECT sum(z) FROM dw",
    ]
    for day, sql in enumerate(texts, 1):
        told.say(BEGIN + day * DAY, with_sql("report", BEGIN + day * DAY, sql, EDGES))
    read: list[tuple[str, str]] = []

    def comparing(pairs: Sequence[tuple[Text, Text]]) -> list[TextChange | None]:
        read.extend((one.sql, other.sql) for one, other in pairs)
        return [TextChange(False, frozenset({"revenue"}), ("expression",)), None]

    assert [each.did.class_ for each in found(told, comparing=comparing)] == ["layout", "values", "text"]
    assert read == [(texts[1], texts[2]), (texts[2], texts[3])]
    assert [each.did.class_ for each in found(told)] == ["layout", "text", "text"]


def test_columns_that_lineage_does_not_know_are_not_told_apart(told: Told) -> None:
    """A text may fill by position under other names; one known name among them is enough."""
    for day, sql in ((1, "SELECT sum(x) FROM dw"), (2, "SELECT sum(y) FROM dw")):
        told.say(BEGIN + day * DAY, with_sql("report", BEGIN + day * DAY, sql, EDGES))

    def classes(*names: str) -> list[str]:
        return [
            each.did.class_
            for each in found(told, comparing=lambda _: [TextChange(False, frozenset(names), ("expression",))])
        ]

    assert classes("expr_1") == ["text"]
    assert classes("expr_1", "REVENUE") == ["values"]


def test_a_retract_gives_back_what_it_withdrew(told: Told) -> None:
    """What it withdraws is what was there before it, and the edges of the one before that came back."""
    told.say(
        BEGIN + 2 * DAY, task_change("load", "update", BEGIN + 2 * DAY, [("d:src#y", "d:ods#x")], event_id="wrong")
    )
    told.say(BEGIN + 4 * DAY, task_change("load", "retract", retracts="wrong", event_id="back"))
    (suspect,) = found(told)

    assert (suspect.statement.event_id, suspect.at, suspect.corrected) == ("back", BEGIN + 2 * DAY, True)
    assert suspect.before is not None
    assert suspect.before.event_id == "wrong"
    assert [edge[0] for edge in suspect.did.removed] == ["d:src#y"]
    assert {edge[0] for edge in suspect.did.added} == {"d:src#x"}
