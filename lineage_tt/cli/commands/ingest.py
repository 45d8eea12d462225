"""``ingest`` and ``schema``: read messages into the store, and print their JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lineage_tt.cli.calls import Call, FormatOption, FunctionsOption, StoreOption, use_functions, verb
from lineage_tt.cli.commands.relay import KAFKA, OptionsOption, ingest_topic
from lineage_tt.cli.folders import note_links, walk
from lineage_tt.cli.render import objects
from lineage_tt.cli.summaries import end_if_all_rejected, summary_lines, summary_object
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from ingest.messages.mapping import FieldMapping
    from lineage_tt.log.system_times import SystemTimes

MappingOption = Annotated[
    str | None, typer.Option("--mapping", metavar="TOML", help="Field mapping for messages in another format.")
]


def ingest(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|FOLDER...|KAFKA://HOST:PORT/TOPIC",
            help="JSON Lines, also .gz and .zst; folders; - for standard input; a topic; a dbt target folder.",
        ),
    ],
    producer: Annotated[
        Literal["dbt", "hive", "openlineage", "trino"] | None,
        typer.Option("--from", help="Producer of the input, if it does not hold messages."),
    ] = None,
    dialect: Annotated[str | None, typer.Option(metavar="NAME", help="dbt: dialect of the SQL.")] = None,
    namespace: Annotated[str | None, typer.Option(metavar="NAME", help="dbt: namespace of the datasets.")] = None,
    target: Annotated[str | None, typer.Option(metavar="NAME", help="dbt: name of the target.")] = None,
    mapping: MappingOption = None,
    system_time_from: Annotated[
        Literal["recorded_at"] | None,
        typer.Option(help="History import: take system times from the messages' recorded_at."),
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Number of processes that parse SQL.")] = 2,
    batch: Annotated[int, typer.Option(metavar="N", min=1, help="At most N messages per commit.")] = 4096,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the summary.")] = False,
    group: Annotated[str | None, typer.Option(metavar="NAME", help="Topic: consumer group.")] = None,
    options: OptionsOption = None,
    until_end: Annotated[bool, typer.Option("--until-end", help="Topic: stop at its current end.")] = False,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Topic: continue if retention removed unread messages.")
    ] = False,
    state: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Events: folder for unfinished runs (default: in the store).")
    ] = None,
    functions: FunctionsOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Ingest task changes, or events of engines, into the store.

    Creates the store if it does not exist. A file that is ingested again adds nothing. A topic is read until SIGTERM;
    the next run continues at the position in the store's log.
    """
    call = Call.of(ctx, store, output)
    use_functions(functions)
    of_topics = {
        "--group": group, "--kafka-option": options, "--until-end": until_end, "--accept-loss": accept_loss
    }  # fmt: skip
    given = [name for name, value in of_topics.items() if value]
    if given and not any(file.startswith(KAFKA) for file in files):
        raise InvalidRequestError(f"{given[0]} is for a topic", hint="leave it out, or give kafka://HOST:PORT/TOPIC")
    if state and producer in (None, "dbt"):
        raise InvalidRequestError("--state is for events", hint="leave it out, or name their producer: --from")
    if producer == "dbt":
        if mapping or system_time_from:
            raise InvalidRequestError(
                "artifacts of dbt need no --mapping and no --system-time-from", hint="leave them out"
            )
        _ingest_dbt(call, files, workers=workers, dialect=dialect, namespace=namespace, target=target)
        return
    if dialect or namespace or target:
        raise InvalidRequestError("--dialect, --namespace and --target are for --from dbt", hint="leave them out")
    if producer is not None:
        from lineage_tt.cli.commands.openlineage import ingest_event_topic, ingest_events

        if system_time_from:
            raise InvalidRequestError("events get system times from the clock", hint="leave out --system-time-from")
        if any(file.startswith(KAFKA) for file in files):
            ingest_event_topic(
                call, files, mapping, state=state, workers=workers, batch=batch, quiet=no_progress, group=group,
                options=options, until_end=until_end, accept_loss=accept_loss,
            )  # fmt: skip
            return
        ingest_events(call, files, mapping, state=state, workers=workers, batch=batch, quiet=no_progress)
        return
    topics = [file for file in files if file.startswith(KAFKA)]
    if topics and (len(files) > 1 or system_time_from):
        raise InvalidRequestError("a topic is read alone, without --system-time-from", hint="give one kafka:// address")
    if not topics:
        note_links(call, files)
        files = _files_of(files)
    fields = load_fields(mapping)
    if topics:
        basis, summary = ingest_topic(
            call, topics[0], fields, group=group, options=options, until_end=until_end, accept_loss=accept_loss,
            workers=workers, batch=batch, quiet=no_progress,
        )  # fmt: skip
        if call.output == "json":
            call.write_answer(basis, [summary_object(summary)])
        else:
            call.write(summary_lines(summary, call))
        return
    from ingest.pipeline import Ingester
    from lineage_tt.cli.progress import following

    times: SystemTimes = system_time_from or "clock"
    opened = call.create()
    summaries = []
    with (
        following(quiet=no_progress) as watch,
        Ingester(
            opened, mapping=fields, workers=workers, batch=batch, system_times=times, progress=watch.move
        ) as ingester,
    ):
        for file in files:
            watch.begin(file)
            summaries.append(ingester.ingest_file(file))
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), [summary_object(s) for s in summaries])
    else:
        call.write(line for summary in summaries for line in summary_lines(summary, call))
    end_if_all_rejected(summaries)


def _ingest_dbt(
    call: Call, folders: list[str], *, workers: int, dialect: str | None, namespace: str | None, target: str | None
) -> None:
    """Ingest the artifacts of dbt projects, each from its target folder."""
    from contextlib import closing

    from ingest.dbt.artifacts import read_target
    from ingest.dbt.ingesting import ingest_target
    from ingest.resolve.resolver import SqlResolver

    for folder in folders:
        read_target(Path(folder))  # raises for a folder without artifacts, before the store is created
    opened = call.create()
    with closing(SqlResolver(workers)) as resolver:
        summaries = [
            ingest_target(opened, Path(folder), resolver, dialect=dialect, namespace=namespace, target=target)
            for folder in folders
        ]
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), [summary_object(s) for s in summaries])
    else:
        call.write(line for summary in summaries for line in summary_lines(summary, call))
    end_if_all_rejected(summaries)


def _files_of(words: list[str]) -> list[str]:
    """Return the files that the arguments name, those of a folder ordered by name. Called before the store is created.

    Raises InvalidRequestError for a path that does not exist, and for a file that holds no messages.
    """
    from ingest.messages.lines import refuse_other_formats

    files = [file for word in words for file in _files_in(word)]
    for file in files:
        if file != "-":
            refuse_other_formats(file)
    return files


def _files_in(word: str) -> list[str]:
    path = Path(word)
    if word == "-" or path.is_file() or path.is_fifo():
        return [word]
    if not path.is_dir():
        raise InvalidRequestError(
            f"there is no file or folder {word}", hint="give JSON Lines files, folders of them, or - for standard input"
        )
    shown = walk(path, hidden="._").files
    if not shown:
        raise InvalidRequestError(f"the folder {word} holds no file", hint="give a folder of JSON Lines files")
    return [str(each) for each in shown]


def load_fields(mapping: str | None, *, required: bool = True) -> FieldMapping | None:
    """Return the field mapping of a TOML file, None where none was given.

    If it is not ``required``, None is also returned for a file that only sets how events are ingested.
    """
    if mapping is None:
        return None
    from ingest.messages.mapping import load_mapping, maps_fields

    return load_mapping(mapping) if required or maps_fields(mapping) else None


def schema(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="task-change, lineage-changed, …")] = "task-change",
) -> None:
    """Print the JSON Schema of a message or of an event."""
    from ingest.messages.native import message_schemas
    from lineage_tt.schemas import event_schemas

    schemas = message_schemas() | event_schemas()
    if name not in schemas:
        raise InvalidRequestError(f"there is no schema {name!r}", hint=f"the schemas are {', '.join(sorted(schemas))}")
    import json

    Call.of(ctx, None, "json", ("json",)).write([json.dumps(schemas[name], indent=2)])


VERBS = {"ingest": verb("ingest", ingest), "schema": verb("schema", schema)}
