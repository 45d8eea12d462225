"""What a subscription cannot currently see, and which of its fields have no effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lineage_tt.model.completeness import sentence
from lineage_tt.model.names import meaning, near_names
from lineage_tt.store import Store
from lineage_tt.subscriptions.model import Subscription, delivery_kind

#: Kinds of delivery whose requests are signed with the secret.
_SIGNED: Final = ("http", "https", "slack")
_NAMESPACES: Final = "SELECT DISTINCT split_part(node, ':', 1) FROM nodes"
#: kind of filter → the column with which its patterns are compared, and the table of that column
_PATTERNS: Final = {
    "dataset": ("split_part(node, '#', 1)", "nodes"),
    "column": ("node", "nodes WHERE contains(node, '#')"),
    "task": ("task_id", "log WHERE task_id IS NOT NULL"),
}


def notes(store: Store, subscription: Subscription) -> list[str]:
    """Return sentences about what a subscription cannot see, and fields without effect. None of them is an error.

    It cannot see what filters that match nothing would match, and what is beyond a closure that ends in the unknown.
    Names may still appear.
    """
    return [*_without_effect(subscription), *_unmatched(store, subscription), *_unknown(store, subscription)]


def _without_effect(subscription: Subscription) -> Iterator[str]:
    if subscription.direct_only and not subscription.has_closure:
        yield "direct_only has no effect without upstream_of or downstream_of"
    kind = delivery_kind(subscription.deliver)
    if subscription.secret_env and kind not in _SIGNED:
        yield f"secret_env has no effect: delivery by {kind} is not signed"
    if subscription.allow_private:
        yield "allow_private has no effect: the operator's allow-list decides on private addresses"


def _unmatched(store: Store, subscription: Subscription) -> Iterator[str]:
    for kind, patterns in (
        ("dataset", subscription.datasets),
        ("column", subscription.columns),
        ("task", subscription.tasks),
    ):
        column, table = _PATTERNS[kind]
        for pattern in patterns:
            query = f"SELECT 1 FROM (SELECT {column} AS name FROM {table}) WHERE name GLOB $pattern LIMIT 1"
            if not store.fetch(query, pattern=pattern):
                yield _nothing(kind, pattern, _near(store, kind, pattern))
    for name in subscription.namespaces:
        known = [namespace for (namespace,) in store.fetch(_NAMESPACES)]
        if name not in known:
            yield _nothing("namespace", name, near_names(name, known))
    # derived labels depend on rules that are not known here
    labels = () if subscription.is_of_labels else subscription.labels
    for key, values in (("label", labels), ("owner", subscription.owners)):
        for value in values:
            known = [v for (v,) in store.fetch('SELECT DISTINCT "value" FROM fact_changes WHERE "key" = $key', key=key)]
            if value not in known:
                yield _nothing(key, value, near_names(value, known))


def _near(store: Store, kind: str, pattern: str) -> Sequence[str]:
    """Return the pattern with the nearest known namespace, or the nearest task; nothing if there is none."""
    if kind == "task":
        tasks = store.fetch("SELECT DISTINCT task_id FROM log WHERE task_id IS NOT NULL")
        return near_names(pattern, [task for (task,) in tasks])
    namespace, colon, rest = pattern.partition(":")
    known = [name for (name,) in store.fetch(_NAMESPACES)]
    near = () if namespace in known or not colon else near_names(namespace, known)
    return [f"{each}:{rest}" for each in near]


def _nothing(kind: str, name: str, near: Sequence[str]) -> str:
    return f"no {kind} that is known matches {name!r} so far{meaning(near)}"


def _unknown(store: Store, subscription: Subscription) -> Iterator[str]:
    view = store.as_of()
    for nodes, walk in ((subscription.upstream_of, view.upstream), (subscription.downstream_of, view.downstream)):
        if nodes:
            completeness = walk(*nodes, depth=subscription.hops, direct_only=subscription.direct_only).completeness
            if words := sentence.line(completeness, "on the way"):
                yield words
