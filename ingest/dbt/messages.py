"""A dbt project as messages of the native format: its relations with their columns, and what writes each of them.

Models and snapshots are tasks with their compiled SQL. Seeds read a file of the project. Tests, exposures and metrics
are tasks too; each writes its own end node (``dbt:exposure.shop.weekly``). A message has no event id and no time yet:
``ingest.dbt.ingesting`` adds them where something changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import orjson

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.columns import is_plain
from ingest.dbt.kinds.attached import attached_to, related_to
from ingest.dbt.kinds.metrics import filtered, measured
from ingest.dbt.kinds.snapshots import as_built
from ingest.dbt.relations import Relations, fault_of, is_ephemeral
from ingest.dbt.texts import compiled, filled, raw
from ingest.messages.native import MAX_BYTES
from ingest.messages.refusals import too_deep
from lineage_tt.model.edges import dataset_node, name_of
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.model.names import clipped
from lineage_tt.write.admission import catch_all

Content = dict[str, Any]
#: The key of a content, of our own, that names the dataset of whose sources only the tables are known.
TABLES: Final = "tables_only"
EdgesOf = Callable[[str, Mapping[str, Any], Relations], Content]


def contents(artifacts: Artifacts, relations: Relations) -> Iterator[Content | RejectedMessage]:
    """Yield what a project says, columns before the texts that are read with them.

    A node over which the code fails (fields of a shape that dbt does not write) becomes a dead letter with its raw
    form.
    """
    for unique_id, node in relations.of_kind("source", "seed", "snapshot", "model"):
        task = relations.task(unique_id)
        yield from _caught(task, node, lambda: _dataset(unique_id, node, artifacts, relations))  # noqa: B023
    for kinds, edges_of in (
        (("model", "snapshot"), _lineage), (("seed",), _seed_edges), (("metric",), _metric_edges),
        (("exposure",), _exposure_edges), (("test",), _test_edges),
    ):  # fmt: skip
        for unique_id, node in relations.of_kind(*kinds):
            if not is_ephemeral(node):
                yield from _caught(
                    relations.task(unique_id),
                    node,
                    lambda: [_whole(unique_id, node, edges_of, artifacts, relations)],  # noqa: B023
                )


def _caught(
    task: str, node: Mapping[str, Any], read: Callable[[], Iterable[Content | RejectedMessage]]
) -> Iterable[Content | RejectedMessage]:
    try:
        orjson.dumps(node)
    except orjson.JSONEncodeError:
        letter = too_deep(node, task)
        letter.task_id = task
        return [letter]
    try:
        return list(read())
    except Exception as error:  # the last resort: no node may stop the reading of the others
        if not catch_all.is_bug(error):
            raise
        letter = catch_all.refusal_of(_bytes(task, node), error, None)
        letter.task_id = task
        return [letter]


def _whole(
    unique_id: str, node: Mapping[str, Any], edges_of: EdgesOf, artifacts: Artifacts, relations: Relations
) -> Content | RejectedMessage:
    task = relations.task(unique_id)
    if fault := fault_of(node):
        return RejectedMessage(_bytes(task, node), "invalid-message", f"{clipped(task)}: {fault}", task_id=task)
    return _task(task, node, artifacts) | edges_of(unique_id, node, relations)


def _bytes(task: str, node: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"unique_id": task, "node": node})[:MAX_BYTES]


def _dataset(unique_id: str, node: Mapping[str, Any], artifacts: Artifacts, relations: Relations) -> Iterator[Content]:
    dataset = relations.dataset(unique_id)
    if dataset is None:
        return
    columns = _columns(dataset, node, _cataloged(artifacts, unique_id), relations)
    facts = _description(node) | {"labels": _labels(node)}
    if node.get("resource_type") == "source":
        facts["owners"] = _owners(node, artifacts)
    if columns:
        yield {"kind": "dataset", "dataset": dataset, "op": "define", "columns": columns, **facts}
    else:
        yield from _facts(dataset, facts)
        yield from _column_facts(dataset, node, relations)


def _facts(node: str, facts: Mapping[str, Any]) -> Iterator[Content]:
    """Facts one by one, for a dataset whose columns nobody stated."""
    for name, key in (("description", "description"), ("labels", "label"), ("owners", "owner")):
        values = facts.get(name)
        if values:
            yield {"kind": "fact", "node": node, "key": key, "op": "set",
                   "values": values if isinstance(values, list) else [values]}  # fmt: skip


def _column_facts(dataset: str, node: Mapping[str, Any], relations: Relations) -> Iterator[Content]:
    for column in _described(node):
        facts = _description(column) | {"labels": _labels(column)}
        yield from _facts(relations.column(dataset, str(column["name"]), quoted=_is_quoted(column)), facts)


def _columns(
    dataset: str, node: Mapping[str, Any], cataloged: Mapping[str, Any], relations: Relations
) -> list[Content]:
    """Return all columns of a relation: as the catalog has them, else as an enforced contract states them.

    Columns that a project only describes may be a few of many, so they declare nothing.
    """
    described = {
        relations.columns.of_project(dataset, str(column["name"]), quoted=_is_quoted(column)): column
        for column in _described(node)
    }
    ordered = sorted(
        (column for column in cataloged.values() if isinstance(column, dict) and isinstance(column.get("name"), str)),
        key=lambda column: column["index"] if isinstance(column.get("index"), int) else 0,
    )
    typed = [(relations.columns.of_catalog(column["name"]), column.get("type")) for column in ordered]
    contract = node.get("contract")
    if not typed and isinstance(contract, dict) and contract.get("enforced") is True:
        typed = [(name, column.get("data_type")) for name, column in described.items()]
    columns: dict[str, Content] = {}
    for name, kind in typed:
        beside = described.get(name, {})
        fields = {"name": name, "type": kind, "labels": _labels(beside)} | _description(beside)
        columns.setdefault(name, {key: value for key, value in fields.items() if value})
    return list(columns.values())


def _described(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    value = node.get("columns")
    columns = value.values() if isinstance(value, dict) else ()
    return [column for column in columns if isinstance(column, dict) and isinstance(column.get("name"), str)]


def _is_quoted(column: Mapping[str, Any]) -> bool:
    return column.get("quote") is True


def _cataloged(artifacts: Artifacts, unique_id: str) -> Mapping[str, Any]:
    for kind in ("nodes", "sources"):
        entries = artifacts.catalog.get(kind)
        entry = entries.get(unique_id) if isinstance(entries, dict) else None
        if isinstance(entry, dict) and isinstance(entry.get("columns"), dict):
            return entry["columns"]  # type: ignore[no-any-return]
    return {}


def _task(task: str, node: Mapping[str, Any], artifacts: Artifacts) -> Content:
    content: Content = {
        "kind": "task",
        "task_id": task,
        "labels": _labels(node),
        "owners": _owners(node, artifacts),
    }
    return content | _description(node)


def _lineage(unique_id: str, node: Mapping[str, Any], relations: Relations) -> Content:
    target = relations.dataset(unique_id)
    text = compiled(node)
    written = raw(node) if text is None else None
    if written is not None:
        text = filled(written, node, relations)
    if text is None:  # a model in Python: dbt says what it reads
        edges = [_edge(source, target, "TRANSFORMATION") for source in relations.inputs(unique_id)]
        return {"edges": edges, **({TABLES: target} if edges else {})}
    around = [str(part) for part in (node.get("database"), node.get("schema")) if part]
    if isinstance(node.get("relation_name"), str) and target is not None:  # some adapters leave the database out
        around = around[-name_of(target).count(".") :] if "." in name_of(target) else []
    database = ".".join(around)
    return {"sql": as_built(node, text), "dialect": relations.dialect, "namespace": relations.names.namespace,
            "target": target, "default_database": database}  # fmt: skip


def _seed_edges(unique_id: str, node: Mapping[str, Any], relations: Relations) -> Content:
    path = "/".join(filter(None, (str(node.get("package_name") or ""), str(node.get("original_file_path") or ""))))
    return {"edges": [_edge(dataset_node("file", path or unique_id), relations.dataset(unique_id), "IDENTITY")]}


def _exposure_edges(unique_id: str, node: Mapping[str, Any], relations: Relations) -> Content:
    target = relations.dataset(unique_id)
    return {"edges": [_edge(source, target, "TRANSFORMATION") for source in relations.inputs(unique_id)]}


def _metric_edges(unique_id: str, node: Mapping[str, Any], relations: Relations) -> Content:
    """Edges from the column that each of a metric's measures counts if it is a single column, else from the table.

    The columns that its filters look at decide about it.
    """
    target = relations.dataset(unique_id)
    edges = []
    for source in relations.inputs(unique_id):
        columns = [relations.column(source, name) if name else source for name in measured(node, relations, source)]
        edges += [_edge(each, target, "AGGREGATION") for each in columns or [source]]
    looked_at = [relations.column(dataset, name) for dataset, name in filtered(node, relations)]
    return {"edges": edges + [_edge(each, target, "FILTER", "INDIRECT") for each in looked_at]}


def _test_edges(unique_id: str, node: Mapping[str, Any], relations: Relations) -> Content:
    """A test takes no values: what it looks at decides whether it passes."""
    target = relations.dataset(unique_id)
    attached, related = attached_to(unique_id, node, relations), related_to(unique_id, node, relations)
    column = node.get("column_name")
    metadata = node.get("test_metadata")
    kwargs = metadata.get("kwargs") if isinstance(metadata, dict) else None
    field = kwargs.get("field") if isinstance(kwargs, dict) else None
    edges = []
    for source in relations.inputs(unique_id):
        name = column if source == attached else field if source == related else None
        edges.append(_edge(relations.column(source, name) if is_plain(name) else source, target, "FILTER", "INDIRECT"))
    return {"edges": edges}


def _edge(source: str, target: str | None, subtype: str, kind: str = "DIRECT") -> Content:
    return {"source": source, "target": target, "type": kind, "subtype": subtype}


def _description(node: Mapping[str, Any]) -> Content:
    text = node.get("description")
    return {"description": text.strip()} if isinstance(text, str) and text.strip() else {}


def _labels(node: Mapping[str, Any]) -> list[str]:
    """Return tags, and those of the configuration, which older versions keep apart."""
    config = node.get("config")
    stated = [node.get("tags"), config.get("tags") if isinstance(config, dict) else None]
    tags = [tag for each in stated for tag in (each if isinstance(each, list) else [each])]
    return sorted({tag for tag in tags if isinstance(tag, str) and tag})


def _owners(node: Mapping[str, Any], artifacts: Artifacts) -> list[str]:
    """Return who owns a node: its own owner, its group's, or ``meta.owner``."""
    group = artifacts.manifest.get("groups")
    config = node.get("config")
    of_config = config.get("group") if isinstance(config, dict) else None
    named = f"group.{node.get('package_name')}.{node.get('group') or of_config}"
    metas = [node.get("meta"), config.get("meta") if isinstance(config, dict) else None]
    stated = [node.get("owner"), *(meta.get("owner") for meta in metas if isinstance(meta, dict))]
    if isinstance(group, dict) and isinstance(group.get(named), dict):
        stated.append(group[named].get("owner"))
    owners: list[Any] = []
    for owner in stated:
        for each in owner if isinstance(owner, list) else [owner]:
            name = (each.get("email") or each.get("name")) if isinstance(each, dict) else each
            owners += name if isinstance(name, list) else [name]
    return sorted({name for name in owners if isinstance(name, str) and name})
