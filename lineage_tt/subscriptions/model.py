"""A subscription: a name, which changes it is about, and where they are sent.

All given kinds of filter must match; within one kind, any value may match. A subscription is stored as a fact (node
``subscription:NAME``, key ``subscription``, value its JSON), so it too is known as of any point.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit

import orjson

from lineage_tt.events import CLASSES, LABELS_CLASS
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import dataset_of, split_dataset
from lineage_tt.model.errors import InvalidRequestError, LineageError
from lineage_tt.model.messages import NodeChange

KEY: Final = "subscription"
PREFIX: Final = "subscription:"
#: How a delivery address begins, and what it means.
DELIVERIES: Final = {
    "stream": "read by the process that runs `lineage-tt subscriptions run NAME`",
    "kafka": "kafka://host:port/topic",
    "http": "an address that takes signed POSTs",
    "https": "an address that takes signed POSTs",
    "slack": "slack+https://…: a message in Slack's shape",
    "command": "command:PROGRAM ARGS…, the event on its standard input",
}


class NotDeliveredError(LineageError):
    """An event could not be delivered now; it is retried."""

    kind = "unavailable"


class RefusedError(NotDeliveredError):
    """The receiver rejected an event, and will not accept it later."""


@dataclass(frozen=True)
class Subscription:
    """Which changes a subscriber wants to receive.

    ``datasets`` and ``columns`` are patterns (``*``, ``?``) over the names of nodes; ``tasks`` over task ids.
    ``upstream_of`` and ``downstream_of`` are nodes whose closure is watched, within ``hops`` edges (None: all).
    ``classes`` are those of events. ``deliver`` is where events go; ``secret_env`` names the environment variable that
    holds a webhook's secret: the secret itself is never stored. ``allow_private`` exists only for older stores and has
    no effect: the operator decides (``allowed``).
    """

    name: str
    datasets: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    upstream_of: tuple[str, ...] = ()
    downstream_of: tuple[str, ...] = ()
    hops: int | None = None
    direct_only: bool = False
    deliver: str = "stream"
    secret_env: str | None = None
    allow_private: bool = False

    def checked(self) -> Subscription:
        """Return the subscription if it is valid; otherwise raise InvalidRequestError, which says what to fix."""
        if not self.name or not self.name.isprintable() or "#" in self.name:
            raise InvalidRequestError(
                f"{self.name!r} is not a name for a subscription", hint="letters, digits, - and _"
            )
        unknown = sorted(set(self.classes) - {*CLASSES, LABELS_CLASS})
        if unknown:
            known = ", ".join((*CLASSES, LABELS_CLASS))
            raise InvalidRequestError(f"unknown class {unknown[0]!r}", hint=f"one of: {known}")
        if self.is_of_labels and (len(self.classes) > 1 or self.has_closure):
            raise InvalidRequestError(
                f"{LABELS_CLASS} goes with no other class and no closure", hint="make two subscriptions"
            )
        if self.is_of_labels and delivery_kind(self.deliver) == "kafka":
            raise InvalidRequestError(
                "events of derived labels have no topic of their own", hint="lineage-tt relay --labels sends them"
            )
        for node in (*self.upstream_of, *self.downstream_of):
            try:
                split_dataset(dataset_of(node))
            except ValueError as error:
                raise InvalidRequestError(str(error)) from None
        if self.hops is not None and self.hops < 1:
            raise InvalidRequestError(f"hops is {self.hops}: give 1 or more, or leave it out")
        if self.hops is not None and not self.has_closure:
            raise InvalidRequestError("hops without a closure", hint="give --upstream-of or --downstream-of, too")
        scheme = delivery_kind(self.deliver)
        if scheme not in DELIVERIES:
            ways = "; ".join(f"{way} ({what})" for way, what in DELIVERIES.items())
            raise InvalidRequestError(f"cannot deliver to {self.deliver!r}", hint=f"one of: {ways}")
        if scheme == "command" and not self.deliver.removeprefix("command:").strip():
            raise InvalidRequestError("command: names no program", hint="command:PROGRAM ARGS…")
        if scheme != "command":
            _check_address(self.deliver)
        return self

    @property
    def is_of_labels(self) -> bool:
        """Whether it is about labels derived under rules, and not about what a version states."""
        return LABELS_CLASS in self.classes

    @property
    def has_closure(self) -> bool:
        """Whether it watches a closure."""
        return bool(self.upstream_of or self.downstream_of)

    def to_json(self) -> dict[str, Any]:
        """Return the subscription as an object, without the fields that are not given."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        return {name: value for name, value in values.items() if value not in ([], None, False)}

    def in_words(self) -> str:
        """Return which changes it is about, in words."""
        fields = {name: value for name, value in self.to_json().items() if name not in ("name", "deliver")}
        parts = [
            f"{name.replace('_', ' ')} {', '.join(value) if isinstance(value, list) else value}"
            for name, value in fields.items()
            if value is not True
        ]
        flags = [name.replace("_", " ") for name, value in fields.items() if value is True]
        return "; ".join([*parts, *flags]) or "every change"

    @classmethod
    def from_json(cls, document: Any) -> Subscription:
        """Return the subscription in an object; unknown fields of a later release are ignored.

        Raises InvalidRequestError where a field has a value of the wrong kind.
        """
        if not isinstance(document, Mapping):
            raise InvalidRequestError("it is not a JSON object")
        values: dict[str, Any] = {}
        for field in fields(cls):
            if field.name in document:
                values[field.name] = _read(field.name, str(field.type), document[field.name])
        if "name" not in values:
            raise InvalidRequestError("it has no name")
        return cls(**values)

    def message(self, op: Literal["set", "clear"], event_id: str, at: int, actor: str | None) -> NodeChange:
        """Return the message that stores or removes the subscription from ``at`` on."""
        node = PREFIX + self.name
        value = orjson.dumps(self.to_json(), option=orjson.OPT_SORT_KEYS).decode()
        facts = [(node, KEY, value)] if op == "set" else []
        return NodeChange(event_id, "fact", node, op, at, fact_key=KEY, facts=facts, actor=actor)


def _check_address(address: str) -> None:
    try:
        password = urlsplit(address).password
    except ValueError as error:
        raise InvalidRequestError(f"{address!r} is not an address: {error}") from None
    if password:
        raise InvalidRequestError("an address with a password would be stored", hint="use --secret-env")


def delivery_kind(deliver: str) -> str:
    """Return the kind of delivery to an address: a key of ``DELIVERIES``, or else the beginning of the address."""
    scheme = deliver.partition(":")[0]
    return "slack" if scheme.startswith("slack+") else scheme


class StoredSubscription(NamedTuple):
    """A subscription as the store holds it: its name, the version that states it, and the value if it can be used.

    ``problem`` says why it cannot be used: such a subscription is listed but never delivered.
    """

    name: str
    version: int
    subscription: Subscription | None
    problem: str | None = None


def stored_of(facts: Sequence[FactAsOf], own: Container[int]) -> list[StoredSubscription]:
    """Return the subscriptions in the facts of a view, by name; those that cannot be used have the reason.

    ``own`` are the versions that the product itself wrote, since a received message may come from anybody.
    """
    result = []
    for fact in facts:
        if fact.key == KEY and fact.node.startswith(PREFIX) and fact.kind == "fact":
            name = fact.node.removeprefix(PREFIX)
            if fact.version not in own:
                result.append(
                    StoredSubscription(
                        name, fact.version, None, f"not trusted: it was received as message {fact.version}"
                    )
                )
            else:
                result.append(_stored(name, fact))
    return sorted(result, key=lambda each: (each.name, each.version))


def _stored(name: str, fact: FactAsOf) -> StoredSubscription:
    try:
        subscription = Subscription.from_json(orjson.loads(fact.value)).checked()
        if subscription.name != name:
            raise InvalidRequestError(f"it names itself {subscription.name!r}")
    except orjson.JSONDecodeError:
        return StoredSubscription(name, fact.version, None, "not readable: its value is not JSON")
    except InvalidRequestError as error:
        return StoredSubscription(name, fact.version, None, f"not readable: {error.message}")
    return StoredSubscription(name, fact.version, subscription)


def _read(name: str, kind: str, value: Any) -> Any:
    """Return the value of a field; InvalidRequestError if its type is not the annotated one."""
    if kind.startswith("tuple"):
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
    elif value is None:
        if "None" in kind:
            return None
    elif kind.startswith("bool"):
        if isinstance(value, bool):
            return value
    elif isinstance(value, int if kind.startswith("int") else str) and not isinstance(value, bool):
        return value
    raise InvalidRequestError(f"its field {name} has a value of the wrong kind")
