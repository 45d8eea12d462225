"""Notes of a report: what else is scheduled, and which parts of the policy name nothing or cover nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from lineage_tt.impact.base.names import Names, did_you_mean
from lineage_tt.impact.downstream.labels import label_doubts
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import TIME, Candidate
from lineage_tt.impact.release.release import Release
from lineage_tt.impact.report import Report
from lineage_tt.model.edges import dataset_of, is_column, split_dataset, star_of
from lineage_tt.model.facts import names_of
from lineage_tt.model.names import and_more
from lineage_tt.model.times import format_instant

_MAX_READERS: Final = 20
#: The most datasets for which a known one of a similar name is looked for.
_MAX_LOOKED_FOR: Final = 20
_TASK: Final = "task:"
_NOTHING: Final = "names nothing that the store or the release knows"


def notes_of(release: Release, policy: Policy) -> Iterator[str]:
    """Yield what else to know of a release, and each pattern and node of the policy that names nothing."""
    yield from release.notes
    if release.types_of is not None:
        yield from release.types_of.notes()
    if release.base.is_empty():
        yield "the store holds no accepted message, so no reader of anything is known: is it the right one?"
    for task, version in release.base.rejected(release.changes).items():
        yield f"the last message of {task} was rejected (version {version}): what is known of it may be out of date"
    for task, at in release.base.next_changes(release.changes).items():
        if at > release.at:
            yield f"{task} has another change scheduled at {format_instant(at)}: this one holds only until then"
    touched = {each for change in release.changes.values() for each in (*change.writes_before(), *change.writes())}
    later = [each for each in release.base.later_readers(touched) if each[0].task_id not in release.changes]
    for edge, at in later[:_MAX_READERS] if touched else ():
        yield f"{edge.task_id} will read {edge.source} from {format_instant(at)} on"
    if len(later) > _MAX_READERS:
        yield f"{len(later) - _MAX_READERS} more edges from what the release writes begin later"
    yield from label_doubts(release, policy.facts(release.base.facts()))
    yield from _apart(release)
    yield from _without_names(release, policy)


def _apart(release: Release) -> Iterator[str]:
    """Yield which changed tasks that the store never saw touch nothing that it knows: their names may be misspelt."""
    unseen = [change for change in release.changes.values() if not change.known and change.candidate.dataset is None]
    ends = {
        change.candidate.task_id: {dataset_of(end) for e in (*change.edges, *change.before_edges) for end in e[:2]}
        for change in unseen
    }
    touched = set().union(*ends.values())
    known = release.base.ever_named(touched) | (touched & release.base.columns().keys()) if touched else set()
    lost = sorted(task for task, datasets in ends.items() if datasets and known.isdisjoint(datasets))
    if not lost or release.base.is_empty():
        return
    datasets, named = sorted(set().union(*(ends[task] for task in lost))), release.base.names().datasets
    spaces = {_space(each) for each in named}
    if any(_space(each) in spaces for each in datasets):
        near = next(filter(None, (did_you_mean(each, named) for each in datasets[:_MAX_LOOKED_FOR])), "")
    else:
        near = f"; the namespaces that it knows are {and_more(sorted(spaces - {''}))}"
    yield (
        f"the store knows neither {and_more(lost)} nor any dataset there ({and_more(datasets, 2)}), so that no reader"
        f" is known: check namespace and default_database{near}"
    )


def _space(dataset: str) -> str:
    """Return a dataset's namespace, which may have colons of its own: ``postgres://db:5432``."""
    try:
        return split_dataset(dataset)[0]
    except ValueError:  # a name without a namespace
        return ""


def unused_approvals(policy: Policy) -> Iterator[str]:
    """Yield each owner who approved although no approval of the policy asks for this owner."""
    owners = {each.owner for each in policy.approvals}
    for owner in policy.approved_by:
        if owner not in owners:
            yield f"the approval by {owner!r} has no effect: the policy asks for none{did_you_mean(owner, owners)}"


def unused_allowances(report: Report, policy: Policy) -> Iterator[str]:
    """Yield each allowance in force that matches no finding of the report."""
    for each in policy.allow:
        if each.until >= policy.today and not any(each.matches(finding) for finding in report.findings):
            yield f"the allowance {each.reason!r} covers no finding of this release"


def unused_fields(candidates: Iterable[Candidate]) -> Iterator[str]:
    """Yield which fields of candidates have no effect, and in which candidates."""
    tasks: dict[tuple[tuple[str, ...], bool], list[str]] = defaultdict(list)
    timed = []
    for each in candidates:
        if TIME in each.unused:
            timed.append(each.task_id)
        for one in filter(None, (each, each.earlier)):
            if unused := tuple(name for name in one.unused if name != TIME):
                tasks[unused, one.op == "offline"].append(each.task_id)
    if timed:
        yield f"{TIME} of a candidate has no effect, all take effect at that of the release: {and_more(timed)}"
    for (names, is_offline), given in tasks.items():
        have, why = "has" if len(names) == 1 else "have", "goes offline" if is_offline else "is given as edges"
        yield f"{' and '.join(names)} {have} no effect in a candidate that {why}: {and_more(given)}"


def _without_names(release: Release, policy: Policy) -> Iterator[str]:
    patterns = [("protected", pattern) for pattern in policy.protected]
    patterns += [("layers", pattern) for pattern in policy.layers]
    patterns += [("approve.datasets", pattern) for each in policy.approvals for pattern in each.datasets]
    nodes = [("owners", node) for node in policy.owners or ()] + [("labels", node) for node in policy.labels or ()]
    names = release.base.names() if patterns or nodes else Names((), ())
    if not (names.nodes or names.tasks):  # an empty store: everything is new
        return
    datasets = {*names.datasets, *release.after, *_touched(release)}
    for key, pattern in patterns:
        if "#" in pattern and key != "protected":
            yield f"{key} {pattern!r} is a column: only datasets are looked for"
            continue
        among = _columns_like(pattern, release, names, datasets) if "#" in pattern else datasets
        if not any(fnmatchcase(node, pattern) for node in among):
            databases = {f"{each.rpartition('.')[0]}.*" for each in among if "." in each and "#" not in pattern}
            near = did_you_mean(pattern, {*databases, *among} if "*" in pattern else among)
            yield f"{key} {pattern!r} {_NOTHING}{near}"
    for key, node in nodes:
        if not _is_known(node, release, names, datasets):
            yield f"{key} {node!r} {_NOTHING}{did_you_mean(node, _alike(node, release, names, datasets))}"


def _columns_like(pattern: str, release: Release, names: Names, datasets: Collection[str]) -> Collection[str]:
    """Return the columns of the datasets that the first part of a pattern of columns matches."""
    whole = dataset_of(pattern)
    own = [dataset for dataset in datasets if fnmatchcase(dataset, whole)]
    known = {
        node for node in (*names.nodes, *_ends(release)) if is_column(node) and fnmatchcase(dataset_of(node), whole)
    }
    return known.union(*(_columns(release, dataset) for dataset in own))


def _touched(release: Release) -> set[str]:
    written = {dataset for change in release.changes.values() for dataset in change.writes()}
    return written | set(map(dataset_of, _ends(release)))


def _ends(release: Release) -> set[str]:
    return {end for change in release.changes.values() for edge in change.edges for end in edge[:2]}


def _is_known(node: str, release: Release, names: Names, datasets: Collection[str]) -> bool:
    if node.startswith(_TASK):
        return node.removeprefix(_TASK) in {*names.tasks, *release.changes} or node in names.nodes
    if not is_column(node):
        return node in datasets
    ends = _ends(release)
    return any(each in names.nodes or each in ends for each in (node, star_of(node))) or node in _columns(
        release, dataset_of(node)
    )


def _columns(release: Release, dataset: str) -> set[str]:
    shapes = (release.before.get(dataset) or (), release.after.get(dataset) or ())
    return {f"{dataset}#{name}" for shape in shapes for name in names_of(shape)}


def _alike(node: str, release: Release, names: Names, datasets: Collection[str]) -> Collection[str]:
    """Return the names among which the one that a node may mean is looked for."""
    if node.startswith(_TASK):
        return {f"{_TASK}{task}" for task in (*names.tasks, *release.changes)}
    dataset = dataset_of(node)
    if is_column(node) and dataset in datasets:
        return {each for each in names.nodes if each.startswith(f"{dataset}#")} | _columns(release, dataset)
    return names.nodes if is_column(node) else datasets
