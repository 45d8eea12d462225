"""Texts to be compared, as they travel to a worker."""

from __future__ import annotations

import pickle
from collections import ChainMap
from types import MappingProxyType

import pytest

from lineage_tt.impact.texts import Side


def test_a_side_travels_with_all_that_its_meaning_depends_on() -> None:
    """Views of mappings, which cannot be pickled as they are, arrive as plain ones; the rest as it was."""
    types = MappingProxyType({"n:a": MappingProxyType({"x": "INT"})})
    columns = ChainMap({"n:a": ("x", ("s", "STRUCT<`é` INT>"))}, {})
    side = Side("SELECT 1", "spark", "hive", "dw", "bi:x", MappingProxyType({"day": "1"}), columns, types,
                MappingProxyType({"n:a": {"old": "new"}}))  # fmt: skip

    arrived = pickle.loads(pickle.dumps(side))

    assert arrived == Side("SELECT 1", "spark", "hive", "dw", "bi:x", {"day": "1"}, dict(columns),
                           {"n:a": {"x": "INT"}}, {"n:a": {"old": "new"}})  # fmt: skip
    assert type(arrived.types["n:a"]) is dict


def test_a_side_without_more_is_empty_and_cannot_be_filled() -> None:
    """What one caller would write into a default, another would read."""
    side = Side("SELECT 1", "spark", "hive")

    assert pickle.loads(pickle.dumps(side)) == side == Side("SELECT 1", "spark", "hive", "", None, {}, {}, {}, {})
    for given in (side.params, side.columns, side.types, side.renames):
        with pytest.raises(TypeError):
            given["x"] = "y"  # type: ignore[index]
