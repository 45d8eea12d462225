"""``import``: messages read through Spark. ``stream`` shares its options and its importer."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from lineage_tt.cli.calls import Call, FormatOption, FunctionsOption, StoreOption, refuse_given, use_functions, verb
from lineage_tt.cli.commands.ingest import MappingOption, load_fields
from lineage_tt.cli.folders import note_links
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.tables import table
from lineage_tt.cli.stages import stages
from lineage_tt.cli.summaries import end_if_all_rejected, summary_lines, summary_object
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from ingest.messages.mapping import FieldMapping
    from ingest.reconcile import Reconciliation
    from ingest.spark.importing import Importer, ImportReport
    from ingest.spark.sources import Source
    from lineage_tt.store import Store

MasterOption = Annotated[
    str | None,
    typer.Option("--master", metavar="URL", help="Spark master: spark://HOST:PORT or local[N] (default: all cores)."),
]
ConfOption = Annotated[
    list[str] | None, typer.Option("--conf", metavar="NAME=VALUE", help="Spark setting; repeatable.")
]
#: Spark retries a task whose executor or Python worker died, as on a cluster.
LOCAL_MASTER = "local[*,4]"


def import_(
    ctx: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE...",
            help="Files or folders of JSON Lines or Parquet, delta:PATH, hive:DB.TABLE, or a JDBC URL.",
        ),
    ] = None,
    master: MasterOption = None,
    mapping: MappingOption = None,
    system_time_from: Annotated[
        Literal["recorded_at"] | None,
        typer.Option(help="History import: take system times from the messages' recorded_at."),
    ] = None,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="About N messages per commit.")] = 50_000,
    order_by: Annotated[
        str | None, typer.Option(metavar="COLUMN,...", help="Columns that order a table (default: recorded_at).")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Spark read option for a table; VALUE may be env:VAR."),
    ] = None,
    conf: ConfOption = None,
    reconcile: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Compare with this full list of tasks; append the differences.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="Valid time of the list (default: now).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what --reconcile would append.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Accept a list that lacks more than half of the tasks.")
    ] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the summary.")] = False,
    functions: FunctionsOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Import a complete history or dump with Spark.

    Creates the store if it does not exist (not with --reconcile). The result is the same as with ingest. If the command
    is run again, it continues where it stopped.
    """
    call = Call.of(ctx, store, output)
    use_functions(functions)
    if bool(sources) == (reconcile is not None):
        raise InvalidRequestError(
            "there is nothing to import", hint="give sources, or --reconcile with a list of tasks"
        )
    if reconcile is None and (dry_run or force or as_of):
        raise InvalidRequestError("--dry-run, --force and --as-of belong to --reconcile")
    from ingest.spark.sources import sources_of

    note_links(call, sources or [reconcile or ""])
    order = tuple(name.strip() for name in (order_by or "").split(",") if name.strip())
    inputs = sources_of(sources or [reconcile or ""], order, pairs(option, "--option", hidden=True))
    _refuse_unused(inputs, order_by=order_by, option=option, times=system_time_from if reconcile else None)
    fields = load_fields(mapping)
    require_spark()
    opened = call.create() if reconcile is None else call.open(writing=True)
    spark = spark_for(master, pairs(conf, "--conf"), {getattr(source, "form", "") for source in inputs})
    with (
        stages(quiet=no_progress) as watch,
        make_importer(opened, spark, fields, batch, system_time_from or "clock", watch) as importer,
    ):
        if reconcile is None:
            report = importer.run(inputs)
        else:
            _reconcile(call, opened, importer, spark, inputs, fields, as_of, dry_run=dry_run, force=force)
            return
    _write_report(call, opened, report)
    end_if_all_rejected(report.summaries)


def _refuse_unused(inputs: Sequence[Source], *, order_by: str | None, option: list[str] | None, times: Any) -> None:
    """Raise InvalidRequestError for an option that no source takes; called before Spark starts."""
    forms = {getattr(source, "form", None) for source in inputs}
    if order_by is not None and forms <= {None}:
        raise InvalidRequestError(
            "--order-by is for tables and Parquet: lines have the order of their file", hint="leave --order-by out"
        )
    if option and forms <= {None, "hive"}:
        raise InvalidRequestError(
            "--option is for tables that Spark reads by a URL or path: jdbc:, delta: and Parquet", hint="leave it out"
        )
    refuse_given({"--system-time-from": times is not None}, "has no effect with --reconcile")


def make_importer(
    store: Store,
    spark: Any,
    fields: FieldMapping | None,
    batch: int,
    times: Literal["clock", "recorded_at"],
    watch: Callable[[str, int], None],
) -> Importer:
    """Return the importer for one call."""
    from ingest.spark.importing import Importer

    return Importer(store, spark, mapping=fields, batch=batch, system_times=times, progress=watch)


def require_spark() -> None:
    """Raise UnavailableError where Spark or Java is missing; called before the store is created."""
    from lineage_tt.spark.session import require

    require()


def spark_for(master: str | None, conf: dict[str, str], forms: Collection[str] = ()) -> Any:
    """Return the Spark session for one call; it can read tables of these forms."""
    from lineage_tt.spark.session import spark_session

    return spark_session(master or LOCAL_MASTER, delta="delta" in forms, hive="hive" in forms, settings=conf)


def pairs(words: Sequence[str] | None, option: str, *, hidden: bool = False) -> dict[str, str]:
    """Return ``NAME=VALUE`` words as a mapping; with ``hidden``, ``env:VAR`` is read from the environment."""
    result = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise InvalidRequestError(f"{option} takes NAME=VALUE, not {name!r}")
        if hidden and value.startswith("env:"):
            if value[4:] not in os.environ:
                raise InvalidRequestError(f"the environment has no variable {value[4:]}")
            value = os.environ[value[4:]]
        result[name] = value
    return result


def _reconcile(
    call: Call, store: Store, importer: Importer, spark: Any, inputs: list[Source],
    fields: FieldMapping | None, as_of: str | None, *, dry_run: bool, force: bool,
) -> None:  # fmt: skip
    from ingest.reconcile import TaskList, reconcile
    from ingest.spark.reading import parts

    moment = store.instant(as_of) if as_of else store.basis().valid_at
    listed = parts(spark, inputs, {}, cast("FieldMapping", TaskList(moment, fields)))
    rows = (m for part in listed for m in part.messages if m is not None)
    outcome = reconcile(store, rows, moment, force=force or dry_run)
    summary = None
    if outcome.repairs and not dry_run:
        summary = importer.append([repair.message for repair in outcome.repairs], inputs[0].name)
    result = reconciliation_object(outcome, dry_run) | {
        "first_version": summary.first_version if summary else None,
        "last_version": summary.last_version if summary else None,
    }
    if call.output == "json":
        call.write_answer(objects.known_by(store.basis()), result)
    else:
        call.write(_reconciliation_lines(call, outcome, result))


def reconciliation_object(outcome: Reconciliation, dry_run: bool) -> dict[str, Any]:
    """Return the differences of a reconciliation as a JSON object."""
    return {
        "as_of": format_instant(outcome.as_of),
        "listed": outcome.listed,
        "stored": outcome.stored,
        "dry_run": dry_run,
        "repairs": [
            {"difference": repair.difference, "task_id": repair.message.task_id, "op": repair.message.op,
             "event_id": repair.message.event_id}
            for repair in outcome.repairs
        ],
    }  # fmt: skip


def _reconciliation_lines(call: Call, outcome: Reconciliation, result: dict[str, Any]) -> Iterator[str]:
    counts = ", ".join(f"{outcome.count(kind):,} {kind}" for kind in ("unknown", "changed", "gone"))
    yield (
        f"{outcome.listed:,} tasks listed, {outcome.stored:,} in the store as of {result['as_of']}: "
        + (counts if outcome.repairs else "nothing to repair")
    )
    rows = [(repair.difference, repair.message.op, repair.message.task_id) for repair in outcome.repairs]
    if rows:
        yield from table(("difference", "op", "task"), rows, call.ink)
    if result["first_version"]:
        yield f"appended as versions {result['first_version']} to {result['last_version']}"
    elif rows:
        yield call.ink.faint("dry run: nothing was appended")


def _write_report(call: Call, store: Store, report: ImportReport) -> None:
    for summary in report.summaries:
        before = summary.first_version or store.version + 1
        waiting = (letter for letter in store.dead_letters(summary.source) if letter.waits and letter.version < before)
        summary.waiting = sum(1 for _ in waiting)
    if call.output == "json":
        result = {
            "sources": [summary_object(summary) for summary in report.summaries],
            "stages": [
                {"stage": s.name, "rows_in": s.rows_in, "rows_out": s.rows_out, "bytes": s.bytes, "files": s.files,
                 "seconds": round(s.seconds, 3), "skew": s.skew}
                for s in report.stages
            ],
            "commits": report.commits,
            "texts_parsed": report.parsed,
            "parsed_at_their_turn": report.surprises,
            "seconds": round(report.seconds, 3),
        }  # fmt: skip
        call.write_answer(objects.known_by(store.basis()), result)
        return
    call.write(line for summary in report.summaries for line in summary_lines(summary, call))
    rows = [
        (s.name, s.rows_in, s.rows_out, s.bytes, s.files or None, f"{s.seconds:.1f}", "" if s.skew is None else s.skew)
        for s in report.stages
    ]
    call.write(["", *table(("stage", "rows in", "rows out", "bytes", "files", "seconds", "skew"), rows, call.ink)])
    call.write([f"{report.commits:,} commits, {report.parsed:,} texts parsed, {report.seconds:.1f} s"])


VERBS = {"import": verb("import", import_)}
