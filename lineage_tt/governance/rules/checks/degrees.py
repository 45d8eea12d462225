"""How many tasks read and write a table, and which datasets no task reads or writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from lineage_tt.governance.rules.settings import Settings, matches
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.governance.rules.violation import Breach
from lineage_tt.model.edges import name_of


def model_fanin(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table is made from too many tables."""
    for number, parents in tables.parents.items():
        if len(parents) > settings.max_fanin:
            detail = f"made of {len(parents)} tables, more than {settings.max_fanin}"
            yield Breach(tables.name[number], (), detail, tuple(tables.writers[number]))


def model_fanout(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """Too many tables are made from one table."""
    for number, children in tables.children.items():
        if len(children) > settings.max_fanout:
            detail = f"{len(children)} tables are made of it, more than {settings.max_fanout}"
            yield Breach(tables.name[number], (), detail)


def two_writers(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """Several tasks write one table."""
    untraced = tables.untraced_writes
    known = {tables.name[number]: tasks for number, tasks in tables.writers.items()}
    for name in [*known, *(untraced.keys() - known.keys())]:
        tasks = sorted({*known.get(name, ()), *untraced.get(name, ())})
        if len(tasks) > 1:
            yield Breach(name, tuple(tasks), f"{len(tasks)} tasks write it", tuple(tasks))


def source_fanout(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """Several tables are made directly from one source, each in its own way."""
    for number in tables.sources:
        children = tables.children.get(number, [])
        if len(children) > 1:
            detail = f"{len(children)} tables read the source directly"
            yield Breach(tables.name[number], tables.names(children), detail, tuple(tables.readers[number]))


def unused_models(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """Nobody reads a table that a task makes and that is not an end."""
    for number in tables.made:
        name = tables.name[number]
        if number not in tables.read and name not in tables.untraced_reads and not matches(name, settings.ends):
            yield Breach(name, (), "nobody reads it", tuple(tables.writers[number]))


def unused_sources(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A declared dataset that nobody reads or writes."""
    used = {*tables.number, *tables.untraced_reads, *tables.untraced_writes}
    for name in sorted(tables.declared - used):
        yield Breach(name, (), "declared, and nobody reads or writes it")


def duplicate_sources(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """Sources whose names differ only in case: one thing under several names."""
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number in tables.sources:
        name = tables.name[number]
        bare = name_of(name)
        alike[name[: len(name) - len(bare)], bare.lower().replace('"', "").replace("`", "")].append(number)
    for numbers in alike.values():
        if len(numbers) > 1:
            first, *others = tables.names(numbers)
            yield Breach(first, tuple(others), f"{len(numbers)} sources are called alike")


def root_models(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A task whose lineage is complete writes something and reads nothing."""
    for task in tables.point.beside.sourceless(set(tables.task_name.values())):
        yield Breach(f"task:{task}", (), "reads nothing that is known", (task,))


def multiple_sources_joined(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table is made directly from several sources."""
    sources = set(tables.sources)
    for number, parents in tables.parents.items():
        direct_sources = [parent for parent in parents if parent in sources]
        if len(direct_sources) > 1:
            detail = f"made of {len(direct_sources)} sources directly"
            yield Breach(tables.name[number], tables.names(direct_sources), detail, tuple(tables.writers[number]))


def direct_join_to_source(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table is made from a source and from a table that a task makes: it bypasses the staging of the source."""
    sources = set(tables.sources)
    for number, parents in tables.parents.items():
        direct_sources = [parent for parent in parents if parent in sources]
        if direct_sources and len(direct_sources) < len(parents):
            detail = "reads a source beside tables that are made"
            yield Breach(tables.name[number], tables.names(direct_sources), detail, tuple(tables.writers[number]))


def exposure_parents_materializations(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """An end (a board) is made from a source or a view: each look at it computes what a table would store."""
    known = set(tables.sources)
    for number, parents in tables.parents.items():
        if matches(tables.name[number], settings.ends):
            sources = [parent for parent in parents if parent in known]
            views = [parent for parent in parents if tables.is_view(parent, settings.views) and parent not in sources]
            for matching, words in ((sources, "a source"), (views, "a view")):
                if matching:
                    yield Breach(tables.name[number], tables.names(matching), f"made of {words} directly",
                                tuple(tables.writers[number]))  # fmt: skip
