"""``effective_at`` = ``recorded_at``: after every commit, the tasks in force and their edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lineage_tt.read.view import View
from lineage_tt.store import Store
from verify_lib.parsing import Parsed
from verify_lib.stream import Raw, Stream, apply, sha256
from verify_lib.tally import Tally

WHOLE_EVERY = 100
#: Of a view's tasks, without the reasons of those that are not complete, which cost most of the time of a view.
_TASKS = """SELECT task_id, version, sql_sha256
    FROM tasks_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))"""
_EDGES = """SELECT task_id, source, target, "type", subtype, expression
    FROM edges_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
    WHERE list_contains($tasks, task_id)"""


def verify(store: Store, stream: Stream, parsed: Parsed, tally: Tally, say: Callable[[str], None]) -> None:
    """Compare the store with a replay of the raw messages after every commit; ``say`` gets the progress in words."""
    alive: dict[str, Raw] = {}
    shas = {message["version"]: sha256(message) for message in stream.messages if message["op"] != "offline"}
    commits = list(stream.commits())
    for number, commit in enumerate(commits):
        for message in commit:
            apply(alive, message)
        at, version = commit[-1]["recorded_at"], commit[-1]["through"]
        is_last = number + 1 == len(commits)
        points = [("version", store.as_of(at, version=version))]
        if is_last or commits[number + 1][0]["recorded_at"] != at:
            points.append(("system time", store.as_of(at, at)))
        tasks = {(task, message["version"], shas[message["version"]]) for task, message in alive.items()}
        for how, view in points:
            where = f"after commit {commit[0]['commit_no']}"
            found = set(_at(view, store, _TASKS))
            tally.compare(f"commits: tasks in force, by {how}", where, tasks, found)
            changed = {message["task_id"] for message in commit}
            changed |= parsed.again(commit)
            expected = _edges(parsed, version, changed & alive.keys())
            tally.compare(
                f"commits: edges of the tasks changed, by {how}",
                where,
                expected,
                set(_at(view, store, _EDGES, tasks=sorted(changed))),
            )
            if number % WHOLE_EVERY == WHOLE_EVERY - 1 or is_last:
                shown = {(task.task_id, task.version, task.sql_sha256) for task in view.tasks()}
                tally.compare(f"commits: tasks of a view, by {how}", where, tasks, shown)
                whole = {(e.task_id, *e[1:6]) for e in view.edges()}
                tally.compare(f"commits: edges of all tasks, by {how}", where, _edges(parsed, version, alive), whole)
        if number % WHOLE_EVERY == WHOLE_EVERY - 1:
            say(f"{number + 1:,} of {len(commits):,} commits compared")


def _edges(parsed: Parsed, version: int, tasks: Iterable[str]) -> set[tuple[str, *tuple[str, ...]]]:
    return {(task, *edge) for task in tasks for edge in parsed.as_of(task, version)}


def _at(view: View, store: Store, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """Return what a query of the store's macros gives at the point of a view."""
    return store.fetch(query, valid_at=view.basis.valid_at, system_at=view.basis.system_time, **parameters)


def verify_silence(store: Store, stream: Stream, parsed: Parsed, tally: Tally) -> tuple[int, int]:
    """Check that a message's version has changes exactly where its edges differ from the task's last ones.

    Returns (updates, updates without a change).
    """
    changes = dict(
        store.fetch(
            "SELECT version, count(*) FROM changes JOIN log USING (version) WHERE derived_from IS NULL GROUP BY 1"
        )
    )
    silent, loud = set(), set()
    updates = quiet = 0
    for message in stream.messages:
        task, version = message["task_id"], message["version"]
        edges = parsed.edges[version]
        (loud if edges != parsed.as_of(task, version - 1) else silent).add(version)
        if message["op"] == "update":
            updates += 1
            quiet += version in silent
    tally.compare("versions: change where edges differ, none elsewhere", "", loud, set(changes))
    return updates, quiet
