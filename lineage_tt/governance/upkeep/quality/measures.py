"""What the log says about messages in force: how late they came, how far engine and SQL agree; and edges that flap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from lineage_tt.governance.ports import PointGraph, PointSource

#: The upper ends of a histogram's bars, in seconds; the last bar has none.
BARS: Final = (60, 3600, 86_400, 604_800)
BAR_NAMES: Final = ("minute", "hour", "day", "week", "longer")
#: An edge that began at least this often within the window flaps.
FLAPS: Final = 3
WINDOW_DAYS: Final = 90
_DAY: Final = 86_400_000_000
_MESSAGES: Final = """
    SELECT version, epoch_us(effective_at), epoch_us(recorded_at), epoch_us(system_time), attributes FROM log
    WHERE version IN (SELECT unnest($versions))"""
_FLAPPING: Final = """
    WITH believed AS (
        SELECT task_id, source, target, "type", subtype, valid_from FROM changes
        WHERE version <= $version AND valid_from <= make_timestamptz($at) AND valid_from > make_timestamptz($since)
        GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to HAVING sum(sign) = 1)
    SELECT task_id, source, target, count(DISTINCT valid_from) AS often FROM believed
    GROUP BY task_id, source, target, "type", subtype HAVING often >= $least
    ORDER BY often DESC, task_id, source, target"""


class Pairs(NamedTuple):
    """Pairs of columns that both engine and SQL report, that only the engine reports, and that only the SQL reports."""

    both: int
    engine: int
    sql: int


class MessageFigures(NamedTuple):
    """Figures of a message in force: how long after its effect it was stated, and recorded (microseconds), and pairs.

    A message that came before its effect (a plan) has the delay 0. None: the message does not say. ``to_delivery`` is
    how long after its commit it reached each subscriber that got it.
    """

    to_message: int | None
    to_commit: int | None
    pairs: Pairs | None
    to_delivery: tuple[int, ...] = ()


class Flapping(NamedTuple):
    """An edge that came and went: how often it began within the window."""

    task_id: str
    source: str
    target: str
    began: int


def message_figures(
    points: PointSource, versions: Sequence[int], deliveries: Mapping[int, Sequence[int]] | None = None
) -> dict[int, MessageFigures]:
    """Return the figures of these versions' messages; ``deliveries`` say when each version reached subscribers."""
    result = {}
    for version, effective, recorded, committed, attributes in points.fetch(_MESSAGES, versions=list(versions)):
        to_message = None if recorded is None or effective is None else max(0, recorded - effective)
        start = recorded if recorded is not None else effective
        to_commit = None if start is None else max(0, committed - start)
        waits = tuple(max(0, at - committed) for at in (deliveries or {}).get(version, ()))
        result[version] = MessageFigures(to_message, to_commit, _pairs(attributes), waits)
    return result


def flapping(points: PointSource, graph: PointGraph, days: int = WINDOW_DAYS) -> list[Flapping]:
    """Return the edges that began ``FLAPS`` times or more in the ``days`` of valid time before the point, as known."""
    at, version = graph.basis.valid_at, graph.basis.version
    since = max(at - days * _DAY, -62_135_596_800_000_000)
    rows = points.fetch(_FLAPPING, at=at, version=version, since=since, least=FLAPS)
    return [Flapping(*row) for row in rows]


def bars(waits: Sequence[int]) -> dict[str, int]:
    """Return a histogram of waits in microseconds: how many are within a minute, an hour, a day, a week, or longer."""
    result = dict.fromkeys(BAR_NAMES, 0)
    for wait in waits:
        place = next((i for i, bar in enumerate(BARS) if wait <= bar * 1_000_000), len(BARS))
        result[BAR_NAMES[place]] += 1
    return result


def _pairs(attributes: str | None) -> Pairs | None:
    content: Any = orjson.loads(attributes) if attributes else None
    run = content.get("openlineage") if isinstance(content, dict) else None
    pairs = run.get("agreement") if isinstance(run, dict) else None
    if not isinstance(pairs, dict):
        return None
    try:
        return Pairs(*(int(pairs.get(name, 0)) for name in ("both", "engine", "sql")))
    except (TypeError, ValueError):
        return None
