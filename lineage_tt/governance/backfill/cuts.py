"""Cut points of a plan: datasets through which all that is still to be repaired reads what is repaired already."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class Stepping(Protocol):
    """A step of a plan, as far as its cut points need it."""

    @property
    def number(self) -> int:
        """Its number, from 1."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The datasets it reads that are repaired."""

    @property
    def writes(self) -> tuple[str, ...]:
        """The datasets it repairs."""


def cuts_of(steps: Sequence[Stepping], repaired: Collection[str]) -> tuple[tuple[int, str], ...]:
    """Return (number of a step, dataset) where everything after the step reads repaired data of one dataset alone.

    ``repaired`` are the datasets that are repaired before the first step. The last writer of the dataset is the step,
    so that it is whole there; a dataset that was repaired alone is no cut point.
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
