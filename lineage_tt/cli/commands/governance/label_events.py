"""``--labels`` of commands that read the feed: events of derived labels beside those of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.commands.governance.shared import governed
from lineage_tt.cli.render.objects import dumps
from lineage_tt.events import Event
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import shown

if TYPE_CHECKING:
    from lineage_tt.governance.labels.feed import LabelFeed
    from lineage_tt.model.answers import FeedEntry
    from lineage_tt.store import Store

LabelsOption = Annotated[
    bool, typer.Option("--labels", help="Also what that changed in the labels of nodes, under the rules.")
]
Make = Callable[["FeedEntry"], Iterable[Event]]


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

    def __init__(self, wanted: bool, scene: str | None, rules: str | None, output: str) -> None:
        if not wanted and (scene or rules):
            raise InvalidRequestError("--scene and --rules go with --labels", hint="add --labels")
        if wanted and output == "openlineage":
            raise InvalidRequestError("OpenLineage has no events of labels", hint="use --format events")
        self._wanted, self._scene, self._rules, self._output = wanted, scene, rules, output

    def told(
        self, opened: Store, tell: Callable[[FeedEntry], Iterable[str]], object_of: Callable[[FeedEntry], Any]
    ) -> Callable[[FeedEntry], Iterable[str]]:
        """Return what tells a version and its labels; ``object_of`` gives it as an object, which gets a key more."""
        if not self._wanted:
            return tell
        make = label_events(opened, self._rules, self._scene)

        def both(entry: FeedEntry) -> Iterator[str]:
            events = list(make(entry))
            if self._output == "json":
                changes = [change for event in events for change in event["data"]["changes"]]
                yield dumps(object_of(entry) | {"labels_changed": changes})
                return
            yield from tell(entry)
            for event in events:
                yield from [dumps(event)] if self._output == "events" else map(_line, event["data"]["changes"])

        return both


def _line(change: dict[str, Any]) -> str:
    words = [f"+{label}" for label in change["gained"]] + [f"-{label}" for label in change["lost"]]
    return f"  labels of {shown(change['node'])}: {' '.join(map(shown, words))}, at {change['valid_at']}"
