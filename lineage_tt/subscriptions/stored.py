"""Subscriptions in the store: facts like others, known as of any point, that only the product writes.

Their nodes are reserved: no message may name them. A store of an earlier release may hold subscriptions that came in a
message; they are listed as not trusted and never used.
"""

from __future__ import annotations

from typing import Literal

from lineage_tt.model.clock import unique_name
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.questions import Questions
from lineage_tt.store import Store
from lineage_tt.subscriptions.delivery import judged
from lineage_tt.subscriptions.model import KEY, PREFIX, StoredSubscription, Subscription, stored_of


def subscribe(store: Store, subscription: Subscription, actor: str | None = None) -> int:
    """Store a subscription, replacing one of the same name; return its version. Nodes must be known to the store.

    Raises InvalidRequestError for a subscription that is invalid, or whose program or private address the operator of
    this machine does not allow; UnknownNodeError for a closure of an unknown node.
    """
    checked = subscription.checked()
    judged(checked)
    store.check_nodes([*checked.upstream_of, *checked.downstream_of])
    return _write(store, checked, "set", actor)


def unsubscribe(store: Store, name: str, actor: str | None = None) -> int:
    """Remove a subscription, usable or not; return the version.

    Raises InvalidRequestError, which lists the existing names, where there is no such subscription.
    """
    _named(store, name)
    return _write(store, Subscription(name), "clear", actor)


def _write(store: Store, subscription: Subscription, op: Literal["set", "clear"], actor: str | None) -> int:
    message = subscription.message(op, unique_name(), store.instant("now"), actor)
    receipt = store.append([message], own=True)[0]
    if receipt.status == "rejected":
        detail = store.dead_letter(receipt.version).detail
        raise InvalidRequestError(f"the subscription {subscription.name!r} cannot be stored: {detail}")
    return receipt.version


def version_of(store: Store, name: str) -> int:
    """Return the version that last set a subscription, 0 where there is none."""
    return max((each.version for each in all_stored(store) if each.name == name and each.subscription), default=0)


def all_stored(store: Questions, version: int | None = None) -> list[StoredSubscription]:
    """Return everything that is stored as a subscription, as known at a version (default: the last), by name.

    A subscription that cannot be used, because it is not readable or not trusted, has the reason.
    """
    facts = [fact for fact in store.as_of(version=version).facts(key=KEY) if fact.node.startswith(PREFIX)]
    versions = sorted({fact.version for fact in facts})
    rows = store.ask(
        "SELECT version FROM log WHERE source IS NULL AND version IN (SELECT unnest($versions))", versions=versions
    )  # a received message has a source; messages that the product itself writes have none
    return stored_of(facts, {version for (version,) in rows})


def subscriptions(store: Store, version: int | None = None) -> list[Subscription]:
    """Return the subscriptions that can be used, as known at a version (default: the last), by name."""
    return [each.subscription for each in all_stored(store, version) if each.subscription is not None]


def subscription(store: Store, name: str) -> Subscription:
    """Return a usable subscription by name; InvalidRequestError, which lists the names, where there is none."""
    usable = [each.subscription for each in _named(store, name) if each.subscription is not None]
    if usable:
        return usable[0]
    raise InvalidRequestError(
        f"the subscription {name!r} cannot be used: {_named(store, name)[0].problem}",
        hint=f"remove it, then subscribe: lineage-tt unsubscribe {name}",
    )


def check_name(store: Store, name: str) -> None:
    """Raise InvalidRequestError, which lists the names, where there is no subscription of a name, usable or not."""
    _named(store, name)


def _named(store: Store, name: str) -> list[StoredSubscription]:
    everything = all_stored(store)
    result = [each for each in everything if each.name == name]
    if not result:
        names = ", ".join(dict.fromkeys(each.name for each in everything)) or "none"
        raise InvalidRequestError(f"there is no subscription {name!r}", hint=f"there is: {names}")
    return result
