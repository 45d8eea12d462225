"""Template parts of which a neutralised text shows nothing."""

from __future__ import annotations

import pytest

from ingest.sql.compare.compare import compare
from ingest.sql.compare.untraced import as_written, untraced
from ingest.sql.text.regions import region_scanner
from ingest.sql.text.templates import neutralise
from lineage_tt.impact.texts import Side, TextDifference

COLUMNS = {"n:d.t": ("a", "b", "c")}
INSERT = "INSERT INTO o SELECT a, b FROM t"


def difference(before: str, after: str) -> TextDifference:
    """Return how two texts of Spark differ."""
    return compare(*(Side(text, "spark", "n", "d", columns=COLUMNS) for text in (before, after)))


def parts_of(sql: str) -> list[str]:
    """Return the parts of a text that leave no trace."""
    return untraced(sql, list(region_scanner("spark", templated=True).regions(sql)), neutralise(sql, marked=True).parts)


@pytest.mark.parametrize(
    "template",
    ["INSERT INTO o SELECT {{% for c in ['a', '{x}'] %}}{{{{ c }}}}, {{% endfor %}} 1 FROM t",
     "INSERT INTO o SELECT a {{% for c in l %}}, {x} AS {{{{ c }}}} {{% endfor %}} FROM t",
     "{{% macro net(col) %}} coalesce({{{{ col }}}}, '{x}') {{% endmacro %}}",
     "{{% macro net(col) %}} '{x}' {{% endmacro %}}INSERT INTO o SELECT {{{{ net(a) }}}} FROM t",
     "{{{{ config(materialized='{x}') }}}} SELECT a FROM t", "{{{{ config(unique_key='{x}') }}}} SELECT a FROM t",
     "{{{{ config(pre_hook=\"delete from {x}\") }}}} SELECT a FROM t",
     "{{% do f('{x}') %}}" + INSERT, "{{% import '{x}.sql' as m %}}" + INSERT,
     "{{% from 'm.sql' import {x} %}}" + INSERT,
     "{{% set v = ['{x}'] %}}INSERT INTO o SELECT a FROM t WHERE b = {{{{ v }}}}",
     "{{% set v = '{x}' %}}INSERT INTO o SELECT a FROM t WHERE b = {{{{ f(v) }}}}",
     "{{% set q %}} select '{x}' {{% endset %}}INSERT INTO o SELECT a FROM t WHERE b = ({{{{ q }}}})",
     "{{% call f('{x}') %}} " + INSERT + " {{% endcall %}}", "{{% filter {x} %}}" + INSERT + "{{% endfilter %}}",
     "{{% snapshot s %}}{{{{ config(strategy='{x}') }}}} SELECT a FROM t{{% endsnapshot %}}",
     "SELECT a FROM {{{{ ref('{x}', 'm') }}}}",
     "SELECT a FROM {{{{ source_of('" + "x" * 70 + "{x}') }}}}",
     "SELECT {{{{ f('" + "x" * 70 + "{x}') }}}} AS a FROM t", "SELECT {{{{ f('_ {x}') }}}} AS a FROM t"],
)  # fmt: skip
def test_what_leaves_no_trace_is_a_change_of_the_template(template: str) -> None:
    """The texts that the parser reads are the same, or nearly."""
    one, other = template.format(x="p"), template.format(x="q")
    found = difference(one, other)

    assert not found.same
    assert found.reasons in (("template",), ("expression",))
    assert difference(one, one.replace(" FROM t", "  -- of the day\n FROM t")).same


@pytest.mark.parametrize(
    ("before", "after"),
    [("{{ config(a='x') }} SELECT a FROM t", "{{config( a='x' )}}\n select a from t"),
     ("{% do f(1) %}" + INSERT, "{%- do  f(1) -%}\n" + INSERT.lower()),
     ("INSERT INTO o SELECT {% for c in l %}{{ c }}, {% endfor %} 1 FROM t",
      "INSERT INTO o SELECT\n{%- for c in l %} {{ c }} , -- each\n {%- endfor %} 1 FROM t"),
     ("SELECT {{ f('a b') }} AS a FROM t", "SELECT {{f('a b')}} AS a FROM t")],
)  # fmt: skip
def test_the_layout_of_a_template_is_no_difference(before: str, after: str) -> None:
    """Nor are the signs that take white space away, and comments."""
    assert difference(before, after).same


@pytest.mark.parametrize(
    "head", ["{{ config(materialized='table') }}", "{% set n = 't' %}", "{% set v = [1, 2] %}", "{% do f() %}"]
)
def test_a_template_whose_parts_stay_is_compared_column_by_column(head: str) -> None:
    """A part at the head of a text does not make all of it one."""
    found = difference(f"{head}{INSERT}", f"{head}{INSERT.replace('b FROM', 'c AS b FROM')}")

    assert (found.same, found.comparable, found.changed) == (False, True, ("b",))


def test_a_constant_that_the_text_shows_is_compared_by_its_value() -> None:
    """So its name does not count, but one that a call, a condition or nothing uses does."""
    text = "{{% set {n} = 'b' %}}INSERT INTO o SELECT a FROM t WHERE {{{{ {n} }}}} = 1"

    assert parts_of(text.format(n="x")) == []
    assert difference(text.format(n="x"), text.format(n="y")).same
    assert difference(text.format(n="x"), text.format(n="x").replace("'b'", "'c'")).reasons == ("filter",)
    assert parts_of("{% set x = 'b' %}{% set x = 'c' %}SELECT {{ x }} FROM t") == [
        "{% set x = 'b' %}",
        "{% set x = 'c' %}",
    ]


def test_a_block_is_one_part_with_all_that_is_in_it() -> None:
    """Also where blocks of the same kind are inside of it, or it does not end."""
    inner = "{% for x in l %}{{ x }}{% endfor %}"

    assert parts_of("SELECT {% for c in l %} a, " + inner + "{% endfor %} b FROM t") == [
        "{% for c in l %} a , " + "{% for x in l %} {{ x }} {% endfor %}" + " {% endfor %}"
    ]
    assert parts_of("{% raw %}{% do f() %}{% endraw %} SELECT 1") == []


def test_strings_keep_their_spaces() -> None:
    """Within the text and within a template part."""
    sql = "a,'x  y'  -- c\n {{ f('p  q',  r) }}"
    regions = list(region_scanner("spark", templated=True).regions(sql))

    assert as_written(sql, regions) == "a , 'x  y' {{ f ( 'p  q' , r ) }}"


@pytest.mark.parametrize(
    ("sql", "parts"),
    [
        ("{% set x = 'a' %}select {{ x }} from t -- " + "{{" * 20_000, 0),
        ("".join(f"{{% set x{number} = 'a' %}}{{{{ x{number} }}}}, " for number in range(2_000)), 0),
        ("{% do" + " " * 100_000 + "x %}", 1),
    ],
    ids=["openings", "constants", "blanks"],
)
def test_a_hostile_template_is_read_once(sql: str, parts: int) -> None:
    """A second reading for each opening, constant or blank would take minutes."""
    regions = list(region_scanner("spark", templated=True).regions(sql))

    assert len(untraced(sql, regions, ())) == parts
