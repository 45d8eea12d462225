"""What the commands of governance share: the file with their rules, groups, statements, events of labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from lineage_tt.cli.calls import Call
from lineage_tt.cli.commands.people import done
from lineage_tt.cli.render import objects
from lineage_tt.curation import statements
from lineage_tt.curation.statements import Author
from lineage_tt.curation.unnamed import is_edgeless, nothing_names
from lineage_tt.events import Event
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import shown

if TYPE_CHECKING:
    from lineage_tt.governance.governance import Governance
    from lineage_tt.governance.labels.feed import LabelFeed
    from lineage_tt.model.answers import Basis, FeedEntry
    from lineage_tt.spark.whole.point import WholePoint
    from lineage_tt.store import Store

VARIABLE: Final = "LINEAGE_TT_GOVERNANCE"
DEFAULT: Final = Path("governance.toml")

RulesOption = Annotated[
    str | None,
    typer.Option("--rules", metavar="TOML", help=f"The rules (default: ${VARIABLE}, else ./governance.toml)."),
]
SceneOption = Annotated[str | None, typer.Option("--scene", metavar="NAME", help="A scene of the rules.")]
LabelsOption = Annotated[
    bool, typer.Option("--labels", help="Also what that changed in the labels of nodes, under the rules.")
]
Make = Callable[["FeedEntry"], Iterable[Event]]

OnOption = Annotated[
    str,
    typer.Option("--on", metavar="NAME", help="Where all nodes are worked out: here (default), or spark."),
]
MasterOption = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="With --on spark: the Spark master (default: local[*]).")
]


class WithDefault(TyperGroup):
    """A group whose command ``show`` is meant where the first word is none of its commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the word ``show`` before arguments that begin with no command."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


def group(name: str, words: str) -> typer.Typer:
    """Return a group of commands; ``show`` is the one without a word."""
    return typer.Typer(
        name=name, cls=WithDefault, help=words, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )


def governed(opened: Store, rules: str | None) -> Governance:
    """Return the questions of governance about a store, under the rules of a file."""
    return opened.governance(rules_path(rules))


def rules_path(rules: str | None) -> Path | None:
    """Return the file with the rules: the one given, or where they are looked for; None where there is none."""
    name = rules or os.environ.get(VARIABLE)
    return Path(name) if name else DEFAULT if DEFAULT.exists() else None


def note_empty(call: Call, opened: Store, basis: Basis) -> None:
    """Note that the store holds nothing yet at the time, or the version, of a question."""
    from lineage_tt.governance.upkeep.notes import of_point

    for words in of_point(opened, basis):
        call.note(words)


def note_unknown(call: Call, opened: Store, source: str | None, target: str) -> None:
    """Note that nothing names the node, or the edge, that a decision is about."""
    unknown = opened.unknown_nodes([node for node in (source, target) if node is not None])
    if unknown:
        call.note(f"nothing names {call.ink.plain(unknown[0])} yet: the decision waits for it")
    elif source is not None and is_edgeless(opened, source, target):
        ends = f"from {call.ink.plain(source)} to {call.ink.plain(target)}"
        call.note(f"no edge goes {ends}: the block waits for one")


def is_on_spark(on: str, master: str | None) -> bool:
    """Return whether a job runs on Spark. Raises InvalidRequestError for a place that is none."""
    if on not in ("here", "spark"):
        raise InvalidRequestError(f"--on is {on!r}", hint="give here, or spark")
    if on == "here" and master is not None:
        raise InvalidRequestError("--master is for Spark", hint="give --on spark with it")
    return on == "spark"


@contextmanager
def whole_point(opened: Store, basis: Basis, master: str | None) -> Iterator[WholePoint]:
    """Yield a point of a store on Spark: over its snapshot, which it has to have."""
    from lineage_tt.spark.session import require, spark_session
    from lineage_tt.spark.whole.point import WholePoint
    from lineage_tt.spark.whole.rectangles import snapshot_of

    snapshot_of(opened)  # before Spark starts
    require()
    whole = WholePoint(spark_session(master), opened, basis)
    try:
        yield whole
    finally:
        whole.close()


def state(
    call: Call, node: str, key: str, values: Sequence[str], words: str, by: Author, at: str, expires: str | None
) -> None:  # fmt: skip
    """State a fact of people, or take it back with no values; say which version holds it."""
    opened = call.open(writing=True)
    for doubt in nothing_names(opened, [node]):
        call.note(call.ink.plain(doubt))
    done(call, opened, statements.annotate(opened, node, key, values, by=by, at=at, expires=expires), words)


def label_events(opened: Store, rules: str | None, scene: str | None) -> Make:
    """Return what makes the events of derived labels of a version: none or one. The graph is loaded at the first."""
    feeds: list[LabelFeed] = []

    def make(entry: FeedEntry) -> Iterator[Event]:
        if not feeds:
            feeds.append(governed(opened, rules).label_feed(opened.id, scene))
        event = feeds[0].event(entry)
        if event is not None:
            yield event

    return make


class LabelsBeside:
    """What ``changes --labels`` adds to each version; nothing where it is not asked for."""

    def __init__(self, enabled: bool, scene: str | None, rules: str | None, output: str) -> None:
        if not enabled and (scene or rules):
            raise InvalidRequestError("--scene and --rules go with --labels", hint="add --labels")
        if enabled and output == "openlineage":
            raise InvalidRequestError("OpenLineage has no events of labels", hint="use --format events")
        self._enabled, self._scene, self._rules, self._output = enabled, scene, rules, output

    def with_labels(
        self, opened: Store, tell: Callable[[FeedEntry], Iterable[str]], object_of: Callable[[FeedEntry], Any]
    ) -> Callable[[FeedEntry], Iterable[str]]:
        """Return what tells a version and its labels; ``object_of`` gives it as an object, which gets a key more."""
        if not self._enabled:
            return tell
        make = label_events(opened, self._rules, self._scene)

        def both(entry: FeedEntry) -> Iterator[str]:
            events = list(make(entry))
            if self._output == "json":
                changes = [change for event in events for change in event["data"]["changes"]]
                yield objects.dumps(object_of(entry) | {"labels_changed": changes})
                return
            yield from tell(entry)
            for event in events:
                yield from [objects.dumps(event)] if self._output == "events" else map(_line, event["data"]["changes"])

        return both


def _line(change: dict[str, Any]) -> str:
    words = [f"+{label}" for label in change["gained"]] + [f"-{label}" for label in change["lost"]]
    return f"  labels of {shown(change['node'])}: {' '.join(map(shown, words))}, at {change['valid_at']}"
