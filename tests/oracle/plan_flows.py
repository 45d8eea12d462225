"""What Spark's analysed plan says about columns: where each output's value comes from, followed by expression ids.

A flow is ``{(table, column): ways}``. The ways are ``value``, ``condition`` (CASE and IF conditions, an aggregate's
FILTER), ``window`` (PARTITION BY and ORDER BY of a window) and ``subquery`` (what filters, joins or groups inside a
scalar subquery: neither right nor wrong). A view is a source like a table: one does not look through it.

Shares no code with ``ingest/sql``; every node that it does not know is an error, so that nothing is judged by a guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from plan_tree import Node, tree

Flow = dict[tuple[str, str], frozenset[str]]
VALUE, CONDITION, WINDOW, SUBQUERY = "value", "condition", "window", "subquery"


@dataclass(frozen=True)
class Attribute:
    """One output column of a plan node."""

    id: int
    name: str
    flow: Flow


Known = dict[int, Flow]


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


# One child, whose rows and columns it hands on; what it names decides about rows.
SAME_COLUMNS = words(
    """Filter Sort GlobalLimit LocalLimit Offset Tail Distinct Deduplicate SubqueryAlias Sample ResolvedHint Repartition
    RepartitionByExpression RebalancePartitions PipeOperator WithWindowDefinition SQLFunctionNode"""
)
DECIDING = {"Filter": ["condition"], "Join": ["condition"], "Sort": ["order"], "Aggregate": ["groupingExpressions"]}
NO_SOURCE = frozenset(["LocalRelation", "OneRowRelation", "Range"])
# A rank is counted, not made of the columns that the window orders by, which Spark gives it as arguments.
NO_VALUE = words("Literal VariableReference NamedLambdaVariable CommonExpressionRef Rank DenseRank PercentRank")


class UnknownNodeError(Exception):
    """A node that this walk has no rule for."""


def merge(flows: Iterable[Flow], way: str = VALUE) -> Flow:
    """Lay flows over each other; used as anything but a value, all of them are that (save what is in a subquery)."""
    merged: dict[tuple[str, str], frozenset[str]] = {}
    for flow in flows:
        for source, ways in flow.items():
            used = ways if way == VALUE else frozenset(SUBQUERY if w == SUBQUERY else way for w in ways)
            merged[source] = merged.get(source, frozenset()) | used
    return merged


class Walk:
    """Follows one analysed plan. ``queries`` and ``loops`` are the CTEs and recursions met so far, by their ids."""

    def __init__(self) -> None:
        self.queries: dict[int, list[Attribute]] = {}
        self.loops: dict[int, list[Flow]] = {}

    # Plans

    def plan(self, node: Node, outer: Known) -> list[Attribute]:
        """Return the output columns of a plan; ``outer`` are the columns of the queries around it."""
        if node.kind in SAME_COLUMNS:
            return self.plan(node.children[0], outer)
        if node.kind in NO_SOURCE:
            return [Attribute(a.id, a.name, {}) for a in node.trees("output")] if "output" in node.fields else []
        rule = getattr(self, "_plan_" + node.kind.lower(), None)
        if rule is None:
            raise UnknownNodeError(node.kind)
        result: list[Attribute] = rule(node, outer)
        return result

    def below(self, node: Node, outer: Known) -> Known:
        """Return the columns that the expressions of a node may name: its children's, and those around it."""
        return seen((a for child in node.children for a in self.plan(child, outer)), outer)

    def _named(self, expressions: list[Node], known: Known) -> list[Attribute]:
        named = [e.tree("e") if e.kind == "OuterReference" else e for e in expressions]
        return [Attribute(n.id, n.name, self.value(e, known)) for n, e in zip(named, expressions, strict=True)]

    def _plan_logicalrelation(self, node: Node, outer: Known) -> list[Attribute]:
        return self._stored(node.fields["catalogTable"]["identifier"], node.trees("output"))

    def _plan_view(self, node: Node, outer: Known) -> list[Attribute]:
        output = self.plan(node.children[0], {})
        return self._stored(node.fields["desc"]["identifier"], output)

    def _stored(self, identifier: dict[str, Any], output: Iterable[Node | Attribute]) -> list[Attribute]:
        table = table_name(identifier)
        return [Attribute(a.id, a.name, {(table, a.name.lower()): frozenset([VALUE])}) for a in output]

    def _plan_project(self, node: Node, outer: Known) -> list[Attribute]:
        return self._named(node.trees("projectList"), self.below(node, outer))

    def _plan_aggregate(self, node: Node, outer: Known) -> list[Attribute]:
        return self._named(node.trees("aggregateExpressions"), self.below(node, outer))

    def _plan_window(self, node: Node, outer: Known) -> list[Attribute]:
        below = self.plan(node.children[0], outer)
        return below + self._named(node.trees("windowExpressions"), seen(below, outer))

    def _plan_join(self, node: Node, outer: Known) -> list[Attribute]:
        left, right = (self.plan(child, outer) for child in node.children)
        kind = str(node.fields["joinType"])
        return left if "LeftSemi" in kind or "LeftAnti" in kind else left + right

    def _plan_lateraljoin(self, node: Node, outer: Known) -> list[Attribute]:
        left = self.plan(node.children[0], outer)
        return left + self.plan(node.tree("right").tree("plan"), seen(left, outer))

    def _plan_union(self, node: Node, outer: Known) -> list[Attribute]:
        columns = zip(*(self.plan(child, outer) for child in node.children), strict=True)
        return [Attribute(over[0].id, over[0].name, merge(a.flow for a in over)) for over in columns]

    def _plan_except(self, node: Node, outer: Known) -> list[Attribute]:
        return self.plan(node.children[0], outer)

    _plan_intersect = _plan_except

    def _plan_expand(self, node: Node, outer: Known) -> list[Attribute]:
        below = self.below(node, outer)
        rows = [[self.value(tree(cell), below) for cell in row] for row in node.fields["projections"]]
        return [Attribute(a.id, a.name, merge(row[i] for row in rows)) for i, a in enumerate(node.trees("output"))]

    def _plan_generate(self, node: Node, outer: Known) -> list[Attribute]:
        below = self.plan(node.children[0], outer)
        outputs = node.trees("generatorOutput")
        flows = self._generated(node.tree("generator"), seen(below, outer), len(outputs))
        kept = [a for i, a in enumerate(below) if i not in node.fields["unrequiredChildIndex"]]
        return kept + [Attribute(a.id, a.name, flow) for a, flow in zip(outputs, flows, strict=True)]

    def _generated(self, node: Node, known: Known, count: int) -> list[Flow]:
        """Where a generator's columns come from: those of ``stack(n, …)`` by place, of any other each from all."""
        if node.kind == "Stack":
            return [merge(self.value(each, known) for each in node.children[1 + i :: count]) for i in range(count)]
        return [self.value(node, known)] * count

    def _plan_scripttransformation(self, node: Node, outer: Known) -> list[Attribute]:
        flow = merge(a.flow for a in self.plan(node.children[0], outer))
        return [Attribute(a.id, a.name, flow) for a in node.trees("output")]

    # Named queries

    def _plan_withcte(self, node: Node, outer: Known) -> list[Attribute]:
        for definition in node.children[:-1]:
            self.queries[definition.fields["id"]] = self.plan(definition.children[0], outer)
        return self.plan(node.children[-1], outer)

    def _plan_cterelationref(self, node: Node, outer: Known) -> list[Attribute]:
        made = self.queries[node.fields["cteId"]]
        return [Attribute(a.id, a.name, m.flow) for a, m in zip(node.trees("output"), made, strict=True)]

    def _plan_unionloop(self, node: Node, outer: Known) -> list[Attribute]:
        loop = node.fields["id"]
        made = self.plan(node.children[0], outer)
        flows: list[Flow] = []
        while flows != [a.flow for a in made]:
            flows = self.loops[loop] = [a.flow for a in made]
            more = self.plan(node.children[1], outer)
            made = [Attribute(a.id, a.name, merge([a.flow, b.flow])) for a, b in zip(made, more, strict=True)]
        ids = [int(i["id"]) for i in node.fields["outputAttrIds"]]
        return [Attribute(i, a.name, a.flow) for i, a in zip(ids, made, strict=True)]

    def _plan_unionloopref(self, node: Node, outer: Known) -> list[Attribute]:
        flows = self.loops[node.fields["loopId"]]
        return [Attribute(a.id, a.name, f) for a, f in zip(node.trees("output"), flows, strict=True)]

    # Expressions

    def value(self, node: Node, known: Known) -> Flow:
        """Return where an expression's value comes from."""
        if node.kind == "AttributeReference":
            return known[node.id]
        if node.kind == "OuterReference":
            return self.value(node.tree("e"), known)
        if node.kind in NO_VALUE:
            return {}
        rule = getattr(self, "_value_" + node.kind.lower(), None)
        if rule is not None:
            result: Flow = rule(node, known)
            return result
        return merge(self.value(child, known) for child in node.children)

    def _some(self, nodes: list[Node], known: Known, way: str) -> Flow:
        return merge((self.value(node, known) for node in nodes), way)

    def _value_if(self, node: Node, known: Known) -> Flow:
        return merge([self._some(node.children[:1], known, CONDITION), self._some(node.children[1:], known, VALUE)])

    def _value_casewhen(self, node: Node, known: Known) -> Flow:
        pairs = len(node.children) // 2
        conditions = node.children[: 2 * pairs : 2]
        values = [*node.children[1 : 2 * pairs : 2], *node.children[2 * pairs :]]
        return merge([self._some(conditions, known, CONDITION), self._some(values, known, VALUE)])

    def _value_aggregateexpression(self, node: Node, known: Known) -> Flow:
        return merge([self._some(node.children[:1], known, VALUE), self._some(node.children[1:], known, CONDITION)])

    def _value_windowexpression(self, node: Node, known: Known) -> Flow:
        return merge([self._some(node.children[:1], known, VALUE), self._some(node.children[1:], known, WINDOW)])

    def _value_pivotfirst(self, node: Node, known: Known) -> Flow:
        return merge([self._some(node.children[:1], known, CONDITION), self._some(node.children[1:], known, VALUE)])

    def _value_scalarsubquery(self, node: Node, known: Known) -> Flow:
        return merge([*(a.flow for a in self.plan(node.tree("plan"), known)), self._inside(node, known)])

    _value_listquery = _value_scalarsubquery

    def _value_exists(self, node: Node, known: Known) -> Flow:
        return self._inside(node, known)

    def _inside(self, node: Node, known: Known) -> Flow:
        """What decides about the rows of a subquery in an expression."""
        return merge(self._decisions(node.tree("plan"), known), SUBQUERY)

    def _decisions(self, node: Node, outer: Known) -> list[Flow]:
        result = [flow for child in node.children for flow in self._decisions(child, outer)]
        for key in DECIDING.get(node.kind, ()):
            value = node.fields.get(key)
            if value:
                nodes = [node.tree(key)] if isinstance(value[0], dict) else node.trees(key)
                result += [self.value(n, self.below(node, outer)) for n in nodes]
        return result


def seen(attributes: Iterable[Attribute], outer: Known) -> Known:
    """Return what may be named where these columns are in sight."""
    return {**outer, **{a.id: a.flow for a in attributes}}


def table_name(identifier: dict[str, Any]) -> str:
    """Return ``database.table``; a temporary view is in the default database."""
    return f"{identifier.get('database') or 'default'}.{identifier['table']}".lower()
