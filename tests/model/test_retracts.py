"""Retracts of retracts, in every shape: chains, forks, several of one."""

from __future__ import annotations

from pathlib import Path

from agreement import compare_all
from domain import INSTANTS, POOL, message, sizes
from hypothesis import example, given
from hypothesis import strategies as st
from reference import Model, Sent

from lineage_tt import Store
from lineage_tt.testing import ManualClock


@sizes(6, 500)
@given(st.lists(st.integers(0, 7), min_size=1, max_size=7))
@example([0, 1, 1, 2])  # of two retracts of a retract one is itself withdrawn: the other still counts
def test_retracts_of_retracts(tmp_path_factory, targets: list[int]) -> None:
    """A retract counts unless one that counts names it, however many do; tasks, edges and feed all say so."""
    folder: Path = tmp_path_factory.mktemp("retracts")
    store, model = Store.create(folder / "s", clock=ManualClock(INSTANTS[0])), Model()
    sents = [Sent("load", "e0", "online", INSTANTS[2], None, frozenset(POOL[:2]))]
    for number, target in enumerate(targets, 1):
        sents.append(Sent("load", f"e{number}", "retract", 0, retracts=f"e{target % number}"))
    for sent in sents:
        model.receive(sent, model.next_system_time(INSTANTS[0]))
    store.append([message(sent) for sent in sents])

    compare_all(store, model, seed=0)
