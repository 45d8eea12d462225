"""What answers need from a graph and a view: small interfaces, so that answers import neither."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from lineage_tt.graph.arrays.names import Bytes, Ints
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.load.statements import Statements
from lineage_tt.graph.walks.edges import Part
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.ports import WalkedGraph
from lineage_tt.graph.walks.unnamed import Unnamed
from lineage_tt.model.answers import Basis, Level
from lineage_tt.model.completeness.gaps import Gaps, GapsAtPoint


class Request(NamedTuple):
    """The checked options of a walk."""

    depth: int
    table: bool
    direct_only: bool
    use: int
    mask: Bytes
    where: Filter | None = None


class AnsweringGraph(WalkedGraph, Protocol):
    """A graph, as far as a view of it needs it."""

    @property
    def gaps(self) -> Gaps:
        """The tasks that were ever incomplete."""

    @property
    def statements(self) -> Statements:
        """The messages of all tasks, by which edges are attributed."""

    def state_at(self, basis: Basis) -> State:
        """Return the newest arrays; VersionNotReachedError where the graph has not reached the basis."""

    def mask(self, where: Filter, state: State, basis: Basis) -> Bytes:
        """Return which nodes pass a filter."""

    def unnamed(self, state: State) -> Unnamed:
        """Return the nodes of one answer."""

    def check_nodes(self, nodes: Iterable[str]) -> None:
        """Raise UnknownNodeError, with the nearest names, for a node that no edge ever named."""

    def is_only_touched(self, dataset: str) -> bool:
        """Return whether only an incomplete task reads or writes a dataset, which no edge ever named."""

    def stated_columns(self, basis: Basis, nodes: Collection[str]) -> dict[str, set[str]]:
        """Return, by dataset, the names of the columns of these nodes' datasets declared or written as of a basis."""

    def known_columns(self, basis: Basis, nodes: Collection[str]) -> set[str]:
        """Return those nodes that are columns known as of a basis, whether an edge named them or not."""

    def labelled(self, basis: Basis, labels: tuple[str, ...]) -> set[str]:
        """Return the nodes that carry any of these labels as of a basis."""


class Point(Protocol):
    """A graph as of one point, as far as the answers at that point need it."""

    basis: Basis
    state: State

    @property
    def graph(self) -> AnsweringGraph:
        """The graph to query."""

    @property
    def gaps(self) -> GapsAtPoint:
        """The tasks in force whose lineage is not complete."""

    @property
    def absent(self) -> Callable[[Collection[str]], set[str]]:
        """A function that returns those columns that are not known although their datasets are written."""

    def request(self, depth: int | None, level: Level, direct_only: bool, where: Filter | None) -> Request:
        """Check the options of a walk; raises InvalidRequestError."""

    def start(self, nodes: Sequence[str], level: Level) -> tuple[str, ...]:
        """Return the nodes to start from, each once; InvalidRequestError for none."""

    def begin(self, start: tuple[str, ...]) -> tuple[Unnamed, Ints]:
        """Return the nodes of an answer, and the numbers of those it starts from. Raises UnknownNodeError."""

    def numbered(self, start: tuple[str, ...]) -> tuple[Unnamed, Ints]:
        """Return the nodes of an answer, and the numbers of those it starts from: -1 for a node without edges."""

    def note_labelled(self, request: Request, unnamed: Unnamed) -> None:
        """Number the unnamed columns that themselves have a label of the filter, which decides whether they pass."""

    def part(self, numbers: Ints, way: Literal["down", "up"], request: Request, enough: int, unnamed: Unnamed) -> Part:
        """Walk in one direction, and note the edges."""
