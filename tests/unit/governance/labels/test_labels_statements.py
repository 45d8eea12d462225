"""What is stated and decided about labels: how it is written as facts, and labels as bits."""

from __future__ import annotations

import pytest
from plain_labels import fact

from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import Lattice, block_fact, downgrade_fact, reject_fact, stated_of
from lineage_tt.model.errors import InvalidRequestError

LEVELS = ("public", "internal", "secret")


def decided(*pairs: tuple[str, list[str]]) -> int:
    """The bits that decisions keep out, of three levels and the labels ``gdpr`` and ``pii``."""
    facts = [fact("d:a#x", key, value) for key, values in pairs for value in values]
    return lattice().kept_out(facts)


def lattice() -> Lattice:
    """Three levels, and two labels beside them."""
    return Lattice(Scene(levels=LEVELS), ["pii", "gdpr", "internal"])


def test_decisions_are_written_as_facts() -> None:
    """Each under a key of its own, so that one does not take another's place."""
    assert reject_fact("pii") == ("label-decision:pii", ["reject"])
    assert downgrade_fact("secret", "public", LEVELS) == ("label-decision:secret", ["downgrade public"])
    assert block_fact("d:a#x") == ("label-block:d:a#x", ["*"])
    assert block_fact("d:a", ["pii", "gdpr"]) == ("label-block:d:a", ["pii", "gdpr"])


@pytest.mark.parametrize("label", ["", "  ", "*"])
def test_what_is_no_label_is_refused(label: str) -> None:
    """A star means all labels, and is none."""
    with pytest.raises(InvalidRequestError, match="is not a label"):
        reject_fact(label)
    with pytest.raises(InvalidRequestError, match="is not a label"):
        block_fact("d:a", ["pii", label])


@pytest.mark.parametrize(
    ("level", "to", "words", "hint"),
    [("top", "public", "'top' is not a level", "are public, internal, secret"),
     ("secret", "none", "'none' is not a level", "are public"),
     ("internal", "internal", "is not below", "lower"), ("public", "secret", "is not below", "lower")],
)  # fmt: skip
def test_a_downgrade_goes_to_a_lower_level(level: str, to: str, words: str, hint: str) -> None:
    """Both are levels of the scene."""
    with pytest.raises(InvalidRequestError, match=words) as error:
        downgrade_fact(level, to, LEVELS)
    assert hint in (error.value.hint or "")


def test_facts_are_sorted_by_what_they_say() -> None:
    """Blocks by both ends of the edge, even where the source's name has a colon; other facts are left aside."""
    facts = [
        fact("d:a", "label", "pii"), fact("d:a", "label", "gdpr"), fact("d:a", "owner", "ana"),
        fact("d:b", "label-decision:pii", "reject"), fact("d:c#x", "label-block:d:a#x", "*"),
    ]  # fmt: skip
    found = stated_of(facts)

    assert {node: [each.value for each in of] for node, of in found.labels.items()} == {"d:a": ["pii", "gdpr"]}
    assert (list(found.decisions), list(found.blocks)) == (["d:b"], [("d:a#x", "d:c#x")])
    assert found.words == ["gdpr", "pii"]
    assert stated_of([]).words == []


def test_the_union_of_levels_is_the_highest() -> None:
    """Each level has the bits of those below it; other labels are beside it, in order."""
    of = lattice()

    assert of.names(of.bits("internal") | of.bits("public")) == ("internal",)
    assert of.names(of.bits("pii") | of.bits("secret") | of.bits("gdpr")) == ("secret", "gdpr", "pii")
    assert of.names(0) == ()
    assert (of.size, of.words, of.sets) == (5, 1, ("gdpr", "pii"))


def test_a_label_that_does_not_spread_has_no_bits() -> None:
    """Of a scene that spreads some labels alone: levels always do."""
    of = Lattice(Scene(levels=("low",), only=("gdpr-*",)), ["pii", "gdpr-health", "low"])

    assert of.sets == ("gdpr-health",)
    assert (of.bits("pii"), of.own_bit("pii"), of.bits("low")) == (0, 0, 1)


def test_rejecting_a_level_keeps_it_and_those_above_out() -> None:
    """Of the lowest level all; of another label that label alone."""
    of = lattice()
    reject = [reject_fact(label) for label in ("public", "internal", "secret", "pii", "nothing")]

    assert [of.names(~decided(each) & 0b11111) for each in reject] == [
        ("gdpr", "pii"), ("public", "gdpr", "pii"), ("internal", "gdpr", "pii"), ("secret", "gdpr"),
        ("secret", "gdpr", "pii"),
    ]  # fmt: skip


def test_a_downgrade_keeps_the_levels_above_out() -> None:
    """Of several decisions all count; a value that is none decides nothing."""
    of = lattice()
    to_public = downgrade_fact("secret", "public", LEVELS)

    assert of.names(~decided(to_public) & 0b111) == ("public",)
    assert decided(to_public, reject_fact("pii")) == of.above("public") | of.bits("pii")
    assert decided(("label-decision:pii", ["perhaps"]), ("label-decision:secret", ["downgrade nowhere"])) == 0


def test_a_blocked_edge_lets_the_named_labels_not_through() -> None:
    """A level alone, not those below it; a star everything; a label that nothing states nothing."""
    of = lattice()

    assert of.blocked([fact("d:b", "label-block:d:a", "*"), fact("d:b", "label-block:d:a", "pii")]) == 0b11111
    assert of.names(of.bits("secret") & ~of.blocked([fact("d:b", "label-block:d:a", "secret")])) == ("internal",)
    assert of.blocked([fact("d:b", "label-block:d:a", "other")]) == 0


@pytest.mark.parametrize(("count", "words"), [(0, 1), (64, 1), (65, 2), (128, 2), (129, 3)])
def test_labels_take_as_many_words_as_they_need(count: int, words: int) -> None:
    """One at least; the bits of the last label come back as its name."""
    names = [f"label{at:03}" for at in range(count)]
    of = Lattice(Scene(), names)

    assert of.words == words
    assert [of.names(of.bits(name)) for name in names[-1:]] == [(name,) for name in names[-1:]]
