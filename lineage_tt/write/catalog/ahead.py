"""The columns that a batch itself declares, for texts that are parsed before the batch is placed.

They are a guess: a message may still be rejected or be superseded by another. A text that was parsed with columns that
turn out to be wrong is parsed again at its turn, so a wrong guess costs a parse and changes no row.
"""

from __future__ import annotations

from collections.abc import Iterable

from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Message, NodeChange, TaskChange
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.catalog.catalog import Catalog, CatalogView, Entry


class Ahead:
    """A catalog with what the messages of a batch declare: for each text, the messages before it in the batch count."""

    def __init__(self, messages: Iterable[Message], catalog: Catalog) -> None:
        self._catalog = catalog
        self._places: dict[int, int] = {}
        self._declared: dict[str, list[Entry]] = {}
        for place, message in enumerate(messages):
            if isinstance(message, TaskChange):
                self._places[id(message)] = place
            elif isinstance(message, NodeChange) and message.kind == "dataset" and message.op in ("define", "drop"):
                fields = tuple(message.fields) if message.op == "define" else ()
                rank = NO_SOURCE_VERSION if message.source_version is None else message.source_version
                entry = Entry.declared(message.effective_at or 0, rank, place, fields)
                self._declared.setdefault(message.node, []).append(entry)
        self._names = dict.fromkeys((*catalog.datasets(), *self._declared)) if self._declared else None

    def at(self, message: TaskChange, beside: int | None = None) -> CatalogView:
        """Return the columns that a text will probably be read with; ``beside`` as for ``Catalog.columns``."""
        at = message.effective_at or 0
        if self._names is None:
            return self._catalog.at(at, beside)
        place = self._places.get(id(message), 0)

        def columns(dataset: str, valid_at: int) -> Shape | None:
            entries = [e for e in self._declared.get(dataset, ()) if e.effective_at <= valid_at and e.version < place]
            if not entries:
                return self._catalog.columns(dataset, valid_at, beside)
            last = max(entries, key=lambda entry: entry[:3])
            known = self._catalog.declaration(dataset, valid_at)
            if known is not None and known[:2] > last[:2]:
                last = known
            return last.columns if last.fields else self._catalog.written(dataset, valid_at, beside)

        return CatalogView(columns, self._names, at)
