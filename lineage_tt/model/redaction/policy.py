"""How much of the texts a store keeps, and since when: a policy for the whole store, which may be changed.

A policy applies to what is written while it is in force. After it was tightened for history, it also applies to what
was written before: no version up to the recorded one holds more than it allows. The commits of the log carry the state
(``TextState.to_meta``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from lineage_tt.model.errors import InvalidRequestError

#: The node and the keys of the facts that record changes of the policy in the log.
POLICY_NODE: Final = "policy:texts"
POLICY_KEY: Final = "texts"
HISTORY_KEY: Final = "history"
#: The key of the state in a commit's metadata.
META: Final = "texts"


class TextPolicy(StrEnum):
    """What is kept of SQL, and of text that quotes SQL: all, all but literals and comments, or nothing."""

    KEEP = "keep"
    MASK = "mask-literals"
    DROP = "drop-text"

    @property
    def strictness(self) -> int:
        """How much it removes: a stricter policy has a greater number."""
        return _ORDER.index(self)


_ORDER: Final = list(TextPolicy)


def policy_named(name: str) -> TextPolicy:
    """Return the policy of this name; InvalidRequestError, which lists the names, for an unknown one."""
    try:
        return TextPolicy(name)
    except ValueError:
        named = ", ".join(_ORDER)
        raise InvalidRequestError(f"{name!r} is not a policy", hint=f"use one of: {named}") from None


class Tightened(NamedTuple):
    """No version up to ``upto`` holds more than ``policy`` allows; ``commit`` is the Delta version that records it."""

    policy: TextPolicy
    upto: int
    commit: int


class TextState(NamedTuple):
    """Which policy holds since which version, oldest first, and what was tightened for history."""

    spans: tuple[tuple[int, TextPolicy], ...] = ()
    tightened: Tightened | None = None

    @property
    def policy(self) -> TextPolicy:
        """The policy in force."""
        return self.spans[-1][1] if self.spans else TextPolicy.KEEP

    @property
    def since(self) -> int:
        """The version that recorded the last change, 0 where there was none."""
        return max(self.spans[-1][0] if self.spans else 0, self.tightened.upto if self.tightened else 0)

    @property
    def epoch(self) -> int:
        """A number that grows whenever history is rewritten, 0 where it never was."""
        return self.tightened.commit if self.tightened is not None else 0

    def at(self, version: int) -> TextPolicy:
        """Return the strictest policy that was applied to what a version holds."""
        policy = TextPolicy.KEEP
        for since, each in self.spans:
            if since <= version:
                policy = each
        if self.tightened is not None and version <= self.tightened.upto:
            policy = max(policy, self.tightened.policy, key=lambda each: each.strictness)
        return policy

    def looser(self, upto: int) -> bool:
        """Return whether some version up to ``upto`` may hold more than the policy in force allows."""
        begun = [1, *(since for since, _ in self.spans)]
        if self.tightened is not None:
            begun.append(self.tightened.upto + 1)
        return any(self.at(version).strictness < self.policy.strictness for version in begun if version <= upto)

    def changed(self, policy: TextPolicy, since: int) -> TextState:
        """Return the state in which another policy holds from a version on."""
        return self._replace(spans=(*self.spans, (since, policy)))

    def to_meta(self) -> dict[str, Any]:
        """Return the state in the form of a commit's metadata."""
        result: dict[str, Any] = {"spans": [[since, policy.value] for since, policy in self.spans]}
        if self.tightened is not None:
            result["tightened"] = [self.tightened.policy.value, self.tightened.upto, self.tightened.commit]
        return result

    @classmethod
    def of_meta(cls, meta: Mapping[str, Any]) -> TextState:
        """Return the state from a commit's metadata."""
        state = meta.get(META)
        if state is None:
            return cls()
        spans = tuple((int(since), TextPolicy(policy)) for since, policy in state["spans"])
        tightened = state.get("tightened")
        return cls(spans, Tightened(TextPolicy(tightened[0]), *map(int, tightened[1:])) if tightened else None)
