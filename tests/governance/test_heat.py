"""Heat: ranks beside networkx, counts beside a plain walk, classes, trends, and nothing kept between answers."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest
from reference import worth as judge

from lineage_tt.governance.heat.asked import Asked
from lineage_tt.governance.heat.heat import Heat, heat, trend
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.model.answers import Basis, EdgeAsOf, FactAsOf
from lineage_tt.model.edges import alias_edges, dataset_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError

KINDS = (("DIRECT", "IDENTITY"), ("DIRECT", "TRANSFORMATION"), ("INDIRECT", "FILTER"))


def edge(source: str, target: str, task: str = "t", kind: tuple[str, str] = KINDS[0]) -> EdgeAsOf:
    """Return an edge in force."""
    return EdgeAsOf(task, source, target, *kind, "", 1, 0, None)


def owner(node: str, who: str) -> FactAsOf:
    """Return the fact that somebody owns a node."""
    return FactAsOf(node, "owner", who, "task", "note", 1, 0, None)


def random_edges(chance: random.Random, tables: int = 12, edges: int = 60, aliases: int = 0) -> list[EdgeAsOf]:
    """Return edges between columns of some tables, some of them into whole tables, circles among them."""
    nodes = [f"hive:t{table}#c{column}" for table in range(tables) for column in range(3)]
    result = set()
    for _ in range(edges):
        kind = chance.choice(KINDS)
        target = chance.choice(nodes)
        target = dataset_of(target) if kind[0] == "INDIRECT" else target
        result.add(edge(chance.choice(nodes), target, f"task{chance.randrange(9)}", kind))
    for _ in range(aliases):
        one, other = chance.sample(range(tables), 2)
        names = [(f"hive:t{one}", f"hive:t{other}")] + [(f"hive:t{one}#c{c}", f"hive:t{other}#c{c}") for c in range(3)]
        for source, target in names:
            result |= {edge(*ends, "alias:", ("DIRECT", "ALIAS")) for ends in ((source, target), (target, source))}
    return sorted(result)


def rows(edges: list[EdgeAsOf], level: str = "column", facts: list[FactAsOf] | None = None) -> dict[str, Heat]:
    """Return the heat of all nodes by name."""
    found = heat(plain_point(edges, facts or []), Asked(level, limit=10_000))  # type: ignore[arg-type]
    return {row.node: row for row in found.rows}


def expected_ranks(edges: list[EdgeAsOf], seeds: set[str] | None = None) -> dict[str, float]:
    """Return PageRank of the DIRECT edges turned round: the limit of networkx's Google matrix."""
    graph = nx.DiGraph()
    graph.add_edges_from(
        (e.target, e.source) for e in judge.without_aliases(edges) if e.type == "DIRECT" and e.source != e.target
    )
    start = {node: 1.0 for node in graph if node in seeds} if seeds else None
    if not graph:
        return {}
    matrix = np.asarray(nx.google_matrix(graph, alpha=0.85, personalization=start))
    ranks = np.full(len(graph), 1 / len(graph))
    for _ in range(250):  # 0.85 ** 250 is below what a float tells apart from 1
        ranks = ranks @ matrix
    return dict(zip(graph, ranks.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_ranks_are_those_of_networkx(seed: int) -> None:
    """PageRank of random graphs, circles, ends and aliases among them, within 1e-9 of networkx."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    edges = random_edges(chance, aliases=seed % 3)
    expected = expected_ranks(edges)

    found = rows(edges)

    assert {node for node in expected if "#" in node} <= set(found)
    assert all(abs(row.rank - expected.get(node, 0.0)) < 1e-9 for node, row in found.items())
    seeds = set(chance.sample(sorted(expected), 2))
    personal = heat(plain_point(edges), Asked("column", "personal", tuple(seeds), 10_000)).rows
    asked = expected_ranks(edges, seeds)
    assert all(abs((row.personal or 0.0) - asked.get(row.node, 0.0)) < 1e-9 for row in personal)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("level", ["column", "table"])
def test_counts_are_those_of_a_plain_walk(seed: int, level: str) -> None:
    """Columns, tables, tasks and people, one step away and at any distance, are what a walk by hand meets."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    edges = random_edges(chance, aliases=seed % 2)
    facts = [owner(f"task:task{n}", chance.choice("ab")) for n in range(6)]
    facts += [owner(f"hive:t{n}", chance.choice("bcd")) for n in range(8)]
    one = judge.same_things(edges)
    owners: dict[str, set[str]] = {}
    for fact in facts:
        owners.setdefault(one.get(fact.node, fact.node), set()).add(fact.value)
    plain = judge.without_aliases(edges)

    for node, row in rows(edges, level, facts).items():
        assert row.direct == judge.behind(plain, node, owners, far=False), node
        assert row.transitive == judge.behind(plain, node, owners, far=True), node


def test_more_than_64_walks_go_on_beside_each_other() -> None:
    """A chain of 200 tables: each reaches all after it."""
    edges = [edge(f"hive:t{n:03}#c", f"hive:t{n + 1:03}#c", f"task{n}") for n in range(199)]

    found = rows(edges, "table")

    assert [found[f"hive:t{n:03}"].transitive.tables for n in range(200)] == list(range(199, -1, -1))


def test_what_everything_is_made_of_is_hot_and_what_nobody_reads_is_cold() -> None:
    """The source of ten tables holds most of the rank; a table at the end that nobody reads is cold."""
    edges = [edge("hive:base#id", f"hive:t{n}#id", f"task{n}") for n in range(10)]

    found = rows(edges, "table")

    assert found["hive:base"].heat == "hot"
    assert found["hive:base"].direct.tables == 10
    assert {found[f"hive:t{n}"].heat for n in range(10)} == {"cold"}


def test_a_table_that_reads_itself_is_no_reference() -> None:
    """An INSERT OVERWRITE that keeps its own rows makes nobody else depend on the table."""
    found = rows([edge("hive:t#a", "hive:t#a"), edge("hive:t#a", "hive:t#b")], "table")

    assert found["hive:t"].direct == (0, 0, 0, 0)
    assert found["hive:t"].heat == "cold"


def test_observed_runs_count_as_reads_and_warm_a_table() -> None:
    """Each run of a task reads each of its tables once, however many columns it takes."""
    edges = [
        edge("hive:a#x", "hive:b#x", "daily"),
        edge("hive:a#y", "hive:b#y", "daily"),
        edge("hive:a#x", "hive:c#x", "weekly"),
    ]

    found = heat(plain_point(edges), Asked(sort="reads"), {"daily": 30, "weekly": 4})

    assert [(row.node, row.reads) for row in found.rows] == [("hive:a", 34), ("hive:b", 0), ("hive:c", 0)]


def test_pages_put_together_are_the_whole() -> None:
    """Rows come in one order: by worth, those of equal worth by name."""
    edges = random_edges(random.Random(5))
    point = plain_point(edges)
    whole = heat(point, Asked(limit=1000)).rows

    parts = [row for offset in range(0, 12, 5) for row in heat(point, Asked(limit=5, offset=offset)).rows]

    assert tuple(parts) == whole
    assert [row.place for row in whole] == list(range(1, len(whole) + 1))


def test_a_trend_names_what_came_went_and_moved() -> None:
    """Two points: a table that lost its readers has less rank, one that came has none before."""
    before = plain_point([edge("hive:a#x", f"hive:r{n}#x") for n in range(3)], basis=Basis(1, 1, 1))
    after = plain_point([edge("hive:a#x", "hive:r0#x"), edge("hive:b#x", "hive:r1#x"), edge("hive:b#x", "hive:r2#x")],
                        basis=Basis(2, 2, 2))  # fmt: skip

    found = {row.node: row for row in trend(before, after, Asked(limit=100)).rows}

    assert found["hive:b"].rank_before is None
    assert found["hive:b"].references == 2
    assert found["hive:a"].change < 0
    assert (found["hive:a"].references_before, found["hive:a"].references) == (3, 1)
    assert sum(row.change for row in found.values()) == pytest.approx(0)


@pytest.mark.parametrize(
    "asked",
    [Asked(level="task"), Asked(sort="name"), Asked(limit=0), Asked(limit=10_001), Asked(offset=-1),  # type: ignore[arg-type]
     Asked(sort="personal"), Asked(sort="reads")],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused(asked: Asked) -> None:
    """A wrong level, order or page is an error that says what to give."""
    with pytest.raises(InvalidRequestError) as refused:
        heat(plain_point([edge("hive:a#x", "hive:b#x")]), asked)

    assert refused.value.hint


def test_an_unknown_node_is_refused() -> None:
    """A seed that is not there is an error, not a rank of nothing."""
    with pytest.raises(UnknownNodeError):
        heat(plain_point([edge("hive:a#x", "hive:b#x")]), Asked(seeds=("hive:nobody",)))


def test_a_thing_with_two_names_is_one_row_and_found_by_either() -> None:
    """Readers of both names count for the one thing, listed under the name that comes first."""
    alias = [
        edge(source, target, "alias:", (kind, word)) for source, target, kind, word, _ in alias_edges("hive:b", "s3:a")
    ]
    edges = [edge("hive:b#x", "hive:r#x", "one"), edge("s3:a#x", "hive:s#x", "two"), *alias]

    found = heat(plain_point(edges), Asked(nodes=("s3:a",))).rows

    assert [(row.node, row.direct.tasks) for row in found] == [("hive:b", 2)]


def test_an_empty_point_has_no_heat() -> None:
    """Nothing is not an error."""
    assert heat(plain_point([]), Asked()).rows == ()
