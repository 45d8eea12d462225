"""JUnit XML: each task of the release is a test, which fails where it breaks something or could not be read.

A changed file that was not judged is a skipped test.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from lineage_tt.impact.render.words import TITLES, not_judged, verdict_line
from lineage_tt.impact.report import BREAKING, UNKNOWN, Report
from lineage_tt.model.names import shown


def page(report: Report) -> str:
    """Return the report as a test suite."""
    failing = sum(task.class_ == BREAKING for task in report.tasks)
    errors = sum(task.class_ == UNKNOWN for task in report.tasks)
    skipped = len(report.unmapped)
    counted = {"tests": str(len(report.tasks) + skipped), "failures": str(failing), "errors": str(errors)}
    counted |= {"skipped": str(skipped)} if skipped else {}
    root = Element("testsuites", counted)
    suite = SubElement(root, "testsuite", {"name": "lineage-tt impact", **counted})
    for task in report.tasks:
        case = SubElement(suite, "testcase", {"classname": "impact", "name": shown(task.task_id)})
        if task.file:
            case.set("file", shown(task.file))
        words = "\n".join(map(shown, task.reasons))
        if task.class_ in (BREAKING, UNKNOWN):
            kind = "failure" if task.class_ == BREAKING else "error"
            SubElement(case, kind, {"message": TITLES[task.class_], "type": task.class_}).text = words
        else:
            SubElement(case, "system-out").text = f"{TITLES[task.class_]}: {words}"
    for path in report.unmapped:
        case = SubElement(suite, "testcase", {"classname": "impact", "name": shown(path), "file": shown(path)})
        SubElement(case, "skipped", {"message": not_judged(path)})
    SubElement(suite, "system-out").text = shown(verdict_line(report))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"
