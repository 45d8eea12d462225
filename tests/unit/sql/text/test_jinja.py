"""What of Jinja is read without running it."""

from __future__ import annotations

import time

import pytest

from ingest.sql.text.jinja import Standing, constant_of, leaves_no_trace, resolve_blocks, resolve_expression
from ingest.sql.text.regions import region_scanner

IF = "{% if a %}1{% elif b %}2{% else %}3{% endif %}"


def kept(text: str, branch: int = 0, **values: str) -> tuple[str, Standing]:
    """Return what is kept of a text, and all that was found."""
    regions = list(region_scanner("hive", templated=True).regions(text))
    found = resolve_blocks(text, regions, branch, values)
    return "".join(text[r.start : r.end] for r, flag in zip(regions, found.flags, strict=True) if flag), found


@pytest.mark.parametrize(("branch", "text"), [(0, "1"), (1, "2"), (2, "3"), (7, "3")])
def test_of_a_condition_one_branch_is_kept(branch: int, text: str) -> None:
    """A number beyond the last branch takes the last one; the condition is unknown, and there are three texts."""
    found = kept(IF, branch)

    assert found[0] == text
    assert (found[1].conditions, found[1].branches) == ([("a", 0)], 3)


@pytest.mark.parametrize(
    ("condition", "value", "text"),
    [("a", "1", "x"), ("a", "False", "y"), ("a", " 0 ", "y"), ("not a", "0", "x"), ("not a", "yes", "y")],
)
def test_a_given_value_decides_its_condition(condition: str, value: str, text: str) -> None:
    """Nothing is unknown then, whatever branch is asked for."""
    result, found = kept(f"{{% if {condition} %}}x{{% else %}}y{{% endif %}}", 1, a=value)

    assert (result, found.conditions, found.branches) == (text, [], 1)


@pytest.mark.parametrize(
    ("text", "rest"),
    [("{% for a in b %}x{% if not loop.last %},{% endif %}{% endfor %}", "x"),
     ("{% for a in b %}{% if loop.first %}x{% endif %}{% endfor %}", "x"),
     ("{% macro f() %}x{% endmacro %}y", "y"),
     ("{% set a %}x{% endset %}y", "y"),
     ("{% raw %}{% if x %}{% endraw %}y", "{% if x %}y"),
     ("{% endif %}{% else %}y", "y"),
     ("{% if a %}{% if b %}x{% else %}y{% endif %}{% else %}z{% endif %}", "x"),
     ("", "")],
)  # fmt: skip
def test_blocks_leave_what_a_run_may_make(text: str, rest: str) -> None:
    """A loop's body comes once; definitions are dropped; ends without a beginning close nothing."""
    assert kept(text)[0] == rest


def test_constants_and_includes_are_noted() -> None:
    """Only plain values are constants; an include is unknown."""
    _, found = kept("{% set a = 'x' %}{% set b = -1.5 %}{% set c = f() %}{% set d = '' %}{% include 'y' %}")

    assert found.constants == {"a": "x", "b": "-1.5", "d": ""}
    assert [name for name, _ in found.conditions] == ["include 'y'"]


def test_a_condition_inside_of_what_is_dropped_is_not_unknown() -> None:
    """No edge depends on it."""
    assert kept("{% macro f() %}{% if a %}x{% endif %}{% endmacro %}")[1].conditions == []


@pytest.mark.parametrize(
    ("expression", "text"),
    [("a", "1"), ("'x'", "x"), ('""', ""), ("ref('m')", "m"), ("ref('p', 'm')", "m"), ("ref('m', v=2)", "m"),
     ("source('s', 't')", "s.t"), ("ref(m)", None), ("var('a')", "1"), ("var('z')", None), ("env_var('a')", "1"),
     ("params.a", "1"), ("params.z", None), ("other.a", None), ("config(x = 1)", ""), ("',' if not loop.last", ""),
     ("f('x')", None), ("", None)],
)  # fmt: skip
def test_an_expression_is_read_where_it_is_plain(expression: str, text: str | None) -> None:
    """What would have to be evaluated is unknown."""
    assert resolve_expression(expression, {"a": "1"}) == text


def test_what_shows_nothing_of_itself_is_told_apart() -> None:
    """A call for the configuration, and a reference that says more than a name."""
    hidden = ["config(x = 1)", "',' if not loop.last", "ref('p', 'm')", "ref('m', v=2)", "ref(m)"]

    assert [leaves_no_trace(each) for each in (*hidden, "ref('m')", "source('s', 't')", "f('x')")] == [True] * 5 + [
        False
    ] * 3
    assert [constant_of(f"{{% {tag} %}}") for tag in ("set x = 'a'", "set x = f()", "set x", "do x")] == [
        "x", None, None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tag", "name"),
    [("{% set x = 'a'@%}", "x"), ("{%-@set x = 'a'@-%}", "x"), ("{% set x@= 'a' %}", "x"), ("{% set x =@b %}", None),
     ("{% set x@y@%}", None), ("{% set x = 'a'@", None)],
)  # fmt: skip
def test_a_tag_of_many_blanks_is_read_in_time_that_grows_with_it(tag: str, name: str | None) -> None:
    """Blanks before the end were tried from each of them on."""
    begun = time.thread_time()
    assert constant_of(tag.replace("@", " " * 100_000)) == name
    assert time.thread_time() - begun < 3.0  # it takes about 0.01 s; a square would take minutes
