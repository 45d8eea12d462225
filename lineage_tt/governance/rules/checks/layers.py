"""Layers and names: who may read from whom, and what things are called."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_tt.governance.rules.settings import Settings, matches
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.governance.rules.violation import Breach


def layer_skip(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table reads past the layer below its own."""
    for source, target, one, other in _layered(tables, settings):
        if other - one > 1:
            past = ", ".join(layer.name for layer in settings.layers[one + 1 : other])
            detail = f"a table of {settings.layers[other].name} reads {settings.layers[one].name} past {past}"
            yield _of(tables, source, target, detail)


def layer_upward(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table reads from a layer above its own."""
    for source, target, one, other in _layered(tables, settings):
        if one > other:
            detail = f"a table of {settings.layers[other].name} reads {settings.layers[one].name}, above it"
            yield _of(tables, source, target, detail)


def staging_dependent_on_staging(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table of the lowest layer reads another table of that layer."""
    for source, target, one, other in _layered(tables, settings):
        if one == other == 0:
            name = settings.layers[0].name
            yield _of(tables, source, target, f"a table of {name}, the lowest layer, reads another one of it")


def _layered(tables: Tables, settings: Settings) -> Iterator[tuple[int, int, int, int]]:
    """Yield the source and target of edges between layers, with the places of both layers."""
    if settings.layers:
        layer = {number: settings.layer_of(name) for number, name in tables.name.items()}
        for source, target in tables.pairs.tolist():
            if layer[source] >= 0 and layer[target] >= 0:
                yield source, target, layer[source], layer[target]


def _of(tables: Tables, source: int, target: int, detail: str) -> Breach:
    return Breach(tables.name[target], (tables.name[source],), detail, tuple(tables.tasks_between[source, target]))


def model_naming_conventions(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """The name of a table does not follow the naming of its layer."""
    for name in tables.number:
        place = settings.layer_of(name)
        if place >= 0 and settings.layers[place].naming and not matches(name, settings.layers[place].naming):
            layer = settings.layers[place]
            yield Breach(name, (), f"a table of {layer.name} is called like {' or '.join(layer.naming)}")


def hard_coded_references(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A task reads a dataset by a name that it should not use, such as a path or a file."""
    for number, tasks in tables.readers.items():
        if matches(tables.name[number], settings.hard_coded):
            yield Breach(tables.name[number], (), f"read by name by {len(tasks)} of the tasks", tuple(tasks))


def undocumented_models(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table that a task makes has no description."""
    for number in tables.made:
        if tables.name[number] not in tables.described:
            yield Breach(tables.name[number], (), "has no description", tuple(tables.writers[number]))


def undocumented_sources(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A source has no description."""
    for number in tables.sources:
        if tables.name[number] not in tables.described:
            yield Breach(tables.name[number], (), "has no description", tuple(tables.readers[number]))


def untested_models(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """No check ever reported on a table that a task makes, nor on a column of it."""
    for number in tables.made:
        if tables.name[number] not in tables.tested:
            yield Breach(tables.name[number], (), "no check tells of it", tuple(tables.writers[number]))


def models_without_owner(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table that a task makes has no owner."""
    for number in tables.made:
        if tables.name[number] not in tables.owners:
            yield Breach(tables.name[number], (), "has no owner", tuple(tables.writers[number]))
