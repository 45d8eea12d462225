"""The horizon: beliefs that ended at or before it were dropped, so questions from before it cannot be answered in full.

``compact --horizon`` sets it, and it never moves back. The commits of the log and of the snapshot both carry it, and
the later one counts, so that a crash between the two commits never leads to an incomplete answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from lineage_tt.model.errors import BeyondHorizonError
from lineage_tt.model.redaction.policy import META as META_TEXTS
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineage_tt.model.answers import Basis

META: Final = "horizon"
#: The last version up to the horizon that changed anything; the first event after the horizon names it as previous.
META_CHANGING: Final = "horizon_changing"
#: The system time up to which an operator accepted that the store is ahead of the clock (``write.clock_guard``).
META_CLOCK: Final = "clock_accepted"


class Horizon(NamedTuple):
    """The oldest point that is kept: beliefs that ended at or before ``version`` were dropped."""

    version: int
    system_time: int


def in_meta(meta: Mapping[str, Any]) -> Horizon | None:
    """Return the horizon in a commit's metadata, None where there is none."""
    stated = meta.get(META)
    return Horizon(int(stated[0]), int(stated[1])) if stated else None


def clock_in_meta(meta: Mapping[str, Any]) -> int | None:
    """Return the system time up to which, by a commit's metadata, an operator accepted the clock."""
    stated = meta.get(META_CLOCK)
    return int(stated) if stated else None


def carried(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a commit passes on to the next one."""
    return {name: meta[name] for name in (META, META_CHANGING, META_CLOCK, META_TEXTS) if meta.get(name)}


class HasHorizon(Protocol):
    """A log or a snapshot."""

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept, None where everything is kept."""
        ...


def horizon_of(log: HasHorizon, snapshot: HasHorizon | None) -> Horizon | None:
    """Return the later of the horizons that the log and the snapshot state."""
    stated = [horizon for horizon in (log.horizon, snapshot.horizon if snapshot else None) if horizon]
    return max(stated, default=None)


def refuse(basis: Basis, horizon: Horizon | None) -> Basis:
    """Return the basis, or raise BeyondHorizonError where it is before the horizon."""
    if horizon is not None and basis.version < horizon.version:
        raise beyond(horizon)
    return basis


def dropped(horizon: Horizon) -> str:
    """Return what is missing from an answer over all system times, in words."""
    at = format_instant(horizon.system_time)
    return f"beliefs that ended up to {at} (version {horizon.version}) were dropped by compact --horizon: not shown"


def beyond(horizon: Horizon) -> BeyondHorizonError:
    """Return the error for a question from before the horizon."""
    at = format_instant(horizon.system_time)
    return BeyondHorizonError(
        f"beliefs that ended up to {at} (version {horizon.version}) were dropped",
        hint=f"ask as known at {at} or later (--system-at), or at version {horizon.version} or later",
    )
