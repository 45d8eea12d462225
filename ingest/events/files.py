"""Files of events: JSON Lines, a JSON array, or one JSON object; plain, gzip or zstd.

All events are taken in first and then decided in the order of valid time: their order in the file does not matter.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import orjson

from ingest.batches import Summary
from ingest.events.formats import PARTS
from ingest.events.intake import EventIntake
from ingest.events.openlineage.reading import Event
from ingest.events.runs import unfinished
from ingest.events.runs.journal import Taken
from ingest.messages.lines import Lines
from ingest.messages.native import MAX_BYTES
from ingest.messages.refusals import refusal, too_deep
from ingest.pipeline import Progress
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Problem, RejectedMessage
from lineage_tt.model.os_errors import files_below, system_errors
from lineage_tt.store import Store

#: Events per batch.
BATCH: Final = 1000
#: What files of events in a folder are called.
NAMED: Final = re.compile(r"\.(?:json|jsonl|ndjson)(?:\.gz|\.zst)?$")
#: The first character of what follows spaces and commas.
_NEXT: Final = re.compile(r"[^,\s]")
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"


class EventFiles:
    """Feeds files of OpenLineage events into a store."""

    def __init__(
        self, store: Store, intake: EventIntake, *, batch: int = BATCH,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._intake = intake
        self._batch = batch
        self._progress = progress

    @system_errors("ingest the events")
    def take_file(self, path: str, *, in_folder: bool = False) -> Summary:
        """Take the events of a file into the journal; ``settle`` decides what they mean.

        A file that was found in a folder may be something else: if it begins with a JSON object that has no field of an
        event, it is ignored. Raises UnavailableError where the file or the journal cannot be read or written; what was
        taken in stays.
        """
        begun = time.monotonic()
        with Lines(path) as lines:
            summary = Summary(lines.name)
            waiting: list[Any] = []
            for position, raw in enumerate(events_in(lines)):
                if in_folder and position == 0 and isinstance(raw, bytes) and not _looks_like_event(raw):
                    summary.received += 1
                    summary.ignored += 1
                    continue
                waiting.append(self._intake.read(raw, position) if isinstance(raw, bytes) else raw)
                if len(waiting) >= self._batch:
                    self._take(waiting, summary)
                    self._report(lines, summary)
                    waiting = []
            self._take(waiting, summary)
            self._report(lines, summary)
        summary.seconds = time.monotonic() - begun
        return summary

    @system_errors("ingest the events")
    def settle(self, summary: Summary) -> int:
        """Decide all that was taken in, and count the results in ``summary``; return how many runs were decided."""
        begun = time.monotonic()
        settled = self._intake.settle()
        summary.count(settled.receipts)
        summary.explain(self._store)
        summary.problems |= unfinished.waiting(self._intake.journal)
        summary.seconds += time.monotonic() - begun
        return settled.runs

    def _take(self, events: list[Any], summary: Summary) -> None:
        taken = self._intake.take(events)
        summary.received += len(taken)
        summary.duplicates += sum(not each.new for each in taken)
        count_problems(summary, events, taken)

    def _report(self, lines: Lines, summary: Summary) -> None:
        if self._progress:
            self._progress(Progress(lines.bytes_read, lines.bytes_total, summary.received))


def count_problems(summary: Summary, events: Sequence[Any], taken: Sequence[Taken]) -> None:
    """Count in a summary the parts of new events that have no effect."""
    for event, each in zip(events, taken, strict=True):
        if each.new and isinstance(event, Event) and event.problem is not None:
            summary.note([Problem(*event.problem)])


def files_in(path: Path) -> list[str]:
    """Return the event files of a folder and its subfolders, by name.

    Raises InvalidRequestError where there is none, and for a folder that cannot be read.
    """
    named = (each for each in files_below(path) if NAMED.search(each.name.lower()))
    shown = sorted(each for each in named if not any(part[0] in "._" for part in each.relative_to(path).parts))
    if not shown:
        raise InvalidRequestError(
            f"the folder {path} holds no file of events", hint="files of events end in .json, .jsonl or .ndjson"
        )
    return [str(each) for each in shown]


def events_in(lines: Lines) -> Iterator[bytes | RejectedMessage]:
    """Yield the bytes of each event of a file, however they are laid out in it.

    A file whose first line is a JSON object is read line by line; one that begins with a brace or a bracket in any
    other way is read as a whole, as events or arrays of them in a row. InvalidRequestError for a file that begins
    with neither.
    """
    each = (line for line in lines if line.strip(_BLANK))
    first = next(each, None)
    if first is None:
        return
    start = first.lstrip(_BLANK)
    if start.startswith(b"{") and _document(start) is not None:
        yield from chain([first], each)
        return
    if not start.startswith((b"[", b"{")):
        raise InvalidRequestError(
            f"{lines.name} holds no events: it begins {start[:40].decode(errors='replace')!r}",
            hint="give JSON: one event a line, an array of events, or one event",
        )
    whole, size = [first], len(first)
    for line in each:
        size += len(line)
        if size > MAX_BYTES:
            error = ValueError(f"the array has more than {MAX_BYTES} bytes; write one event a line")
            yield refusal(b"".join(whole)[:MAX_BYTES], error, 0)
            return
        whole.append(line)
    yield from _of_whole(b"\n".join(whole).lstrip(b"\xef\xbb\xbf"))


def _of_whole(data: bytes) -> Iterator[bytes | RejectedMessage]:
    document = _document(data)
    if document is not None:
        yield from _of_text(data, document)
        return
    # where not even a first text can be read, the first line is broken: each line is read on its own
    for each in _in_a_row(data) or data.split(b"\n"):
        if each.strip(_BLANK):
            yield from _of_text(each, _document(each))


def _of_text(data: bytes, document: Any) -> Iterator[bytes | RejectedMessage]:
    """Yield the events of one JSON text: the items of an array, else the text itself."""
    if not isinstance(document, list):
        yield data
        return
    for place, each in enumerate(document):
        try:
            yield orjson.dumps(each)
        except orjson.JSONEncodeError:  # orjson writes fewer levels than it reads
            letter = too_deep(each, f"event {place} of {hashlib.sha256(data).hexdigest()[:16]}")
            letter.position = place
            yield letter


def _in_a_row(data: bytes) -> list[bytes]:
    """Return the JSON texts that follow each other, each over any lines, as jq writes them; what is none, by lines."""
    decoder, text, found, at = json.JSONDecoder(), data.decode(errors="surrogateescape"), [], 0
    try:
        while next_ := _NEXT.search(text, at):
            at = decoder.raw_decode(text, next_.start())[1]
            found.append(text[next_.start() : at].encode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        found += text[at:].encode(errors="surrogateescape").split(b"\n") if found else []
    return found


def _looks_like_event(raw: bytes) -> bool:
    try:
        document = orjson.loads(raw.lstrip(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        return True
    return not isinstance(document, dict) or not PARTS.isdisjoint(document)


def _document(text: bytes) -> Any:
    """Return what a JSON text says, None for a text that is none."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
