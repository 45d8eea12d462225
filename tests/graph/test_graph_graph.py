"""The graph keeps current: what others append is seen at the next refresh, and answers given stay as they were."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from graph_story import DAYS

from lineage_tt import Store
from lineage_tt.graph import GraphView
from lineage_tt.graph.graph import Graph
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.testing import ManualClock, task_change


def tables(count: int) -> list[tuple[str, str]]:
    """Edges of a chain."""
    return [(f"n:t{i}#c", f"n:t{i + 1}#c") for i in range(count)]


def test_what_another_process_appends_is_seen(store: Store, graph: Graph) -> None:
    """A second process appends; the next refresh answers with it, at its version; the view from before does not."""
    before = graph.as_of(DAYS[1])
    edges = before.edges()
    program = (
        "from lineage_tt import Store\nfrom lineage_tt.testing import task_change\n"
        f"Store.open({str(store.log_path.parent)!r}).append("
        "[task_change('new', 'online', '2024-01-01T00:00:00Z', [('bi:board/1#revenue', 'mail:boss#figure')])])"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

    assert graph.version == 3
    assert graph.refresh() == 4
    assert graph.as_of(DAYS[1]).downstream("bi:board/1#revenue").nodes == {"mail:boss#figure": 1}
    assert before.edges() == edges
    assert graph.as_of(DAYS[1], version=3).edges() == edges


def test_readers_go_on_while_one_thread_refreshes(tmp_path: Path) -> None:
    """Two threads read at bases of their own while edges come and go; every answer at a basis is always the same."""
    store = Store.create(tmp_path, clock=ManualClock(DAYS[0]))
    store.append([task_change("chain", "online", DAYS[0], tables(50))])
    graph = Graph.load(store, max_tail=40)
    wrong: list[str] = []
    done = threading.Event()

    def read(seed: int) -> None:
        rng = random.Random(seed)
        answers: dict[Basis, object] = {}
        while not done.is_set():
            basis = graph.basis(DAYS[1], version=rng.randint(1, graph.version))
            found = tuple(sorted(graph.view(basis).reach("n:t0#c").names)), len(graph.view(basis).edges())
            if answers.setdefault(basis, found) != found:
                wrong.append(f"{basis}: {found} after {answers[basis]}")

    threads = [threading.Thread(target=read, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    rng = random.Random(3)
    print("seeds 1, 2, 3")
    for number in range(40):
        kept = [edge for edge in tables(50) if rng.random() < 0.9] + [(f"n:t{number}#c", f"m:x{number}#c")]
        store.append([task_change("chain", "update", DAYS[0], kept, event_id=f"e{number}", source_version=number)])
        graph.refresh()
    done.set()
    for thread in threads:
        thread.join()

    assert wrong == []
    fresh = store.graph()
    for version in range(1, store.version + 1):
        assert fresh.as_of(DAYS[1], version=version).edges() == graph.as_of(DAYS[1], version=version).edges()


def test_two_readers_at_one_basis_agree_byte_for_byte(store: Store, graph: Graph) -> None:
    """One loaded early and kept current, one loaded late: the same JSON and the same pages."""
    store.append([task_change("more", "online", DAYS[0], [("bi:board/1#revenue", f"m:x{i}#c") for i in range(9)])])
    graph.refresh()
    late = Store.open(str(store.log_path.parent), clock=ManualClock(DAYS[0])).graph()

    def answer(view: GraphView) -> list[object]:
        first = view.lineage("hive:ods.orders#id", "bi:board/1#revenue", limit=4)
        return [
            first.to_json(),
            view.lineage("hive:ods.orders#id", "bi:board/1#revenue", cursor=first.cursor).to_json(),
        ]

    assert answer(graph.as_of(DAYS[1])) == answer(late.as_of(DAYS[1]))


def test_an_empty_store_has_an_empty_graph(tmp_path: Path) -> None:
    """Nothing is known, nothing is in force; the first message is seen."""
    store = Store.create(tmp_path, clock=ManualClock(DAYS[0]))
    graph = store.graph()

    assert graph.as_of().edges() == []
    assert graph.diff(graph.basis(DAYS[0]), graph.basis(DAYS[1])).added == ()
    store.append([task_change("t", "online", DAYS[0], tables(1))])
    graph.refresh()
    assert graph.as_of(DAYS[0]).downstream("n:t0#c").nodes == {"n:t1#c": 1}


def test_a_damaged_file_is_not_taken_in(store: Store, graph: Graph) -> None:
    """A flipped bit in a data file after the graph's version: an error that names the file; the graph is unchanged."""
    store.append([task_change("new", "online", DAYS[0], tables(1))])
    (newest,) = [path for path in store.log_path.glob("*.parquet") if path.name.startswith("00000000000000000004-")]
    damaged = bytearray(newest.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    newest.write_bytes(bytes(damaged))

    with pytest.raises(CorruptError, match="versions 4 to 4"):
        graph.refresh()
    assert graph.version == 3
    assert not graph.knows("n:t0#c")


def test_without_numba_it_says_what_to_install(tmp_path: Path) -> None:
    """The extra is named; importing the package alone loads no numba."""
    Store.create(tmp_path / "s")
    program = (
        "import sys\nimport lineage_tt.graph\nassert 'numba' not in sys.modules\nsys.modules['numba'] = None\n"
        f"from lineage_tt import Store\nStore.open({str(tmp_path / 's')!r}).graph()"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)

    assert ran.returncode == 1
    assert UnavailableError.__name__ in ran.stderr
    assert "pip install 'lineage-tt[graph]'" in ran.stderr
