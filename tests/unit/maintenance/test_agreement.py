"""How far engines and SQL agree, by what messages keep of it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from lineage_tt.maintenance.agreement import Agreement, agreement, totals


class Asked:
    """A store whose tasks have these attributes in their latest messages."""

    def __init__(self, *attributes: str | None) -> None:
        self.attributes = attributes

    def fetch(self, query: str, **values: Any) -> list[tuple[str, int, str | None]]:
        """Return a row for each task."""
        return [(f"t{n}", n, each) for n, each in enumerate(self.attributes)]


def said(**agreed: Any) -> str:
    """Attributes that state an agreement."""
    return orjson.dumps({"openlineage": {"agreement": agreed}}).decode()


def test_counts_and_examples_are_those_of_the_message() -> None:
    """What a message leaves out is none."""
    found = agreement(Asked(said(both=3, sql=1, examples={"sql": [["n:a#x", "n:b#y"]]})))  # type: ignore[arg-type]

    assert found == [Agreement("t0", 0, 3, 0, 1, [], [["n:a#x", "n:b#y"]])]


@pytest.mark.parametrize(
    "attributes", [None, "", "[]", "{}", '{"openlineage": 1}', '{"openlineage": {"agreement": 2}}']
)
def test_messages_of_others_state_none(attributes: str | None) -> None:
    """Attributes are the sender's: any JSON may be there."""
    assert agreement(Asked(attributes)) == []  # type: ignore[arg-type]


def test_the_share_is_of_all_pairs_and_none_without_any() -> None:
    """Nothing to agree on is not full agreement."""
    found = [Agreement("a", 1, 3, 1, 0, [], []), Agreement("b", 2, 0, 0, 2, [], [])]

    assert totals(found) == {"tasks": 2, "both": 3, "engine": 1, "sql": 2, "share": 0.5}
    assert totals([])["share"] is None
