"""What facets say of datasets and jobs beside lineage: columns, owners, labels, descriptions, other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from ingest.events.openlineage.merging import Dataset, Picture
from ingest.events.openlineage.spec import facets as f
from ingest.events.openlineage.spec.models import Part
from ingest.messages.nodes import MAX_LEVELS, MAX_PATHS
from lineage_tt.model.edges import column_node, dataset_node
from lineage_tt.model.facts import DESCRIPTION, LABEL, OWNER, FactTuple
from lineage_tt.model.facts import Field as Column

#: Keys of facts: other names of a dataset, its former name, the type of a column, and the task that starts another.
ALIAS: Final = "alias"
RENAMED_FROM: Final = "renamed_from"
TYPE: Final = "type"
PARENT: Final = "parent"
#: Keys of facts: the datasets of a task that only reads, or only writes: no edge names them.
READS: Final = "reads"
WRITES: Final = "writes"
#: The key of the tasks whose runs a task waits for: control, not data.
RUNS_AFTER: Final = "runs_after"
#: The facet of a run that states them.
DEPENDENCIES: Final = "jobDependencies"
#: The facet of a run that says that its producer could not read all of what the run did, and the problem that this is.
EXTRACTION_ERROR: Final = "extractionError"
NOT_EXTRACTED: Final = ("extraction-error", "the producer could not read all of what the run did (extractionError)")
#: The key of the kind of a dataset: table, view, topic, …
ASSET_TYPE: Final = "asset_type"


class Dependency(Part):
    """A job whose run another one follows, or precedes."""

    job: f.Identifier


class Dependencies(Part):
    """The jobs that a run follows and precedes (jobDependencies, 1-0)."""

    upstream: Annotated[list[Dependency], BeforeValidator(f.sequence)] = Field(default_factory=list)
    downstream: Annotated[list[Dependency], BeforeValidator(f.sequence)] = Field(default_factory=list)


def steady_dependencies(facet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facet without what differs from run to run: the jobs alone, in an order of their own."""
    result = {}
    for side in ("upstream", "downstream"):
        entries = facet.get(side)
        jobs = [each.get("job") for each in entries if isinstance(each, Mapping)] if isinstance(entries, list) else ()
        named = [{"job": {n: job.get(n) for n in ("namespace", "name")}} for job in jobs if isinstance(job, Mapping)]
        if named:
            result[side] = sorted(named, key=repr)
    return result


def of_run(job: tuple[str, str], facets: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield pairs of jobs, each as namespace and name: the first runs after the second."""
    facet = f.read(facets, DEPENDENCIES, Dependencies)
    if facet is not None:
        yield from ((job, (each.job.namespace, each.job.name)) for each in facet.upstream)
        yield from (((each.job.namespace, each.job.name), job) for each in facet.downstream)


def has_failed(facet: Any) -> bool:
    """Return whether the facet extractionError says that something of a run could not be read."""
    if not isinstance(facet, Mapping):
        return False
    return any(bool(facet.get(name)) for name in ("failedTasks", "errors"))


def of_node(node: str, facets: Mapping[str, Any]) -> Iterator[FactTuple]:
    """Yield the owners, labels and the description of a dataset or a task; labels of columns, too."""
    ownership = f.read(facets, "ownership", f.Ownership)
    yield from ((node, OWNER, owner.name) for owner in (ownership.owners if ownership else ()) if owner.name)
    documentation = f.read(facets, "documentation", f.Documentation)
    if documentation and documentation.description.strip():
        yield node, DESCRIPTION, documentation.description
    tags = f.read(facets, "tags", f.Tags)
    for tag in tags.tags if tags else ():
        yield column_node(node, tag.field) if tag.field else node, LABEL, label_of(tag)


def label_of(tag: f.Tag) -> str:
    """Return a tag as a label: its key where its value says only that it is set, else ``key:value``."""
    return tag.key if tag.value is None or tag.value.lower() in ("", "true") else f"{tag.key}:{tag.value}"


def of_dataset(node: str, facets: Mapping[str, Any]) -> Iterator[FactTuple]:
    """Yield all that facets say about a dataset beside its lineage and the types of its columns."""
    yield from of_node(node, facets)
    symlinks = f.read(facets, "symlinks", f.Symlinks)
    yield from (
        (node, ALIAS, dataset_node(each.namespace, each.name)) for each in (symlinks or f.Symlinks()).identifiers
    )
    kind = f.read(facets, "datasetType", f.DatasetType)
    if kind is not None and (word := kind.datasetType.strip().lower()):
        yield node, ASSET_TYPE, word
    yield from _descriptions(node, schema_fields(facets))


def types_of(node: str, facets: Mapping[str, Any]) -> Iterator[FactTuple]:
    """Yield the type of each column, and of each field inside one; the empty text where it is not stated."""
    yield from ((column_node(node, field.name), TYPE, field.type or "") for field in fields_of(schema_fields(facets)))


def schema_fields(facets: Mapping[str, Any]) -> Sequence[f.SchemaField]:
    """Return the columns of a schema facet, each name once; none where there is no facet.

    A facet whose paths are too long together counts as missing: each path repeats the names above it.
    """
    schema = f.read(facets, "schema", f.Schema)
    return _distinct(schema.fields) if schema and path_lengths(schema.fields) <= MAX_PATHS else ()


def all_columns(picture: Picture, dataset: Dataset) -> Sequence[f.SchemaField]:
    """Return the columns of a dataset of a run, none where they may be a few of many.

    dbt's wrapper gives every column its type where it has dbt's catalog. Without one it lists the columns that the
    project describes, and those mostly have none.
    """
    columns = schema_fields(dataset.facets)
    return () if picture.is_of_dbt and any(column.type is None for column in columns) else columns


def path_lengths(columns: Sequence[f.SchemaField]) -> int:
    """Return the total number of characters in the paths of columns and of the fields inside them."""
    total = 0
    waiting = [(columns, 0, 0)]
    while waiting:
        inside, above, level = waiting.pop()
        for column in inside:
            length = above + len(column.name)
            total += length
            if column.fields and level < MAX_LEVELS:
                waiting.append((column.fields, length + 1, level + 1))
    return total


def fields_of(columns: Iterable[f.SchemaField], above: str = "", level: int = 0) -> Iterator[Column]:
    """Yield the columns and, after each, the fields inside it, named by their paths."""
    for column in columns:
        name = above + column.name
        yield Column(name, column.type, None, level > 0)
        if level < MAX_LEVELS:
            yield from fields_of(_distinct(column.fields), f"{name}.", level + 1)


def type_texts(columns: Iterable[f.SchemaField]) -> tuple[tuple[str, str], ...]:
    """Return the type of each column as text, that of a struct with its fields; those not stated are left out."""
    return tuple((column.name, text) for column in columns if (text := _type_text(column)))


def _type_text(column: f.SchemaField, level: int = 0) -> str:
    inside = _distinct(column.fields)
    kind = (column.type or "").strip()
    if not inside or level >= MAX_LEVELS or "<" in kind or "(" in kind:
        return kind
    parts = [(field.name, _type_text(field, level + 1) or "string") for field in inside]
    word = kind.lower()
    if word.startswith(("array", "list")):
        return f"array<{parts[0][1]}>"
    if word.startswith("map") and len(parts) == 2:
        return f"map<{parts[0][1]},{parts[1][1]}>"
    return "struct<" + ", ".join(f"`{name}` {text}" for name, text in parts if "`" not in name) + ">"


def _descriptions(node: str, columns: Iterable[f.SchemaField], above: str = "", level: int = 0) -> Iterator[FactTuple]:
    for column in columns:
        path = above + column.name
        if column.description and column.description.strip():
            yield column_node(node, path), DESCRIPTION, column.description
        if level < MAX_LEVELS:
            yield from _descriptions(node, _distinct(column.fields), f"{path}.", level + 1)


def _distinct(columns: Iterable[f.SchemaField]) -> list[f.SchemaField]:
    return list({column.name: column for column in columns if column.name}.values())
