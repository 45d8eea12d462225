"""Which edges carry labels: by type, aggregation, masking functions and what producers say."""

from __future__ import annotations

import pytest
from plain_labels import A, B, C, D, edge, fact, filters, point

from lineage_tt.governance.labels.propagation_rules import MAX_EXPRESSION, carrying, is_masked, masked_spans
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.model.answers import EdgeAsOf, FactAsOf
from lineage_tt.model.edges import ALIAS


def carried(edges: list[EdgeAsOf], scene: Scene, *facts: FactAsOf) -> list[tuple[str, str]]:
    """The ends of the edges that carry labels."""
    at = point(edges, None, *facts)
    ends = zip(at.node_texts(at.source), at.node_texts(at.target), carrying(at, scene).tolist(), strict=True)
    return sorted((source, target) for source, target, carries in ends if carries)


@pytest.mark.parametrize(
    ("expression", "column", "masked"),
    [
        ("SHA256(mail)", "mail", True),
        ("sha256(lower(mail)) || '@'", "mail", True),
        ("sha256(mail) || mail", "mail", False),
        ("concat(sha256(salt), mail)", "mail", False),
        ("concat(sha256(salt), 'mail')", "mail", False),
        ("sha256(a.m)", "mail", True),  # the whole of it is one call, whatever its column is called here
        ("sha256(a.m) || 'x'", "mail", False),  # the column is called otherwise: it is not known
        ("coalesce(mask_mail(u.mail), '')", "mail", True),
        ("sha256x(mail)", "mail", False),
        ("sha256(mail", "mail", False),
        ("emailed(mail)", "mail", False),
        ("sha256(')' || mail)", "mail", True),
        ("", "mail", False),
    ],
)
def test_a_value_is_masked_where_only_a_masking_function_sees_it(expression: str, column: str, masked: bool) -> None:
    """What is not known is not masked."""
    assert is_masked(expression, column, ["sha256", "mask_*"]) is masked


def test_calls_are_found_in_any_case_and_not_between_quotes() -> None:
    """From the name to the parenthesis that closes it, names with dots too."""
    text = "Mask_Mail(a) || 'mask_mail(b)' || lib.sha256(c(d))"
    found = masked_spans(text, ["mask_*", "LIB.sha256"])

    assert [text[start:end] for start, end in found] == ["Mask_Mail(a)", "lib.sha256(c(d))"]
    assert masked_spans(text, []) == masked_spans("sha256", ["sha256"]) == masked_spans("", ["*"]) == []


def test_a_column_is_looked_for_as_a_word_in_any_case() -> None:
    """Of a nested one its last name; a name inside another one is not it."""
    patterns = ["sha256"]

    assert is_masked("x || SHA256(Mail)", "mail", patterns)
    assert is_masked("x || sha256(u.mail)", "u.mail", patterns)
    assert not is_masked("x || sha256(email)", "mail", patterns)
    assert not is_masked("mail$ || sha256(x)", "mail", patterns)
    assert not is_masked("x || sha256(mail)", None, patterns)
    assert is_masked("sha256(mail)  ", None, patterns)


def test_an_expression_that_is_too_long_is_not_looked_into() -> None:
    """It lets labels through; one just as long as may be is read."""
    longest = "sha256(" + "x" * (MAX_EXPRESSION - 8) + ")"

    assert is_masked(longest, "mail", ["sha256"])
    assert not is_masked(longest + " ", "mail", ["sha256"])


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "hostile", ["x" * 65_000, "x." * 32_000, "sha256(" * 9_000, "x(" * 32_000, "'\\" * 32_000, "x " * 32_000,
                "sha256(" * 8_000 + ")" * 8_000],
    ids=["word", "dotted", "calls", "open", "quotes", "words", "nested"],
)  # fmt: skip
def test_hostile_expressions_are_read_in_time(hostile: str) -> None:
    """A long word without a call took half a minute; each text is gone over once."""
    assert not is_masked(hostile + " || mail", "mail", ["sha256", "x"])


def test_an_expression_that_ends_in_a_quoted_text_lets_labels_through() -> None:
    """It is not known what of it is text."""
    assert not is_masked("sha256(mail) || ' || mail", "mail", ["sha256"])
    assert is_masked("sha256(mail) || 'it''s' || ' \\' mail'", "mail", ["sha256"])


def test_edges_carry_by_their_type() -> None:
    """Values alone, or what decides over rows too; an alias always does."""
    edges = [edge(A, B), filters(A, "d:c"), edge("d:e", "s3:e", subtype=ALIAS)]
    direct = [(A, B), ("d:e", "s3:e")]

    assert carried(edges, Scene()) == direct
    assert carried(edges, Scene(carry=("DIRECT", "INDIRECT"))) == sorted([*direct, (A, "d:c")])
    assert carried(edges, Scene(carry=("INDIRECT",))) == [(A, "d:c")]


def test_aggregations_and_masking_functions_stop_labels_where_the_scene_says_so() -> None:
    """Each of its own; an expression is read for the column that the edge begins at."""
    edges = [edge(A, B, "SUM(x)", "AGGREGATION"), edge(A, C, "sha256(x)"), edge(A, D, "y || sha256(y)")]

    assert carried(edges, Scene()) == [(A, B), (A, C), (A, D)]
    assert carried(edges, Scene(stop_aggregation=True)) == [(A, C), (A, D)]
    assert carried(edges, Scene(stop_functions=("sha*",))) == [(A, B), (A, D)]


def test_what_a_producer_says_of_its_own_edge_counts() -> None:
    """Not what another task says of it, nor of an edge that is not there; a scene may leave it unheeded."""
    edges = [edge(A, B), edge(A, B, task="u"), edge(A, C)]
    facts = [
        fact(B, "masked", A, subject="t"), fact(C, "masked", A, subject="v"), fact(D, "masked", A, subject="t"),
    ]  # fmt: skip

    assert carried(edges, Scene(), *facts) == [(A, B), (A, C)]  # by the task u alone
    assert carried(edges, Scene(stop_masking=False), *facts) == [(A, B), (A, B), (A, C)]


def test_without_edges_none_carries() -> None:
    """Under any rules."""
    assert carried([], Scene(stop_functions=("*",), stop_aggregation=True), fact(B, "masked", A, subject="t")) == []
