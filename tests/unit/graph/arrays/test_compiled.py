"""Two halves of a question at the same time, and where compiled code is kept."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Barrier, current_thread

import pytest

from lineage_tt.graph.arrays.compiled import MANY_NODES, _folder, both


def test_two_halves_of_a_question_over_many_nodes_run_at_the_same_time() -> None:
    """Each waits for the other: one after the other they would wait for ever."""
    met = Barrier(2, timeout=30)

    one, other = both(lambda: (met.wait(), "one")[1], lambda: (met.wait(), "other")[1], MANY_NODES)

    assert (one, other) == ("one", "other")


def test_over_few_nodes_no_thread_is_used() -> None:
    """Handing a half over would take longer than the half."""
    here = current_thread()

    assert both(current_thread, current_thread, MANY_NODES - 1) == (here, here)
    assert both(current_thread, current_thread, MANY_NODES)[1] is not here


def test_while_the_second_thread_is_at_work_others_do_both_halves_themselves() -> None:
    """A question does not wait for a base that is built; nor does one half that has two halves of its own."""
    here = current_thread()

    (first, second), (inner, _) = both(
        lambda: both(current_thread, current_thread, MANY_NODES),
        lambda: both(current_thread, current_thread, MANY_NODES),
        MANY_NODES,
    )

    assert first is second is here
    assert inner is not here


def test_an_error_of_either_half_is_raised_after_both_have_ended() -> None:
    """What the second half writes to is not used again while it writes."""
    met, ended = Barrier(2, timeout=30), []

    def fails() -> None:
        met.wait()
        raise ValueError("the first half")

    def ends() -> None:
        met.wait()
        ended.append(True)

    with pytest.raises(ValueError, match="the first half"):
        both(fails, ends, MANY_NODES)
    assert ended == [True]
    with pytest.raises(ZeroDivisionError):
        both(str, lambda: 1 // 0, MANY_NODES)
    assert both(str, str, MANY_NODES) == ("", "")


def test_a_forked_process_runs_both_halves_too() -> None:
    """The thread of the process that it was forked from is not there in it."""
    both(str, str, MANY_NODES)
    child = os.fork()
    if child == 0:
        os._exit(0 if both(lambda: 1, lambda: 2, MANY_NODES) == (1, 2) else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_compiled_code_lies_where_a_variable_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is named after the sources, so that other sources do not run this code."""
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(tmp_path))
    _folder.cache_clear()
    try:
        given = Path(_folder())
    finally:
        _folder.cache_clear()

    assert given.parent == tmp_path / "numba"
    assert len(given.name) == 16
