"""What a plan asks of the log, and what it reads off a message and the history of its subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from lineage_tt.model.facts import OWN_KEYS, FactTuple
from lineage_tt.model.messages import Change, Subject, TaskChange
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.subjects.tasks import TaskHistory


class Past(Protocol):
    """What a plan asks of the log and of what the writer remembers of it."""

    def histories(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these subjects."""

    def statements(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        """Return the task messages of these versions."""


def kept_facts(message: Change, node: str, history: TaskHistory) -> list[FactTuple]:
    """Return the owners, labels and so on of a message's own node that are in force and that it does not speak of."""
    said = {fact[1] for fact in message.facts if fact[0] == node} | set(message.cleared)
    known = history.facts_at(message.effective_at or 0) if len(said) < len(OWN_KEYS) else ()
    return [fact for fact in known if fact[0] == node and fact[1] in OWN_KEYS and fact[1] not in said]


def rank_of(message: Change) -> int:
    """Return the message's ``source_version``, least of all where it has none."""
    return NO_SOURCE_VERSION if message.source_version is None else message.source_version
