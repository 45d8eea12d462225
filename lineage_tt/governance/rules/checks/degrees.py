"""How many read and write a table, and what nobody reads or writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from lineage_tt.governance.rules.settings import Settings, matches
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.governance.rules.violation import Found
from lineage_tt.model.edges import name_of


def model_fanin(tables: Tables, settings: Settings) -> Iterator[Found]:
    """A table is made of too many."""
    for number, parents in tables.parents.items():
        if len(parents) > settings.max_fanin:
            detail = f"made of {len(parents)} tables, more than {settings.max_fanin}"
            yield Found(tables.name[number], (), detail, tuple(tables.writers[number]))


def model_fanout(tables: Tables, settings: Settings) -> Iterator[Found]:
    """Too many tables are made of one."""
    for number, children in tables.children.items():
        if len(children) > settings.max_fanout:
            detail = f"{len(children)} tables are made of it, more than {settings.max_fanout}"
            yield Found(tables.name[number], (), detail)


def two_writers(tables: Tables, settings: Settings) -> Iterator[Found]:
    """Several tasks write one table."""
    untraced = tables.untraced_writes
    known = {tables.name[number]: tasks for number, tasks in tables.writers.items()}
    for name in [*known, *(untraced.keys() - known.keys())]:
        tasks = sorted({*known.get(name, ()), *untraced.get(name, ())})
        if len(tasks) > 1:
            yield Found(name, tuple(tasks), f"{len(tasks)} tasks write it", tuple(tasks))


def source_fanout(tables: Tables, settings: Settings) -> Iterator[Found]:
    """Several tables are made of a source directly, each in its own way."""
    for number in tables.sources:
        children = tables.children.get(number, [])
        if len(children) > 1:
            detail = f"{len(children)} tables read the source directly"
            yield Found(tables.name[number], tables.names(children), detail, tuple(tables.readers[number]))


def unused_models(tables: Tables, settings: Settings) -> Iterator[Found]:
    """Nobody reads a table that a task makes, and it is no end."""
    for number in tables.made:
        name = tables.name[number]
        if number not in tables.read and name not in tables.untraced_reads and not matches(name, settings.ends):
            yield Found(name, (), "nobody reads it", tuple(tables.writers[number]))


def unused_sources(tables: Tables, settings: Settings) -> Iterator[Found]:
    """A declared dataset that nobody reads or writes."""
    used = {*tables.number, *tables.untraced_reads, *tables.untraced_writes}
    for name in sorted(tables.declared - used):
        yield Found(name, (), "declared, and nobody reads or writes it")


def duplicate_sources(tables: Tables, settings: Settings) -> Iterator[Found]:
    """Sources that are called the same but for case: one thing under several names."""
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number in tables.sources:
        name = tables.name[number]
        bare = name_of(name)
        alike[name[: len(name) - len(bare)], bare.lower().replace('"', "").replace("`", "")].append(number)
    for numbers in alike.values():
        if len(numbers) > 1:
            first, *others = tables.names(numbers)
            yield Found(first, tuple(others), f"{len(numbers)} sources are called alike")


def root_models(tables: Tables, settings: Settings) -> Iterator[Found]:
    """A task whose lineage is known makes something of nothing."""
    for task in tables.point.beside.sourceless(set(tables.task_name.values())):
        yield Found(f"task:{task}", (), "reads nothing that is known", (task,))


def multiple_sources_joined(tables: Tables, settings: Settings) -> Iterator[Found]:
    """A table is made of several sources directly."""
    sources = set(tables.sources)
    for number, parents in tables.parents.items():
        found = [parent for parent in parents if parent in sources]
        if len(found) > 1:
            yield Found(tables.name[number], tables.names(found), f"made of {len(found)} sources directly",
                        tuple(tables.writers[number]))  # fmt: skip


def direct_join_to_source(tables: Tables, settings: Settings) -> Iterator[Found]:
    """A table is made of a source and of a table that a task makes: the source is read past its staging."""
    sources = set(tables.sources)
    for number, parents in tables.parents.items():
        found = [parent for parent in parents if parent in sources]
        if found and len(found) < len(parents):
            yield Found(tables.name[number], tables.names(found), "reads a source beside tables that are made",
                        tuple(tables.writers[number]))  # fmt: skip


def exposure_parents_materializations(tables: Tables, settings: Settings) -> Iterator[Found]:
    """An end (a board) is made of a source, or of a view: each look at it pays for what a table would hold."""
    known = set(tables.sources)
    for number, parents in tables.parents.items():
        if matches(tables.name[number], settings.ends):
            sources = [parent for parent in parents if parent in known]
            views = [parent for parent in parents if tables.is_view(parent, settings.views) and parent not in sources]
            for found, words in ((sources, "a source"), (views, "a view")):
                if found:
                    yield Found(tables.name[number], tables.names(found), f"made of {words} directly",
                                tuple(tables.writers[number]))  # fmt: skip
