"""The report as a value, and as the JSON that the API promises."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from reports import report, story, task

from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    CLASSES,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    DerivedChange,
    EdgeChange,
    GroupReach,
    Report,
    worst,
)
from lineage_tt.model.completeness.summary import COMPLETE


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ([], NONE),
        ([NONE, ADDITIVE], ADDITIVE),
        ([POTENTIALLY, UNKNOWN], UNKNOWN),
        ([UNKNOWN, BREAKING, NONE], BREAKING),
    ],
)
def test_the_worst_class_counts(classes: list[str], expected: str) -> None:
    """What is not known is worse than what may change, and never safe."""
    assert worst(classes) == expected


def test_a_class_that_there_is_not_is_an_error() -> None:
    """It could otherwise pass for harmless."""
    with pytest.raises(ValueError, match="tuple"):
        worst([NONE, "odd"])


def test_it_comes_back_from_its_json() -> None:
    """With derived changes, groups and files that were not judged: all tuples again, and equal."""
    derived = DerivedChange("mirror", (EdgeChange("added", "n:a#x", "n:b#x", None, "DIRECT IDENTITY"),))
    whole = replace(
        story(), derived=(derived,), level="owner", groups=(GroupReach("ana", BREAKING, 1, 2, 3, 4),)
    ).with_unmapped(["b.sql"])  # fmt: skip

    assert Report.from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_groups_are_in_the_json_where_they_were_asked_for() -> None:
    """An empty list of groups of a level says that nothing is downstream; without a level there is no key."""
    assert not {"level", "groups"} & report().to_json().keys()
    asked = report(level="owner").to_json()
    assert (asked["level"], list(asked["groups"])) == ("owner", [])


def test_older_answers_lack_what_came_later() -> None:
    """A server that sends no completeness, files or groups is read: nothing is missing of what it knew."""
    sent = story().to_json()
    basis = sent.pop("basis")
    del sent["completeness"], sent["unmapped"]

    read = Report.from_answer({"basis": basis, "result": sent})

    assert read.completeness == COMPLETE.to_json()
    assert (read.unmapped, read.groups, read.level) == ((), (), None)
    assert read.tasks == story().tasks


def test_files_that_were_not_judged_are_listed_once_and_counted() -> None:
    """In order of their names, with all other counts as they were."""
    before = story()

    after = before.with_unmapped(["z.sql", "a.sql", "z.sql"])

    assert after.unmapped == ("a.sql", "z.sql")
    assert after.counts == {**before.counts, "unmapped": 2}
    assert before.counts["unmapped"] == 0
    assert after.with_unmapped([]).unmapped == ()


def test_json_calls_a_class_by_its_name_alone() -> None:
    """Only the key changes: a task that is called ``class_`` stays what it is."""
    sent = report([task("class_", NONE)]).to_json()

    assert sent["tasks"][0]["task_id"] == "class_"
    assert (sent["tasks"][0]["class"], "class_" in sent["tasks"][0]) == (NONE, False)
    assert set(CLASSES) <= set(sent["counts"])
