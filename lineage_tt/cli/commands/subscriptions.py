"""``subscribe``, ``unsubscribe``, ``subscriptions``: who is notified of which changes, and the delivery."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, refuse_given, verb
from lineage_tt.cli.commands.governance.shared import RulesOption, SceneOption, label_events
from lineage_tt.cli.commands.relay import OptionsOption, until_stopped
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.ink import shown_json
from lineage_tt.cli.render.pages import count
from lineage_tt.cli.render.tables import table
from lineage_tt.curation.statements import user_of_machine
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import shown
from lineage_tt.storage.location import is_local, place

if TYPE_CHECKING:
    from lineage_tt.store import Store
    from lineage_tt.subscriptions.model import Subscription
    from lineage_tt.subscriptions.outbox import Outbox

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of the subscription.")]
StateOption = Annotated[
    str | None, typer.Option("--state", metavar="FILE", help="File with the cursors (default: in the store's folder).")
]


def _many(name: str, metavar: str, words: str) -> Any:
    return typer.Option(name, metavar=metavar, help=f"{words} Repeatable.")


def subscribe(
    ctx: typer.Context,
    name: NameArgument,
    dataset: Annotated[list[str] | None, _many("--dataset", "PATTERN", "Dataset, such as hive:dw.*.")] = None,
    column: Annotated[list[str] | None, _many("--column", "PATTERN", "Column, such as *#email.")] = None,
    namespace: Annotated[list[str] | None, _many("--namespace", "NAME", "Namespace of a node.")] = None,
    label: Annotated[list[str] | None, _many("--label", "LABEL", "Label of a node or its dataset.")] = None,
    owner: Annotated[list[str] | None, _many("--owner", "NAME", "Owner of the task or node.")] = None,
    task: Annotated[list[str] | None, _many("--task", "PATTERN", "Task of the change.")] = None,
    change_class: Annotated[list[str] | None, _many("--class", "CLASS", "Class of change: edge-removed.")] = None,
    upstream_of: Annotated[list[str] | None, _many("--upstream-of", "NODE", "Upstream of this node.")] = None,
    downstream_of: Annotated[list[str] | None, _many("--downstream-of", "NODE", "Downstream of this node.")] = None,
    hops: Annotated[int | None, typer.Option(metavar="N", min=1, help="At most N edges from that node.")] = None,
    direct_only: Annotated[bool, typer.Option("--direct-only", help="Only DIRECT edges up- or downstream.")] = False,
    deliver: Annotated[
        str, typer.Option(metavar="WHERE", help="stream, kafka://…, https://…, slack+https://…, command:PROGRAM ARGS.")
    ] = "stream",
    secret_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Environment variable with the signing secret.")
    ] = None,
    allow_private: Annotated[
        bool,
        typer.Option("--allow-private", help="Has no effect: the operator's allow-list decides on private addresses."),
    ] = False,
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Author (default: the current user).")] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Create or replace a subscription.

    A change must match one value of every kind of filter that is given. Deliver with: lineage-tt subscriptions run.
    """
    call = Call.of(ctx, store, output)
    from lineage_tt.subscriptions.blind_spots import notes
    from lineage_tt.subscriptions.model import Subscription
    from lineage_tt.subscriptions.stored import subscribe as keep

    declared = Subscription(
        name, datasets=_tuple(dataset), columns=_tuple(column), namespaces=_tuple(namespace), labels=_tuple(label),
        owners=_tuple(owner), tasks=_tuple(task), classes=_tuple(change_class), upstream_of=_tuple(upstream_of),
        downstream_of=_tuple(downstream_of), hops=hops, direct_only=direct_only,
        deliver=deliver, secret_env=secret_env, allow_private=allow_private,
    ).checked()  # fmt: skip
    opened = call.open(writing=True)
    version = keep(opened, declared, actor or user_of_machine())
    doubts = notes(opened, declared)
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), {"version": version, **declared.to_json(), "notes": doubts})
    else:
        lines = [f"{call.ink.strong(name)} is stored, version {version}", f"  {declared.in_words()}"]
        call.write([*lines, *(call.ink.bad(f"  {each}") for each in doubts)])


def _tuple(words: list[str] | None) -> tuple[str, ...]:
    return tuple(words or ())


def unsubscribe(
    ctx: typer.Context,
    name: NameArgument,
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Author (default: the current user).")] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Remove a subscription; the log keeps its history."""
    call = Call.of(ctx, store, output)
    from lineage_tt.subscriptions.stored import unsubscribe as take_away

    opened = call.open(writing=True)
    version = take_away(opened, name, actor or user_of_machine())
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), {"version": version, "name": name})
    else:
        call.write([f"{call.ink.strong(name)} is removed, version {version}"])


listing = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@listing.callback()
def subscriptions() -> None:
    """List, test and deliver subscriptions."""


@listing.command("list")
def list_(ctx: typer.Context, store: StoreOption = None, output: FormatOption = None) -> None:
    """List the subscriptions."""
    call = Call.of(ctx, store, output)
    from lineage_tt.subscriptions.stored import all_stored

    opened = call.open()
    listed = all_stored(opened)
    if call.output == "json":
        result = [
            each.subscription.to_json() if each.subscription else {"name": each.name, "problem": each.problem}
            for each in listed
        ]
        call.write_answer(opened.basis().to_json(), result)
        return
    rows = [
        (each.name, each.subscription.deliver, each.subscription.in_words())
        if each.subscription
        else (each.name, "nowhere", each.problem)
        for each in listed
    ]
    call.write(table(("name", "deliver", "about"), rows, call.ink, {"name": call.ink.strong}))
    call.write([call.ink.faint(count(len(listed), "subscription"))])


@listing.command("test")
def try_out(
    ctx: typer.Context,
    name: NameArgument,
    last: Annotated[int, typer.Option(metavar="N", min=1, help="Number of versions to check.")] = 1000,
    scene: SceneOption = None,
    rules: RulesOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show which events a subscription would have sent. Nothing is sent.

    Derived labels are those under the current rules.
    """
    call = Call.of(ctx, store, output)
    from lineage_tt.subscriptions.stored import subscription
    from lineage_tt.subscriptions.trial import tried

    opened = call.open()
    after = max(0, opened.version - last)
    chosen = subscription(opened, name)
    if (scene or rules) and not chosen.is_of_labels:
        raise InvalidRequestError(f"{name} is not about derived labels", hint="leave out --scene and --rules")
    found = list(tried(opened, chosen, after, label_events(opened, rules, scene)))
    if call.output == "json":
        result = {"after": after, "events": [each.event for each in found]}
        call.write_answer(objects.known_by(opened.basis()), result)
        return
    rows = [(each.version, each.subject, each.changes, each.actor, ", ".join(each.classes)) for each in found]
    call.write(table(("version", "subject", "changes", "actor", "classes"), rows, call.ink))
    call.write([call.ink.faint(f"{count(len(found), 'event')} for versions {after + 1} to {opened.version}")])


@listing.command("run")
def run(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Only these (default: all).")] = None,
    state: StateOption = None,
    until_end: Annotated[bool, typer.Option("--until-end", help="Stop at the store's last version.")] = False,
    scene: SceneOption = None,
    rules: RulesOption = None,
    options: OptionsOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Deliver events until stopped, each at least once and in order.

    A subscription to a Kafka topic must be run alone, by its name. Other undelivered events become dead letters, listed
    by: subscriptions undelivered. The operator's allow-list must contain programs and private addresses.
    """
    call = Call.of(ctx, store, output)
    from lineage_tt.subscriptions import stored
    from lineage_tt.subscriptions.delivery import judged
    from lineage_tt.subscriptions.model import delivery_kind
    from lineage_tt.subscriptions.runner import Runner

    opened = call.open(writing=True)
    chosen = [stored.subscription(opened, name) for name in names or ()]
    for each in chosen:
        judged(each)
    topics = [each for each in chosen if delivery_kind(each.deliver) == "kafka"]
    if topics:
        if len(chosen) > 1:
            raise InvalidRequestError(f"{topics[0].name} delivers to its own topic", hint="run it alone, by its name")
        refuse_given({"--state": state, "--scene": scene, "--rules": rules}, "has no effect for a topic")
        done: dict[str, Any] = _run_topic(opened, topics[0], options, until_end)
    else:
        refuse_given({"--kafka-option": options}, "is for a topic, named by its subscription")
        with _outbox(call, state) as outbox:
            if (scene or rules) and not any(each.is_of_labels for each in chosen or stored.subscriptions(opened)):
                call.note("--scene and --rules have no effect: no subscription is about derived labels")
            make = label_events(opened, rules, scene)
            runner = Runner(opened, outbox, names=names or (), write=_print, skipped=_tell_skipped, label_events=make)
            with until_stopped(runner):
                tally = runner.run(until_end=until_end)
            done = {"delivered": tally.delivered, "given_up": tally.given_up, "version": tally.version}
    words = ", ".join(f"{name}: {value}" for name, value in done.items() if value)
    print(objects.dumps(done) if call.output == "json" else shown(words) or "nothing to deliver", file=sys.stderr)


def _run_topic(store: Store, subscription: Subscription, options: list[str] | None, until_end: bool) -> dict[str, Any]:
    from lineage_tt.cli.commands.relay import ProgressReporter
    from lineage_tt.kafka.outlet import KafkaOutlet
    from lineage_tt.kafka.settings import read_topic
    from lineage_tt.subscriptions.topic import SubscribedRelay

    topic = read_topic(subscription.deliver, options or ())
    watch = ProgressReporter(subscription.name, False).of_relay
    running = SubscribedRelay(store, lambda: KafkaOutlet(topic, None), subscription, watch=watch)
    with until_stopped(running):
        progress = running.run(until_end=until_end, max_failures=5 if until_end else None)
    return {"delivered": {subscription.name: progress.sent}, "version": progress.at}


@listing.command("undelivered")
def undelivered(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Only this subscription.")] = None,
    resend: Annotated[bool, typer.Option("--resend", help="Send them again.")] = False,
    state: StateOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the events that could not be delivered."""
    call = Call.of(ctx, store, output)
    from lineage_tt.subscriptions.runner import Runner
    from lineage_tt.subscriptions.stored import check_name

    if state is not None and not Path(state).exists():
        raise InvalidRequestError(f"there is no file {state}", hint="give the --state of: subscriptions run")
    opened = call.open()
    with _outbox(call, state) as outbox:
        sent = Runner(opened, outbox, write=_print, skipped=_tell_skipped).resend(name) if resend else 0
        letters = outbox.undelivered(name)
    if name is not None and not letters and not sent:
        check_name(opened, name)
    names = ("subscription", "version", "problem")
    rows = [(letter.subscription, letter.version, letter.problem) for letter in letters]
    if call.output == "json":
        result = {"resent": sent, "undelivered": [dict(zip(names, row, strict=True)) for row in rows]}
        call.write_answer(objects.known_by(opened.basis()), result)
        return
    call.write(table(names, rows, call.ink))
    again = f", {sent} sent again" if resend else ""
    call.write([call.ink.faint(f"{count(len(letters), 'event')} undelivered{again}")])


def _outbox(call: Call, state: str | None) -> Outbox:
    from lineage_tt.subscriptions.outbox import Outbox
    from lineage_tt.write.past.tighten.purge import tighten_deliveries

    if state is None:
        where = place(call.store_uri)
        if not is_local(where):
            raise InvalidRequestError("a bucket cannot hold the cursors of deliveries", hint="give --state FILE")
        state = str(where / "deliveries.sqlite")
    tighten_deliveries(Path(state), call.open().texts)
    return Outbox(state)


def _tell_skipped(name: str, problem: str) -> None:
    print(shown(f"{name} is skipped: {problem}"), file=sys.stderr, flush=True)


def _print(line: str) -> None:
    sys.stdout.write(shown_json(line) + "\n")
    sys.stdout.flush()


VERBS = {
    "subscribe": verb("subscribe", subscribe),
    "unsubscribe": verb("unsubscribe", unsubscribe),
    "subscriptions": listing,
}
