"""The release as it would be: each candidate's lineage, and that of the readers whose sources' columns change.

Candidates are resolved together, each under the columns that the others give (one release, no order among them).
Readers that nobody edits are resolved anew under the columns after the release and before it: where the two differ, the
release changes what they do.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lineage_tt.edges import EdgeTuple, TaskEdge, dataset_of
from lineage_tt.facts import Shape, names_of, retyped
from lineage_tt.impact.base import Base, TaskText
from lineage_tt.impact.candidates import Candidate
from lineage_tt.impact.inferring import TypesOf
from lineage_tt.impact.texts import Analyst, Side, TextDifference
from lineage_tt.messages import Lineage, TaskChange

AskTypes = Callable[[Iterable[str]], Mapping[str, Mapping[str, str]]]

MOST_ROUNDS: Final = 32
#: Problems after which nothing can be said of a text.
UNREADABLE: Final = frozenset(
    [
        *("syntax", "too-large", "too-many-tokens", "too-nested", "too-long-chain", "too-many-queries", "too-deep"),
        *("timeout", "crash", "worker-died", "extractor-fault"),
        *("unsupported-statement", "opaque-call", "unsupported-dialect"),
    ]
)
MOST_READERS: Final = 5_000


@dataclass(slots=True)
class Change:
    """One task of the release: what it did, what it would do, and how its texts differ."""

    candidate: Candidate
    before: TaskText | None
    before_edges: tuple[EdgeTuple, ...]
    lineage: Lineage
    old: Lineage | None = None
    difference: TextDifference | None = None

    @property
    def edges(self) -> Sequence[EdgeTuple]:
        """The edges of the task after the release."""
        return self.lineage.ordered_edges()

    @property
    def unreadable(self) -> bool:
        """Whether nothing can be told of the candidate's text."""
        if self.candidate.sql is None or (self.difference is not None and self.difference.same):
            return False
        return self.lineage.coverage == "opaque" or any(p.code in UNREADABLE for p in self.lineage.problems)

    @property
    def op(self) -> str:
        """What the deployment's message says: online, update or offline."""
        if self.candidate.op == "offline":
            return "offline"
        return "update" if self.before is not None or self.before_edges else "online"

    def writes_before(self) -> set[str]:
        """Return the datasets that it wrote."""
        found = {dataset_of(edge[1]) for edge in self.before_edges}
        return found | {dataset for dataset, _ in (self.old.outputs if self.old else ())}

    def writes(self) -> set[str]:
        """Return the datasets that it writes after the release: those of before, where its text cannot be read."""
        if self.unreadable:
            return self.writes_before()
        found = {dataset_of(edge[1]) for edge in self.edges} | {dataset for dataset, _ in self.lineage.outputs}
        if self.difference is not None and self.candidate.op != "offline":
            found |= {dataset for dataset, _ in self.difference.writes}
        return found


@dataclass(slots=True)
class Reread:
    """A task that nobody edits, resolved under the columns before and after the release."""

    text: TaskText
    old: Lineage
    new: Lineage
    difference: TextDifference
    because: frozenset[str]
    sources: frozenset[str]


@dataclass(slots=True)
class Release:
    """Everything after the release that differs from the base."""

    base: Base
    at: int
    changes: dict[str, Change]
    before: Mapping[str, Shape]
    after: Mapping[str, Shape]
    gone: dict[str, frozenset[str]] = field(default_factory=dict)
    readers: dict[str, Reread] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    types: dict[str, dict[str, str]] = field(default_factory=dict)
    types_of: TypesOf | None = None
    _index: tuple[dict[str, list[TaskEdge]], dict[str, list[TaskEdge]]] | None = None

    def types_before(self, datasets: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the types of datasets' columns before the release."""
        return self.types_of(datasets) if self.types_of is not None else {}

    def types_after(self, datasets: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the types of datasets' columns after the release."""
        wanted = set(datasets)
        return {**self.types_before(wanted), **{d: self.types[d] for d in wanted if d in self.types}}

    def edges_from(self, datasets: Iterable[str]) -> list[TaskEdge]:
        """Return the edges that leave these datasets after the release."""
        wanted = set(datasets)
        return self._after(self.base.edges_from(wanted), self._made()[0], wanted)

    def edges_into(self, datasets: Iterable[str]) -> list[TaskEdge]:
        """Return the edges that end at these datasets after the release."""
        wanted = set(datasets)
        return self._after(self.base.edges_into(wanted), self._made()[1], wanted)

    def _after(
        self, before: Iterable[TaskEdge], made: Mapping[str, list[TaskEdge]], wanted: Iterable[str]
    ) -> list[TaskEdge]:
        kept = [edge for edge in before if edge.task_id not in self.changes and edge.task_id not in self.readers]
        return kept + [edge for dataset in sorted(wanted) for edge in made.get(dataset, ())]

    def _made(self) -> tuple[dict[str, list[TaskEdge]], dict[str, list[TaskEdge]]]:
        """Return the edges that the release makes, by the dataset that they leave and by that at which they end."""
        if self._index is None:
            self._index = defaultdict(list), defaultdict(list)
            texts = [(task, change.edges) for task, change in self.changes.items()]
            texts += [(task, reread.new.edges) for task, reread in self.readers.items()]
            for task, edges in texts:
                for edge in edges:
                    made = TaskEdge(task, *edge)
                    self._index[0][dataset_of(made.source)].append(made)
                    self._index[1][dataset_of(made.target)].append(made)
        return self._index

    def note_reader(self, task: str, reread: Reread) -> None:
        """Take in a reader that was resolved again."""
        self.readers[task] = reread
        self._index = None

    def fetch_readers(self) -> None:
        """Ask the base at once for the edges out of all that the release writes: it remembers them."""
        self.base.edges_from(
            {d for change in self.changes.values() for d in (*change.writes(), *change.writes_before())}
        )


def resolve(candidates: Sequence[Candidate], base: Base, analyst: Analyst, at: int) -> Release:
    """Return the release of these candidates on a base; all of them take effect at ``at``."""
    ids = [candidate.task_id for candidate in candidates]
    texts, before = base.tasks(ids), base.columns()
    base.facts()  # asked for while the edges are still looked for
    lineages, made = _lineages(candidates, before, analyst, at)
    edges = defaultdict(list)
    for edge in base.edges_of(ids):
        edges[edge.task_id].append(edge.edge)
    changes = {
        candidate.task_id: Change(candidate, texts.get(candidate.task_id), tuple(edges[candidate.task_id]), lineage)
        for candidate, lineage in zip(candidates, lineages, strict=True)
    }
    release = Release(base, at, changes, before, ChainMap(made, before))  # type: ignore[arg-type]
    release.types_of = TypesOf(base, analyst)
    _compare(release, analyst)
    _find_gone(release)
    _reread(release, made, analyst)
    return release


def _lineages(
    candidates: Sequence[Candidate], before: Mapping[str, Shape], analyst: Analyst, at: int
) -> tuple[list[Lineage], dict[str, Shape]]:
    """Return each candidate's lineage under the columns that the others leave, and the columns of all."""
    messages = [candidate.message(at) for candidate in candidates]
    found: list[Lineage | None] = [message.lineage for message in messages]
    waiting = [place for place, message in enumerate(messages) if message.lineage is None]
    given: dict[int, dict[str, Shape]] = {}
    for _ in range(MOST_ROUNDS):
        others = OtherOutputs(before, given)
        asked = [(messages[place], others.but(place)) for place in waiting]
        for place, made in zip(waiting, analyst(asked) if asked else [], strict=True):
            found[place] = made
            given[place] = {d: retyped(columns, before.get(d)) for d, columns in made.outputs}
        others = OtherOutputs(before, given)
        waiting = [place for place in given if _stale(found[place] or Lineage(), others.but(place))]
        if not waiting:
            break
    outputs = {dataset: columns for each in given.values() for dataset, columns in each.items()}
    return [lineage or Lineage() for lineage in found], outputs


class OtherOutputs:
    """The columns before the release, with those that its candidates give on top."""

    def __init__(self, before: Mapping[str, Shape], given: Mapping[int, Mapping[str, Shape]]) -> None:
        self._before = before
        self.made: dict[str, dict[int, Shape]] = defaultdict(dict)
        for place, outputs in given.items():
            for dataset, columns in outputs.items():
                self.made[dataset][place] = columns
        self.names = dict.fromkeys([*before, *self.made])

    def but(self, place: int) -> Mapping[str, Shape]:
        """Return what the candidate at a place sees: all but what it gives itself."""
        return _Seen(self, place)

    def columns(self, dataset: str, place: int) -> Shape:
        """Return a dataset's columns as the candidate at a place sees them; KeyError where they are not known."""
        columns = [columns for other, columns in self.made.get(dataset, {}).items() if other != place]
        return columns[-1] if columns else self._before[dataset]


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
        """Return the names of all datasets of which anything is known: asked often, so without looking at each."""
        return self._others.names.keys()


def _stale(lineage: Lineage, known: Mapping[str, Shape]) -> bool:
    return any(known.get(dataset) != columns for dataset, columns in lineage.lookups)


def message_of(text: TaskText, at: int) -> TaskChange:
    """Return a task in force as a message to be resolved again."""
    return TaskChange(
        "again", text.task_id, "update", at, sql=text.sql, dialect=text.dialect, namespace=text.namespace,
        default_database=text.default_database, target=text.target, params=text.params,
    )  # fmt: skip


def side_of(text: TaskText | Candidate, columns: Mapping[str, Shape], types: Mapping[str, Mapping[str, str]]) -> Side:
    """Return a text with the columns that it may ask for."""
    known = text.dialect or "", text.namespace or "", text.default_database or ""
    return Side(text.sql or "", *known, text.target, text.params, columns, types)


def _compare(release: Release, analyst: Analyst) -> None:
    """Compare each candidate's text with the one in force."""
    both = [c for c in release.changes.values() if c.candidate.sql is not None]
    edited = [change for change in both if change.before is not None and change.before.sql is not None]
    asked = [(message_of(change.before, release.at), release.before) for change in edited if change.before]
    for earlier, lineage in zip(edited, analyst(asked) if asked else [], strict=True):
        earlier.old = lineage
    _differences(release, analyst, both, release.base.types)
    changed = [change for change in both if change.difference and change.difference.changed]
    if changed:  # whether a type changes, too, is worth a look at what the sources are made of
        _differences(release, analyst, changed, release.types_before)
    for change in both:
        _note_types(release, change)


def _differences(release: Release, analyst: Analyst, changes: Sequence[Change], types_of: AskTypes) -> None:
    pairs = []
    for change in changes:
        asked_for = {dataset for dataset, _ in (*change.lineage.lookups, *(change.old.lookups if change.old else ()))}
        types = types_of(asked_for)
        after = side_of(change.candidate, {d: c for d in asked_for if (c := release.after.get(d))}, types)
        if change.before is not None and change.before.sql is not None:
            known = {d: c for d in asked_for if (c := release.before.get(d))}
            pairs.append((side_of(change.before, known, types), after))
        else:
            pairs.append((after, after))
    for change, difference in zip(changes, analyst.compare(pairs) if pairs else [], strict=True):
        change.difference = difference


def _note_types(release: Release, change: Change) -> None:
    """Keep what types the target's columns have after the release, where they differ."""
    difference = change.difference
    if difference is not None and difference.types and len(difference.writes) == 1:
        dataset, kind = difference.writes[0]
        if kind in ("view", "ctas", "select"):
            release.types[dataset] = dict(difference.types_after)


def _find_gone(release: Release) -> None:
    """Find the datasets that nobody writes any more."""
    lost: dict[str, set[str]] = defaultdict(set)
    for task, change in release.changes.items():
        for dataset in change.writes_before() - change.writes():
            lost[dataset].add(task)
    written = {dataset_of(edge.target) for edge in release.edges_into(lost)} if lost else set()
    written |= {dataset for change in release.changes.values() for dataset in change.writes()}
    release.gone = {dataset: frozenset(tasks) for dataset, tasks in lost.items() if dataset not in written}


def _reread(release: Release, made: dict[str, Shape], analyst: Analyst) -> None:
    """Resolve the readers of datasets whose columns change, and theirs, until nothing changes any more."""
    moved = _moved(release)
    originals: dict[str, Lineage] = {}
    for _ in range(MOST_ROUNDS):
        waiting = _waiting(release, moved)
        if not waiting:
            return
        moved = _one_round(release, made, analyst, waiting, originals)
        if len(release.readers) > MOST_READERS:
            release.notes.append(f"only the first {len(release.readers):,} readers were resolved again")
            return
    release.notes.append(f"readers were followed over {MOST_ROUNDS} steps, not further")


def _moved(release: Release) -> dict[str, frozenset[str]]:
    """Return the datasets whose columns or types the candidates change, with the candidates that do."""
    found: dict[str, frozenset[str]] = {}
    for task, change in release.changes.items():
        for dataset, columns in change.lineage.outputs:
            types = change.difference.types if change.difference is not None else ()
            known = release.before.get(dataset)
            if known is None or names_of(known) != tuple(columns) or types:
                found[dataset] = found.get(dataset, frozenset()) | {task}
    return found


def _waiting(
    release: Release, moved: Mapping[str, frozenset[str]]
) -> dict[str, tuple[TaskText, frozenset[str], frozenset[str]]]:
    """Return the readers of moved datasets that have a text: (text, candidates behind it, datasets)."""
    reading: dict[str, set[str]] = defaultdict(set)
    for edge in release.base.edges_from(moved) if moved else ():
        if edge.task_id not in release.changes:
            reading[edge.task_id].add(dataset_of(edge.source))
    texts = release.base.tasks(reading) if reading else {}
    return {
        task: (text, frozenset().union(*(moved[dataset] for dataset in reading[task])), frozenset(reading[task]))
        for task, text in sorted(texts.items())
        if text.sql is not None
    }


def _one_round(
    release: Release,
    made: dict[str, Shape],
    analyst: Analyst,
    waiting: Mapping[str, tuple[TaskText, frozenset[str], frozenset[str]]],
    originals: dict[str, Lineage],
) -> dict[str, frozenset[str]]:
    fresh = [task for task in waiting if task not in originals]
    asked = [(message_of(waiting[task][0], release.at), release.before) for task in fresh]
    originals.update(zip(fresh, analyst(asked) if asked else [], strict=True))
    now = analyst([(message_of(text, release.at), release.after) for text, _, _ in waiting.values()])
    pairs = []
    for (task, (text, _, _)), new in zip(waiting.items(), now, strict=True):
        asked_for = {dataset for dataset, _ in (*new.lookups, *originals[task].lookups)}
        before = {d: c for d in asked_for if (c := release.before.get(d))}
        after = {d: c for d in asked_for if (c := release.after.get(d))}
        stated = release.base.types(asked_for)
        types = (release.types_before(asked_for), release.types_after(asked_for)) if release.types else (stated, stated)
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
            known = names_of(made[dataset]) if dataset in made else columns.get(dataset)
            if known != outputs or (difference.types and seen is None):
                made[dataset] = retyped(outputs, release.before.get(dataset))
                if difference.types:
                    release.types[dataset] = dict(difference.types_after)
                moved[dataset] = because
    return moved
