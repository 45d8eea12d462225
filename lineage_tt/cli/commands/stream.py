"""``stream``: new files of a folder, or a topic, through Spark Structured Streaming."""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from lineage_tt.cli.calls import Call, FormatOption, FunctionsOption, StoreOption, use_functions, verb
from lineage_tt.cli.commands.bulk_import import ConfOption, MasterOption, make_importer, pairs, require_spark, spark_for
from lineage_tt.cli.commands.ingest import MappingOption, load_fields
from lineage_tt.cli.render import objects
from lineage_tt.cli.summaries import summary_object
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from ingest.batches import Summary
    from ingest.spark.importing import ImportReport
    from lineage_tt.store import Store


def stream(
    ctx: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A folder of JSON Lines, or kafka://HOST:PORT/TOPIC.")
    ],
    master: MasterOption = None,
    mapping: MappingOption = None,
    system_time_from: Annotated[
        Literal["recorded_at"] | None,
        typer.Option(help="History import: take system times from the messages' recorded_at."),
    ] = None,
    until_end: Annotated[
        bool, typer.Option("--until-end", help="Stop when all current input is in the store.")
    ] = False,
    every: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.0, help="Seconds between micro-batches (1).")
    ] = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="At most N files or records per micro-batch.")
    ] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Spark checkpoint (default: in the store's folder).")
    ] = None,
    kafka_option: Annotated[
        list[str] | None, typer.Option("--kafka-option", metavar="NAME=VALUE", help="Kafka client setting.")
    ] = None,
    conf: ConfOption = None,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the end.")] = False,
    functions: FunctionsOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Ingest task changes continuously with Spark.

    Each message counts exactly once. Creates the store if it does not exist. If the command is stopped and started
    again, it continues at the position in the log.
    """
    call = Call.of(ctx, store, output)
    use_functions(functions)
    if every is not None and until_end:
        raise InvalidRequestError("--every has no effect with --until-end", hint="leave one of them out")
    is_topic = source.startswith("kafka://")
    if is_topic:
        from lineage_tt.kafka.settings import read_topic

        read_topic(source, kafka_option or ())
    elif kafka_option:
        raise InvalidRequestError("--kafka-option is for a topic", hint="leave it out, or give kafka://HOST:PORT/TOPIC")
    elif not Path(source).is_dir():
        raise InvalidRequestError(f"there is no folder {source}", hint="give a folder, or kafka://HOST:PORT/TOPIC")
    fields = load_fields(mapping)
    place = checkpoint or checkpoint_of(call.store_uri, source)
    require_spark()
    opened = call.create()
    spark = spark_for(master, pairs(conf, "--conf"))
    taken = Taken(opened, call, quiet=no_progress)
    with make_importer(
        opened, spark, fields, 50_000, system_time_from or "clock", lambda stage, rows: None
    ) as importer:
        from ingest.spark.streaming import Streamer

        streamer = Streamer(
            opened, spark, importer, place,
            mapping=fields, every=1.0 if every is None else every, on_report=taken.tell,
        )  # fmt: skip
        with suppress(KeyboardInterrupt):
            if is_topic:
                streamer.topic(source, kafka_option or (), most=most, until_end=until_end)
            else:
                streamer.files(source, most=most, until_end=until_end)
    taken.finish()


def checkpoint_of(store: str, source: str) -> str:
    """Return the default folder of a stream's checkpoint: next to the log, one for each source."""
    if "://" in store.removeprefix("file://"):
        raise InvalidRequestError(
            "a store in a bucket has no folder for Spark's checkpoint", hint="give one: --checkpoint FOLDER"
        )
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    return f"{store.rstrip('/')}/streams/{name}"


_ALWAYS: Final = ("received", "accepted", "rejected", "duplicates", "ignored", "changes")
#: Counts that are shown if they are not 0: accepted without effect, or with incomplete lineage.
_IF_ANY: Final = ("superseded", "partial", "opaque")


class Taken:
    """Counts what a stream ingested, and reports it after each micro-batch."""

    def __init__(self, store: Store, call: Call, *, quiet: bool) -> None:
        self._store = store
        self._call = call
        self._quiet = quiet
        self._batches = 0
        self._counts = dict.fromkeys((*_ALWAYS, *_IF_ANY), 0)

    def tell(self, report: ImportReport) -> None:
        """Add a micro-batch, and report it on standard error."""
        self._batches += 1
        for summary in report.summaries:
            self._add(summary)
        if not self._quiet:
            words = ", ".join(f"{count:,} {name}" for name, count in self._counts.items() if count)
            print(f"{words or 'nothing new'}; version {self._store.version}", file=sys.stderr, flush=True)

    def _add(self, summary: Summary) -> None:
        counts = summary_object(summary)
        for name in self._counts:
            self._counts[name] += counts[name]

    def finish(self) -> None:
        """Print the totals."""
        result: dict[str, Any] = {"batches": self._batches, **self._counts}
        if self._call.output == "json":
            self._call.write_answer(objects.known_by(self._store.basis()), result)
        else:
            counts = ", ".join(f"{result[name]:,} {name}" for name in self._counts if result[name] or name in _ALWAYS)
            self._call.write([f"{self._batches:,} micro-batches: {counts}", f"  at version {self._store.version}"])


VERBS = {"stream": verb("stream", stream)}
