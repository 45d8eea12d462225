"""Names and labels of template parts."""

from __future__ import annotations

import time

import pytest

from ingest.sql.text.parts import is_shown_whole, label_of_part, name_of_part, own_label_of_part, part_as_written


@pytest.mark.parametrize(
    ("part", "name"),
    [("{{ x }}", "x"), ("{{- x -}}", "x"), ("${x}", "x"), ("$x", "x"), (":x", "x"), ("@x", "x"),
     ("$[yyyy-MM]", "yyyy-MM"), ("{{  var( 'a' )\n}}", "var( 'a' )"), ("{{ größe }}", "größe"), ("{{ }}", ""),
     ("{{ star(from=ref('x'), except=['id']) }}", "star(from=ref('x'), except=['id'])"), ("{{ x[0] }}", "x[0]"),
     ("${x[0]}", "x[0]"), ("{{ f({'a': 1}) }}", "f({'a': 1})")],
)  # fmt: skip
def test_a_part_is_called_the_same_however_it_is_written(part: str, name: str) -> None:
    """Its signs go and its spaces are single."""
    assert name_of_part(part) == name


@pytest.mark.parametrize(
    ("part", "label"),
    [("{{ ds }}", "{{ds}}"), ("${x}", "${x}"), (":x", "${x}"), ("{{ var('a.b') }}", "{{var(_a_b_)}}"),
     ("{{ f({'a': {1: 2}}) }}", "{{f(_a_:_1:_2_)}}"),
     ("$[yyyy MM]", "${yyyy_MM}"), ("{{ " + "a" * 70 + " }}", "{{" + "a" * 60 + "}}")],
)  # fmt: skip
def test_a_label_has_no_sign_that_would_split_a_name(part: str, label: str) -> None:
    """Dots, quotes, brackets and spaces become lines, and it has at most 60 characters inside."""
    assert label_of_part(part) == label


def test_a_label_that_is_cut_or_changed_has_a_digest_of_the_whole_part() -> None:
    """So two parts that are called the same are distinguished, however they are laid out."""
    assert own_label_of_part("{{ x }}") == label_of_part("{{ x }}")
    assert own_label_of_part("{{ f('a') }}") == own_label_of_part("{{f( 'a' )}}") != own_label_of_part("{{ f('a ') }}")
    assert label_of_part("{{ f('a') }}") == label_of_part("{{ f('a ') }}")
    assert [is_shown_whole(part) for part in ("${day}", "{{ _x }}", "${" + "x" * 61 + "}")] == [True, False, False]


@pytest.mark.parametrize("end", ["b }}", "b", "b -}}", "'"])
def test_a_part_of_many_blanks_is_written_in_time_that_grows_with_it(end: str) -> None:
    """Blanks before the end were tried from each of them on."""
    begun = time.thread_time()
    written = part_as_written("{{ a" + " " * 100_000 + end)
    assert time.thread_time() - begun < 3.0  # it takes about 0.01 s; a square would take minutes
    assert written == part_as_written(f"{{{{ a {end}")
