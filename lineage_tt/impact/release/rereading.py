"""Readers that nobody edits, resolved under the columns before the release and after it.

If the two differ, the release changes what these readers do.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Mapping
from typing import Final

from lineage_tt.impact.base.port import TaskText
from lineage_tt.impact.release.comparing import message_of, side_of
from lineage_tt.impact.release.positions import positions_of
from lineage_tt.impact.release.release import Release, Reread
from lineage_tt.impact.texts import Analyst
from lineage_tt.model.completeness.gaps import NO_TARGET
from lineage_tt.model.edges import EdgeTuple, dataset_of
from lineage_tt.model.facts import Shape, names_of
from lineage_tt.model.messages import Lineage

MAX_STEPS: Final = 32
MAX_READERS: Final = 5_000


def reread(release: Release, written: dict[str, Shape], analyst: Analyst) -> None:
    """Resolve the readers of datasets whose columns change, and their readers, until nothing changes."""
    moved = _moved(release)
    originals: dict[str, Lineage] = {}
    own: dict[str, dict[str, Shape]] = {}
    for _ in range(MAX_STEPS):
        waiting = _waiting(release, moved)
        if not waiting:
            return
        moved = _one_round(release, written, analyst, waiting, originals, own)
        if len(release.readers) > MAX_READERS:
            release.notes.append(f"only the first {len(release.readers):,} readers were resolved again")
            return
    release.notes.append(f"readers were followed over {MAX_STEPS} steps, not further")


def _moved(release: Release) -> dict[str, frozenset[str]]:
    """Return the datasets whose columns or types the candidates change, with the candidates that do."""
    result: dict[str, frozenset[str]] = {}
    for task, change in release.changes.items():
        for dataset, columns in change.lineage.shapes(release.before):
            types = change.difference.types if change.difference is not None else ()
            if release.before.get(dataset) != columns or types or dataset in release.types:
                result[dataset] = result.get(dataset, frozenset()) | {task}
    return result


def _waiting(
    release: Release, moved: Mapping[str, frozenset[str]]
) -> dict[str, tuple[TaskText, frozenset[str], frozenset[str]]]:
    """Return the readers of moved datasets that have a text: (text, candidates with it, datasets).

    Writers of a dataset that a candidate declares are among them: they name its columns, or fill them by position.
    """
    reading: dict[str, set[str]] = defaultdict(set)
    for edge in release.base.edges_from(moved) if moved else ():
        if edge.task_id not in release.changes:
            reading[edge.task_id].add(dataset_of(edge.source))
    for gap in release.base.gaps().reading(moved) if moved else ():
        if gap.task_id not in release.changes and any(reason.code == NO_TARGET for reason in gap.reasons):
            reading[gap.task_id] |= gap.reads & moved.keys()  # it has no edges, and names columns all the same
    declaring = [change for change in release.changes.values() if change.declares]
    declared = {dataset for change in declaring for dataset, _ in change.lineage.outputs if dataset in moved}
    for edge in release.base.edges_into(declared) if declared else ():
        if edge.task_id not in release.changes:
            reading[edge.task_id].add(dataset_of(edge.target))
    texts = release.base.tasks(reading) if reading else {}
    return {
        task: (text, frozenset().union(*(moved[dataset] for dataset in reading[task])), frozenset(reading[task]))
        for task, text in sorted(texts.items())
        if text.sql is not None
    }


def _positions(release: Release, analyst: Analyst, texts: Mapping[str, TaskText]) -> Mapping[str, dict[str, Shape]]:
    """Return the names that readers give to the positions that they fill in tables with unknown columns."""
    edges: dict[str, list[EdgeTuple]] = defaultdict(list)
    for edge in release.base.edges_of(texts) if texts else ():
        edges[edge.task_id].append(edge.edge)
    return positions_of(texts, edges, release.before, analyst)


def _seen(own: Mapping[str, dict[str, Shape]], task: str, columns: Mapping[str, Shape]) -> Mapping[str, Shape]:
    """Return the columns as a reader sees them: if those of its target are unknown, with the names in its text."""
    return ChainMap({d: c for d, c in own[task].items() if d not in columns}, columns) if task in own else columns  # type: ignore[arg-type]


def _one_round(
    release: Release,
    written: dict[str, Shape],
    analyst: Analyst,
    waiting: Mapping[str, tuple[TaskText, frozenset[str], frozenset[str]]],
    originals: dict[str, Lineage],
    own: dict[str, dict[str, Shape]],
) -> dict[str, frozenset[str]]:
    fresh = [task for task in waiting if task not in originals]
    own.update(_positions(release, analyst, {task: waiting[task][0] for task in fresh}))
    requests = [(message_of(waiting[task][0], release.at), _seen(own, task, release.before)) for task in fresh]
    originals.update(zip(fresh, analyst(requests) if requests else [], strict=True))
    now = analyst(
        [(message_of(text, release.at), _seen(own, task, release.after)) for task, (text, _, _) in waiting.items()]
    )
    pairs = []
    for (task, (text, _, _)), new in zip(waiting.items(), now, strict=True):
        looked_up = {dataset for dataset, _ in (*new.lookups, *originals[task].lookups)}
        before = {d: c for d in looked_up if (c := _seen(own, task, release.before).get(d))}
        after = {d: c for d in looked_up if (c := _seen(own, task, release.after).get(d))}
        stated = release.base.types(looked_up)
        types = (release.types_before(looked_up), release.types_after(looked_up)) if release.types else (stated, stated)
        pairs.append((side_of(text, before, types[0]), side_of(text, after, types[1])))
    moved: dict[str, frozenset[str]] = {}
    answers = zip(waiting.items(), now, analyst.compare(pairs), strict=True)
    for (task, (text, because, sources)), new, difference in answers:
        seen = release.readers.get(task)
        if seen is not None:
            because, sources = because | seen.because, sources | seen.sources
        release.note_reader(task, Reread(text, originals[task], new, difference, because, sources))
        columns = dict(originals[task].outputs)
        for dataset, outputs in new.outputs:
            known = names_of(written[dataset]) if dataset in written else columns.get(dataset)
            if known != outputs or (difference.types and seen is None):
                written[dataset] = dict(new.shapes(release.before))[dataset]
                if difference.types:
                    release.types[dataset] = dict(difference.types_after)
                moved[dataset] = because
    return moved
