"""Rules of retention and of the life cycle of tables."""

from __future__ import annotations

import pytest
from ruled import fact, tables_of, violations

from lineage_tt.governance.rules.checks import lifecycle
from lineage_tt.governance.rules.checks.lifecycle import checked_state, days_of
from lineage_tt.governance.rules.settings import Settings
from lineage_tt.model.errors import InvalidRequestError


def test_what_a_table_is_made_of_lasts_as_long_as_it_does() -> None:
    """Found through a table without a retention; not where it is kept long enough, nor by what is not a number."""
    edges = [("t", "db:s", "db:m"), ("u", "db:m", "bi:x")]

    def found(**days: str) -> list[tuple[str, ...]] | None:
        facts = tuple(fact({"x": "bi:x"}.get(name, f"db:{name}"), "retention", text) for name, text in days.items())
        return violations(*edges, facts=facts).get("shorter_retention")

    assert found(s="30", x="365") == [("bi:x", "db:s")]
    assert found(s="30", m="400", x="365") == [("db:m", "db:s")]
    assert found(s="400", x="365") is None
    assert found(s="365", x="365") is None
    assert found(s="30 days", x="365") is None


def test_of_two_statements_of_one_table_the_shorter_retention_counts() -> None:
    """Whichever is stated first; the words name the days, and the tasks that write the table."""
    facts = [fact("db:s", "retention", "400"), fact("db:s", "retention", "20"), fact("db:x", "retention", "30")]
    for each in (facts, facts[::-1]):
        tables = tables_of(("t", "db:s", "db:x"), facts=tuple(each))
        (found,) = lifecycle.shorter_retention(tables, Settings())
        assert found == ("db:x", ("db:s",), "kept 30 days, made of what is kept 20 days", ("t",))


def test_tables_in_a_circle_are_looked_through_once() -> None:
    """Two tables without a retention that are made of each other, beneath one with it."""
    edges = [("t", "db:a", "db:b"), ("t", "db:b", "db:a"), ("t", "db:s", "db:a"), ("u", "db:b", "db:x")]
    facts = (fact("db:s", "retention", "1"), fact("db:x", "retention", "2"))

    assert violations(*edges, facts=facts)["shorter_retention"] == [("db:x", "db:s")]


def test_a_table_in_use_is_made_of_tables_in_use() -> None:
    """Retired under deprecated under active; two that are both retired are not reported, nor is an unknown state."""
    facts = (fact("db:s", "life-cycle", "retired"), fact("db:m", "life-cycle", "deprecated"))
    found = violations(("t", "db:s", "db:m"), ("u", "db:m", "bi:x"), facts=facts)

    assert found["retired_sources"] == [("bi:x", "db:m"), ("db:m", "db:s")]
    both = (facts[0], fact("db:m", "life-cycle", "retired"), fact("db:q", "life-cycle", "gone"))
    assert "retired_sources" not in violations(("t", "db:s", "db:m"), ("u", "db:q", "db:x"), facts=both)


@pytest.mark.parametrize(
    ("text", "days"),
    [("30", 30), ("1000000", 1_000_000), ("0", None), ("-1", None), ("1e3", None), ("9" * 99, None), ("١٢", None),
     ("", None), ("1000001", None)],
)  # fmt: skip
def test_days_are_whole_and_bounded(text: str, days: int | None) -> None:
    """Values of facts are anybody's."""
    assert days_of(text) == days


def test_a_state_is_one_of_three() -> None:
    """Spelt as they are; the error names them."""
    assert checked_state("deprecated") == "deprecated"
    with pytest.raises(InvalidRequestError, match="'Retired' is not a state of a life cycle"):
        checked_state("Retired")
