"""Subscriptions in the store: facts like others, known as of any point."""

from __future__ import annotations

from lineage_tt.clock import unique_name
from lineage_tt.errors import InvalidRequestError
from lineage_tt.store import Store
from lineage_tt.subscriptions.model import KEY, PREFIX, Subscription, subscriptions_of


def subscribe(store: Store, subscription: Subscription, actor: str | None = None) -> int:
    """Store a subscription, in place of one of the same name; return its version. Nodes must be known to the store.

    Raises InvalidRequestError for one that makes no sense, UnknownNodeError for a closure around an unknown node.
    """
    wanted = subscription.checked()
    store.check_nodes([*wanted.upstream_of, *wanted.downstream_of])
    message = wanted.message("set", unique_name(), store.instant("now"), actor)
    return store.append([message])[0].version


def unsubscribe(store: Store, name: str, actor: str | None = None) -> int:
    """Take a subscription away; return the version. InvalidRequestError, with the names there are, where it is none."""
    found = subscription(store, name)
    message = found.message("clear", unique_name(), store.instant("now"), actor)
    return store.append([message])[0].version


def made_by(store: Store, name: str) -> int:
    """Return the version that made a subscription what it is, 0 for none."""
    return max((fact.version for fact in store.as_of().facts(PREFIX + name, KEY)), default=0)


def subscriptions(store: Store, version: int | None = None) -> list[Subscription]:
    """Return the subscriptions in force now, as known at a version (default: the last), by name."""
    return subscriptions_of(store.as_of(version=version).facts(key=KEY))


def subscription(store: Store, name: str) -> Subscription:
    """Return one by its name; InvalidRequestError, with the names there are, where there is none."""
    facts = store.as_of().facts(node=PREFIX + name, key=KEY)
    if not facts:
        names = ", ".join(each.name for each in subscriptions(store)) or "none"
        raise InvalidRequestError(f"there is no subscription {name!r}", hint=f"there is: {names}")
    return subscriptions_of(facts)[0]
