"""What the commands of governance share: options, the rules file, groups, statements, events of labels."""

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
from lineage_tt.model.facts import LABEL
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
    typer.Option("--rules", metavar="TOML", help=f"Rules file (default: ${VARIABLE}, else ./governance.toml)."),
]
SceneOption = Annotated[str | None, typer.Option("--scene", metavar="NAME", help="Scene of the rules file.")]
LabelsOption = Annotated[bool, typer.Option("--labels", help="Also report changes of derived labels, by the rules.")]
Make = Callable[["FeedEntry"], Iterable[Event]]

OnOption = Annotated[
    str,
    typer.Option("--on", metavar="NAME", help="Where to compute: here (default) or spark."),
]
MasterOption = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="With --on spark: the Spark master (default: local[*]).")
]


class WithDefault(TyperGroup):
    """A group that runs its command ``show`` if the first argument is not the name of a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert ``show`` if the first argument is not the name of a command."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


def group(name: str, words: str) -> typer.Typer:
    """Return a group of commands whose default command is ``show``."""
    return typer.Typer(
        name=name, cls=WithDefault, help=words, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )


def governed(opened: Store, rules: str | None) -> Governance:
    """Return the governance of a store, under the rules of a file."""
    return opened.governance(rules_path(rules))


def rules_path(rules: str | None) -> Path | None:
    """Return the rules file: the given one, else that of the environment, else the default if it exists, else None."""
    name = rules or os.environ.get(VARIABLE)
    return Path(name) if name else DEFAULT if DEFAULT.exists() else None


def note_empty(call: Call, opened: Store, basis: Basis, other: Basis | None = None) -> None:
    """Print a note if the store holds nothing yet at the point of a question, or at either of two."""
    from lineage_tt.governance.upkeep.notes import of_points

    for words in of_points(opened, basis, other or basis):
        call.note(words)


def note_unknown(call: Call, opened: Store, source: str | None, target: str) -> None:
    """Print a note if the node or the edge of a decision is not known."""
    unknown = opened.unknown_nodes([node for node in (source, target) if node is not None])
    if unknown:
        call.note(f"nothing names {call.ink.plain(unknown[0])} yet: the decision has no effect so far")
    elif source is not None and is_edgeless(opened, source, target):
        ends = f"from {call.ink.plain(source)} to {call.ink.plain(target)}"
        call.note(f"no edge goes {ends}: the block has no effect so far")


def note_unstated(call: Call, opened: Store, names: Sequence[str], at: str) -> None:
    """Note the labels of a decision that no node states and that are not a level of any scene."""
    if not names:
        return
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.labels.scene import scene_of, scenes_of
    from lineage_tt.governance.upkeep.notes import of_words

    config = Config.read(rules_path(None))
    levels = [level for scene in scenes_of(config) for level in scene_of(config, scene).levels]
    stated = [fact.value for fact in opened.as_of(at).facts(key=LABEL)]
    for words in of_words(names, stated, levels):
        call.note(call.ink.plain(words))


def is_on_spark(on: str, master: str | None) -> bool:
    """Return whether a job runs on Spark. Raises InvalidRequestError for an invalid ``--on``."""
    if on not in ("here", "spark"):
        raise InvalidRequestError(f"--on is {on!r}", hint="give here, or spark")
    if on == "here" and master is not None:
        raise InvalidRequestError("--master is for Spark", hint="give --on spark with it")
    return on == "spark"


@contextmanager
def whole_point(opened: Store, basis: Basis, master: str | None) -> Iterator[WholePoint]:
    """Yield a point of a store on Spark; the store must have a snapshot."""
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
    """State a fact of people, or end it if no values are given; print the version that holds it."""
    if not values and expires is not None:
        raise InvalidRequestError("--expires has no effect with --end", hint="leave it out: the decision ends at --at")
    opened = call.open(writing=True)
    for doubt in nothing_names(opened, [node]):
        call.note(call.ink.plain(doubt))
    done(call, opened, statements.annotate(opened, node, key, values, by=by, at=at, expires=expires), words)


def label_events(opened: Store, rules: str | None, scene: str | None) -> Make:
    """Return a function that yields a version's event of derived labels, if any. The first call loads the graph."""
    feeds: list[LabelFeed] = []

    def make(entry: FeedEntry) -> Iterator[Event]:
        if not feeds:
            feeds.append(governed(opened, rules).label_feed(opened.id, scene))
        event = feeds[0].event(entry)
        if event is not None:
            yield event

    return make


class LabelsBeside:
    """Adds the changes of labels to each version, if ``--labels`` is given."""

    def __init__(self, enabled: bool, scene: str | None, rules: str | None, output: str) -> None:
        if not enabled and (scene or rules):
            raise InvalidRequestError("--scene and --rules need --labels", hint="add --labels")
        if enabled and output == "openlineage":
            raise InvalidRequestError("OpenLineage has no events of labels", hint="use --format events")
        self._enabled, self._scene, self._rules, self._output = enabled, scene, rules, output

    def with_labels(
        self, opened: Store, tell: Callable[[FeedEntry], Iterable[str]], object_of: Callable[[FeedEntry], Any]
    ) -> Callable[[FeedEntry], Iterable[str]]:
        """Return a function that formats a version and its labels; JSON gets the key ``labels_changed``."""
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
