"""The columns behind a metric: those that its measures add up, and those that its filters look at.

A filter names a dimension by the entity through which it is reached: ``{{ Dimension('order__status') }} = 'paid'``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.dbt.relations import Relations, depends_on

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9$]*")
_DIMENSION: Final = re.compile(r"\b(?:Dimension|TimeDimension|Entity)\(\s*['\"](\w{1,500})['\"]")
#: How filters are nested in a metric at most: in its measures, and in the metrics that it is made of.
MAX_DEPTH: Final = 8


def measured(node: Mapping[str, Any], relations: Relations, source: str) -> list[str]:
    """Return the columns of a dataset that a metric's measures are; the empty text for one that is no plain name."""
    params = node.get("type_params")
    stated = params.get("input_measures") if isinstance(params, dict) else None
    names = {each["name"] for each in _objects(stated) if isinstance(each.get("name"), str)}
    models = relations.semantic_models_on.get(source, ())
    measures = [each for model in models for each in _objects(model.get("measures"))]
    return sorted({_column_of(each) or "" for each in measures if str(each.get("name")) in names})


def filtered(node: Mapping[str, Any], relations: Relations) -> list[tuple[str, str]]:
    """Return the datasets and columns of the dimensions that a metric's filters name; the others are left out.

    A name without an entity is of the metric's own semantic models: others have entities of the same name.
    """
    found: set[tuple[str, str]] = set()
    own = _semantic_models(node, relations)
    for path in {match for text in _filters(node) for match in _DIMENSION.findall(text)}:
        entity, _, name = path.rpartition("__")
        for dataset, models in relations.semantic_models_on.items():
            for model in models:
                if not (_has_entity(model, entity.rpartition("__")[2]) if entity else model.get("unique_id") in own):
                    continue
                parts = [*_objects(model.get("dimensions")), *_objects(model.get("entities"))]
                found |= {(dataset, column) for each in parts if each.get("name") == name
                          and (column := _column_of(each))}  # fmt: skip
    return sorted(found)


def _semantic_models(node: Mapping[str, Any], relations: Relations) -> set[str]:
    """Return the unique ids of what a metric is made of, that of the metrics in it with it."""
    found: set[str] = set()
    waiting = depends_on(node)
    while waiting:
        if (each := waiting.pop()) in found:
            continue
        found.add(each)
        below = relations.node(each)
        if below is not None and below.get("resource_type") == "metric":
            waiting += depends_on(below)
    return found


def _has_entity(model: Mapping[str, Any], name: str) -> bool:
    """Return whether the rows of a semantic model are those of an entity: other models only refer to it."""
    own = [each for each in _objects(model.get("entities")) if str(each.get("type")).lower() != "foreign"]
    return model.get("primary_entity") == name or any(each.get("name") == name for each in own)


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
    return text if isinstance(text, str) and _IDENTIFIER.fullmatch(text) else None


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
