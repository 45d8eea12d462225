"""A table for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: key → (what is asked, unit)
WRITERS_WANTED = {
    "ten_writers_ratio": ("≥ 0.8", "times"),
    "worst_wait_ratio": ("≤ 20", "times"),
    "worst_turn_wait_ratio": ("≤ 20", "times"),
}

#: key → (what is asked, unit); the issue's own keys, the others are there to read them by
WANTED = {
    "batch_messages_per_s": ("≥ 8,000", "messages/s"),
    "batch_vs_sqlite": ("≥ 2", "times"),
    "single_message_ms": ("≤ 25", "ms"),
    "single_message_p99_ms": ("", "ms"),
    **WRITERS_WANTED,
    "real_stream_s": ("≤ 60", "s"),
    "ingest_rss_mib": ("≤ 1,024", "MiB"),
    "ingest_rss_growth": ("flat", "times"),
    "edges_as_of_s": ("≤ 1", "s"),
    "edges_as_of_growth": ("≤ 10", "times"),
    "cold_cli_s": ("≤ 0.7", "s"),
    "cold_cli_vs_python": ("", "times"),
}

#: key → (what is asked, unit)
EVENTS_WANTED = {
    "openlineage_events_per_s": ("≥ 2,000", "events/s"),
    "identical_run_ms": ("≤ 1", "ms"),
    "dbt_manifest_s": ("≤ 20 with 1,500 models", "s"),
}

#: key → (what is asked, unit)
GOVERNANCE_WANTED = {
    "labels_all_s": ("≤ 1 at S, 10 at L", "s"),
    "labels_diff_day_ms": ("≤ 50", "ms"),
    "labels_spread_s": ("", "s"),
    "labels_vs_networkx": ("≥ 20", "times"),
    "labels_vs_duckdb": ("≥ 20", "times"),
    "labels_all_vs_duckdb": ("≥ 20", "times"),
    "labels_ready_s": ("", "s"),
    "labels_ready_vs_networkx": ("≥ 20", "times"),
    "labels_ready_vs_duckdb": ("≥ 20", "times"),
    "rules_all_s": ("≤ 3 at S, 30 at L", "s"),
    "growth": ("≤ 12", "times"),
}

#: key → (what is asked, unit)
GRAPH_WANTED = {
    "hops3_hot_ms": ("≤ 0.05 at S, 0.15 at L", "ms"),
    "hops3_hot_vs_sqlite": ("≥ 10", "times"),
    "hops3_cold_ms": ("≤ 0.01", "ms"),
    "hops3_cold_vs_sqlite": ("≥ 1", "times"),
    "hops3_p99_ms": ("≤ 0.6 at S, 4 at L", "ms"),
    "hops3_p99_vs_sqlite": ("≥ 1", "times"),
    "all_hot_ms": ("≤ 0.05 at S, 0.15 at L", "ms"),
    "all_hot_vs_sqlite": ("≥ 10", "times"),
    "all_cold_ms": ("≤ 0.01", "ms"),
    "all_cold_vs_sqlite": ("≥ 1", "times"),
    "all_p99_ms": ("≤ 0.6 at S, 4 at L", "ms"),
    "all_p99_vs_sqlite": ("≥ 1", "times"),
    "named_hot_ms": ("", "ms"),
    "named_vs_sqlite": ("≥ 3", "times"),
    "growth_with_size": ("≤ 2", "times"),
    "growth_with_history_now": ("≤ 1.2", "times"),
    "growth_with_history_past": ("≤ 3", "times"),
    "diff_ms": ("", "ms"),
    "diff_vs_sqlite": ("≥ 1", "times"),
    "batch_ms": ("≤ 60 at S", "ms"),
    "load_s": ("≤ 15 at L", "s"),
    "first_answer_s": ("≤ 1", "s"),
    "bytes_per_rectangle": ("≤ 64", "bytes"),
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
