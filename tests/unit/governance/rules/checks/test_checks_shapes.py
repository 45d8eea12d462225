"""Rules of the shape of the graph: circles, ways that come together, chains of views."""

from __future__ import annotations

import random

import pytest
from ruled import Case, Pair, fact, tables_of, violations

from lineage_tt.governance.rules.checks import shapes
from lineage_tt.governance.rules.checks.shapes import circles
from lineage_tt.governance.rules.settings import Settings

CASES: list[Case] = [
    ("cycle", [("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("v", "db:c", "db:a")], [("db:a", "db:b", "db:c")]),
    ("cycle", [("t", "db:a", "db:a"), ("t", "db:a", "db:b")], None),
    ("rejoining_of_upstream_concepts", [("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("u", "db:a", "db:c")],
     [("db:c", "db:a", "db:b")]),
    ("rejoining_of_upstream_concepts",
     [("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("u", "db:a", "db:c"), ("v", "db:b", "db:d")], None),
    ("chained_views_dependencies",
     [("t", "db:x", "db:v_1"), ("u", "db:v_1", "db:v_2"), ("v", "db:v_2", "db:v_3")], [("db:v_3",)]),
    ("chained_views_dependencies",
     [("t", "db:v_3", "db:v_1"), ("u", "db:v_1", "db:x"), ("v", "db:x", "db:v_3")], None),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "edges", "expected"), CASES)
def test_a_rule_finds_what_violates_it(rule: str, edges: list[Pair], expected: list[tuple[str, ...]] | None) -> None:
    """Subject and what else it concerns; nothing where the rule is kept."""
    assert violations(*edges).get(rule) == expected


def test_a_circle_names_its_tables_in_order_and_all_tasks_that_write_them() -> None:
    """A task that feeds the circle from outside writes one of its tables; who only reads it does not."""
    tables = tables_of(("z", "db:c", "db:a"), ("t", "db:a", "db:c"), ("in", "db:s", "db:a"), ("out", "db:a", "db:x"))

    (found,) = shapes.cycle(tables, Settings())
    assert found == ("db:a", ("db:c",), "2 tables are made of one another", ("in", "t", "z"))


def test_a_way_that_comes_together_is_no_fault_where_the_middle_adds_something() -> None:
    """It is made of two tables; or the two ends are one table."""
    found = violations(("t", "db:a", "db:m"), ("t", "db:b", "db:m"), ("u", "db:m", "db:x"), ("u", "db:a", "db:x"))
    assert "rejoining_of_upstream_concepts" not in found
    assert "rejoining_of_upstream_concepts" not in violations(("t", "db:a", "db:m"), ("u", "db:m", "db:a"))


def test_a_chain_of_views_is_as_long_as_its_longest_way() -> None:
    """A table between two views ends a chain; views in a circle end, too."""
    facts = tuple(fact(f"db:{name}", "kind", "view") for name in "abcd")
    ways = [("t", "db:a", "db:b"), ("t", "db:b", "db:c"), ("t", "db:a", "db:c")]

    (found,) = shapes.chained_views_dependencies(tables_of(*ways, facts=facts), Settings(max_view_chain=2))
    assert (found.subject, found.detail) == ("db:c", "a chain of 3 views, more than 2")
    through = tables_of(*ways[:1], ("t", "db:b", "db:table"), ("t", "db:table", "db:c"), facts=facts)
    assert list(shapes.chained_views_dependencies(through, Settings(max_view_chain=2))) == []
    around = tables_of(("t", "db:a", "db:b"), ("t", "db:b", "db:a"), facts=facts)
    assert list(shapes.chained_views_dependencies(around, Settings(max_view_chain=3))) == []


def test_circles_are_those_of_a_plain_search() -> None:
    """Random graphs: two nodes are in one circle where each is reached from the other; also in a long chain."""
    for seed in range(200):
        chance = random.Random(seed)
        nodes = range(9)
        children = {n: sorted({chance.choice(nodes) for _ in range(chance.randrange(3))} - {n}) for n in nodes}
        reach = {n: reached(children, n) for n in nodes}
        expected = {frozenset(m for m in nodes if m in reach[n] and n in reach[m]) for n in nodes if n in reach[n]}

        assert {frozenset(circle) for circle in circles(children)} == expected, seed
    assert len(circles({n: [(n + 1) % 50_000] for n in range(50_000)})[0]) == 50_000


def reached(children: dict[int, list[int]], start: int) -> set[int]:
    """All that one comes to from a node by one step or more."""
    found: set[int] = set()
    waiting = list(children[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += children[node]
    return found
