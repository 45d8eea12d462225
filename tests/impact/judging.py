"""The classifier beside the truth: each change assessed against a store that holds the warehouse, and tallied."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from mutations import Mutation, mutations
from truth import Run, Truth, run_in_duckdb, truth_of
from warehouse import Task, Warehouse, complete, shop

from ingest.resolve.comparing import SqlAnalyst
from ingest.resolve.resolver import SqlResolver
from lineage_tt.impact.assess import assess
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import Report
from lineage_tt.model.messages import TaskChange
from lineage_tt.model.times import parse_instant
from lineage_tt.store import Store

AT = parse_instant("2024-01-01T00:00:00Z")
LATER = parse_instant("2024-06-01T00:00:00Z")
SAFE = ("additive", "none")


Tables = dict[str, list[tuple[str, str]]]
#: What a store is not told of the declared columns: nothing, half of all columns, or all columns of half of the tables.
WITHHELD = ("none", "columns", "tables")


def declared_in(warehouse: Warehouse, withheld: str = "none", seed: int = 0) -> Tables:
    """Return the declared tables with their columns, a half of them (drawn with a seed) withheld."""
    tables = {name: list(columns) for name, (columns, _) in warehouse.raw.items()}
    tables |= {task.name: list(task.declared) for task in warehouse.tasks if task.how == "insert"}
    draw = random.Random(seed)
    if withheld == "tables":
        return {name: tables[name] for name in sorted(draw.sample(sorted(tables), len(tables) // 2))}
    if withheld == "columns":
        every = [(name, place) for name, columns in tables.items() for place in range(len(columns))]
        left_out = set(draw.sample(every, len(every) // 2))
        kept = {
            name: [each for place, each in enumerate(columns) if (name, place) not in left_out]
            for name, columns in tables.items()
        }
        return {name: columns for name, columns in kept.items() if columns}
    return tables


def stored(warehouse: Warehouse, folder: Path, dialect: str, tables: Tables | None = None) -> Store:
    """Return a store that holds the warehouse: its raw and loaded tables as DDL, its tasks as SQL."""
    store = Store.create(folder)
    messages = []
    for name, columns in (declared_in(warehouse) if tables is None else tables).items():
        listed = ", ".join(f"{column} {kind}" for column, kind in columns)
        messages.append(_message(f"ddl.{name}", f"CREATE TABLE {name} ({listed})", dialect))
    messages += [_message(task.name, task.sql(), dialect, _target(task)) for task in warehouse.tasks]
    with SqlResolver(1) as resolver:
        store.append(messages, resolver=resolver)
    return store


def _target(task: Task) -> str | None:
    return f"bi:{task.name}" if task.how == "report" else None


def _message(task_id: str, sql: str, dialect: str, target: str | None = None) -> TaskChange:
    return TaskChange(f"{task_id}-1", task_id, "online", AT, sql=sql, dialect=dialect, namespace=dialect, target=target)


def candidates_of(mutation: Mutation, dialect: str) -> list[Candidate]:
    """Return a change as the candidates that a platform would send."""
    candidates = [
        Candidate(task.name, sql=task.sql(), dialect=dialect, namespace=dialect, target=_target(task))
        for task in mutation.tasks
    ]
    return candidates + [Candidate(name, "offline") for name in mutation.offline]


@dataclass
class Tally:
    """What the classifier said beside what happened."""

    matrix: Counter[tuple[str, str]] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    missed: list[str] = field(default_factory=list)
    false_breaking: list[str] = field(default_factory=list)
    underrated: list[str] = field(default_factory=list)
    judged: list[tuple[Mutation, Truth, str]] = field(default_factory=list)

    def add(self, mutation: Mutation, truth: Truth, report: Report) -> None:
        """Count one change."""
        self.matrix[truth.verdict, report.verdict] += 1
        self.kinds[mutation.kind][truth.verdict] += 1
        self.judged.append((mutation, truth, report.verdict))
        words = f"{mutation.name} is {report.verdict}, and {truth.verdict}: {sorted(truth.fails | truth.changes)}"
        if truth.verdict != "same" and report.verdict in SAFE:
            self.missed.append(words)
        if truth.verdict == "same" and report.verdict == "breaking":
            self.false_breaking.append(f"{words} {[f.reason for f in report.findings if f.class_ == 'breaking'][:3]}")
        if truth.verdict == "fails" and report.verdict not in ("breaking", "unknown"):
            self.underrated.append(words)

    @property
    def total(self) -> int:
        """How many changes were tried."""
        return sum(self.matrix.values())

    @property
    def false_share(self) -> float:
        """The share of changes called breaking after which nothing failed and nothing gave another result."""
        called = sum(count for (_, said), count in self.matrix.items() if said == "breaking")
        return len(self.false_breaking) / max(called, 1)

    def lines(self) -> list[str]:
        """Return the matrix and what went wrong, for people."""
        classes = ("breaking", "potentially_breaking", "additive", "none", "unknown")
        result = [f"{'':10}" + "".join(f"{name:>22}" for name in classes)]
        for happened in ("fails", "changes", "same"):
            result.append(f"{happened:10}" + "".join(f"{self.matrix[happened, name]:>22}" for name in classes))
        result.append(f"{self.total} changes of {len(self.kinds)} kinds")
        result.append(f"missed {len(self.missed)}, false breaking {len(self.false_breaking)} ({self.false_share:.1%}), "
                     f"failing but not called breaking {len(self.underrated)}")  # fmt: skip
        for name in ("missed", "false_breaking", "underrated"):
            result += [f"  {name}: {words}" for words in getattr(self, name)]
        return result


def chosen_of(warehouse: Warehouse, sample: int | None, seed: int) -> list[Mutation]:
    """Return the changes of a warehouse; a sample of them holds every kind that it can, drawn with a seed."""
    everything = [mutation for mutation in mutations(warehouse) if mutation is not None]
    if sample is None or sample >= len(everything):
        return everything
    draw = random.Random(seed)
    draw.shuffle(everything)
    turns: Counter[str] = Counter()
    ranked: list[tuple[int, int, Mutation]] = []
    for mutation in everything:
        ranked.append((turns[mutation.kind], len(ranked), mutation))
        turns[mutation.kind] += 1
    return [mutation for _, _, mutation in sorted(ranked, key=lambda each: each[:2])[:sample]]


def warehouses_of(engine: str) -> list[Warehouse]:
    """Return the warehouses that an engine runs."""
    return [complete(shop(how)) for how in (("table", "view") if engine == "duckdb" else ("view",))]


def in_duckdb(warehouse: Warehouse, folder: Path, sample: int | None, seed: int, withheld: str = "none") -> Tally:
    """Run and judge changes of a warehouse in DuckDB; the store is told all declared columns, or half of them."""
    tables = declared_in(warehouse, withheld, seed)
    return _judged(warehouse, folder, "duckdb", run_in_duckdb, chosen_of(warehouse, sample, seed), tables)


def in_spark(warehouse: Warehouse, folder: Path, sample: int | None, seed: int, withheld: str = "none") -> Tally:
    """Run and judge changes of a warehouse in Spark; without a sample, one of every kind and some more."""
    from truth_in_spark import spark_runner

    with spark_runner(folder.with_suffix(".spark")) as run:
        tables = declared_in(warehouse, withheld, seed)
        return _judged(warehouse, folder, "spark", run, chosen_of(warehouse, sample or 80, seed), tables)


SQL_ENGINES = {"duckdb": in_duckdb, "spark": in_spark}


def _judged(
    warehouse: Warehouse,
    folder: Path,
    dialect: str,
    run: Run,
    chosen: list[Mutation],
    tables: Tables,
) -> Tally:
    before = run(warehouse, frozenset(task.name for task in warehouse.tasks))
    broken = {name: result for name, result in before.items() if isinstance(result, str) or not result[1]}
    assert not broken, f"the warehouse itself does not run, or gives nothing: {broken}"
    known = [(mutation, truth_of(warehouse, mutation, before, run)) for mutation in chosen]
    with SqlAnalyst() as analyst:
        return judge_all(warehouse, known, stored(warehouse, folder, dialect, tables), dialect, analyst)


def judge_all(
    warehouse: Warehouse, chosen: list[tuple[Mutation, Truth]], store: Store, dialect: str, analyst: SqlAnalyst
) -> Tally:
    """Assess every change against one store; return what was reported beside what happened."""
    base = StoreBase(store, store.basis(LATER))
    tally = Tally()
    for mutation, truth in chosen:
        tally.add(mutation, truth, assess(candidates_of(mutation, dialect), base, analyst, Policy()))
    return tally
