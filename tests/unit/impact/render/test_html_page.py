"""The report as one HTML page: well-formed, without anything from elsewhere, and with a drawing."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

from reports import finding, large, report, story, task

from lineage_tt.impact.render.html_page import page
from lineage_tt.impact.report import BREAKING, NONE, Gate


def test_it_is_well_formed_and_loads_nothing() -> None:
    """Every tag that opens closes, and nothing is fetched from anywhere."""
    opened: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href"} & {name for name, _ in attrs}
            if tag != "meta":
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Tags().feed(page(story()))

    assert opened == []


def test_the_datasets_that_the_release_touches_are_drawn() -> None:
    """Each changed dataset and each reader is a box with the colour of its class; what is too much is counted."""
    text, made = page(story()), story()
    drawing = ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + len("</svg>")])
    boxes = {
        group.findtext("{*}title"): (group.get("class") or "").split()[1]
        for group in drawing.iter("{http://www.w3.org/2000/svg}g")
        if (group.get("class") or "").startswith("table")
    }

    assert {dataset: boxes[dataset] for dataset in ("hive:dw.totals", "bi:board/42")} == {
        each.dataset: each.class_ for each in made.readers
    }
    assert {dataset for each in made.tasks for dataset in each.writes} <= boxes.keys()
    assert "4 datasets that the release touches</figcaption>" in text
    assert "100 more that are not drawn" in page(report([task("t", writes=tuple(f"n:{i}" for i in range(300)))]))


def test_a_release_that_touches_nothing_has_no_drawing_and_no_tables() -> None:
    """A task without impact is in the table of tasks alone."""
    text = page(report([task("t", NONE, "nothing but layout")]))

    assert "<svg" not in text
    assert text.count("<h2>") == 1
    assert "<h2>Tasks (1)</h2>" in text
    assert '<tr class="none"><td>none</td><td>t</td><td>update</td><td></td><td>nothing but layout</td></tr>' in text


def test_text_is_shown_and_not_read_as_markup() -> None:
    """Markup in a name, an owner or a file is text; control characters are spelled."""
    evil = '</td><script>alert("é")</script>\x1b'
    text = page(report([task("t", BREAKING, evil)], [finding(reason=evil, owners=(evil,), file=evil)]))

    assert "<script" not in text
    assert text.count("&lt;script&gt;alert(&quot;é&quot;)&lt;/script&gt;\\u001b") == 4


def test_counts_of_long_tables_have_commas() -> None:
    """A table of a thousand rows is not cut."""
    text = page(large(1_000))

    assert "<h2>Findings (1,000)</h2>" in text
    assert text.count("<td>stale-reader</td>") == 1_000


def test_the_gate_and_files_that_were_not_judged_are_said() -> None:
    """A gate that failed names what tripped it."""
    text = page(story().with_unmapped(["old/é.sql"]))

    assert "<p>Gate failed: breaking: 1 of 2 tasks</p>" in text
    assert "<td>old/é.sql</td>" in text
    assert "<p>Gate passed</p>" in page(report())


def test_it_shows_the_notes_and_what_is_incomplete() -> None:
    """What the other pages report was missing: a reader of this one took the assessment for complete."""
    gaps = {"tasks": [{"task_id": "t", "coverage": "opaque"}], "tasks_omitted": 0}
    made = report(
        [task("t", "breaking", *(f"reason {number}" for number in range(8)))],
        notes=("readers were followed over 32 <steps>",), completeness=gaps,
        gate=Gate(True, (), (), (), ("the allowance 'x' ended on 2020-01-01",)),
    )  # fmt: skip
    text = page(made)

    assert "<h2>Notes (1)</h2>" in text
    assert "readers were followed over 32 &lt;steps&gt;" in text
    assert "incomplete: what is known of t (opaque) is not complete" in text
    assert "ended on 2020-01-01" in text
    assert "reason 4; 3 more: see --format json</td>" in text
