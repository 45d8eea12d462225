"""The columns of all datasets at a basis, against which statements are resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lineage_tt.model.answers import ColumnAsOf
from lineage_tt.model.facts import Field, Shape, shape_of


class Shapes(Mapping[str, Shape]):
    """The columns of every dataset, built when a dataset is first used: only a few of many datasets are read."""

    def __init__(self, known: Mapping[str, Sequence[ColumnAsOf]]) -> None:
        self._known = {dataset: columns for dataset, columns in known.items() if not all(c.nested for c in columns)}
        self._shapes: dict[str, Shape] = {}

    def __getitem__(self, dataset: str) -> Shape:
        if dataset not in self._shapes:
            columns = self._known[dataset]
            self._shapes[dataset] = shape_of(Field(c.column, c.type, c.mode, c.nested) for c in columns)
        return self._shapes[dataset]

    def __contains__(self, dataset: object) -> bool:
        return dataset in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
