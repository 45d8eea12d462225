"""One seeded fault: a text made wrong among harmless changes, a value that is really wrong, and the suspects for it."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import sqlglot
from sqlglot import exp

from lineage_tt.governance.cause.flow import flow_of
from lineage_tt.governance.cause.past import GraphPast
from lineage_tt.governance.cause.ports import Comparing
from lineage_tt.governance.cause.root_cause import RootCause, root_cause
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.messages import Resolver, TaskChange, content_digest
from lineage_tt.store import Store
from verify_lib.seeding.mutating import laid_out, mutations
from verify_lib.seeding.platform import _TEMPLATE, DAY, Platform, statements_of
from verify_lib.seeding.warehouse import Task, Warehouse, reads_of

SECOND = 1_000_000
DAYS = 86_400 * SECOND
#: Harmless changes beside the real ones of the window.
HARMLESS = 8
#: So many changes of a text are tried before another task is taken.
TRIES = 6
#: All messages of a platform of up to so many are sent to each store.
SMALL = 500


class Case(NamedTuple):
    """A fault and where it shows: the wrong column, the messages sent, and the one that is to blame."""

    kind: str
    task: str
    node: str
    at: int
    since: int
    fault: str
    sent: tuple[Any, ...]
    harmless: int


class Judged(NamedTuple):
    """The places, from 1, at which the fault stands among the suspects; 0: not among them."""

    case: Case
    suspects: int
    read: int
    words: int
    nearest: int
    latest: int


class Epoch(NamedTuple):
    """A platform at a point: what runs there, its right values, and what lineage says of the tasks."""

    platform: Platform
    house: Warehouse
    at: int
    window: int
    right: Mapping[str, Any]
    lineage: Any  # a view as of the point, to find which tasks feed a dataset


def drawn(epoch: Epoch, draw: random.Random) -> Case | None:
    """Make a fault, show that a value is wrong by it and by nothing else; None where this draw gives none."""
    task = draw.choice(sorted(epoch.house.tasks))
    begin = max(epoch.at - epoch.window, epoch.platform.last_change(task, epoch.at)) + 60 * SECOND
    if begin >= epoch.at - 60 * SECOND:
        return None
    found = _fault(epoch, task, draw)
    if found is None:
        return None
    kind, wrong, node = found
    asked = dataset_of(node)
    wanted = epoch.house.upstream(asked)
    instead, edits = _harmless(epoch, wanted - {task}, asked, node, draw)
    last = epoch.house.run(wanted, {**instead, task: wrong})
    if not _differs(last, epoch.right, node):
        return None
    fault = _message(wrong.message, f"fault-{task}", draw.randrange(begin, epoch.at))
    sent = [fault]
    for at in range(draw.randint(0, 2)):  # another layout of the faulty text, before the fault or after it
        moment = draw.randrange(begin, epoch.at)
        before = epoch.house.tasks[task].message if moment < (fault.effective_at or 0) else wrong.message
        sent.append(_message(before, f"layout-{task}-{at}", moment, laid_out(before.sql or "", draw)))
    for number, (other, text) in enumerate(edits):
        lower = max(epoch.at - epoch.window, epoch.platform.last_change(other, epoch.at)) + 60 * SECOND
        if lower < epoch.at:
            sent.append(_message(epoch.house.tasks[other].message, f"harmless-{other}-{number}",
                                 draw.randrange(lower, epoch.at), text))  # fmt: skip
    in_order = _in_order(sent)
    return Case(kind, task, node, epoch.at, epoch.at - epoch.window, fault.event_id, tuple(in_order), len(sent) - 1)


def _fault(epoch: Epoch, task: str, draw: random.Random) -> tuple[str, Task, str] | None:
    """Make a text wrong; return the kind, the task with it, and a column somewhere downstream that is wrong by it."""
    below = [name for name in epoch.house.tasks if task in epoch.house.upstream(_target(epoch.house.tasks[name]))]
    datasets = sorted({_target(epoch.house.tasks[name]) for name in [task, *below]})
    for _ in range(TRIES):
        made = _mutated(epoch.house.tasks[task], draw)
        if made is None:
            return None
        kind, wrong = made
        for asked in draw.sample(datasets, len(datasets)):
            done = epoch.house.run(epoch.house.upstream(asked), {task: wrong})
            one, other = epoch.right.get(asked), done.get(asked)
            if not isinstance(one, dict) or not isinstance(other, dict):
                continue
            names = sorted(name for name in one.keys() & other.keys() if one[name] != other[name])
            if names:
                node = _known(epoch, f"{asked}#{draw.choice(names)}")
                if node is not None:
                    return kind, wrong, node
    return None


def _harmless(
    epoch: Epoch, tasks: Collection[str], asked: str, node: str, draw: random.Random
) -> tuple[dict[str, Task], list[tuple[str, str]]]:
    """Change other tasks upstream so that the asked column stays as it is: by layout, or in what it does not use."""
    instead: dict[str, Task] = {}
    edits = []
    for _ in range(HARMLESS * 3):
        if len(edits) >= HARMLESS or not tasks:
            break
        other = draw.choice(sorted(tasks))
        now = instead.get(other, epoch.house.tasks[other])
        if draw.random() < 0.3:
            edits.append((other, laid_out(now.message.sql or "", draw)))
            continue
        made = _mutated(now, draw)
        if made is None or other in instead:
            continue
        done = epoch.house.run(epoch.house.upstream(asked), {**instead, other: made[1]})
        if any(isinstance(done.get(name), str) for name in epoch.house.tasks) or _differs(done, epoch.right, node):
            continue
        instead[other] = made[1]
        edits.append((other, made[1].message.sql or ""))
    return instead, edits


def _target(task: Task) -> str:
    return task.statements[0].target


def _differs(done: Mapping[str, Any], right: Mapping[str, Any], node: str) -> bool:
    dataset, _, column = node.partition("#")
    one, other = done.get(dataset), right.get(dataset)
    if not isinstance(one, dict) or not isinstance(other, dict):
        return True
    return one.get(column.lower()) != other.get(column.lower())


def _known(epoch: Epoch, node: str) -> str | None:
    """A column as lineage writes it, in whatever case; None where lineage does not know it."""
    dataset, _, column = node.partition("#")
    names = {n.lower(): n for n in epoch.lineage.columns_of(dataset)}
    return f"{dataset}#{names[column]}" if column in names else None


def _mutated(task: Task, draw: random.Random) -> tuple[str, Task] | None:
    """A random change of a random statement of a task, as a message with the whole text."""
    place = draw.randrange(len(task.statements))
    statement = task.statements[place]
    every = list(mutations(statement.query))
    if not every:
        return None
    kind, query = draw.choice(every)
    message = task.message
    sql = _TEMPLATE.sub(DAY, message.sql or "").replace("@submission_date", f"DATE '{DAY}'")
    before = statement.query.sql(dialect=message.dialect)
    trees = [tree for tree in sqlglot.parse(sql, dialect=message.dialect) if tree is not None]
    for tree in trees:
        held = tree if isinstance(tree, exp.Query) else tree.args.get("expression")
        if isinstance(held, exp.Query) and held.sql(dialect=message.dialect) == before:
            if held is tree:
                trees[trees.index(tree)] = query.copy()
            else:
                held.replace(query.copy())
            break
    else:
        return None
    text = ";\n".join(tree.sql(dialect=message.dialect, pretty=True) for tree in trees)
    if message.dialect == "bigquery":
        text = text.replace(f"CAST('{DAY}' AS DATE)", "@submission_date").replace(f"DATE '{DAY}'", "@submission_date")
    else:
        text = text.replace(DAY, "${dt}")
    changed = _message(message, message.event_id, message.effective_at or 0, text)
    statements = statements_of(changed)
    if len(statements) != len(task.statements) or _target_of(statements) != _target_of(task.statements):
        return None
    return kind, Task(changed, tuple(statements), frozenset(d for s in statements for d in reads_of(s, changed)))


def _target_of(statements: Sequence[Any]) -> str:
    return statements[0].target


def _message(like: TaskChange, event: str, at: int, sql: str | None = None) -> TaskChange:
    made = replace(
        like, event_id=event, op="update", effective_at=at, recorded_at=at + 5 * SECOND, raw=None, digest=None,
        position=None, source_version=None, sql=like.sql if sql is None else sql, lineage=None, facts=(), cleared=(),
    )  # fmt: skip
    made.digest = content_digest(made)
    return made


def _in_order(sent: Sequence[TaskChange]) -> list[TaskChange]:
    """Messages by time, a second apart where they come together."""
    result: list[TaskChange] = []
    for message in sorted(sent, key=lambda m: (m.effective_at or 0, m.event_id)):
        result.append(message)
    return result


def judged(epoch: Epoch, case: Case, folder: Path, resolver: Resolver, comparing: Comparing | None) -> Judged | None:
    """Send the case's messages to a store among the real ones, ask, and return where the fault stands.

    Of a large platform the store holds the tasks that feed the asked dataset; None where it does not know the column
    without the others.
    """
    store = Store.create(folder)
    tasks, datasets = epoch.lineage.feeding(dataset_of(case.node))
    whole = len(epoch.platform.messages) <= SMALL
    real = [
        m for m in epoch.platform.messages
        if (m.recorded_at or 0) <= case.at
        and (whole or (m.task_id in tasks if isinstance(m, TaskChange) else m.node in datasets))
    ]  # fmt: skip
    messages = sorted([*real, *case.sent], key=lambda m: m.recorded_at or 0)
    store.append(messages, resolver=resolver, system_times="recorded_at")
    graph = store.graph()
    if not graph.knows(case.node):
        return None
    past = GraphPast(store, graph, graph.basis(case.at))
    read = root_cause(past, case.node, case.since, comparing, 10_000)
    words = root_cause(past, case.node, case.since, None, 10_000)
    steps = _steps(past, case)
    plain = [(each.statement.event_id, each.at, steps.get(each.statement.subject, 99)) for each in read.suspects]
    nearest = [event for event, _, _ in sorted(plain, key=lambda each: (each[2], -each[1]))]
    latest = [event for event, _, _ in sorted(plain, key=lambda each: -each[1])]
    return Judged(case, len(plain), _place(_events(read), case), _place(_events(words), case), _place(nearest, case),
                  _place(latest, case))  # fmt: skip


def _steps(past: GraphPast, case: Case) -> dict[str, int]:
    """How many steps away each task writes, at the nearest."""
    flow = flow_of(case.node, past.walk([case.node], "up", case.at))
    steps: dict[str, int] = defaultdict(lambda: 99)
    for task, nodes in flow.targets.items():
        steps[task] = min((flow.parts[node].steps for node in nodes if node in flow.parts), default=99)
    return steps


def _events(found: RootCause) -> list[str]:
    return [each.statement.event_id for each in found.suspects]


def _place(events: Sequence[str], case: Case) -> int:
    return events.index(case.fault) + 1 if case.fault in events else 0
