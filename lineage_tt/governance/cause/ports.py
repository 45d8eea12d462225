"""What the search for a root cause needs to know about the past: the port, and its values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from lineage_tt.model.answers import Basis, EdgeAsOf, FactAsOf, Step
from lineage_tt.model.completeness.summary import Completeness

Way = Literal["up", "down"]


class Statement(NamedTuple):
    """A message of a task or a dataset that took effect, as the log holds it; instants in UTC microseconds.

    ``kind`` is ``task`` or ``dataset``, ``subject`` its id or node. ``effective_at`` is None only for a retract, whose
    ``withdrawn_at`` is the time at which the withdrawn message took effect. ``corrects``: it replaces what an earlier
    message said about the same time, or withdraws an earlier message.
    """

    version: int
    system_time: int
    kind: str
    subject: str
    op: str
    effective_at: int | None
    event_id: str
    actor: str | None
    reason: str | None
    cause: str | None
    coverage: str | None
    sql_sha256: str | None
    withdrawn_at: int | None = None
    corrects: bool = False


class Text(NamedTuple):
    """The SQL text of a version, the context in which it is read, and the nodes that it was found to read and write."""

    sql: str
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class TextChange(NamedTuple):
    """How two texts of one task differ in what they do.

    ``same``: they differ only in layout, comments and names of aliases. ``columns`` are the names of the written
    columns whose values or rows differ; None where single columns could not be distinguished. ``reasons`` name, in one
    word each, where they differ.
    """

    same: bool
    columns: frozenset[str] | None = None
    reasons: tuple[str, ...] = ()


class Comparing(Protocol):
    """Compares the two texts of each pair; the result is None for a pair that it cannot read."""

    def __call__(self, pairs: Sequence[tuple[Text, Text]], /) -> Sequence[TextChange | None]:
        """Return how the texts of each pair differ, in order."""
        ...


class Reached(NamedTuple):
    """The nodes that a walk reaches, with the least steps to each, and the ends of the edges between them."""

    nodes: Mapping[str, int]
    pairs: Collection[tuple[str, str]]


class Past(Protocol):
    """The lineage at any valid time, as known at the version of ``basis`` or an earlier one."""

    @property
    def basis(self) -> Basis:
        """The point of the question."""
        ...

    def walk(self, nodes: Sequence[str], way: Way, valid_at: int, depth: int | None = None) -> Sequence[Step]:
        """Return the steps of a walk; none for nodes that are not known."""
        ...

    def reached(self, node: str, way: Way, valid_at: int) -> Reached:
        """Return what a walk from a node meets, without its edges; nothing for a node that is not known."""
        ...

    def completeness(self, nodes: Sequence[str], valid_at: int) -> Completeness:
        """Return how complete what feeds the nodes is; UnknownNodeError for a node never named."""
        ...

    def edges_into(self, nodes: Collection[str], valid_at: int, version: int | None = None) -> Sequence[EdgeAsOf]:
        """Return the edges into some nodes (datasets: of the whole), as known at a version (the basis')."""
        ...

    def statements(
        self, tasks: Collection[str], datasets: Collection[str], since: int, until: int
    ) -> Sequence[Statement]:
        """Return what took effect in (since, until], or was recorded in it about an earlier time; by version.

        These are only messages that are known at the basis and count there, neither withdrawn nor superseded at their
        own time, and the retracts that were recorded in the window.
        """
        ...

    def before(self, statement: Statement) -> Statement | None:
        """Return the message of the same subject in force until a statement took effect, None if there was none."""
        ...

    def untraced(self, datasets: Collection[str], valid_at: int) -> dict[str, frozenset[str]]:
        """Return the tasks of incomplete lineage that write any of these datasets, with the datasets they write."""
        ...

    def texts(self, versions: Collection[int]) -> dict[int, Text]:
        """Return the texts of versions that have one."""
        ...

    def results(self, nodes: Collection[str]) -> Sequence[FactAsOf]:
        """Return all results of checks of some nodes, for any valid time, as known at the version."""

    def facts(self, valid_at: int, keys: Sequence[str]) -> Sequence[FactAsOf]:
        """Return the facts in force under keys; a key that ends in ``:`` matches all keys with that prefix."""
        ...

    def fields(self, dataset: str, valid_at: int) -> dict[str, str]:
        """Return the declared columns of a dataset with their types; nothing for one without a declaration."""
        ...
