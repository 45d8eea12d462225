"""Labels that a release brings where they were not, each with its way."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import PlainBase, candidate, change, edge, release, reread, resolved, text

from lineage_tt.impact.base.port import Facts
from lineage_tt.impact.downstream.labels import label_doubts, newly_reached
from lineage_tt.impact.release.release import Release
from lineage_tt.impact.report import LabelReach
from lineage_tt.model.edges import TaskEdge

A, B, C, D = "n:a", "n:b", "n:c", "n:d"
PII = Facts(labels={f"{A}#mail": ("pii",)})
BELOW = edge("r", f"{B}#x", f"{C}#x")


def reached(made: Release, facts: Facts = PII) -> list[tuple[str, tuple[str, ...]]]:
    """Return what is newly reached as (label, way)."""
    return [(each.label, each.path) for each in newly_reached(made, facts)]


def brings(*base: TaskEdge, after: Any = ((f"{A}#mail", f"{B}#x"),)) -> Release:
    """Return a release of one task that makes ``B#x`` of addresses."""
    return release(PlainBase(*base), change("t", [(f"{A}#id", f"{B}#x")], after))


def test_a_label_goes_where_values_go() -> None:
    """To the dataset that is edited and those after it, the nearest first, with owners and priority of both nodes."""
    facts = Facts({f"{C}#x": ("ana",), C: ("bo",)}, {f"{A}#mail": ("pii", "key")}, {C: "P0"})

    found = newly_reached(brings(BELOW), facts)

    assert [(each.label, each.node) for each in found] == [
        ("key", f"{B}#x"), ("pii", f"{B}#x"), ("key", f"{C}#x"), ("pii", f"{C}#x"),
    ]  # fmt: skip
    way = (f"{A}#mail", f"{B}#x", f"{C}#x")
    assert found[3] == LabelReach("pii", f"{A}#mail", f"{C}#x", way, ("ana", "bo"), "P0")


def test_without_labels_or_new_edges_nothing_is_news() -> None:
    """A decision about rows carries none, and what was read before brings none."""
    filtered = ((f"{A}#new", f"{B}#x"), (f"{A}#mail", f"{B}#x", "INDIRECT", "CONDITIONAL"))
    before = release(PlainBase(), change("t", [(f"{A}#mail", f"{B}#x")], [(f"{A}#mail", f"{B}#x")]))

    assert newly_reached(brings(), Facts()) == ()
    assert reached(brings(after=filtered)) == []
    assert reached(before) == []


def test_what_a_label_reached_already_is_no_news() -> None:
    """From another column, or because the dataset is labelled itself; what lies after it was reached as well."""
    both = Facts(labels={f"{A}#mail": ("pii",), f"{A}#phone": ("pii", "phone")})
    before = [(f"{A}#mail", f"{B}#x")]
    made = release(PlainBase(edge("t", *before[0]), BELOW), change("t", before, [*before, (f"{A}#phone", f"{B}#x")]))

    assert reached(made, both) == [
        ("phone", (f"{A}#phone", f"{B}#x")), ("phone", (f"{A}#phone", f"{B}#x", f"{C}#x")),
    ]  # fmt: skip
    itself = Facts(labels={f"{A}#mail": ("pii",), B: ("pii",)})
    assert reached(brings(), itself) == []


def test_a_label_of_a_dataset_is_on_all_its_columns() -> None:
    """Whatever column is read."""
    facts = Facts(labels={A: ("internal",)})

    assert reached(brings(after=((f"{A}#new", f"{B}#x"), (f"{D}#x", f"{B}#y"))), facts) == [
        ("internal", (f"{A}#new", f"{B}#x"))
    ]


def test_a_dataset_hears_of_a_label_once() -> None:
    """At the nearest of its columns, by name where several are as near."""
    after = ((f"{A}#mail", f"{B}#y"), (f"{A}#mail", f"{B}#x"))

    assert reached(brings(after=after)) == [("pii", (f"{A}#mail", f"{B}#x"))]
    assert reached(brings(edge("u", f"{B}#y", f"{B}#x"), after=after[:1])) == [("pii", (f"{A}#mail", f"{B}#y"))]


def test_a_star_brings_the_labels_of_every_column() -> None:
    """To the star node, which is any column; a column that it leaves out stays out."""
    star, without = (f"{A}#*", f"{B}#*"), (f"{A}#*", f"{B}#*", "DIRECT", "IDENTITY", "* EXCEPT (mail)")

    assert [way[0] for _, way in reached(brings(after=(star,)))] == [f"{A}#mail"]
    assert reached(brings(after=(without,))) == []


def test_the_label_comes_from_far_above() -> None:
    """The way begins where it is stated, over tasks that nobody edits."""
    above = edge("up", f"{D}#mail", f"{A}#mail")

    assert reached(brings(above), Facts(labels={f"{D}#mail": ("pii",)})) == [
        ("pii", (f"{D}#mail", f"{A}#mail", f"{B}#x"))
    ]


def test_a_reader_that_follows_brings_labels_too() -> None:
    """A star of it takes a column on that it did not read before."""
    wide = reread("r", [(f"{B}#x", f"{C}#x")], [(f"{B}#x", f"{C}#x"), (f"{A}#mail", f"{C}#mail")])
    made = release(PlainBase(BELOW), change("t"), readers={"r": wide})

    assert reached(made) == [("pii", (f"{A}#mail", f"{C}#mail"))]


SOURCE = "SELECT id, {} AS made FROM ods.people"
PEOPLE = {"hive:ods.people": ("id", "mail"), "hive:dw.out": ("id", "made")}
PEOPLE_PII = Facts(labels={"hive:ods.people#mail": ("pii",)})


def doubts(sql: str, before: str | None = None, facts: Facts = PEOPLE_PII) -> list[str]:
    """Return the doubts about labels of a task that makes dw.out."""
    make = "CREATE TABLE out AS {}"
    base = PlainBase(columns=PEOPLE, texts=[text("t", make.format(before))] if before else [])
    return list(label_doubts(resolved(base, candidate("t", make.format(sql))), facts))


@pytest.mark.parametrize(
    "template", ["{{ agg }}", "max({{ mask('mail') }})", "${column}", "concat('x', {{ value }})"]
)  # fmt: skip
def test_a_label_may_reach_what_a_template_makes(template: str) -> None:
    """No edge shows what the part holds: whatever label a source has, and the dataset has not, may come with it."""
    said = ["pii may reach hive:dw.out: t makes made of a template part without a value"]

    assert doubts(SOURCE.format(template)) == said
    assert doubts(SOURCE.format(template), SOURCE.format("1")) == said


def test_a_template_that_brings_no_new_label_is_not_named() -> None:
    """It is somewhere else, it was there before, the label is there already, or nothing has one."""
    made = SOURCE.format("{{ agg }}")

    assert doubts(SOURCE.format("upper(id)") + " WHERE dt = '{{ ds }}'") == []
    assert doubts(SOURCE.format("id + {{ shift }}")) == []
    assert doubts(made, made.replace("SELECT id", "SELECT  id")) == []
    assert doubts(made.replace("id,", "mail AS id,")) == []
    assert doubts(made, facts=Facts()) == []
    assert doubts(made, facts=Facts(labels={"hive:ods.other#x": ("pii",)})) == []
