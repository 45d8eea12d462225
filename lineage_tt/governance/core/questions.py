"""The questions about core links as of a point: all promises, one node's chain, what a delay breaks."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from lineage_tt.governance.core.chain import Chain, ChainChange, chain_of, difference
from lineage_tt.governance.core.late import PromiseAtRisk, promises_at_risk, unsure_promises
from lineage_tt.governance.core.promises import Promise, owners_by_node, promises_of
from lineage_tt.governance.core.tasks import TaskGraph, uses_of
from lineage_tt.governance.core.timings import Observed, Timing, timings_of
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.governance.ports import PointGraph


class CoreAnswer(NamedTuple):
    """Chains as of a point; ``change`` is what differs from an earlier point, if one chain was asked for."""

    basis: Basis
    chains: tuple[Chain, ...]
    completeness: Completeness
    change: ChainChange | None = None
    since: Basis | None = None


class LateAnswer(NamedTuple):
    """The promises that a delay affects, broken ones first; ``unsure`` are those for which times are not known."""

    basis: Basis
    task_id: str
    by: int
    promises: tuple[PromiseAtRisk, ...]
    completeness: Completeness
    unsure: tuple[Chain, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as an object; the delay in seconds."""
        unsure = [
            {"node": c.node, "durations_unknown": c.unknown, "tasks": len(c.links), "sla_unreadable": [*c.unreadable]}
            for c in self.unsure
        ]
        promises = [each.to_json() for each in self.promises]
        return {"task_id": self.task_id, "by_s": self.by / 1e6, "promises": promises, "unsure": unsure}


class Core:
    """The times and promises of one point, and the tasks that a question is about: those that make ``nodes`` (None:
    the promised nodes), with all tasks before them, and ``tasks``, with all tasks after them."""

    def __init__(
        self, point: PointGraph, observed: Iterable[Observed] = (), nodes: Collection[str] | None = None,
        tasks: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.point = point
        self.facts = point.facts()
        self.promises: list[Promise] = promises_of(self.facts)
        promised = [promise.node for promise in self.promises]
        self.graph = TaskGraph(*uses_of(point, promised if nodes is None else nodes, tasks))
        day = (format_instant(point.basis.valid_at) or "")[:10]
        self.timings: dict[str, Timing] = timings_of(self.facts, observed, day)

    def chain(self, node: str) -> Chain:
        """Return the chain of one node; UnknownNodeError if neither an edge nor a fact at this point names it."""
        promise = next((each for each in self.promises if each.node == node), None)
        result = chain_of(self.graph, node, self.timings, promise)
        if not result.links and promise is None and not self._knows(node):
            raise UnknownNodeError(node, ())
        return result

    def _knows(self, node: str) -> bool:
        dataset = dataset_of(node)
        return (
            self.point.number(dataset) >= 0
            or bool(self.point.gaps.writing([dataset]))
            or any(fact.node in (node, dataset) for fact in self.facts)
        )

    def chains(self) -> tuple[Chain, ...]:
        """Return the chains of all promised nodes, in the order of their promises."""
        return tuple(chain_of(self.graph, each.node, self.timings, each) for each in self.promises)

    def completeness(self, chains: Iterable[Chain]) -> Completeness:
        """Return how complete the chains are: tasks of unknown lineage may hide links."""
        return self.point.completeness({link.task_id for chain in chains for link in chain.links})


def core_list(point: PointGraph, observed: Iterable[Observed] = ()) -> CoreAnswer:
    """Return the chain of every promised node."""
    core = Core(point, observed)
    chains = core.chains()
    return CoreAnswer(point.basis, chains, core.completeness(chains))


def core_chain(
    point: PointGraph, node: str, observed: Iterable[Observed] = (), since: PointGraph | None = None
) -> CoreAnswer:
    """Return the chain of a node, and with ``since`` what joined or left it since that point."""
    seen = list(observed)
    core = Core(point, seen, [node])
    chain = core.chain(node)
    if since is None:
        return CoreAnswer(point.basis, (chain,), core.completeness([chain]))
    earlier = Core(since, seen, [node])
    try:
        before = earlier.chain(node)
    except UnknownNodeError:  # the node is newer than that point: its whole chain joined
        before = Chain(node, None, (), (), None)
    change = difference(before, chain)
    return CoreAnswer(point.basis, (chain,), core.completeness([chain]), change, since.basis)


def core_late(point: PointGraph, task: str, by: int, observed: Iterable[Observed] = ()) -> LateAnswer:
    """Return what a delay of ``by`` microseconds of a task breaks. Raises InvalidRequestError."""
    core = Core(point, observed, tasks=[task])
    if not core.promises:
        raise InvalidRequestError(
            "no node has a promise at that point", hint="give one with: lineage-tt core mark NODE --sla 09:00"
        )
    at_risk = promises_at_risk(core.graph, task, by, core.promises, core.timings, owners_by_node(core.facts))
    reached = core.graph.downstream([task])
    unsure = unsure_promises(core.graph, task, core.promises, core.timings)
    return LateAnswer(point.basis, task, by, tuple(at_risk), point.completeness(reached), tuple(unsure))
