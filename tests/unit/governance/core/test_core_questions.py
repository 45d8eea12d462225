"""The questions about core links of one point: chains of promises, of one node, and what a delay breaks."""

from __future__ import annotations

import pytest
from core_story import fact

from lineage_tt.governance.core.questions import core_chain, core_late, core_list
from lineage_tt.governance.core.timings import MINUTE
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import Basis, EdgeAsOf, FactAsOf
from lineage_tt.model.edges import DIRECT
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.times import parse_instant
from lineage_tt.read.observations import Observation

PATH = (("load", "d:raw", "d:ods"), ("make", "d:ods", "d:dw"), ("show", "d:dw", "bi:1"))
FACTS = (
    fact("bi:1", "sla", "02:00"), fact("task:load", "duration", "30m"), fact("task:make", "duration", "1h"),
    fact("task:show", "owner", "ana"),
)  # fmt: skip


def point(
    *uses: tuple[str, str, str], facts: tuple[FactAsOf, ...] = FACTS, at: str = "2026-03-01T12:00:00Z"
) -> PointGraph:
    """A point at which tasks make tables of others."""
    edges = [EdgeAsOf(task, f"{a}#c", f"{b}#c", DIRECT, "IDENTITY", "", 1, 0, None) for task, a, b in uses]
    return plain_point(edges, facts, basis=Basis(parse_instant(at), 1, 1))


def test_every_promised_node_has_its_chain_in_order_of_promises() -> None:
    """Without promises there are none."""
    early = fact("d:dw", "sla", "01:00")
    found = core_list(point(*PATH, facts=(*FACTS, early)))

    assert [(chain.node, [link.task_id for link in chain.links]) for chain in found.chains] == [
        ("d:dw", ["load", "make"]), ("bi:1", ["load", "make", "show"]),
    ]  # fmt: skip
    assert core_list(point(*PATH, facts=())).chains == ()


def test_runs_up_to_the_day_of_the_point_count() -> None:
    """Later ones do not, so that a question about the past has the answer of then."""
    days = {"2026-03-01": 10, "2026-03-02": 70}
    seen = [Observation(day, "show", 0, 1, 1, 0, each * MINUTE, None, None) for day, each in days.items()]
    (then,) = core_chain(point(*PATH), "bi:1", seen).chains
    (later,) = core_chain(point(*PATH, at="2026-03-02T00:00:00Z"), "bi:1", seen).chains

    assert (then.finish, later.finish) == (100 * MINUTE, 130 * MINUTE)


def test_what_joined_a_chain_since_an_earlier_point_is_told() -> None:
    """Of a node that was not there then, all of it joined."""
    now = point(*PATH)
    moved = core_chain(now, "bi:1", since=point(PATH[0], ("old", "d:ods", "d:dw"), PATH[2]))
    fresh = core_chain(now, "bi:1", since=point(facts=()))

    assert moved.change is not None
    assert (moved.change.joined, moved.change.left) == (("make",), ("old",))
    assert fresh.change is not None
    assert (fresh.change.joined, fresh.change.finish_before) == (("load", "make", "show"), None)
    assert core_chain(now, "bi:1").change is None


def test_a_node_that_nothing_names_is_refused() -> None:
    """A source without a task, a column of it, and a node of a fact alone have an empty chain."""
    known = point(*PATH, facts=(fact("d:noted", "owner", "ana"),))

    for node in ("d:raw", "d:raw#z", "d:noted#x"):
        assert [chain.links for chain in core_chain(known, node).chains] == [()]
    with pytest.raises(UnknownNodeError):
        core_chain(known, "d:nothing")


def test_a_delay_names_the_promises_it_breaks_and_whom_to_tell() -> None:
    """Of tasks between the late one and the promise."""
    found = core_late(point(*PATH), "make", 31 * MINUTE)

    assert [(kept.promise.node, kept.breaks, kept.tell) for kept in found.promises] == [("bi:1", True, ("ana",))]
    assert [kept.breaks for kept in core_late(point(*PATH), "make", 30 * MINUTE).promises] == [False]
    assert found.to_json().keys() == {"task_id", "by_s", "promises", "unsure"}
    assert all(
        each.keys() == {"node", "durations_unknown", "tasks", "sla_unreadable"} for each in found.to_json()["unsure"]
    )


def test_a_delay_without_any_promise_is_refused() -> None:
    """With the way to give one; so is one of a task without edges."""
    with pytest.raises(InvalidRequestError, match="no node has a promise") as error:
        core_late(point(*PATH, facts=()), "make", MINUTE)
    assert "core mark" in (error.value.hint or "")
    with pytest.raises(InvalidRequestError, match="has no edges"):
        core_late(point(*PATH), "nobody", MINUTE)
