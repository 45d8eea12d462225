"""Cut points of a plan: a dataset that is the only repaired one that all later steps read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class Stepping(Protocol):
    """A step of a plan, with only what its cut points need."""

    @property
    def number(self) -> int:
        """Its number, from 1."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The datasets that it reads and that are to be repaired."""

    @property
    def writes(self) -> tuple[str, ...]:
        """The datasets it repairs."""


def cuts_of(steps: Sequence[Stepping], repaired: Collection[str]) -> tuple[tuple[int, str], ...]:
    """Return (number of a step, dataset) where all later steps read repaired data from only this dataset.

    ``repaired`` are the datasets that are repaired before the first step; one that no step writes is not a cut point.
    The step is the last writer of its dataset, so the dataset is completely repaired after it.
    """
    cuts = []
    done: set[str] = set(repaired)
    for at, step in enumerate(steps[:-1]):
        done |= set(step.writes)
        later = steps[at + 1 :]
        written_later = {dataset for each in later for dataset in each.writes}
        read = {dataset for each in later for dataset in each.reads} & done
        if len(read) == 1 and read <= set(step.writes) and not read & written_later:
            cuts.append((step.number, read.pop()))
    return tuple(cuts)
