"""Groups of figures: namespaces, layers and owners of datasets, and what has none."""

from __future__ import annotations

from typing import Any

import pytest
from ruled import fact

from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.upkeep.quality.groups import NONE, groups_of, layer_of
from lineage_tt.model.errors import InvalidRequestError

POINT = plain_point([], [fact("hive:dw.a", "owner", "zoe"), fact("hive:dw.a", "owner", "ana"),
                         fact("hive:dw.b#x", "owner", "eve")])  # fmt: skip


@pytest.mark.parametrize(
    ("by", "dataset", "groups"),
    [
        ("all", "hive:dw.a", ("all",)),
        ("namespace", "hive:dw.a", ("hive",)),
        ("namespace", "mysql://db:3306:shop.a", ("mysql://db:3306",)),
        ("namespace", "orders", (NONE,)),
        ("layer", "hive:dw.a", ("dw",)),
        ("owner", "hive:dw.a", ("ana", "zoe")),
        ("owner", "hive:dw.b", (NONE,)),
    ],
)
def test_a_dataset_is_in_the_groups_of_its_name_and_its_owners(by: Any, dataset: str, groups: tuple[str, ...]) -> None:
    """In each of several owners', in order; an owner of a column owns no dataset."""
    assert groups_of(POINT, by)(dataset) == groups


@pytest.mark.parametrize(
    ("dataset", "layer"),
    [("hive:ods.orders", "ods"), ("hive:ods.a.b", "ods"), ("kafka:prod/orders", "prod"), ("hive:orders", NONE),
     ("s3://lake:/raw/x", NONE), ("hive:.x", NONE), ("dw.orders", "dw"), ("hive:数仓.订单", "数仓")],
)  # fmt: skip
def test_a_layer_is_the_first_part_of_a_name_of_several(dataset: str, layer: str) -> None:
    """Parts are parted by points or slashes; an empty first part is not a layer."""
    assert layer_of(dataset) == layer


def test_another_way_of_grouping_is_an_error() -> None:
    """It names those that there are."""
    by: Any = "team"
    with pytest.raises(InvalidRequestError, match="no figures by 'team'") as caught:
        groups_of(POINT, by)
    assert caught.value.hint == "give all, namespace, layer, owner"
