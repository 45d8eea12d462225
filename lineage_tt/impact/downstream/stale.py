"""Readers that nobody edits, and what the release does to them: they fail, shift, widen, or read something else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from lineage_tt.impact.downstream.ended import of_ended, readers_of
from lineage_tt.impact.release.declaring import matters
from lineage_tt.impact.release.edits import newly_failing
from lineage_tt.impact.release.release import Release, Reread
from lineage_tt.impact.release.types import fails, family
from lineage_tt.impact.report import BREAKING, POTENTIALLY, ColumnChange, Finding
from lineage_tt.model.edges import DIRECT, EdgeTuple, column_of, dataset_of
from lineage_tt.model.facts import Shape, names_of
from lineage_tt.model.names import and_more

Columns = Mapping[str, tuple[ColumnChange, ...]]


def stale_findings(release: Release, columns: Columns) -> list[Finding]:
    """Return what happens to the readers; ``columns`` are the column changes of each candidate."""
    findings = [*of_ended(release), *_of_columns(release, columns), *_of_types(release)]
    reported = {(finding.reader, finding.subject) for finding in findings}
    failing = {finding.reader for finding in findings if finding.kind == "stale-reader" and finding.class_ == BREAKING}
    for reread in release.readers.values():
        more = _of_reread(release, reread, _renames(reread, columns))
        more = (each for each in more if each.kind != "stale-reader" or each.reader not in failing)  # reported already
        findings += [each for each in more if (each.reader, each.subject) not in reported]
    return list({(f.kind, f.task, f.reader, f.subject): f for f in findings}.values())


def _renames(reread: Reread, columns: Columns) -> dict[str, str]:
    """Return the nodes that the release renames and that this reader takes by position: old name to new."""
    return {
        f"{each.dataset}#{each.column}": f"{each.dataset}#{each.after}"
        for task in reread.because
        for each in columns.get(task, ())
        if each.change == "renamed" and _follows(reread, each)
    }


def _of_columns(release: Release, columns: Columns) -> Iterator[Finding]:
    """Yield each reader of a column that is removed or renamed, or whose type leaves its family."""
    for task, changed in columns.items():
        for each in changed:
            if each.dataset in release.gone or each.dataset in release.dropped:
                continue
            node = f"{each.dataset}#{each.column}"
            if each.change in ("removed", "renamed"):
                yield from _of_lost(release, task, each, node)
            elif matters(each):
                yield from _of_type(release, task, each, node)


def _of_lost(release: Release, task: str, each: ColumnChange, node: str) -> Iterator[Finding]:
    after = release.after.get(each.dataset)
    declared = after is not None and each.column.lower() in {name.lower() for name in names_of(after)}
    readers = readers_of(release, [node], exact=True)
    others = sorted({e.task_id for e in release.edges_into([each.dataset]) if e.target == node and e.task_id != task})
    if release.changes[task].declares:  # the table itself loses the column, whatever task fills it
        for other in others:
            again = release.readers.get(other)
            if again is not None and any(newly_failing(again.old, again.new)):
                continue  # it fails, which is a finding of its own
            reason = f"{other} writes {each.column} of {each.dataset}, which is no longer declared"
            yield Finding("shifted-insert", POTENTIALLY, task, node, reason, other)
        others = []
    for reader in readers if others else ():
        filled = f"{and_more(others, 3)} fill{'s' * (len(others) == 1)}"
        reason = f"{reader} reads {each.column} of {each.dataset}, which only {filled} from then on"
        yield Finding("stale-reader", POTENTIALLY, task, node, reason, reader)
    for reader in readers if not others else ():
        became = f" (it is called {each.after} now)" if each.change == "renamed" else ""
        reread = release.readers.get(reader)
        if reread is not None and _follows(reread, each):
            continue
        if reread is not None and _only_by_star(reread, node) and not _still_fails(reread):
            reason = f"{reader} selects * from {each.dataset} and loses {each.column}{became}"
        elif declared:
            reason = f"{reader} reads {each.column} of {each.dataset}, which no task fills any more{became}"
            positional = each.change == "renamed"
            yield Finding("stale-reader", POTENTIALLY if positional else BREAKING, task, node, reason, reader)
            continue
        else:
            reason = f"{reader} reads {each.column} of {each.dataset}, which no longer exists{became}"
        yield Finding("stale-reader", BREAKING, task, node, reason, reader)
    if not readers:
        word = f"renamed to {each.after}" if each.change == "renamed" else "removed"
        with_it = _followers(release, task, node)
        rest = f"what reads it changes with it ({with_it})" if with_it else "no task that the store knows reads it"
        reason = f"{each.column} of {each.dataset} is {word}; {rest}"
        yield Finding("unread", POTENTIALLY, task, node, reason)


def _followers(release: Release, task: str, node: str, most: int = 5) -> str:
    """Return the tasks of the release that read a column before it and not after it, in words."""
    followers = sorted(
        other
        for other, change in release.changes.items()
        if other != task and any(edge[0].lower() == node.lower() for edge in change.before_edges)
    )
    return and_more(followers, most)


def _follows(reread: Reread, each: ColumnChange) -> bool:
    """Whether a reader takes a renamed column by its position, so that only the name of the source changes."""
    if each.change != "renamed" or _still_fails(reread) or reread.old.outputs != reread.new.outputs:
        return False
    old, new = f"{each.dataset}#{each.column}", f"{each.dataset}#{each.after}"
    followed = {(edge[1], *edge[2:4]) for edge in reread.old.edges if edge[0] == old}
    return followed == {(edge[1], *edge[2:4]) for edge in reread.new.edges if edge[0] == new}


def _only_by_star(reread: Reread, node: str) -> bool:
    """Whether the reader's new edges continue without the column: a star brought it, nobody named it."""
    return all(edge[0] != node for edge in reread.new.edges)


def _still_fails(reread: Reread) -> bool:
    return bool(reread.difference.unknown or reread.difference.ambiguous or any(newly_failing(reread.old, reread.new)))


def _of_type(release: Release, task: str, each: ColumnChange, node: str) -> Iterator[Finding]:
    for reader in readers_of(release, [node], exact=True):
        reread, change = release.readers.get(reader), release.changes.get(reader)
        difference = reread.difference if reread else change.difference if change else None
        uses = {use for used, use in (difference.uses if difference else ()) if used.lower() == node.lower()}
        less = ", which holds less" if family(each.before) == family(each.after) else ""
        words = f"{each.column} of {each.dataset} becomes {each.after} (was {each.before}){less}"
        broken = sorted(use for use in uses if fails(use, each.after))
        if _replaced(release, task, node):
            yield Finding("type-change", BREAKING, task, node, f"{words}, of other sources: {reader} reads it", reader)
        elif broken:
            reason = f"{words}: {reader} computes with it ({', '.join(broken)})"
            yield Finding("type-change", BREAKING, task, node, reason, reader)
        else:
            yield Finding("type-change", POTENTIALLY, task, node, f"{words}: {reader} reads it", reader)


def _of_types(release: Release) -> Iterator[Finding]:
    """Yield readers of readers that compute with a column whose type changes with that of its source."""
    for reread in release.readers.values():
        datasets = {dataset for dataset, _ in (*reread.new.outputs, *reread.difference.writes)}
        for name, before, after in reread.difference.types if len(datasets) == 1 else ():
            each = ColumnChange("type", next(iter(datasets)), name, before, after)
            if family(before) == family(after):
                continue
            for task in sorted(reread.because):
                findings = _of_type(release, task, each, f"{each.dataset}#{each.column}")
                yield from (finding for finding in findings if finding.class_ == BREAKING)


def _replaced(release: Release, task: str, node: str) -> bool:
    """Whether none of a column's values come from the same source as before: then no cast restores them."""
    change = release.changes[task]
    if dataset_of(node) not in change.writes():
        return False
    old = {edge[0] for edge in change.before_edges if edge[1].lower() == node.lower() and edge[2] == DIRECT}
    new = {edge[0] for edge in change.edges if edge[1].lower() == node.lower() and edge[2] == DIRECT}
    return bool(old) and bool(new) and not old & new


def _of_reread(release: Release, reread: Reread, renames: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what resolving a reader again shows: it fails, its values shift, its star widens."""
    reader = reread.text.task_id
    for task in sorted(reread.because):
        for problem in newly_failing(reread.old, reread.new):
            kind = "shifted-insert" if problem.code == "column-count" else "stale-reader"
            yield Finding(kind, BREAKING, task, problem.subject or reader, f"{reader} fails: {problem.detail}", reader)
        for name in reread.difference.ambiguous:
            reason = f"{reader} fails: {name}, which it names without a table, is now in several of its sources"
            yield Finding("captured-name", BREAKING, task, name, reason, reader)
        yield from _shifts(release, reread, task, renames)
        yield from _widened(reread, task)


def _shifts(release: Release, reread: Reread, task: str, renames: Mapping[str, str]) -> Iterator[Finding]:
    """Yield columns of the reader that existed before and are now made from other columns, although nobody edits it."""
    reader = reread.text.task_id
    lost = {
        f"{dataset}#{name}"
        for dataset in reread.sources
        for name in _named(release.before, dataset) - _named(release.after, dataset)
    }
    followed = [(renames.get(edge[0], edge[0]), *edge[1:4], "") for edge in reread.old.edges]
    plain = [(*edge[:4], "") for edge in reread.new.edges] if renames else reread.new.edges
    old, new = _by_target(followed if renames else reread.old.edges), _by_target(plain)
    for target in sorted(old.keys() & new.keys()):
        come = {edge for edge in old[target] ^ new[target] if edge[0] not in lost}
        if not come:
            continue
        if column_of(target) is None:
            names = sorted({column_of(edge[0]) or edge[0] for edge in come})
            reason = f"{reader} now also decides by {', '.join(names)}, although it is not edited"
            yield Finding("captured-name", BREAKING, task, target, reason, reader)
        elif any(edge[2] == DIRECT for edge in come):
            sources = ", ".join(sorted({edge[0] for edge in come}))
            reason = f"{target} of {reader} is now made of {sources}: its columns shift"
            yield Finding("shifted-insert", BREAKING, task, target, reason, reader)
        else:
            reason = f"{target} of {reader} now depends on other columns, although it is not edited"
            yield Finding("captured-name", BREAKING, task, target, reason, reader)


def _by_target(edges: Iterable[EdgeTuple]) -> dict[str, set[EdgeTuple]]:
    result: dict[str, set[EdgeTuple]] = defaultdict(set)
    for edge in edges:
        result[edge[1]].add(edge)
    return result


def _widened(reread: Reread, task: str) -> Iterator[Finding]:
    """Yield datasets of the reader that get, lose or reorder columns because of a star."""
    old = dict(reread.old.outputs)
    for dataset, columns in reread.new.outputs:
        before = old.get(dataset, ())
        more = [name for name in columns if name not in before]
        less = [name for name in before if name not in columns]
        if less:
            reason = f"{dataset} of {reread.text.task_id} loses {', '.join(less)}: a star brought what is not there now"
            yield Finding("narrowed-star", BREAKING, task, dataset, reason, reread.text.task_id)
        elif more:
            reason = f"{dataset} of {reread.text.task_id} gets {', '.join(more)}: its star widens"
            yield Finding("widened-star", POTENTIALLY, task, dataset, reason, reread.text.task_id)
        elif tuple(columns) != tuple(before):
            reason = f"the columns of {dataset} of {reread.text.task_id} come in another order: its star follows"
            yield Finding("widened-star", POTENTIALLY, task, dataset, reason, reread.text.task_id)
    if not reread.old.outputs and not reread.new.outputs:
        targets = _by_target(reread.old.edges).keys()
        more = sorted({e[1] for e in reread.new.edges if dataset_of(e[1]) not in reread.sources} - targets)
        if more:
            reason = f"{reread.text.task_id} now writes {and_more(more, 8)}: its star widens"
            yield Finding("widened-star", POTENTIALLY, task, dataset_of(more[0]), reason, reread.text.task_id)


def _named(columns: Mapping[str, Shape], dataset: str) -> set[str]:
    return set(names_of(columns.get(dataset) or ()))
