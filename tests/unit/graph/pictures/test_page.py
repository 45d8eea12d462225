"""A picture as a page: the drawing, and a table that says the same in words."""

from __future__ import annotations

from drawn import walk

from lineage_tt.graph.pictures.page import page
from lineage_tt.graph.pictures.picture import picture
from lineage_tt.model.completeness.summary import Gap, summed


def test_the_page_says_in_words_what_the_picture_shows() -> None:
    """Every line is a row of the table under it, with its change."""
    drawn = picture(walk(("hive:a#x", "hive:b#y")), walk(("hive:a#x", "hive:c#y"), at=5))
    html = "\n".join(page(drawn))

    assert "<td>removed</td><td>hive:a#x</td><td>hive:b#y</td><td>IDENTITY</td><td>t</td>" in html
    assert "<td>added</td><td>hive:a#x</td><td>hive:c#y</td>" in html
    assert html.count("<tr>") == 3


def test_a_page_loads_nothing_and_runs_nothing() -> None:
    """Its own policy says so; names are text."""
    text = "\n".join(page(picture(walk(('n:<script>alert("1")</script>#x', "n:b#y")))))

    assert "default-src 'none'" in text
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_what_changed_has_a_column_where_two_points_are_compared() -> None:
    """One point has none; what is not certain is remarked."""
    gap = Gap("t", 1, "partial")
    one = walk(("n:a#x", "n:b#y"))._replace(completeness=summed([gap]))
    two = walk(("n:a#x", "n:c#y"), at=5)

    assert '<th scope="col">change</th>' not in "".join(page(picture(one)))
    assert "of tasks whose lineage is not complete" in "".join(page(picture(one)))
    assert "<td>removed</td>" in "".join(page(picture(one, two)))
