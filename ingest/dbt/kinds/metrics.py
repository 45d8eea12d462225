"""The columns of which a metric is made: those that its measures add up, and those that its filters look at.

A filter names a dimension by the entity through which it is reached: ``{{ Dimension('order__status') }} = 'paid'``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.dbt.columns import is_plain
from ingest.dbt.relations import Relations, depends_on, objects

_DIMENSION: Final = re.compile(r"\b(?:Dimension|TimeDimension|Entity)\(\s*['\"](\w{1,500})['\"]")
#: How filters are nested in a metric at most: in its measures, and in the metrics that it is made of.
MAX_DEPTH: Final = 8


def measured(node: Mapping[str, Any], relations: Relations, source: str) -> list[str]:
    """Return the columns of a dataset that a metric's measures are; the empty text for one that is no plain name."""
    params = node.get("type_params")
    stated = params.get("input_measures") if isinstance(params, dict) else None
    names = {each["name"] for each in objects(stated) if isinstance(each.get("name"), str)}
    models = relations.semantic_models_on.get(source, ())
    measures = [each for model in models for each in objects(model.get("measures"))]
    return sorted({_column_of(each) or "" for each in measures if str(each.get("name")) in names})


def filtered(node: Mapping[str, Any], relations: Relations) -> list[tuple[str, str]]:
    """Return the datasets and columns of the dimensions that a metric's filters name; the others are left out.

    A name without an entity is of the metric's own semantic models: others have entities of the same name.
    """
    found: set[tuple[str, str]] = set()
    for path in {match for text in _filters(node) for match in _DIMENSION.findall(text)}:
        entity, _, name = path.rpartition("__")
        of_entity = relations.semantic_models_of.get(entity.rpartition("__")[2], ())
        for dataset, model in of_entity if entity else _semantic_models(node, relations):
            parts = [*objects(model.get("dimensions")), *objects(model.get("entities"))]
            columns = [_column_of(each) for each in parts if each.get("name") == name]
            found |= {(dataset, column) for column in columns if column}
    return sorted(found)


def _semantic_models(node: Mapping[str, Any], relations: Relations) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (dataset, semantic model) of what a metric is made of, the metrics in it included."""
    seen: set[str] = set()
    waiting = depends_on(node)
    while waiting:
        if (each := waiting.pop()) in seen:
            continue
        seen.add(each)
        below = relations.node(each) or {}
        if below.get("resource_type") == "metric":
            waiting += depends_on(below)
        elif below.get("resource_type") == "semantic_model":
            yield from ((dataset, below) for dataset in relations.inputs(each))


def _filters(value: Any, depth: int = 0, *, inside: bool = False) -> Iterator[str]:
    """Yield the texts of all filters in a metric, however they are nested."""
    if isinstance(value, str) and inside:
        yield value
    elif isinstance(value, Mapping) and depth < MAX_DEPTH:
        for name, each in value.items():
            if inside or name == "filter" or not isinstance(each, str):
                yield from _filters(each, depth + 1, inside=inside or name == "filter")
    elif isinstance(value, list) and depth < MAX_DEPTH:
        for each in value:
            yield from _filters(each, depth + 1, inside=inside)


def _column_of(part: Mapping[str, Any]) -> str | None:
    """Return the column that a measure, a dimension or an entity is; None for an expression."""
    text = part.get("expr") or part.get("name")
    return text if is_plain(text) else None
