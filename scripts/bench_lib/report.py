"""A table for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: key → (what is asked, unit); the issue's own keys, the others are there to read them by
WANTED = {
    "batch_messages_per_s": ("≥ 8,000", "messages/s"),
    "batch_vs_sqlite": ("≥ 2", "times"),
    "single_message_ms": ("≤ 25", "ms"),
    "single_message_p99_ms": ("", "ms"),
    "real_stream_s": ("≤ 60", "s"),
    "ingest_rss_mib": ("≤ 1,024", "MiB"),
    "ingest_rss_growth": ("flat", "times"),
    "edges_as_of_s": ("≤ 1", "s"),
    "edges_as_of_growth": ("≤ 10", "times"),
    "cold_cli_s": ("≤ 0.7", "s"),
    "cold_cli_vs_python": ("", "times"),
}


def table(found: dict[str, Any], wanted: Mapping[str, tuple[str, str]] = WANTED) -> str:
    """Return the figures in lines: key, figure, unit, what is asked."""
    lines = [f"scale {found['scale']}: {found['messages']:,} messages", ""] if "scale" in found else []
    for key, (asked, unit) in wanted.items():
        if found.get(key) is not None:
            lines.append(f"{key:<26}{found[key]:>12,.4g} {unit:<12}{asked}")
    rest = {key: v for key, v in found.items() if (key not in wanted or v is None) and not isinstance(v, dict)}
    lines += ["", *(f"{key:<26}{value!s:>12}" for key, value in rest.items() if key not in ("scale", "messages"))]
    lines += ["", "machine: " + ", ".join(f"{name} {value}" for name, value in found["machine"].items())]
    return "\n".join(lines)
