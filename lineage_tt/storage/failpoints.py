"""Named points where a test makes the program die, fail, wait or run out of disk space.

``LINEAGE_FAILPOINT=p3:before:kill`` arms one point; several are separated by commas. Actions: ``kill`` (SIGKILL to
ourselves), ``stop`` (SIGSTOP; SIGCONT resumes), ``raise``, ``sleep:MS``, ``enospc``; ``@N`` after an action arms
only the N-th pass (``p4:after:kill@3``).
A point that is not armed costs one look-up in an empty dictionary.

The points: p1 parse, p2 timelines, p3 the append (``p3:data`` between data file and commit), p4 fsync, p5 acknowledge,
p6 the source's own offset (Kafka); of events: e1 the journal, e2 the decision, e3 the outbox, e4 observations; of the
relay: q0 reading the log, q1 sending, q2 the end of the transaction; of compaction: r0 the plan, r1 the files, r2 the
commit (``r1:log`` and ``r2:log`` for the log's), r3 removing files; of a policy
tightened for history: t0 the files rebuilt, t1 the commit, t2 the copies beside the log.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager


class FailpointError(RuntimeError):
    """Raised by an armed failpoint with the action ``raise``."""


def _armed(setting: str) -> dict[str, tuple[str, int]]:
    points: dict[str, tuple[str, int]] = {}
    for item in filter(None, setting.split(",")):
        step, place, action = item.split(":", 2)
        action, _, nth = action.partition("@")
        points[f"{step}:{place}"] = (action, int(nth or 1))
    return points


_points = _armed(os.environ.get("LINEAGE_FAILPOINT", ""))


@contextmanager
def armed(setting: str) -> Iterator[None]:
    """Arm points (written as in ``LINEAGE_FAILPOINT``) in this process for the length of a ``with`` block."""
    before = dict(_points)
    _points.update(_armed(setting))
    try:
        yield
    finally:
        _points.clear()
        _points.update(before)


def reach(name: str) -> None:
    """Pass the point ``name`` (``p3:before``); act if it is armed for this pass."""
    if not _points or name not in _points:
        return
    action, passes = _points[name]
    if passes > 1:
        _points[name] = (action, passes - 1)
        return
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif action == "stop":
        del _points[name]
        os.kill(os.getpid(), signal.SIGSTOP)
    elif action == "raise":
        del _points[name]
        raise FailpointError(name)
    elif action == "enospc":
        del _points[name]
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
    elif action.startswith("sleep:"):
        time.sleep(int(action.removeprefix("sleep:")) / 1000)
    else:
        raise ValueError(f"unknown failpoint action {action!r} at {name}")
