"""The lineage nodes of dbt's nodes: relations of the warehouse, and end nodes of dbt's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Literal

from ingest.dbt.columns import Columns
from ingest.sql.dialects import spelling
from ingest.sql.dialects.dialects import Names
from lineage_tt.model.edges import column_node, dataset_node
from lineage_tt.write.admission import catch_all

#: The dialects of dbt's adapters by the adapters' names, where the names differ.
_DIALECTS: Final[Mapping[str, str]] = {
    "postgresql": "postgres", "sqlserver": "tsql", "fabric": "fabric", "synapse": "tsql", "databricks": "databricks",
    "dremio": "dremio", "spark": "spark", "glue": "spark", "vertica": "postgres", "greenplum": "postgres",
    "athena": "athena", "trino": "trino", "starburst": "trino", "doris": "doris", "starrocks": "starrocks",
    "sqlite": "sqlite", "materialize": "materialize", "risingwave": "risingwave", "fabricspark": "spark",
    "watsonx_spark": "spark", "iomete": "spark", "watsonx_presto": "presto", "motherduck": "duckdb", "tidb": "mysql",
    "mysql5": "mysql", "singlestore": "mysql", "timescaledb": "postgres", "yellowbrick": "postgres",
    "netezza": "postgres", "hologres": "postgres", "cratedb": "postgres", "firebolt": "postgres",
}  # fmt: skip
#: The resource types that become relations of the warehouse.
_RELATIONS: Final = frozenset(["model", "seed", "snapshot", "source"])
#: The parts of a manifest that hold nodes.
SECTIONS: Final = ("nodes", "sources", "exposures", "metrics", "semantic_models", "saved_queries", "functions")
#: The namespace of nodes that only dbt knows: tests, exposures, metrics.
OWN: Final = "dbt"
#: How the names of the sources of messages begin: ``dbt:PROJECT`` or ``dbt:PROJECT:TARGET``.
SOURCE: Final = "dbt:"


def dialect_of(adapter: str) -> str:
    """Return the dialect of an adapter's SQL."""
    return _DIALECTS.get(adapter.lower(), adapter.lower())


class Relations:
    """All nodes of a manifest by their unique ids."""

    def __init__(
        self, manifest: Mapping[str, Any], dialect: str, namespace: str, catalog: Mapping[str, Any] | None = None
    ) -> None:
        self.names = Names(dialect, namespace, "")
        self.dialect = dialect
        self._nodes: dict[str, Mapping[str, Any]] = {}
        for kind in SECTIONS:
            entries = manifest.get(kind)
            if isinstance(entries, dict):
                self._nodes.update((key, node) for key, node in entries.items() if isinstance(node, dict))
        self._catalog = catalog or {}
        metadata = manifest.get("metadata")
        self._adapter = str(metadata.get("adapter_type") or "") if isinstance(metadata, dict) else ""
        self._elsewhere: frozenset[str] = frozenset()
        self._place = ""

    def set_place(self, source: str, elsewhere: frozenset[str]) -> None:
        """Name the source that the project is, and the packages whose plain ids are another source's."""
        self._elsewhere, self._place = elsewhere, source.removeprefix(SOURCE)

    def task(self, unique_id: str) -> str:
        """Return the task that a node is: its unique id, with the source after it where the plain id is another's."""
        return f"{unique_id}@{self._place}" if package_of(unique_id) in self._elsewhere else unique_id

    @cached_property
    def columns(self) -> Columns:
        """The spelling of columns."""
        result = Columns(self.names, self._adapter)
        for kind in ("nodes", "sources"):
            entries = self._catalog.get(kind)
            for unique_id, entry in entries.items() if isinstance(entries, dict) else ():
                by_name = entry.get("columns") if isinstance(entry, dict) else None
                if isinstance(by_name, dict) and (dataset := self.dataset_if_any(unique_id)) is not None:
                    result.learn(dataset, by_name)
        return result

    def all(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield (unique id, node) of all nodes, in order."""
        yield from sorted(self._nodes.items())

    def of_kind(self, *kinds: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield (unique id, node) of these resource types, in order."""
        for key in sorted(self._nodes):
            if self._nodes[key].get("resource_type") in kinds:
                yield key, self._nodes[key]

    @cached_property
    def models_by_name(self) -> Mapping[str, list[str]]:
        """The unique ids of models, seeds and snapshots by name: of all packages, in all versions."""
        named: dict[str, list[str]] = {}
        for unique_id, node in self.of_kind("seed", "snapshot", "model"):
            named.setdefault(str(node.get("name")), []).append(unique_id)
        return named

    @cached_property
    def semantic_models_on(self) -> Mapping[str, list[Mapping[str, Any]]]:
        """The semantic models by the datasets that they depend on."""
        result: dict[str, list[Mapping[str, Any]]] = {}
        for unique_id, node in self.of_kind("semantic_model"):
            for dataset in self.inputs(unique_id):
                result.setdefault(dataset, []).append(node)
        return result

    @cached_property
    def semantic_models_of(self) -> Mapping[str, list[tuple[str, Mapping[str, Any]]]]:
        """(Dataset, semantic model) by the entities whose rows the model has: others only refer to them."""
        result: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for dataset, models in self.semantic_models_on.items():
            for model in models:
                own = [each for each in objects(model.get("entities")) if str(each.get("type")).lower() != "foreign"]
                named = [model.get("primary_entity"), *(each.get("name") for each in own)]
                for entity in {each for each in named if isinstance(each, str)}:
                    result.setdefault(entity, []).append((dataset, model))
        return result

    @cached_property
    def sources_by_name(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        """The tables of sources by source and name."""
        return {(str(node.get("source_name")), str(node.get("name"))): node for _, node in self.of_kind("source")}

    def node(self, unique_id: str) -> Mapping[str, Any] | None:
        """Return a node, None for one that the manifest does not have."""
        return self._nodes.get(unique_id)

    def dataset(self, unique_id: str) -> str | None:
        """Return the dataset that a node is; None for one that is not in the warehouse, such as an ephemeral model."""
        node = self._nodes.get(unique_id)
        if node is None:
            return None
        kind = node.get("resource_type")
        if kind in ("exposure", "metric", "test"):
            return dataset_node(OWN, self.task(unique_id))
        if not isinstance(kind, str) or kind not in _RELATIONS or is_ephemeral(node):
            return None
        return self._relation(node)

    def dataset_if_any(self, unique_id: str) -> str | None:
        """Return the dataset that a node is; None also where the code fails on it, which its own message reports."""
        try:
            return self.dataset(unique_id)
        except Exception as error:
            if not catch_all.is_bug(error):
                raise
            return None

    def inputs(self, unique_id: str) -> list[str]:
        """Return the datasets that a node depends on, those of its ephemeral and semantic models in their place."""
        result: set[str] = set()
        seen: set[str] = set()
        waiting = [unique_id]
        while waiting:
            node = self._nodes.get(waiting.pop())
            for each in depends_on(node) if node is not None else ():
                if each in seen:
                    continue
                seen.add(each)
                dataset = self.dataset(each)
                if dataset is None:
                    waiting.append(each)
                else:
                    result.add(dataset)
        return sorted(result)

    def column(self, dataset: str, name: str, *, quoted: bool = False) -> str:
        """Return the node of a column that the project calls ``name``."""
        return column_node(dataset, self.columns.of_project(dataset, name, quoted=quoted))

    def _relation(self, node: Mapping[str, Any]) -> str:
        text = node.get("relation_name")
        result = spelling.relation(self.names, text) if isinstance(text, str) and text else None
        if result is not None:
            return result
        last = node.get("alias") or node.get("identifier") or node.get("name")
        parts = [str(part) for part in (node.get("database"), node.get("schema"), last) if part]
        return spelling.relation_of_parts(self.names, parts)


def package_of(unique_id: str) -> str:
    """Return the package that a unique id names: the second of its parts."""
    return unique_id.partition(".")[2].partition(".")[0]


def is_ephemeral(node: Mapping[str, Any]) -> bool:
    """Return whether a model is never in the warehouse: its SQL is inlined into its readers."""
    config = node.get("config")
    return isinstance(config, dict) and config.get("materialized") == "ephemeral"


def objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects in a list of a manifest, none for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def depends_on(node: Mapping[str, Any], of: Literal["nodes", "macros"] = "nodes") -> list[str]:
    """Return the unique ids of the nodes, or of the macros, that a node or a macro depends on directly."""
    stated = node.get("depends_on")
    listed = stated.get(of) if isinstance(stated, dict) else None
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def fault_of(node: Mapping[str, Any]) -> str | None:
    """Return in words which field that a node's lineage rests on has a type that dbt does not give it."""
    stated = node.get("depends_on")
    if stated is not None and not isinstance(stated, dict):
        return "depends_on is not an object"
    listed = stated.get("nodes") if stated is not None else None
    if listed is not None and not (isinstance(listed, list) and all(isinstance(each, str) for each in listed)):
        return "depends_on.nodes is not a list of unique ids"
    for name in ("compiled_code", "compiled_sql", "raw_code", "raw_sql"):
        if not isinstance(node.get(name), str | None):
            return f"{name} is not a text"
    return None
