"""Points and facts kept between questions: shared by threads, read again where the texts were rewritten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from labelstories import ANA, BOARD, CLIENTS, DAYS, USERS, chain, governed, label

from lineage_tt.api.reads.governing import Governing
from lineage_tt.api.reads.reading import Reading
from lineage_tt.curation.statements import annotate
from lineage_tt.governance.config import Config
from lineage_tt.governance.points.graphed import CACHED_POINTS

TEXT = "SELECT mail FROM users WHERE key = 'canary'"


def test_facts_that_were_read_before_the_texts_were_rewritten_are_read_again(tmp_path: Path) -> None:
    """A policy tightened for history: no point gives the literal any more (facts once came from what was kept)."""
    store = chain(tmp_path)
    version = annotate(store, USERS, "description", [TEXT], by=ANA, at=DAYS[0])
    governance = governed(store)
    basis = governance.basis(DAYS[3], version=version)
    assert [fact.value for fact in governance.points.at(basis).facts("description")] == [TEXT]

    store.set_text_policy("mask-literals", "the audit", "ana", history=True)
    governance.points.graph.refresh()

    assert "canary" not in repr(governance.points.at(basis).facts())
    assert "canary" not in repr(governance.points.facts(basis))


def test_questions_of_several_threads_share_points_and_labels(tmp_path: Path) -> None:
    """A thread's own reading is asked, also for what another thread's question left unread; a few points are kept."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    label(store, CLIENTS, "gdpr", at=DAYS[2])
    graph, rules, shared = store.graph(), Config(), Governing()
    bases = [graph.basis(day) for day in DAYS]

    def asked(day: int, close: bool) -> tuple[object, tuple[str, ...], int]:
        reading = Reading.of(store)
        governance = shared.over(reading, graph, rules)
        labelled = governance.labelled(bases[day])
        found = labelled.of(BOARD) if close else ()
        tasks = 0 if close else len(governance.points.at(bases[day]).task_list)
        reading.close() if close else None
        return labelled, found, tasks

    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        labelled, found, _ = one.submit(asked, 3, True).result()
        again, _, tasks = other.submit(asked, 3, False).result()
        for day in range(len(DAYS)):
            one.submit(asked, day, True).result()
    assert (found, tasks) == (("gdpr", "pii"), 3)
    assert again is labelled
    kept = shared.over(Reading.of(store), graph, rules).points._cached
    assert [key[0] for key in kept] == [basis.valid_at for basis in bases[-CACHED_POINTS:]]
    assert shared.over(Reading.of(store), store.graph(), rules).points._cached == {}
