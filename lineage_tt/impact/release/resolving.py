"""Resolves candidates together, each with the columns that the others produce: a release has no order of tasks."""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from lineage_tt.impact.base.inferring import TypesOf
from lineage_tt.impact.base.names import VERY_NEAR, did_you_mean
from lineage_tt.impact.base.port import Base, TaskText
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.comparing import as_stored, compare, side_of
from lineage_tt.impact.release.declaring import note_declared, note_untyped
from lineage_tt.impact.release.positions import Positions, positions_of
from lineage_tt.impact.release.release import Change, Dropped, Release
from lineage_tt.impact.release.renames import find_renames
from lineage_tt.impact.release.rereading import reread
from lineage_tt.impact.texts import Analyst
from lineage_tt.model.completeness.gaps import NO_TARGET
from lineage_tt.model.edges import EdgeTuple, dataset_of
from lineage_tt.model.facts import Shape, names_of
from lineage_tt.model.messages import Lineage

#: How often texts that read each other's columns are resolved. Candidates whose columns still change then are marked.
MAX_ROUNDS: Final = 128


def resolve(candidates: Sequence[Candidate], base: Base, analyst: Analyst, at: int) -> Release:
    """Return the release of these candidates on a base; all of them take effect at ``at``."""
    ids = [candidate.task_id for candidate in candidates]
    texts, before = dict(base.tasks(ids)), base.columns()
    base.facts()  # queried while the edges are still being selected
    edges: dict[str, list[EdgeTuple]] = defaultdict(list)
    for edge in base.edges_of(ids):
        edges[edge.task_id].append(edge.edge)
    unseen = [c.earlier for c in candidates if c.earlier and c.task_id not in texts and not edges[c.task_id]]
    if unseen:
        unseen = [each for each in unseen if each.task_id not in base.seen(each.task_id for each in unseen)]
        earlier, gave = _lineages(unseen, before, analyst, at)
        before = ChainMap({d: columns for d, columns in gave.items() if d not in before}, before)  # type: ignore[arg-type]
        for each, lineage in zip(unseen, earlier, strict=True):
            texts[each.task_id] = _text_of(each, at)
            edges[each.task_id] = list(lineage.ordered_edges())
    edited = {c.task_id: texts[c.task_id] for c in candidates if c.sql is not None and c.task_id in texts}
    positions = positions_of(edited, edges, before, analyst)
    lineages, written = _lineages(candidates, before, analyst, at, positions)
    changes = {
        task: Change(
            each,
            texts.get(task),
            tuple(edges[task]),
            as_stored(each, lineage, texts.get(task), base.text_policy),
            positions=positions.get(task, {}),
        )
        for task, each, lineage in zip(ids, candidates, lineages, strict=True)
    }
    for each in unseen:
        changes[each.task_id].known = False
    _mark_unseen(changes, base)
    release = Release(base, at, changes, before, ChainMap(written, before))  # type: ignore[arg-type]
    release.types_of = TypesOf(base, analyst)
    for change in changes.values():
        if change.candidate.dataset is not None and (known := before.get(change.candidate.dataset)):
            change.old = Lineage(outputs=[(change.candidate.dataset, names_of(known))])
    _mark_misspelt(release)
    find_renames(release)
    compare(release, analyst)
    _mark_without_target(release)
    note_declared(release)
    note_untyped(release)
    _find_gone(release, analyst)
    reread(release, written, analyst)
    return release


def _mark_unseen(changes: Mapping[str, Change], base: Base) -> None:
    """Mark the tasks and datasets that end and of which the base knows nothing: an id may be misspelled."""
    ends = {
        task: change
        for task, change in changes.items()
        if change.candidate.op == "offline" and change.known and not (change.before or change.before_edges)
    }
    datasets = {change.candidate.dataset for change in ends.values()} - {None, *base.columns()}
    tasks = {task for task, change in ends.items() if change.candidate.dataset is None}
    missing = {*(tasks - base.seen(tasks) if tasks else ())}
    missing |= {f"dataset:{name}" for name in datasets - base.ever_named(filter(None, datasets)) if datasets}
    if not missing:
        return
    names = base.names()
    for task in missing:
        dataset = ends[task].candidate.dataset
        if dataset is None:
            near = did_you_mean(task, names.tasks)
            ends[task].known, ends[task].unseen = False, f"{task} goes offline, but the store does not know it{near}"
        elif dataset not in names.datasets:
            near = did_you_mean(dataset, names.datasets)
            ends[task].known, ends[task].unseen = False, f"{dataset} is dropped, but the store does not know it{near}"


def _mark_without_target(release: Release) -> None:
    """Mark each task that runs a bare SELECT, or no longer does, and of which no dataset that it fills is known."""
    for task, change in release.changes.items():
        ends = change.candidate.op == "offline"
        lineage = change.old if ends else change.lineage
        codes = {problem.code for problem in lineage.problems} if lineage is not None else set()
        if NO_TARGET in codes and not change.unseen and (ends or not change.is_same):
            change.unseen = (
                f"{task} {'ran' if ends else 'is'} a query, and which dataset its rows go to is not said, so that"
                f" its readers are not known: give its target, or leave it out with [[paths]] of impact.toml"
            )


def _mark_misspelt(release: Release) -> None:
    """Mark each dataset that a message declares and that is known in other letters; note one that is nearly known."""
    new = {
        change.candidate.dataset: change
        for change in release.changes.values()
        if change.candidate.fields is not None and change.candidate.dataset not in release.before
    }
    if not (fresh := new.keys() - release.base.ever_named(filter(None, new))):
        return
    known = release.base.names().datasets
    for dataset in sorted(filter(None, fresh - known)):
        alike = sorted(each for each in known if each.lower() == dataset.lower())
        if alike:
            change = new[dataset]
            change.unseen = f"{dataset} is declared, and the store knows {alike[0]}: only the case of letters differs"
        elif near := did_you_mean(dataset, known, VERY_NEAR):
            release.notes.append(f"{dataset} is new to the store{near}")


def _text_of(earlier: Candidate, at: int) -> TaskText:
    """Return a candidate's text at the base revision, in place of the message that the store never got."""
    known = earlier.sql, earlier.dialect, earlier.namespace, earlier.default_database, earlier.target
    return TaskText(earlier.task_id, 0, at, "", *known, params=earlier.params)


def _lineages(
    candidates: Sequence[Candidate],
    before: Mapping[str, Shape],
    analyst: Analyst,
    at: int,
    positions: Positions = MappingProxyType({}),
) -> tuple[list[Lineage], dict[str, Shape]]:
    """Return each candidate's lineage under the columns that the others produce, and the columns of all datasets."""
    own = {place: positions[each.task_id] for place, each in enumerate(candidates) if each.task_id in positions}
    messages = [candidate.message(at) for candidate in candidates]
    lineages: list[Lineage | None] = [message.lineage for message in messages]
    waiting = [place for place, message in enumerate(messages) if message.lineage is None]
    outputs_at = {
        place: dict(each.shapes(before)) for place, each in enumerate(lineages) if each is not None and each.outputs
    }
    for _ in range(MAX_ROUNDS):
        others = OtherOutputs(before, outputs_at, own)
        requests = [(messages[place], others.but(place)) for place in waiting]
        for place, answer in zip(waiting, analyst(requests) if requests else [], strict=True):
            lineages[place] = answer
            outputs_at[place] = dict(answer.shapes(before))
        others = OtherOutputs(before, outputs_at, own)
        open_ = [place for place in outputs_at if messages[place].lineage is None]
        waiting = [place for place in open_ if _stale(lineages[place] or Lineage(), others.but(place))]
        if not waiting:
            break
    for place in waiting:
        lineages[place] = (lineages[place] or Lineage()).unsettled(MAX_ROUNDS)
    outputs = {dataset: columns for each in outputs_at.values() for dataset, columns in each.items()}
    return [lineage or Lineage() for lineage in lineages], outputs


class OtherOutputs:
    """The columns before the release, overlaid with those of its candidates; only a candidate itself sees ``own``."""

    def __init__(
        self,
        before: Mapping[str, Shape],
        outputs_at: Mapping[int, Mapping[str, Shape]],
        own: Mapping[int, Mapping[str, Shape]] = MappingProxyType({}),
    ) -> None:
        self._before = before
        self._own = own
        self.by_dataset: dict[str, dict[int, Shape]] = defaultdict(dict)
        for place, outputs in outputs_at.items():
            for dataset, columns in outputs.items():
                self.by_dataset[dataset][place] = columns
        self.names = dict.fromkeys([*before, *self.by_dataset, *(dataset for mine in own.values() for dataset in mine)])

    def but(self, place: int) -> Mapping[str, Shape]:
        """Return what the candidate at a place sees: everything except what it produces itself."""
        return _Seen(self, place)

    def columns(self, dataset: str, place: int) -> Shape:
        """Return a dataset's columns as the candidate at a place sees them; KeyError if they are not known."""
        columns = [columns for other, columns in self.by_dataset.get(dataset, {}).items() if other != place]
        if columns:
            return columns[-1]
        mine = self._own.get(place, {}).get(dataset)
        return mine if mine is not None else self._before[dataset]


class _Seen(Mapping[str, Shape]):
    def __init__(self, others: OtherOutputs, place: int) -> None:
        self._others = others
        self._place = place

    def __getitem__(self, dataset: str) -> Shape:
        return self._others.columns(dataset, self._place)

    def __iter__(self) -> Iterator[str]:
        return (dataset for dataset in self._others.names if self.get(dataset) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def keys(self) -> KeysView[str]:
        """Return the names of all datasets about which anything is known; often called, so it does not check each."""
        return self._others.names.keys()


def _stale(lineage: Lineage, known: Mapping[str, Shape]) -> bool:
    return any(known.get(dataset) != columns for dataset, columns in lineage.lookups)


def _find_gone(release: Release, analyst: Analyst) -> None:
    """Find the datasets that no task writes any more, and those that are dropped but still written."""
    lost: dict[str, set[str]] = defaultdict(set)
    dropped: dict[str, set[str]] = defaultdict(set)
    for task, change in release.changes.items():
        for dataset in change.writes_before() - change.writes():
            lost[dataset].add(task)
        for dataset in _spelled_out(release, change.drops()):
            lost[dataset].add(task)
            dropped[dataset].add(task)
    writers: dict[str, set[str]] = defaultdict(set)
    for edge in release.edges_into(lost) if lost else ():
        writers[dataset_of(edge.target)].add(edge.task_id)
    written = {dataset for change in release.changes.values() for dataset in change.writes()}
    release.gone = {d: frozenset(tasks) for d, tasks in lost.items() if d not in written and not writers[d]}
    still = {dataset: tasks for dataset, tasks in dropped.items() if dataset not in written and writers[dataset]}
    makes = _makes(release, analyst, {task for dataset in still for task in writers[dataset]})
    for dataset, tasks in still.items():
        makers = frozenset(task for task in writers[dataset] if dataset in makes.get(task, ()))
        release.dropped[dataset] = Dropped(frozenset(tasks), tuple(sorted(writers[dataset])), makers)


def _spelled_out(release: Release, dropped: Iterable[str]) -> Iterator[str]:
    """Yield dropped datasets; the pattern of a database is replaced by all known datasets of the database."""
    for each in dropped:
        if each.endswith(".*"):
            yield from (dataset for dataset in release.before if dataset.startswith(each[:-1]))
        else:
            yield each


def _makes(release: Release, analyst: Analyst, tasks: set[str]) -> dict[str, tuple[str, ...]]:
    """Return the tables and views that the texts in force of some tasks create."""
    known = release.base.tasks(sorted(tasks)) if tasks else {}
    texts = {task: side_of(text, {}, {}) for task, text in known.items() if text.sql is not None}
    differences = analyst.compare([(side, side) for side in texts.values()]) if texts else []
    return {task: difference.makes for task, difference in zip(texts, differences, strict=True)}
