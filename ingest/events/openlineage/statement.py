"""A picture as one statement about its task: edges, facts, columns of what it writes, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ingest.events.openlineage import combining, describing, edges, queries
from ingest.events.openlineage.edges import Stated, TaskOf
from ingest.events.openlineage.merging import Dataset, JobName, Picture
from ingest.events.openlineage.spec import facets as f
from lineage_tt.model.completeness.summary import UNKNOWN_COLUMNS
from lineage_tt.model.edges import DIRECT, column_node, column_of, dataset_node, dataset_of
from lineage_tt.model.facts import FactTuple, Types, task_node
from lineage_tt.model.messages import TABLES_ONLY, Columns, Lineage, Problem

#: All columns of a dataset, each of them as the column of the same name.
_STAR: Final = "*"
#: Changes of a dataset after which nothing flows into it.
_NO_DATA: Final = frozenset({"DROP"})
#: The most pairs of columns on which engine and SQL differ that a version keeps.
MAX_EXAMPLES: Final = 20


@dataclass(slots=True)
class Statement:
    """What a run, or a job event, says of its task. ``says_lineage``: it speaks of inputs or outputs at all."""

    task_id: str
    lineage: Lineage
    facts: Sequence[FactTuple]
    says_lineage: bool
    #: Datasets that it says were dropped.
    dropped: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing at all."""
        return not (self.says_lineage or self.facts)


def statement_of(picture: Picture, task_id: str, task_of: TaskOf, parsed: Lineage | None = None) -> Statement:
    """Return what a picture states. ``parsed`` is the lineage of its SQL, in the names of its datasets."""
    outputs = {node: each for node, each in picture.outputs.items() if _change(each) not in _NO_DATA}
    dropped = [node for node in picture.outputs if node not in outputs]
    picture.outputs = outputs
    reported = edges.stated(picture, task_of)
    if _moves(picture, reported) == picture.outputs.keys() and outputs:
        parsed = None  # a text that renames a table says less than its event
    if parsed is not None and queries.of_engine(picture.facets):
        stated = picture.outputs.keys() - set(reported.unstated)
        reported.edges = combining.combined(reported.edges, [e for e in parsed.edges if dataset_of(e[1]) in stated])
        if not reported.unstated:  # the engine says which columns a star expands to
            left = [problem for problem in parsed.problems if problem.code != UNKNOWN_COLUMNS]
            parsed = replace(parsed, problems=left, coverage="partial" if left else "complete")
    elif parsed is not None:
        if queries.of_hive(picture.facets):
            reported.edges = combining.with_kinds_of_names(reported.edges, parsed.edges)
        if not reported.unstated:
            parsed = None
    is_known = False
    if parsed is not None:
        unstated = set(reported.unstated)
        is_known = unstated == picture.outputs.keys() and _says_all(parsed, unstated)
        reported.edges.update(edge for edge in parsed.edges if dataset_of(edge[1]) in unstated)
        reported.problems += parsed.problems
    coarse = _add_table_edges(picture, reported)
    reported.edges.update(edges.boundary(picture, reported, task_node(task_id)))
    problems = list(reported.problems)
    problems += [Problem(TABLES_ONLY, "the run says which tables feed this one, not which columns", n) for n in coarse]
    if picture.run.get(describing.EXTRACTION_ERROR, {}).get("failed") and not is_known:
        problems.append(Problem(*describing.NOT_EXTRACTED))
    if (unresolved := queries.unresolved(picture.facets)) is not None:
        problems.append(Problem(*unresolved, str(picture.facets[queries.UNRESOLVED].get("name"))))
    written = [(node, each) for node, each in outputs.items() if describing.all_columns(picture, each)]
    declared = {node for node, _ in written}
    lineage = Lineage(
        edges=sorted(reported.edges),
        ordered=True,
        coverage="partial" if problems or (parsed is not None and parsed.coverage != "complete") else "complete",
        problems=problems,
        outputs=_columns(written, parsed.outputs if parsed is not None else (), outputs),
        filled=[(n, c) for n, c in (parsed.filled if parsed is not None else ()) if n in outputs and n not in declared],
        types=_types(written),
        parser=parsed.parser if parsed is not None else None,
    )
    facts = reported.facts | set(_facts(picture, task_id, task_of, declared))
    says = reported.says or bool(picture.inputs) or bool(dropped) or queries.UNRESOLVED in picture.facets
    return Statement(task_id, lineage, sorted(facts), says, dropped)


def has_sql(picture: Picture) -> bool:
    """Return whether there is SQL that may state, or confirm, what flows into an output."""
    return bool(picture.outputs) and f.read(picture.facets, "sql", f.Sql) is not None


def agreement(picture: Picture, task_of: TaskOf, parsed: Lineage) -> dict[str, Any]:
    """Return how far the engine's column lineage and that of the SQL agree on values; nothing where only one has any.

    ``both`` counts the pairs of columns that both have; ``engine`` and ``sql`` are the first few that only one of them
    has.
    """
    reported = edges.stated(picture, task_of)
    speaks = picture.outputs.keys() - set(reported.unstated)
    any_kind = queries.of_engine(picture.facets)  # it knows no kinds: columns of conditions are like any others
    ours, theirs = (
        {
            (s, t)
            for s, t, kind, *_ in each
            if (any_kind or kind == DIRECT) and _are_columns(s, t) and dataset_of(t) in speaks
        }
        for each in (parsed.edges, reported.edges)
    )
    theirs, ours = combining.matched(theirs, ours) if any_kind else (theirs, ours)
    if not theirs or not ours:
        return {}
    alone = {"engine": sorted(theirs - ours), "sql": sorted(ours - theirs)}
    return {"both": len(ours & theirs), **{name: len(pairs) for name, pairs in alone.items()},
            "examples": {name: pairs[:MAX_EXAMPLES] for name, pairs in alone.items() if pairs}}  # fmt: skip


def _are_columns(source: str, target: str) -> bool:
    return column_of(source) is not None and column_of(target) is not None


def _add_table_edges(picture: Picture, reported: Stated) -> list[str]:
    """Add what only the lists of inputs and outputs say; return the outputs of which no columns are known."""
    if len(picture.inputs) * len(picture.outputs) > edges.MAX_TABLE_EDGES:
        words = f"{len(picture.inputs)} inputs and {len(picture.outputs)} outputs make more edges"
        reported.problems.append(
            Problem(edges.TOO_MANY, f"{words} than {edges.MAX_TABLE_EDGES}: none of them is taken")
        )
        return list(reported.unstated)
    coarse: list[str] = []
    pairs = {(dataset_of(source), dataset_of(target)) for source, target, *_ in reported.edges}
    fed = {target for _, target in pairs}
    for target in reported.unstated:
        new = [source for source in picture.inputs if (source, target) not in pairs]
        reported.edges.update(edges.table_edges(new, [target]))
        if new and (target not in fed or _columns_known(picture, target)):
            coarse.append(target)
    mentioned = {source for source, _ in pairs}
    left = [source for source in picture.inputs if source not in mentioned]
    unstated = set(reported.unstated)
    # an engine says that no column feeds an output; other producers give a facet without columns where they know none
    knows_columns = queries.of_engine(picture.facets) or queries.of_hive(picture.facets)
    for node, dataset in picture.outputs.items():
        if left and node not in unstated and "lineage" not in dataset.facets and "lineage" not in picture.facets:
            reported.edges.update(edges.table_edges(left, [node]))
            if node not in fed and not knows_columns:
                coarse.append(node)
    return coarse


def _says_all(parsed: Lineage, written: set[str]) -> bool:
    """Return whether a text is read in full, and writes these datasets and no others: what the producer could not read
    is known from it.
    """
    return parsed.coverage == "complete" and {dataset_of(edge[1]) for edge in parsed.edges} == written


def _columns_known(picture: Picture, node: str) -> bool:
    return bool(describing.all_columns(picture, picture.outputs[node]))


def _moves(picture: Picture, reported: Stated) -> set[str]:
    """Add the edges of renamed datasets, and return these: the former name feeds each one, column by column.

    Where an event does not say which columns there are, as of a query that renames a table, they are all of them.
    """
    moved: set[str] = set()
    for node, dataset in picture.outputs.items():
        change = f.read(dataset.facets, "lifecycleStateChange", f.Lifecycle)
        if change is None or change.lifecycleStateChange.upper() != "RENAME" or change.previousIdentifier is None:
            continue
        former = dataset_node(change.previousIdentifier.namespace, change.previousIdentifier.name)
        if former == node:
            continue
        reported.facts.add((node, describing.RENAMED_FROM, former))
        reported.edges.add((former, node, DIRECT, "IDENTITY", ""))
        columns = [column.name for column in describing.schema_fields(dataset.facets)]
        for column in columns or [_STAR]:
            source, target = column_node(former, column), column_node(node, column)
            reported.edges.add((source, target, DIRECT, "IDENTITY", ""))
        moved.add(node)
    reported.unstated = [node for node in reported.unstated if node not in moved]
    return moved


def _change(dataset: Dataset) -> str:
    facet = f.read(dataset.facets, "lifecycleStateChange", f.Lifecycle)
    return facet.lifecycleStateChange.upper() if facet else ""


def _columns(
    written: Sequence[tuple[str, Dataset]], parsed: Sequence[tuple[str, Columns]], outputs: Mapping[str, Dataset]
) -> list[tuple[str, Columns]]:
    """Return the columns that are written: those of the schema, else those that the SQL makes."""
    result = {node: tuple(field.name for field in describing.schema_fields(each.facets)) for node, each in written}
    for node, columns in parsed:
        if node in outputs:
            result.setdefault(node, columns)
    return sorted(result.items())


def _types(written: Sequence[tuple[str, Dataset]]) -> list[tuple[str, Types]]:
    result = [(node, describing.type_texts(describing.schema_fields(each.facets))) for node, each in written]
    return sorted((node, types) for node, types in result if types)


def _facts(picture: Picture, task_id: str, task_of: TaskOf, written: set[str]) -> list[FactTuple]:
    node = task_node(task_id)
    facts = list(describing.of_node(node, picture.facets))
    if not (picture.inputs and picture.outputs):  # no edge names them
        facts += [(node, describing.READS, each) for each in picture.inputs]
        facts += [(node, describing.WRITES, each) for each in picture.outputs]
    parent = picture.parent
    if parent is not None and (above := task_of(parent)) != task_id:
        facts.append((node, describing.PARENT, task_node(above)))
    for later, earlier in describing.of_run(picture.job, picture.run):
        first, then = (task_node(task_of(JobName(*each))) for each in (earlier, later))
        facts += [(then, describing.RUNS_AFTER, first)] if then != first else []
    for name, dataset in {**picture.inputs, **picture.outputs}.items():
        facts += describing.of_dataset(name, dataset.facets)
        both = picture.inputs.get(name)
        if both is not None and both is not dataset:
            facts += describing.of_dataset(name, both.facets)
    # facts make columns nodes that can be queried, with or without edges; what is written takes precedence
    types = {fact[0]: fact for name, each in picture.inputs.items() for fact in describing.types_of(name, each.facets)}
    for name in written:
        types |= {fact[0]: fact for fact in describing.types_of(name, picture.outputs[name].facets)}
    return facts + list(types.values())
