"""JUnit XML: a test for each task of the release."""

from __future__ import annotations

from xml.etree import ElementTree

from reports import report, story, task

from lineage_tt.impact.render.junit_page import page
from lineage_tt.impact.report import BREAKING, POTENTIALLY, UNKNOWN


def test_a_suite_has_a_test_for_each_task() -> None:
    """The one that breaks fails, with its file; the other passes."""
    suite = ElementTree.fromstring(page(story()))[0]

    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [case.get("name") for case in suite.findall("testcase") if case.find("failure") is not None] == ["sales"]
    assert [case.get("file") for case in suite.findall("testcase")] == ["jobs/sales.sql", "jobs/fresh.sql"]
    assert suite.findtext("testcase[2]/system-out") == "additive: a new task"
    assert suite.findtext("system-out") == "1 of 2 tasks breaks what others read"


def test_what_cannot_be_judged_is_an_error() -> None:
    """Unknown is not a failure of the release and no success; a change of meaning passes with its reasons."""
    suite = ElementTree.fromstring(page(report([task("u", UNKNOWN, "not read", "é"), task("p", POTENTIALLY, "rows")])))[
        0
    ]
    unknown, passed = suite.findall("testcase")

    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    error = unknown.find("error")
    assert error is not None
    assert (error.get("type"), error.get("message"), error.text) == ("unknown", "unknown", "not read\né")
    assert passed.findtext("system-out") == "potentially breaking: rows"
    assert passed.find("failure") is None


def test_characters_that_xml_cannot_hold_are_spelled() -> None:
    """A name with a control character or markup leaves the document well-formed."""
    suite = ElementTree.fromstring(page(report([task('a\x00<b>&"', BREAKING, "]]>\x0b")])))[0]
    case = suite.find("testcase")

    assert case is not None
    assert case.get("name") == 'a\\u0000<b>&"'
    assert case.findtext("failure") == "]]>\\u000b"


def test_an_empty_release_is_an_empty_suite() -> None:
    """No task, no test, and still a document."""
    suite = ElementTree.fromstring(page(report()))[0]

    assert (suite.get("tests"), suite.findall("testcase")) == ("0", [])
    assert suite.findtext("system-out") == "no task changes"


def test_a_file_that_was_not_judged_is_a_skipped_test() -> None:
    """It was missing here, so that the suite passed without it; a release without such files counts no skipped ones."""
    suite = ElementTree.fromstring(page(story().with_unmapped(["z.sql", "a\x00.sql"])))[0]
    skipped = [case for case in suite.findall("testcase") if case.find("skipped") is not None]

    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "2")
    assert [(case.get("name"), case.get("file")) for case in skipped] == [("a\\u0000.sql",) * 2, ("z.sql",) * 2]
    reason = skipped[1].find("skipped")
    assert reason is not None
    assert reason.get("message") == "z.sql matches no path rule and was not judged: map it in impact.toml"
    assert ElementTree.fromstring(page(story()))[0].get("skipped") is None
