"""The names of edges' ends."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineage_tt.model.edges import (
    NAMESPACE,
    Edge,
    column_node,
    column_of,
    dataset_node,
    dataset_of,
    is_exact,
    split_dataset,
)

namespaces = st.from_regex(r"[a-z][a-z0-9_+-]{0,5}", fullmatch=True) | st.sampled_from(
    ["hive", "kafka://broker:9092", "s3", "jdbc.prod"]
)
names = st.text(max_size=12).filter(lambda name: not name.startswith("//")) | st.text("#%235 a./", max_size=8).filter(
    lambda name: not name.startswith("//")
)


@pytest.mark.long
@given(namespaces, names)
@example("hive", "dw.orders")
@example("hive", "a#b")
@example("hive", "100%23")
@example("hive", "%2523#%25")
@example("hive", "tab\nle\x00 'quoted' \"..\" ;--")
@example("hive", "größe/日本/‮txt")
def test_a_dataset_name_comes_back_exactly(namespace: str, name: str) -> None:
    """Any name, with # and % and control characters in it, is the same after writing it as a node and reading it."""
    node = dataset_node(namespace, name)

    assert "#" not in node
    assert split_dataset(node) == (namespace, name)


@given(namespaces, names, st.text(max_size=8))
def test_a_column_node_names_dataset_and_column(namespace: str, name: str, column: str) -> None:
    """The first # of a node ends its dataset; the rest is the column, as given."""
    dataset = dataset_node(namespace, name)
    node = column_node(dataset, column)

    assert dataset_of(node) == dataset
    assert column_of(node) == column


def test_a_dataset_is_its_own_dataset() -> None:
    """A whole dataset has no column, and is the dataset of itself."""
    assert dataset_of("hive:dw.orders") == "hive:dw.orders"
    assert column_of("hive:dw.orders") is None


@given(st.lists(st.tuples(namespaces, names), min_size=2, max_size=2, unique=True))
def test_two_names_never_make_one_node(pairs: list[tuple[str, str]]) -> None:
    """Different names of one namespace are different nodes."""
    (namespace, one), (_, other) = pairs
    if one != other:
        assert dataset_node(namespace, one) != dataset_node(namespace, other)


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        ("arn:aws:glue:us-east-1:123456789012", "table/db/t"), ("azurecosmos://acc.example/dbs/shop", "colls/orders"),
        ("kafka://b1:9092,b2:9092", "orders"), ("mongodb://h1,h2:27017", "db.c"), ("hdfs://n1:8020,n2:8020", "/w/x"),
        ("postgres://db:None", "a.b.c"), ("postgres://[::1]:5432", "a.b.c"), ("jdbc:postgresql://h:1/db", "a.b"),
        ("sqlserver://h:1433;database=x", "dbo.t"), ("spanner://project:instance", "db.s.t"), ("inmemory://", "/tmp/x"),
        ("https://rest:8181/catalog", "db.t"), ("pubsub", "topic:project:id"), ("s3://bucket", "a/b:c"),
        ("file", "C:/x"), ("file", "//server/x"), ("my namespace", "t"), ("1st", "t"), ("_dbt", "t"), ("ns/slash", "t"),
        ("größe", "t"), ("a#b", "c#d"), ("100%23", "x"),
    ],
)  # fmt: skip
def test_a_namespace_of_any_kind_comes_back(namespace: str, name: str) -> None:
    """The namespaces of the naming specification, and those that people choose, end where they were put together."""
    node = dataset_node(namespace, name)

    assert "#" not in node
    assert split_dataset(node) == (namespace, name)
    assert is_exact(namespace, name)
    assert re.match(NAMESPACE, node) is not None


@pytest.mark.parametrize(
    ("namespace", "name"), [("a:b", "t"), ("s3://bucket", "12:x"), ("oracle://h:1521:sid", "t"), ("", "t")]
)
def test_a_pair_that_would_come_back_as_another_is_known(namespace: str, name: str) -> None:
    """A colon joins both, so that a few pairs have the node of another one."""
    assert not is_exact(namespace, name)


@pytest.mark.parametrize("dataset", ["orders", ":orders", "", "no namespace"])
def test_a_name_without_namespace_is_refused(dataset: str) -> None:
    """A dataset without a namespace is refused with the way to write it."""
    with pytest.raises(ValueError, match="namespace:name"):
        split_dataset(dataset)


def test_an_edge_is_a_plain_tuple() -> None:
    """An edge without its field names is equal to it: the store keeps millions of them as tuples."""
    edge = Edge("hive:a#x", "hive:b#x")

    assert edge == ("hive:a#x", "hive:b#x", "DIRECT", "IDENTITY", "")
