"""The small world of the model tests: few tasks, tables and instants, so that ties and touching intervals abound."""

from __future__ import annotations

import os
from itertools import product

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from reference import EdgeValue, Sent
from rounds import rounds

from lineage_tt import Lineage, TaskChange

DEEP = os.environ.get("LINEAGE_TT_PROFILE") == "deep"

START = 1_700_000_000_000_000
#: Eight instants; two are neighbours to the microsecond, the rest seconds apart.
INSTANTS = [START, START + 1, *(START + k * 1_000_000 for k in range(1, 7))]
TASKS = ["load", "report", "export"]
COLUMNS = {"hive:a": ["x", "y"], "hive:b": ["x"], "hive:c": ["x", "y"], "kafka:d": ["x"], "bi:e": ["x"]}
NODES = sorted({*COLUMNS, *(f"{table}#{column}" for table, names in COLUMNS.items() for column in names)})


def _pool() -> list[EdgeValue]:
    def direct(source: str, target: str, subtype: str = "IDENTITY", expression: str = "") -> EdgeValue:
        return (source, target, "DIRECT", subtype, expression)

    return [
        direct("hive:a#x", "hive:b#x"),
        direct("hive:a#x", "hive:b#x", "AGGREGATION", "SUM(x)"),
        direct("hive:a#y", "hive:b#x", "TRANSFORMATION", "x || '#' || y"),
        direct("hive:b#x", "hive:c#x"),
        direct("hive:b#x", "hive:c#y"),
        direct("hive:c#x", "kafka:d#x"),
        direct("kafka:d#x", "bi:e#x"),
        direct("bi:e#x", "hive:a#x"),  # closes a cycle
        direct("hive:c#y", "hive:c#y", "TRANSFORMATION", "y + 1"),  # onto itself
        direct("hive:b", "kafka:d#x", "AGGREGATION", "COUNT(*)"),  # out of a whole dataset
        ("hive:a#y", "hive:c", "INDIRECT", "FILTER", ""),  # into a whole dataset
        ("hive:b#x", "bi:e", "INDIRECT", "JOIN", ""),
        ("hive:c#x", "hive:c", "INDIRECT", "GROUP_BY", ""),
        ("hive:a#x", "bi:e#x", "INDIRECT", "CONDITIONAL", "CASE"),
    ]


POOL = _pool()

instants = st.sampled_from(INSTANTS)
tasks = st.sampled_from(TASKS)
edge_sets = st.frozensets(st.sampled_from(POOL), max_size=4)
source_versions = st.one_of(st.none(), st.integers(1, 3))


@st.composite
def statements(draw: st.DrawFn, event: str = "") -> Sent:
    """One online, update or offline message; its event id is set by the caller."""
    op = draw(st.sampled_from(["online", "update", "update", "offline"]))
    edges = frozenset[EdgeValue]() if op == "offline" else draw(edge_sets)
    return Sent(draw(tasks), event, op, draw(instants), draw(source_versions), edges)


def message(sent: Sent) -> TaskChange:
    """The message as the store takes it."""
    return TaskChange(
        event_id=sent.event,
        task_id=sent.task,
        op=sent.op,  # type: ignore[arg-type]
        effective_at=sent.effective_at if sent.op != "retract" else None,
        source_version=sent.source_version,
        lineage=Lineage(edges=sorted(sent.edges)) if sent.op in ("online", "update") else None,
        retracts=sent.retracts,
    )


def around(boundaries: list[int]) -> list[int]:
    """Every boundary and its neighbours to the microsecond; the ones behind lie between two boundaries."""
    return sorted({at + off for at, off in product(boundaries, (-1, 0, 1))})


def sizes(quick: int, deep: int) -> settings:
    """Settings of a random test: this many examples; how large they are is not a fault.

    ``LINEAGE_TT_EXAMPLES`` is another number of examples, so that a long run can be cut into parts, each with another
    ``--hypothesis-seed``.
    """
    return settings(
        max_examples=int(os.environ.get("LINEAGE_TT_EXAMPLES", deep if DEEP else rounds(quick, 4))),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink],
        database=None,
    )
