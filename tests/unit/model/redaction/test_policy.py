"""The policy for texts as a value: what holds for which version, and how a commit carries it."""

from __future__ import annotations

import itertools

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.redaction.policy import META, TextPolicy, TextState, Tightened, policy_named

KEEP, MASK, DROP = TextPolicy.KEEP, TextPolicy.MASK, TextPolicy.DROP


def test_policies_are_ordered_by_what_they_take_away() -> None:
    """Nothing, literals and comments, all."""
    assert [policy.strictness for policy in (KEEP, MASK, DROP)] == [0, 1, 2]


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    """A wrong word is the caller's to fix."""
    assert policy_named("drop-text") is DROP
    with pytest.raises(
        InvalidRequestError, match=r"'mask' is not a policy \(use one of: keep, mask-literals, drop-text\)"
    ):
        policy_named("mask")


def test_a_version_holds_what_the_policy_of_its_time_allowed() -> None:
    """A change counts from its own version on."""
    state = TextState().changed(MASK, 5).changed(KEEP, 8)

    assert [state.at(version) for version in (1, 4, 5, 7, 8, 100)] == [KEEP, KEEP, MASK, MASK, KEEP, KEEP]
    assert (state.policy, state.since, state.epoch) == (KEEP, 8, 0)


def test_what_was_tightened_for_history_is_as_strict_as_both() -> None:
    """Rewritten rows lose what the stricter of the two takes away, and never get it back."""
    state = TextState().changed(DROP, 3).changed(MASK, 6)._replace(tightened=Tightened(MASK, 7, 40))

    assert [state.at(version) for version in (1, 3, 6, 8)] == [MASK, DROP, MASK, MASK]
    assert (state.epoch, state.since) == (40, 7)


@pytest.mark.parametrize("policies", list(itertools.product((KEEP, MASK, DROP), repeat=3)))
def test_history_is_looser_where_some_version_holds_more(policies: tuple[TextPolicy, ...]) -> None:
    """As a look at each version says it."""
    state = TextState()
    for number, policy in enumerate(policies):
        state = state.changed(policy, 1 + 2 * number)
    for tightened in (None, Tightened(MASK, 2, 9), Tightened(DROP, 4, 9)):
        asked = state._replace(tightened=tightened)
        for upto in range(8):
            looser = any(asked.at(v).strictness < asked.policy.strictness for v in range(1, upto + 1))
            assert asked.looser(upto) is looser, (asked, upto)


def test_a_commit_carries_the_state_as_it_is() -> None:
    """To metadata and back; a commit without any is that of a store that keeps all."""
    state = TextState().changed(MASK, 5)._replace(tightened=Tightened(MASK, 4, 12))

    assert TextState.of_meta({META: state.to_meta()}) == state
    assert TextState.of_meta({}) == TextState()
