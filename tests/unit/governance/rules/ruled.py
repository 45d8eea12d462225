"""Rules at points of lists of edges and facts."""

from __future__ import annotations

from collections.abc import Iterable

from lineage_tt.governance.config import Config
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.engine import check
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.model.answers import EdgeAsOf, FactAsOf

LAYERS = """
[rules]
hard_coded = ["file:*"]
views = ["db:v_*"]
max_view_chain = 2
max_fanin = 2
max_fanout = 2
ends = ["bi:*"]
[[rules.layer]]
name = "ods"
match = ["db:ods.*"]
[[rules.layer]]
name = "dw"
match = ["db:dw.*"]
naming = ["db:dw.dw_*"]
[[rules.layer]]
name = "ads"
match = ["db:ads.*"]
"""
#: A task makes a table of another one: task, source, target.
Pair = tuple[str, str, str]
#: A rule, tables, and the subjects of its violations with what else each concerns; None for no violation.
Case = tuple[str, list[Pair], list[tuple[str, ...]] | None]


def edges_of(pairs: Iterable[Pair]) -> list[EdgeAsOf]:
    """Edges of a column of each pair."""
    return [EdgeAsOf(task, f"{a}#c", f"{b}#c", "DIRECT", "IDENTITY", "", 1, 0, None) for task, a, b in pairs]


def tables_of(*pairs: Pair, facts: tuple[FactAsOf, ...] = ()) -> Tables:
    """The tables of a point with an edge for each pair."""
    return Tables(plain_point(edges_of(pairs), facts))


def violations(
    *pairs: Pair, rules: str = LAYERS, facts: tuple[FactAsOf, ...] = ()
) -> dict[str, list[tuple[str, ...]]]:  # fmt: skip
    """What violates rules where tasks make tables of others, by rule: the subject, and what else it concerns."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for each in check(plain_point(edges_of(pairs), facts), Config.parse(rules)).violations:
        found.setdefault(each.rule, []).append((each.subject, *each.others))
    return found


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact; of columns it is a dataset's own."""
    return FactAsOf(node, key, value, "dataset", node.partition("#")[0], 1, 0, None)
