"""Messages and lineages as a policy keeps them, and the digests by which a repeated message is known all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineage_tt.model.messages import Lineage, MaskedText, NodeChange, Problem, TaskChange, content_digest
from lineage_tt.model.redaction.messages import (
    digest_for,
    redacted_change,
    redacted_edges,
    redacted_facts,
    redacted_lineage,
    says_the_same,
    without_quotes,
)
from lineage_tt.model.redaction.policy import POLICY_KEY, POLICY_NODE, TextPolicy

KEEP, MASKED, DROP = TextPolicy
EDGE = ("n:a#x", "n:b#y", "DIRECT", "TRANSFORMATION", "x + 41")
SQL = TaskChange("e", "t", "update", 5, sql="select 41", reason="update t set a = 41", facts=[("n:a", "owner", "ann")])


def test_the_sql_of_a_message_stays_to_be_parsed() -> None:
    """Its reason, attributes and given edges are kept as the policy says; a message is itself where all is kept."""
    given = replace(SQL, sql=None, lineage=Lineage([EDGE]), attributes='{"q":"select 41"}')
    kept = redacted_change(given, MASKED)

    assert redacted_change(SQL, KEEP) is SQL
    assert redacted_change(SQL, MASKED).sql == "select 41"
    assert kept.reason == "update t set a = ?"
    assert kept.lineage is not None
    assert kept.lineage.edges == [(*EDGE[:4], "x + ?")]
    assert "41" not in repr(kept)


def test_facts_of_columns_and_of_the_product_stay() -> None:
    """A declared column named like a statement is not a text; a subscription's program is needed as it is."""
    own = [("n:a#x", "column", "select 1"), (POLICY_NODE, POLICY_KEY, "select 1")]
    stated = [("n:a", "definition", "select 1")]

    assert redacted_facts(own, DROP) == own
    assert redacted_facts(stated, MASKED) == [("n:a", "definition", "select ?")]
    assert redacted_facts(stated, KEEP) is stated


def test_edges_that_differ_in_a_literal_alone_become_one() -> None:
    """They come out sorted, as the row holds them."""
    other = ("n:a#a", *EDGE[1:])

    assert redacted_edges([EDGE, (*EDGE[:4], "x + 42"), other], MASKED) == [
        ("n:a#a", *EDGE[1:4], "x + ?"),
        (*EDGE[:4], "x + ?"),
    ]


def test_what_a_parser_found_quotes_nothing_of_a_text_that_was_not_masked() -> None:
    """The lineage of a masked text quotes nothing; dropped, its expressions are digests."""
    problem = Problem("syntax", "at 'secret' 41")
    found = Lineage([EDGE], problems=[problem])
    masked = replace(found, masked=MaskedText("select ?"))

    assert redacted_lineage(found, KEEP) is found
    assert redacted_lineage(found, MASKED).problems == [Problem("syntax", "at ? ?")]
    assert redacted_lineage(masked, MASKED).problems == [problem]
    assert redacted_lineage(masked, MASKED).edges == [EDGE]
    assert redacted_lineage(masked, DROP).edges[0][4].startswith("~")
    assert redacted_lineage(masked, DROP).ordered


def test_the_products_own_words_are_not_masked() -> None:
    """How many seconds a parse may take is not a literal of the text."""
    assert without_quotes(Problem("timeout", "more than 5 s")).detail == "more than 5 s"
    assert without_quotes(Problem("syntax", "line 5")).detail == "line ?"


@pytest.mark.parametrize("policy", [MASKED, DROP])
def test_a_message_sent_twice_is_known_under_either_policy(policy: TextPolicy) -> None:
    """Literals count only where the text is kept: a policy may change between the two."""
    other = replace(SQL, sql="select 42")
    under_policy, under_keep = digest_for(SQL, policy), digest_for(SQL, KEEP)

    assert says_the_same(SQL, under_policy)
    assert says_the_same(SQL, under_keep)
    assert says_the_same(other, under_policy)
    assert not says_the_same(other, under_keep)
    assert not says_the_same(replace(SQL, sql="select a"), under_policy)
    assert not says_the_same(replace(SQL, effective_at=6), under_policy)


def test_a_message_without_text_has_one_digest() -> None:
    """Nothing of it is taken away; one that a reader computed is used."""
    node = NodeChange("e", "fact", "n:a", "set", 5, fact_key="owner", facts=[("n:a", "owner", "ann")])
    edges = TaskChange("e", "t", "update", 5, lineage=Lineage([(*EDGE[:4], "")]))

    assert digest_for(node, DROP) == content_digest(node)
    assert digest_for(edges, DROP) == content_digest(edges)
    assert digest_for(replace(edges, digest=b"known"), DROP) == b"known"


def test_of_variables_only_names_count_where_texts_are_not_kept() -> None:
    """Their values are literals of the text."""
    one, two = replace(SQL, params={"day": "1"}), replace(SQL, params={"day": "2"})

    assert digest_for(one, MASKED) == digest_for(two, MASKED)
    assert digest_for(one, MASKED) != digest_for(replace(SQL, params={"hour": "1"}), MASKED)
