"""The report as the one JSON object of every command."""

from __future__ import annotations

import json

from reports import report, story

from lineage_tt.impact.render.json_page import page
from lineage_tt.impact.report import Report


def test_it_comes_back_as_the_same_report() -> None:
    """What a server sends is read back whole."""
    document = json.loads(page(story()))

    assert set(document) == {"basis", "completeness", "result"}
    assert Report.from_answer(document) == story()


def test_it_is_one_line_with_basis_and_completeness_beside_the_result() -> None:
    """As in every other answer, neither of them is in the result, too."""
    text = page(report(completeness={"complete": False, "tasks": []}))
    document = json.loads(text)

    assert text.count("\n") == 1
    assert document["basis"]["version"] == 9
    assert document["completeness"] == {"complete": False, "tasks": []}
    assert not {"basis", "completeness"} & document["result"].keys()


def test_a_class_has_the_name_of_the_api() -> None:
    """``class``, in tasks, findings and readers alike."""
    result = json.loads(page(story()))["result"]

    assert [each["class"] for each in result["tasks"]] == ["breaking", "additive"]
    assert {each["class"] for each in result["findings"]} == {"breaking"}
    assert [each["class"] for each in result["readers"]] == ["breaking", "potentially_breaking"]
