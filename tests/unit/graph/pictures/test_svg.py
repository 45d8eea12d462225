"""A picture as SVG: words for its points and lines, texts that fit."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from drawn import walk

from lineage_tt.graph.pictures.picture import picture, text_width
from lineage_tt.graph.pictures.svg import at_point, fitted, line_words, points_of, svg, title_of
from lineage_tt.model.answers import Basis

PAIR = ("n:a#x", "n:b#y")


def test_points_are_said_in_words() -> None:
    """Where two are compared the first goes and the last comes."""
    assert at_point(Basis(0, 0, 0)) == "valid at 1970-01-01T00:00:00Z"
    assert at_point(Basis(0, 3, 0)) == "valid at 1970-01-01T00:00:00Z, as known at version 3"
    assert [words[0] for words in points_of(picture(walk(PAIR), walk(PAIR, at=5)))] == ["−", "+"]
    assert points_of(picture(walk(PAIR)))[0].startswith("valid at")


def test_a_title_names_where_it_begins() -> None:
    """Three of the nodes at most."""
    many = walk(PAIR)._replace(start=("n:a#x", "n:b#y", "n:c", "n:d", "n:e"))

    assert title_of(picture(walk(PAIR))) == "Lineage of n:a#x: 2 datasets, 1 arrows"
    assert "n:a#x, n:b#y, n:c and 2 more: 5 datasets" in title_of(picture(many))


@pytest.mark.parametrize("text", ["short", "x" * 500, "数据" * 200, "a"])
def test_a_text_fits_into_its_room(text: str) -> None:
    """Whole, or with an ellipsis."""
    found = fitted(text, 100, 6.7)

    assert text_width(found, 6.7) <= 100 + 6.7
    assert found == text or (found.endswith("…") and text.startswith(found[:-1]))


def test_a_line_says_what_it_sums_up() -> None:
    """Tasks and expressions in part where they are many."""
    steps = [walk(PAIR, task=f"t{number}").steps[0] for number in range(8)]
    (line,) = picture(walk(PAIR)._replace(steps=tuple(steps))).lines

    assert line_words(line).splitlines() == ["n:a#x → n:b#y", "IDENTITY", "tasks t0, t1, t2, t3, t4 and 3 more", "f(a)"]
    (changed,) = picture(walk(PAIR), walk(PAIR, kind="AGGREGATION", at=5)).lines
    assert line_words(changed).endswith("changed between the two points")


def test_the_document_is_well_formed() -> None:
    """With a loop, and a box for each dataset."""
    document = ElementTree.fromstring("\n".join(svg(picture(walk(PAIR, ("n:b#y", "n:b#z"))))))

    assert sum(1 for each in document.iter() if each.get("class", "").startswith("table")) == 2
