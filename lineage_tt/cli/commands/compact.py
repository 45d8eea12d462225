"""``compact`` and ``stats``: compact the log into a snapshot on Spark, and show the size of a store."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, refuse_given, verb
from lineage_tt.cli.render import objects
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.log.retention import Horizon
    from lineage_tt.maintenance.stats import Stats
    from lineage_tt.spark.compact import Compaction
    from lineage_tt.store import Store

#: Hours for which replaced files are kept.
GRACE = 24
_COLUMNS = ("stage", "rows_in", "rows_out", "bytes", "files", "seconds", "skew")


def compact(
    ctx: typer.Context,
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="Spark master (default: local[*], all cores).")
    ] = None,
    conf: Annotated[
        list[str] | None, typer.Option("--conf", metavar="NAME=VALUE", help="Spark setting; repeatable.")
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option("--horizon", metavar="TIME", help="Permanently drop beliefs that ended by this system time."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Rebuild the whole snapshot from the log.")] = False,
    grace: Annotated[
        int | None, typer.Option("--grace", metavar="HOURS", min=1, help="Hours to keep replaced files (24).")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done and dropped, without doing it.")
    ] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the summary.")] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Compact the log into a snapshot, for faster answers.

    Answers do not change. Needs Spark (pip install 'lineage-tt[spark]') and Java. Writers and readers continue
    meanwhile, and the command can be stopped at any time. With --horizon, beliefs that ended by that system time are
    dropped, and queries as of an earlier system time are rejected from then on.
    """
    call = Call.of(ctx, store, output)
    settings = _pairs(conf or [])
    if dry_run:
        refuse_given({"--grace": grace, "--master": master, "--conf": conf}, "has no effect with --dry-run")
    opened = call.open(writing=True)
    at = _horizon(opened, horizon)
    from lineage_tt.storage import location

    place = location.place(call.store_uri)
    if dry_run:
        done, dropped = _planned(opened, place, full=full, horizon=at)
    else:
        from lineage_tt.spark import compact as job
        from lineage_tt.spark.session import require, spark_session

        require()
        dropped = _dropped(opened, at)
        done = job.compact(
            place,
            lambda: spark_session(master, settings=settings),
            rebuild=full,
            horizon=at,
            grace=GRACE if grace is None else grace,
            tell=_teller(quiet=no_progress),
        )
    result = _result(done) | {"dry_run": dry_run, "dropped": dropped}
    if call.output == "json":
        basis = {"valid_at": None, "version": done.version, "system_time": format_instant(done.system_time or None)}
        call.write_answer(basis, result)
    else:
        call.write(_lines(call, result))


def _horizon(store: Store, text: str | None) -> Horizon | None:
    """Return the horizon at a time: the last version known then. InvalidRequestError for a time in the future."""
    if text is None:
        return None
    from lineage_tt.log.retention import Horizon

    at = store.instant(text)
    if at > store.instant("now"):
        raise InvalidRequestError("the horizon is in the future", hint="give a time that has passed")
    basis = store.basis(system_at=at)
    if basis.version == 0:
        raise InvalidRequestError("the store had no versions at that time: nothing would be dropped")
    return Horizon(basis.version, basis.system_time)


def _dropped(store: Store, horizon: Horizon | None) -> int:
    """Return how many rectangles a horizon drops: each one was ended by one negative change at or before it."""
    if horizon is None:
        return 0
    query = """SELECT coalesce(sum(len(list_filter(changes, lambda c: c.sign < 0))
            + coalesce(len(list_filter(fact_changes, lambda c: c.sign < 0)), 0)), 0)
        FROM log WHERE version <= $version"""
    return int(store.fetch(query, version=horizon.version)[0][0])


def _planned(store: Store, place: Any, *, full: bool, horizon: Horizon | None) -> tuple[Compaction, int]:
    from lineage_tt.spark.compact import decide, read_base

    done = decide(store.opened_log, read_base(store.opened_log, full), rebuild=full or horizon is not None)
    done.horizon = horizon or done.horizon
    return done, _dropped(store, horizon)


def _pairs(words: list[str]) -> dict[str, str]:
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise InvalidRequestError(f"--conf takes NAME=VALUE, not {name!r}")
        pairs[name] = value
    return pairs


def _teller(*, quiet: bool) -> Callable[[str], None]:
    """Return a function that shows stages: in one line on a terminal, elsewhere a line for each finished stage."""
    terminal = sys.stderr.isatty()

    def tell(words: str) -> None:
        if quiet:
            return
        if terminal:
            print(f"\r\x1b[K{words}", end="" if words.endswith("...") else "\n", file=sys.stderr, flush=True)
        elif not words.endswith("..."):
            print(words, file=sys.stderr, flush=True)

    return tell


def _result(done: Compaction) -> dict[str, Any]:
    return {
        "mode": done.mode,
        "reason": done.reason,
        "version_before": done.before,
        "version": done.version,
        "horizon": _point(done.horizon),
        "rows_in": done.rows_in,
        "rows_out": done.rows_out,
        "bytes_out": done.bytes_out,
        "files_out": done.files_out,
        "levels": done.levels,
        "log_files_before": done.log_files_before,
        "log_files": done.log_files,
        "files_removed": done.removed,
        "stages": [{name: stage.get(name) for name in _COLUMNS} for stage in done.stages],
        "seconds": round(sum(stage["seconds"] for stage in done.stages), 2),
    }


def _point(horizon: Horizon | None) -> dict[str, Any] | None:
    if horizon is None:
        return None
    return {"version": horizon.version, "system_time": format_instant(horizon.system_time)}


def _lines(call: Call, result: Mapping[str, Any]) -> Iterator[str]:
    from lineage_tt.cli.render.tables import table

    full, level = ("would rebuild", "would write") if result["dry_run"] else ("rebuilt", "wrote")
    kinds = {"full": f"{full} the snapshot", "level": f"{level} a level", "none": "the snapshot is unchanged"}
    yield f"{kinds[result['mode']]}: {result['reason']}"
    if result["stages"]:
        cells = [[_cell(stage[name]) for name in _COLUMNS] for stage in result["stages"]]
        yield from table([name.replace("_", " ") for name in _COLUMNS], cells, call.ink)
    if not result["dry_run"] and result["mode"] != "none":
        size = sum(result["bytes_out"].values())
        yield f"it covers version {result['version']}: {result['levels']} level(s), {size:,} bytes written"
    if result["log_files"] != result["log_files_before"]:
        yield f"log files: {result['log_files_before']:,} before, {result['log_files']:,} after"
    if result["dropped"]:
        verb_ = "would be dropped" if result["dry_run"] else "dropped"
        yield f"{result['dropped']:,} beliefs that ended by {result['horizon']['system_time']} {verb_}"
    if result["files_removed"]:
        yield f"{result['files_removed']:,} unused files were removed"


def _cell(value: object) -> object:
    return f"{value:.2f}" if isinstance(value, float) else value


def stats(ctx: typer.Context, store: StoreOption = None, output: FormatOption = None) -> None:
    """Show the size of the store, and whether compaction is due."""
    from ingest.resolve.resolver import parser_name
    from lineage_tt.maintenance.stats import stats as count

    call = Call.of(ctx, store, output)
    opened = call.open()
    counts = count(opened, parser_name())
    result = {name: getattr(counts, name) for name in counts.__dataclass_fields__} | {"horizon": _point(counts.horizon)}
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), result)
        return
    at = f"version {counts.horizon.version}" if counts.horizon else "none: everything is kept"
    covered = f"version {counts.snapshot_version:,}" if counts.snapshot_version else "none"
    rows = [
        ("versions", f"{counts.version:,}"),
        ("tasks now", f"{counts.tasks:,}"),
        ("incomplete", _incomplete(counts)),
        ("nodes", f"{counts.nodes:,}"),
        ("edges now", f"{counts.edges_now:,}"),
        ("snapshot", covered),
        ("levels", f"{counts.snapshot_levels:,}"),
        ("tail", f"{counts.tail:,} versions"),
        ("log", f"{counts.log_bytes:,} bytes in {counts.log_files:,} files, {counts.log_small_files:,} of them small"),
        ("snapshot size", f"{counts.snapshot_bytes:,} bytes in {counts.snapshot_files:,} files"),
        ("horizon", at),
        ("compaction", f"due: {counts.due_because}" if counts.due else "not due"),
    ]
    call.write(f"{name:<14}{value}" for name, value in rows)


def _incomplete(counts: Stats) -> str:
    """Return how many tasks are not complete, and a hint where another parser parsed them."""
    words = f"{counts.tasks_partial:,} tasks partial, {counts.tasks_opaque:,} opaque"
    if counts.tasks_untraced:
        words += f"; {counts.tasks_untraced:,} of them name no table, so no walk reaches them"
    if counts.tasks_outdated:
        words += f"; {counts.tasks_outdated:,} of them parsed by another parser: run lineage-tt re-extract"
    return words


VERBS = {"compact": verb("compact", compact), "stats": verb("stats", stats)}
