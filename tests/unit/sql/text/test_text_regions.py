"""Where a text is code, a string, a quoted name, a comment or a template."""

from __future__ import annotations

import pytest

from ingest.sql.text.regions import region_scanner


def shown(text: str, dialect: str, *, templated: bool = False) -> list[tuple[str, str]]:
    """Return the kinds of a text's regions, and what each holds."""
    return [(r.kind, text[r.start : r.end]) for r in region_scanner(dialect, templated=templated).regions(text)]


@pytest.mark.parametrize(
    ("dialect", "text", "regions"),
    [("hive", "a 'b\\'c' \"d\"", [("code", "a "), ("string", "'b\\'c'"), ("code", " "), ("string", '"d"')]),
     ("postgres", "'b\\' \"d\"", [("string", "'b\\'"), ("code", " "), ("identifier", '"d"')]),
     ("hive", "`é -- x`--y\nz", [("identifier", "`é -- x`"), ("comment", "--y"), ("code", "\nz")]),
     ("postgres", "/* a /* b */ c */d", [("comment", "/* a /* b */ c */"), ("code", "d")]),
     ("mysql", "/* a /* b */ c", [("comment", "/* a /* b */"), ("code", " c")]),
     ("postgres", "$x$ a $$ ' $x$b", [("string", "$x$ a $$ ' $x$"), ("code", "b")]),
     ("oracle", "q'[it's]'a", [("code", "q"), ("string", "'[it's]'"), ("code", "a")]),
     ("tsql", "[a]b", [("identifier", "[a]"), ("code", "b")]),
     ("no-such", "a 'b", [("code", "a "), ("string", "'b")]),
     ("hive", "/* open", [("comment", "/* open")]),
     ("hive", "", [])],
)  # fmt: skip
def test_regions_are_those_of_the_dialects_tokenizer(dialect: str, text: str, regions: list[tuple[str, str]]) -> None:
    """Escapes, nested comments and quotes differ; what is not closed reaches to the end."""
    assert shown(text, dialect) == regions


def test_templates_are_regions_only_where_they_are_asked_for() -> None:
    """Inside a string a template's own quotes do not end it."""
    text = "a {{ x('}}') }} '{{ v('y') }}' ${z}"

    assert shown(text, "hive", templated=True) == [
        ("code", "a "), ("template", "{{ x('}}') }}"), ("code", " "), ("string", "'{{ v('y') }}'"), ("code", " "),
        ("template", "${z}"),
    ]  # fmt: skip
    assert {kind for kind, _ in shown(text, "hive")} == {"code", "string"}


def test_only_the_regions_of_the_places_are_found() -> None:
    """Each once, in order, code between others included."""
    text = "a 'b' c 'd' e"
    found = region_scanner("hive").holding(text, [0, 9, 10, 12])

    assert [(r.kind, text[r.start : r.end]) for r in found] == [("code", "a "), ("string", "'d'"), ("code", " e")]
    assert list(region_scanner("hive").holding(text, [])) == []


def test_code_has_a_filler_for_all_else() -> None:
    """Comments count too, nested ones as one."""
    assert region_scanner("hive").code("a 'b' -- c\nd", filler="?") == "a ? ?\nd"
    assert region_scanner("postgres").code("a /* /* */ 'b' */ c", filler="?") == "a ? c"
