"""The types of columns: those that the base knows, and otherwise those that can be inferred from texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lineage_tt.impact.base.port import Base, TaskText
from lineage_tt.impact.texts import Analyst, Side
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import Shape

#: The most texts that are read to infer types; beyond them types stay unknown.
MAX_TEXTS: Final = 400


class TypesOf:
    """Types of datasets before the release, inferred at first use and cached."""

    def __init__(self, base: Base, analyst: Analyst) -> None:
        self._base = base
        self._analyst = analyst
        self._known: dict[str, dict[str, str]] = {}
        self._read = 0
        self._left_out: set[str] = set()

    def notes(self) -> Iterator[str]:
        """Yield the words that say for how many datasets types stay unknown because of the limit, if for any."""
        if self._left_out:
            datasets = f"{len(self._left_out):,} dataset{'s' * (len(self._left_out) != 1)}"
            yield (
                f"types were inferred from no more than {MAX_TEXTS} texts: those of columns of {datasets}, and of what "
                "is made from them, are unknown, and changes of them are not found; declare their columns"
            )

    def __call__(self, datasets: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the types of these datasets' columns, by lower-case name, as far as they can be determined."""
        listed = set(datasets)
        self._infer(listed - self._known.keys())
        return {dataset: self._known[dataset] for dataset in listed if self._known.get(dataset)}

    def _infer(self, missing: set[str]) -> None:
        """Find the texts that make the datasets and their sources, then read them from the sources down."""
        layers: list[dict[str, TaskText]] = []
        sources: dict[str, set[str]] = {}
        waiting = missing
        while waiting:
            stated = self._base.types(waiting)
            self._known.update({dataset: _lower(stated.get(dataset, {})) for dataset in waiting})
            texts = self._base.declared_by({dataset for dataset in waiting if not self._known[dataset]})
            if self._read + len(texts) > MAX_TEXTS:
                self._left_out |= texts.keys()
                break
            if not texts:
                break
            self._read += len(texts)
            layers.append(dict(texts))
            for edge in self._base.edges_of({text.task_id for text in texts.values()}):
                sources.setdefault(edge.task_id, set()).add(dataset_of(edge.source))
            reached = {dataset for text in texts.values() for dataset in sources.get(text.task_id, ())}
            waiting = reached - self._known.keys()
        for layer in reversed(layers):
            self._read_layer(layer, sources)

    def _read_layer(self, layer: Mapping[str, TaskText], sources: Mapping[str, set[str]]) -> None:
        columns = self._base.columns()
        sides = [side_of(text, sources.get(text.task_id, set()), columns, self._known) for text in layer.values()]
        differences = self._analyst.compare([(side, side) for side in sides]) if sides else []
        for dataset, difference in zip(layer, differences, strict=True):
            self._known[dataset] = dict(difference.types_after)


def side_of(
    text: TaskText,
    sources: Iterable[str],
    columns: Mapping[str, Shape],
    types: Mapping[str, Mapping[str, str]],
) -> Side:
    """Return a text with the columns and types of what it reads."""
    listed = sorted(sources)
    return Side(
        text.sql or "",
        text.dialect or "",
        text.namespace or "",
        text.default_database or "",
        text.target,
        text.params,
        {dataset: known for dataset in listed if (known := columns.get(dataset))},
        {dataset: kinds for dataset in listed if (kinds := types.get(dataset))},
    )


def _lower(types: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): kind for name, kind in types.items()}
