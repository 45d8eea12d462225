"""Grants, retention and life cycle: as of any two times, along lineage, and what makes no sense."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from labelstories import ANA, BOARD, DAYS, PEOPLE, USERS, chain, governed
from test_rules import fact, violations

from lineage_tt.curation.statements import annotate
from lineage_tt.governance.config import Config
from lineage_tt.governance.permissions.grants import GRANT, RIGHTS, Grants, checked_rights, grant_key
from lineage_tt.governance.rules.checks.lifecycle import checked_state, days_of
from lineage_tt.model.errors import InvalidRequestError


def test_who_may_is_the_plain_reading_of_the_grants() -> None:
    """Random grants: on the node or its dataset, the principal's or everybody's, the right itself or owning."""
    nodes = ["db:a", "db:a#x", "db:a#y", "db:b", "db:b#x"]
    for seed in range(300):
        chance = random.Random(seed)
        stated = {(chance.choice(nodes), chance.choice(["ana", "bob", "*"]), chance.choice(RIGHTS)) for _ in range(4)}
        default = chance.choice(["deny", "allow"])
        config = Config.parse(f'[permissions]\ndefault = "{default}"')
        grants = Grants([fact(node, GRANT + who, right) for node, who, right in stated], config)
        for node in nodes:
            at = {node, node.partition("#")[0]}
            for who in ("ana", "bob"):
                for right in ("read", "write"):
                    here = {each for each in stated if each[0] in at}
                    expected = any(each[1] in (who, "*") and each[2] in (right, "own") for each in here)
                    assert grants.may(who, right, node) == (expected if here else default == "allow"), seed
    assert Grants([fact("db:a", GRANT + "ana", "everything")]).all == []


def test_grants_hold_in_both_times(tmp_path: Path) -> None:
    """Granted in March until May, revoked knowingly later; the source that is denied names its owner."""
    store = chain(tmp_path)
    annotate(store, "db:users", grant_key("eve"), ["read"], by=ANA, at=DAYS[2], expires=DAYS[4])
    annotate(store, "db:clients", grant_key("eve"), ["read"], by=ANA, at=DAYS[0])
    annotate(store, PEOPLE, grant_key("eve"), ["read"], by=ANA, at=DAYS[0])
    before = store.version
    annotate(store, "db:users", grant_key("zoe"), ["own"], by=ANA, at=DAYS[0])
    governance = governed(store)

    assert [governance.may_read("eve", USERS, governance.basis(day)) for day in DAYS[1:5]] == [False, True, True, False]
    (denied,) = governance.sources_denied("eve", BOARD, governance.basis(DAYS[5]))
    assert (denied.node, denied.owners) == (USERS, ("zoe",))
    assert governance.sources_denied("eve", BOARD, governance.basis(DAYS[3])) == []
    assert governance.grants(governance.basis(DAYS[3], version=before)).owners(USERS) == ()


def test_what_a_table_is_made_of_lasts_as_long_as_it_does() -> None:
    """Found through a table without a retention; not where that one is kept long enough; not by what is no number."""
    edges = [("t", "db:s", "db:m"), ("u", "db:m", "bi:x")]

    def found(**days: str) -> list[tuple[str, ...]] | None:
        facts = tuple(fact({"x": "bi:x"}.get(name, f"db:{name}"), "retention", text) for name, text in days.items())
        return violations(*edges, facts=facts).get("shorter_retention")

    assert found(s="30", x="365") == [("bi:x", "db:s")]
    assert found(s="30", m="400", x="365") == [("db:m", "db:s")]
    assert found(s="400", x="365") is None
    assert found(s="30 days", x="365") is None


def test_a_table_in_use_is_made_of_tables_in_use() -> None:
    """Retired under deprecated under active."""
    facts = (fact("db:s", "life-cycle", "retired"), fact("db:m", "life-cycle", "deprecated"))
    found = violations(("t", "db:s", "db:m"), ("u", "db:m", "bi:x"), facts=facts)

    assert found["retired_sources"] == [("bi:x", "db:m"), ("db:m", "db:s")]


@pytest.mark.parametrize(("text", "days"), [("30", 30), ("0", None), ("-1", None), ("1e3", None), ("9" * 99, None),
                                            ("١٢", None), ("", None), ("1000001", None)])  # fmt: skip
def test_days_are_whole_and_bounded(text: str, days: int | None) -> None:
    """Values of facts are anybody's."""
    assert days_of(text) == days


def test_what_makes_no_sense_is_an_error() -> None:
    """A right, a principal, a state, a default."""
    with pytest.raises(InvalidRequestError, match="'look' is no right"):
        checked_rights(["look"])
    with pytest.raises(InvalidRequestError, match="needs a principal"):
        grant_key(" ")
    with pytest.raises(InvalidRequestError, match="no state of a life cycle"):
        checked_state("gone")
    with pytest.raises(InvalidRequestError, match="default is 'maybe'"):
        Grants([], Config.parse('[permissions]\ndefault = "maybe"'))
