"""A subscription as a value: what makes sense, its JSON, and what a store that others wrote to may hold of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from lineage_tt.events import LABELS_CLASS
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.model import DELIVERIES, KEY, PREFIX, Subscription, delivery_kind, stored_of

PLAIN = Subscription("s", datasets=("n:a*",), classes=("edge-added",))
CLOSURE = Subscription("s", upstream_of=("n:a#x",), hops=2)


@pytest.mark.parametrize(
    "given",
    [Subscription("s"), CLOSURE, Subscription("s", deliver="command:page oncall"),
     Subscription("s", deliver="slack+https://hooks/x"), Subscription("s", deliver="kafka://h:1/t"),
     Subscription("s", classes=(LABELS_CLASS,))],
)  # fmt: skip
def test_what_makes_sense_is_taken_as_it_is(given: Subscription) -> None:
    """Nothing is filled in."""
    assert given.checked() is given


@pytest.mark.parametrize(
    ("said", "words"),
    [({"name": ""}, "is not a name"), ({"name": "a#b"}, "is not a name"), ({"name": "a\n"}, "is not a name"),
     ({"classes": ("none",)}, "unknown class"), ({"hops": 1}, "hops without a closure"),
     ({"upstream_of": ("n:a",), "hops": 0}, "hops is 0"), ({"upstream_of": ("nowhere",)}, "has no namespace"),
     ({"deliver": "smtp://x"}, "cannot deliver to"), ({"deliver": "command: "}, "names no program"),
     ({"deliver": "https://u:secret@h/x"}, "password would be stored"), ({"deliver": "http://["}, "is not an address"),
     ({"classes": (LABELS_CLASS,), "deliver": "kafka://h:1/t"}, "no topic of their own"),
     ({"classes": (LABELS_CLASS,), "upstream_of": ("n:a",)}, "no other class and no closure")],
)  # fmt: skip
def test_what_makes_no_sense_is_rejected(said: dict[str, Any], words: str) -> None:
    """In words that say what to change; a password is not repeated in them."""
    with pytest.raises(InvalidRequestError, match=words) as raised:
        replace(Subscription("s"), **said).checked()

    assert "secret" not in f"{raised.value.message}"


def test_json_holds_what_was_given() -> None:
    """And gives the same back; fields of a later release are passed over."""
    said = CLOSURE.to_json()

    assert said == {"name": "s", "upstream_of": ["n:a#x"], "hops": 2, "deliver": "stream"}
    assert Subscription.from_json(said | {"later": 1}) == CLOSURE


@pytest.mark.parametrize(
    "said",
    [[], {"datasets": []}, {"name": 5}, {"name": "s", "hops": "2"}, {"name": "s", "hops": True},
     {"name": "s", "datasets": "n:a"}, {"name": "s", "datasets": [1]}, {"name": "s", "direct_only": 1},
     {"name": None}],
)  # fmt: skip
def test_json_of_another_form_is_rejected(said: Any) -> None:
    """Field by field."""
    with pytest.raises(InvalidRequestError):
        Subscription.from_json(said)


def test_an_address_says_how_it_is_delivered_to() -> None:
    """By what it begins with."""
    assert [delivery_kind(each) for each in ("stream", "command:x", "slack+https://h", "https://h", "smtp:x")] == [
        "stream", "command", "slack", "https", "smtp",
    ]  # fmt: skip
    assert "smtp" not in DELIVERIES


def test_it_is_stored_as_a_fact() -> None:
    """Taken away it leaves none."""
    message = PLAIN.message("set", "e", 5, "ann")

    assert (message.node, message.fact_key, message.effective_at, message.actor) == (PREFIX + "s", KEY, 5, "ann")
    assert Subscription.from_json(orjson.loads(message.facts[0][2])) == PLAIN
    assert list(PLAIN.message("clear", "e", 5, None).facts) == []


def fact(value: str, *, version: int = 3, node: str = PREFIX + "s", key: str = KEY) -> FactAsOf:
    """A fact of a store."""
    return FactAsOf(node, key, value, "fact", node, version, 0, None)


@pytest.mark.parametrize(
    ("stored", "problem"),
    [(fact(orjson.dumps(PLAIN.to_json()).decode()), None), (fact("{"), "not readable: its value is not JSON"),
     (fact('{"name": "other"}'), "it names itself 'other'"), (fact('{"name": "s", "hops": 0}'), "hops is 0"),
     (fact("{}", version=9), "not trusted: it was received as message 9")],
)  # fmt: skip
def test_what_cannot_be_used_is_listed_with_the_reason(stored: FactAsOf, problem: str | None) -> None:
    """It is never delivered."""
    (kept,) = stored_of([stored], {3})

    assert kept.name == "s"
    assert (kept.subscription is None) == (problem is not None)
    assert (problem or "") in (kept.problem or "")


def test_other_facts_are_no_subscriptions() -> None:
    """Of another key or node; those that are come by name."""
    value = '{"name": "a"}'
    found = stored_of(
        [fact("{}", node=PREFIX + "b"), fact(value, node=PREFIX + "a"), fact("", key="k"), fact("", node="n:a")], {3}
    )

    assert [each.name for each in found] == ["a", "b"]
