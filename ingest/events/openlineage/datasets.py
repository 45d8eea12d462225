"""What a dataset event says of its dataset, facet by facet: each facet has a timeline of its own.

A facet is about one or more *members*: subjects of the store's messages about nodes. A facet that is deleted, or that
names fewer members than before, says that the other members have nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ingest.events.openlineage import describing
from ingest.events.openlineage.merging import Dataset, Picture
from ingest.events.openlineage.spec import facets as f
from lineage_tt.model.edges import dataset_node
from lineage_tt.model.facts import FactTuple, Field

#: The subject of a message about a node: kind, node, key.
Member = tuple[str, str, str]


class Content(NamedTuple):
    """What a message says of a member; ``op`` is define, drop, set or clear."""

    op: str
    fields: tuple[Field, ...] = ()
    facts: tuple[FactTuple, ...] = ()


_FACETS: Final = ("ownership", "documentation", "tags", "symlinks", "datasetType")


def facets_of(dataset: Dataset) -> Iterator[tuple[str, dict[Member, Content]]]:
    """Yield each facet about the dataset itself with what it says, which is nothing where it was deleted."""
    node = dataset.node
    change = f.read(dataset.facets, "lifecycleStateChange", f.Lifecycle)
    word = change.lifecycleStateChange.upper() if change else ""
    if word == "DROP":
        yield columns_dropped(node)
    elif "schema" in dataset.facets:
        yield "schema", _schema(node, dataset.facets)
    if word == "RENAME" and change is not None and change.previousIdentifier is not None:
        former = dataset_node(change.previousIdentifier.namespace, change.previousIdentifier.name)
        key = describing.RENAMED_FROM
        yield key, {("fact", node, key): Content("set", (), ((node, key, former),))}
    for name in _FACETS:
        if name in dataset.facets:
            yield name, _facts(name, node, dataset.facets)


def other_names(picture: Picture) -> Iterator[tuple[str, dict[Member, Content]]]:
    """Yield the other names that a run gives its datasets: they hold beyond the run's task."""
    for node, dataset in {**picture.inputs, **picture.outputs}.items():
        members = _facts("symlinks", node, dataset.facets) if "symlinks" in dataset.facets else {}
        if members:
            yield node, members


def columns_dropped(node: str) -> tuple[str, dict[Member, Content]]:
    """Return what is stated about a dataset that is dropped: nobody declares its columns any more."""
    return "schema", {("dataset", node, ""): Content("drop")}


def _schema(node: str, facets: Mapping[str, Any]) -> dict[Member, Content]:
    columns = describing.schema_fields(facets)
    if not columns:
        return {}
    described = tuple(sorted(fact for fact in describing.of_dataset(node, {"schema": facets["schema"]})))
    return {("dataset", node, ""): Content("define", tuple(describing.fields_of(columns)), described)}


def _facts(name: str, node: str, facets: Mapping[str, Any]) -> dict[Member, Content]:
    facts_of: dict[Member, set[FactTuple]] = {}
    for fact in describing.of_dataset(node, {name: facets[name]}):
        facts_of.setdefault(("fact", fact[0], fact[1]), set()).add(fact)
    return {member: Content("set", (), tuple(sorted(facts))) for member, facts in facts_of.items()}
