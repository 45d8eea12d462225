"""``log``, ``tasks``, ``changes``: the messages received, the tasks in force, and the changes of each version."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import LabelsBeside, LabelsOption, RulesOption, SceneOption, note_empty
from lineage_tt.cli.render import objects, pages
from lineage_tt.events import event_of
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from lineage_tt.read.view import View
    from lineage_tt.store import Store


def log(
    ctx: typer.Context,
    task: Annotated[str | None, typer.Option(metavar="TASK_ID", help="Only messages of this task.")] = None,
    after: Annotated[int, typer.Option(metavar="V", min=0, help="Only versions after this one.")] = 0,
    newest: Annotated[
        int | None, typer.Option("-n", "--newest", metavar="N", min=0, help="Only the N newest messages.")
    ] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show the messages received, oldest first."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    entries = opened.log(after=after, task_id=task, newest=newest)
    if call.output == "json":
        basis = objects.known_by(opened.basis(), opened.horizon)
        call.write_answer(basis, [objects.record(entry) for entry in entries])
    else:
        call.write(pages.log_page(entries, call.ink))
        call.write(pages.horizon_note(opened.horizon, call.ink))
    if after > (last := opened.basis().version):
        call.note(f"there is no version {after}: the last one is {last}")


def tasks(
    ctx: typer.Context,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    sql: Annotated[bool, typer.Option("--sql", help="Also print the SQL text of each task.")] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the tasks in force at a point."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)
    listed = view.tasks()
    if not listed:
        note_empty(call, opened, view.basis)
    texts = _texts(opened, view) if sql else None
    if call.output == "json":
        result = [objects.task_object(t) | ({} if texts is None else {"sql": texts.get(t.task_id)}) for t in listed]
        call.write_answer(view.basis.to_json(), result, listed.completeness)
    else:
        call.write(pages.tasks_page(listed, texts, view.basis, call.ink))
        call.write_completeness(listed.completeness, "in force")


def _texts(store: Store, view: View) -> dict[str, str | None]:
    """Return the SQL text of every task in force, in one query."""
    point = f"make_timestamptz({view.basis.valid_at}), make_timestamptz({view.basis.system_time})"
    return dict(store.fetch(f"SELECT task_id, sql FROM tasks_as_of({point})"))


def changes(
    ctx: typer.Context,
    after: Annotated[int, typer.Option(metavar="V", min=0, help="Start after this version.")] = 0,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Continue with new versions as they are committed.")
    ] = False,
    interval: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.01, help="With --follow: maximum seconds of one wait (1)."),
    ] = None,
    labels: LabelsOption = False,
    scene: SceneOption = None,
    rules: RulesOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show what each version changed.

    Versions are in order. --format json prints one object per line, --format events one CloudEvent per line, and
    --format openlineage one OpenLineage event per line. --labels adds the changes of derived labels.
    """
    call = Call.of(ctx, store, output, ("text", "json", "events", "openlineage"))
    if interval is not None and not follow:
        raise InvalidRequestError("--interval is for --follow", hint="leave it out, or add --follow")
    beside = LabelsBeside(labels, scene, rules, call.output)
    opened = call.open()
    tell = beside.with_labels(opened, _teller(opened, call), objects.feed_object)
    if not follow:
        for entry in opened.changes(after):
            call.write(tell(entry))
        return
    tail = opened.tail(after)
    while True:
        for entry in tail.read():
            call.write(tell(entry))
        call.flush()
        tail.wait(1.0 if interval is None else interval)


def _teller(store: Store, call: Call) -> Callable[[FeedEntry], Iterable[str]]:
    """Return the function that formats one version of the feed."""
    if call.output == "openlineage":
        from lineage_tt.feed.openlineage import OpenLineageFeed

        feed = OpenLineageFeed(store)
        return lambda entry: map(objects.dumps, feed.events(entry))
    if call.output == "events":
        return lambda entry: [objects.dumps(event_of(entry, store.id))]
    if call.output == "json":
        return lambda entry: [objects.dumps(objects.feed_object(entry))]
    return lambda entry: pages.feed_page(entry, call.ink)


VERBS = {"log": verb("log", log), "tasks": verb("tasks", tasks), "changes": verb("changes", changes)}
