"""Grants: whose right it is on a node, what is granted to nobody, and what makes no sense."""

from __future__ import annotations

import random

import pytest
from ruled import fact

from lineage_tt.governance.config import Config
from lineage_tt.governance.permissions.grants import GRANT, RIGHTS, Grant, Grants, checked_rights, grant_key
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError


def granted(*stated: tuple[str, str, str], default: str = "deny") -> Grants:
    """Grants of (node, principal, right)."""
    config = Config.parse(f'[permissions]\ndefault = "{default}"')
    return Grants([fact(node, GRANT + who, right) for node, who, right in stated], config)


def test_who_may_is_the_plain_reading_of_the_grants() -> None:
    """Random grants: on the node or its dataset, the principal's or everybody's, the right itself or owning."""
    nodes = ["db:a", "db:a#x", "db:a#y", "db:b", "db:b#x"]
    for seed in range(300):
        chance = random.Random(seed)
        stated = {(chance.choice(nodes), chance.choice(["ana", "bob", "*"]), chance.choice(RIGHTS)) for _ in range(4)}
        default = chance.choice(["deny", "allow"])
        grants = granted(*stated, default=default)
        for node in nodes:
            at = {node, node.partition("#")[0]}
            for who in ("ana", "bob"):
                for right in ("read", "write"):
                    here = {each for each in stated if each[0] in at}
                    expected = any(each[1] in (who, "*") and each[2] in (right, "own") for each in here)
                    assert grants.may(who, right, node) == (expected if here else default == "allow"), seed


def test_who_may_write_may_not_read_for_that() -> None:
    """Who owns may both; a grant on a column says nothing about its dataset, nor of another column."""
    grants = granted(("db:a#x", "ana", "write"), ("db:b", "ana", "own"))

    assert [grants.may("ana", right, "db:a#x") for right in RIGHTS] == [False, True, False]
    assert [grants.may("ana", right, "db:b#any") for right in RIGHTS] == [True, True, True]
    assert not grants.may("ana", "write", "db:a")
    assert not grants.may("ana", "write", "db:a#y")


def test_one_grant_closes_a_node_that_is_open_by_default() -> None:
    """To all whom it does not name; what has no grant stays open."""
    grants = granted(("db:a", "ana", "read"), default="allow")

    assert [grants.may(who, "read", "db:a#x") for who in ("ana", "bob")] == [True, False]
    assert grants.may("bob", "write", "db:b")


def test_a_grant_that_cannot_be_read_closes_its_node_as_any_grant_does() -> None:
    """A typing error opened the node to everybody where what has no grant is open."""
    grants = granted(("db:a", "ana", "reed"), ("db:b", "ana", "reed"), ("db:b", "bob", "read"), default="allow")

    assert [grants.may(who, "read", node) for node in ("db:a", "db:a#x", "db:b") for who in ("ana", "bob")] == [
        False, False, False, False, False, True,
    ]  # fmt: skip
    assert [each.node for each in grants.unread] == ["db:a", "db:b"]
    assert grants.may("ana", "read", "db:c")


def test_facts_of_other_keys_and_values_grant_nothing() -> None:
    """A value that is not a right, a key of something else; what is a grant keeps its message and its time."""
    facts = [FactAsOf("db:a", "grant:ana:b", "read", "node", "db:a", 7, 3, None), fact("db:a", "grant:bob", "look"),
             fact("db:a", "owner", "own")]  # fmt: skip

    assert Grants(facts).all == [Grant("db:a", "ana:b", "read", 7, 3, None)]


def test_what_is_denied_names_each_node_once_with_its_owners_in_order() -> None:
    """Owners of the dataset and of the column; a node that nobody owns names none."""
    grants = granted(("db:b", "zoe", "own"), ("db:b#x", "ana", "own"), ("db:a", "eve", "read"), ("db:c", "zoe", "read"))
    denied = grants.denied("eve", "read", ["db:c", "db:b#x", "db:a", "db:b#x"])

    assert [each.to_json() for each in denied] == [
        {"node": "db:b#x", "owners": ["ana", "zoe"]}, {"node": "db:c", "owners": []},
    ]  # fmt: skip
    assert grants.owners("db:b#y") == ("zoe",)


def test_rights_are_given_once_and_in_order() -> None:
    """As they are stored."""
    assert checked_rights(["write", "own", "write"]) == ["own", "write"]
    assert grant_key("role:bi") == "grant:role:bi"


def test_what_makes_no_sense_is_an_error() -> None:
    """A right, a principal, a default, a key of the table."""
    with pytest.raises(InvalidRequestError, match="'look' is not a right"):
        checked_rights(["read", "look"])
    with pytest.raises(InvalidRequestError, match="needs a principal"):
        grant_key(" ")
    with pytest.raises(InvalidRequestError, match="default is 'maybe'"):
        granted(default="maybe")
    with pytest.raises(InvalidRequestError, match="no key is called 'deny'"):
        Grants([], Config.parse('[permissions]\ndeny = "all"'))
