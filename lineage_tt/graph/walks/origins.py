"""Whether any edge in force at a point leads to a column, and to its dataset. Compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.walking import holds_late, rank_of
from lineage_tt.graph.walks.chains import rows_closed
from lineage_tt.model.edges import dataset_of, star_of

if TYPE_CHECKING:
    from lineage_tt.graph.arrays.dictionary import Dictionary
    from lineage_tt.graph.arrays.state import State
    from lineage_tt.model.answers import Basis


@jit
def is_entered(
    node: int, valid_at: int, version: int, into: Ints, rec: Ints, instants: Longs, heads: Ints, tail: Ints,
    times: Longs, tails: int,
) -> Any:  # fmt: skip
    """Return whether an edge in force ends at a node."""
    rank = rank_of(valid_at, instants)
    for at in range(rec[node, 1], rec[node + 1, 1]):
        if into[at, 1] <= rank and rank < into[at, 2] and into[at, 3] <= version and version < rows_closed(into, at):
            return True
    if tails:
        at = heads[node, 1] - 1
        while at >= 0:
            if at < tails and holds_late(at, valid_at, valid_at, version, tail, times):
                return True
            at = tail[at, 6] - 1
    return False


@jit
def is_written(
    dataset: int, valid_at: int, version: int, into: Ints, rec: Ints, instants: Longs, heads: Ints, tail: Ints,
    times: Longs, tails: int,
) -> Any:  # fmt: skip
    """Return whether an edge in force ends at a dataset or a column of it."""
    node = dataset
    while node >= 0:
        if is_entered(node, valid_at, version, into, rec, instants, heads, tail, times, tails):
            return True
        node = rec[node, 3]
    return False


def lacks_origin(state: State, names: Dictionary, basis: Basis, column: str) -> bool:
    """Return whether no edge ends at a column or its dataset's star node although one ends at the dataset."""

    def known(node: str) -> int:
        number = int(names.nodes.find(node))
        return number if number < state.nodes else -1

    rows = (state.into, state.record, state.instants, state.heads, state.tail, state.times, state.tails)
    ends = (known(column), known(star_of(column)))
    if any(node >= 0 and is_entered(node, basis.valid_at, basis.version, *rows) for node in ends):
        return False
    dataset = known(dataset_of(column))
    return dataset >= 0 and bool(is_written(dataset, basis.valid_at, basis.version, *rows))
