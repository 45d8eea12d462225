"""``ingest --from`` for the events of engines: OpenLineage, Hive and Trino, from files or from a topic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lineage_tt.cli.calls import Call
from lineage_tt.cli.commands.relay import ProgressReporter, until_stopped
from lineage_tt.cli.folders import note_links
from lineage_tt.cli.render import objects
from lineage_tt.cli.summaries import end_if_all_rejected, summary_notes, summary_object
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from ingest.batches import Summary


def ingest_events(
    call: Call, words: list[str], mapping: str | None, *, state: Path | None, workers: int, batch: int, quiet: bool
) -> None:
    """Ingest the events of files, decide their runs, and print the summary."""
    from ingest.batches import Summary
    from ingest.events.files import EventFiles, files_in
    from ingest.events.intake import EventIntake
    from ingest.events.policy import load_policies
    from lineage_tt.cli.progress import following

    policies = load_policies(mapping)
    note_links(call, words)
    sources = [(word, files_in(Path(word)) if Path(word).is_dir() else None) for word in words]
    files = [(file, inside is not None) for word, inside in sources for file in (inside or [word])]
    check_files([word for word, inside in sources if inside is None])
    opened = call.create()
    total = Summary(f"{len(files)} files" if len(files) != 1 else files[0][0])
    with (
        following(quiet=quiet) as watch,
        EventIntake(opened, policies=policies, workers=workers, state=state) as intake,
    ):
        reader = EventFiles(opened, intake, batch=batch, progress=watch.move)
        for file, in_folder in files:
            watch.begin(file)
            done = reader.take_file(file, in_folder=in_folder)
            total.received += done.received
            total.duplicates += done.duplicates
            total.ignored += done.ignored
            total.seconds += done.seconds
            total.join_problems(done)
            total.source = done.source if len(files) == 1 else total.source
        runs = reader.settle(total)
        intake.observe()
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), [{**summary_object(total), "runs": runs}])
    else:
        call.write(event_lines(total, runs, call))
    end_if_all_rejected([total])


def ingest_event_topic(
    call: Call, words: list[str], mapping: str | None, *, state: Path | None, workers: int, batch: int, quiet: bool,
    group: str | None, options: list[str] | None, until_end: bool, accept_loss: bool,
) -> None:  # fmt: skip
    """Ingest the events of a topic until stopped, and print the summary."""
    from ingest.events.intake import EventIntake
    from ingest.events.policy import load_policies
    from ingest.events.topic import EventTopic
    from lineage_tt.kafka.settings import read_topic

    if len(words) > 1:
        raise InvalidRequestError("a topic is read alone", hint="give one kafka:// address")
    policies, topic = load_policies(mapping), read_topic(words[0], options or ())
    opened = call.create()
    with EventIntake(opened, policies=policies, workers=workers, state=state) as intake:
        watch = ProgressReporter(topic.uri, quiet).of_ingest
        running = EventTopic(opened, intake, topic, group=group, batch=batch, accept_loss=accept_loss, watch=watch)
        with until_stopped(running):
            total = running.run(until_end=until_end)
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), [{**summary_object(total), "runs": running.runs}])
    else:
        call.write(event_lines(total, running.runs, call))


def check_files(words: list[str]) -> None:
    """Raise InvalidRequestError for a file that does not exist; called before the store is created."""
    for word in words:
        if word != "-" and not Path(word).is_file() and not Path(word).is_fifo():
            raise InvalidRequestError(
                f"there is no file or folder {word}", hint="give files of events, folders of them, or - for stdin"
            )


def event_lines(summary: Summary, runs: int, call: Call) -> list[str]:
    """Return the summary of ingested events as lines of text."""
    rate = f", {summary.received / summary.seconds:,.0f}/s" if summary.seconds > 0 else ""
    name = "standard input" if summary.source == "-" else summary.source
    ignored = f"{summary.ignored:,} ignored, " if summary.ignored else ""
    return [
        f"{call.ink.strong(name)}: {summary.received:,} events received, {summary.duplicates:,} already known, "
        f"{summary.rejected:,} rejected, {ignored}{runs:,} runs decided, {summary.accepted:,} versions, "
        f"{summary.changes:,} changes ({summary.seconds:.1f} s{rate})",
        *summary_notes(summary, call),
    ]
