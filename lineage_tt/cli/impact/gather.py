"""The candidates of one call: from paths, from git, from a JSON list on standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from lineage_tt.cli.impact.config import Config
from lineage_tt.cli.impact.files import Files, Reader, is_sql, relative, sql_files, task_files
from lineage_tt.cli.impact.git import ChangedFile, Repository
from lineage_tt.impact.release.candidates import Candidate, distinct, read_candidate
from lineage_tt.model.errors import InvalidRequestError

STANDARD_INPUT: Final = "-"


@dataclass
class Gathered:
    """The candidates of a call, and the SQL files that the call names but no path rule matches."""

    candidates: list[Candidate] = field(default_factory=list)
    unmapped: list[str] = field(default_factory=list)


def from_input(text: str, defaults: dict[str, Any]) -> list[Candidate]:
    """Return the candidates on standard input, in any form that ``_listed`` reads."""
    return [read_candidate(each, defaults) for _, each in _listed(text, "standard input")]


def from_messages(text: str, path: str, defaults: dict[str, Any]) -> list[Candidate]:
    """Return the candidates in a file of messages, each with its line, in any form that ``_listed`` reads."""
    return _read(_listed(text, path), path, defaults)


def _read(listed: Sequence[tuple[int, Any]], path: str, defaults: dict[str, Any]) -> list[Candidate]:
    return [replace(read_candidate(each, defaults), path=path, line=line) for line, each in listed]


def _listed(text: str, where: str) -> list[tuple[int, Any]]:
    """Return candidates with their lines: a JSON list, one object, a list under ``candidates``, or JSON Lines.

    Raises InvalidRequestError for a text in any other form.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        try:
            return [(n, json.loads(line)) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        except (ValueError, RecursionError):
            raise InvalidRequestError(
                f"{where} is not JSON: {error}",
                hint='give tasks and datasets: [{"task_id": …, "sql": …}, {"kind": "dataset", "dataset": …, …}, …]',
            ) from None
    listed = document.get("candidates", [document]) if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise InvalidRequestError(
            f"{where} is not a JSON list of candidates",
            hint='give [{"task_id": …, "sql": …}, …], one such object, or one object a line',
        )
    return [(1, each) for each in listed]


def is_messages(path: str) -> bool:
    """Return whether a file holds messages, judging by its name."""
    return path.lower().endswith((".json", ".jsonl", ".ndjson"))


def _from_changed(text: str | None, path: str, defaults: dict[str, Any]) -> list[Candidate]:
    """Return the candidates in a changed JSON file; none unless all of it is messages, some of them of datasets."""
    if text is None or '"kind"' not in text or '"dataset"' not in text:
        return []
    try:
        listed = _listed(text, path)
    except InvalidRequestError:
        return []
    kinds = {_kind(each) for _, each in listed}
    return _read(listed, path, defaults) if "dataset" in kinds and "" not in kinds else []


def _kind(message: Any) -> str:
    """Return what a message is of: a dataset, a task, or neither (empty)."""
    if not isinstance(message, dict):
        return ""
    return "dataset" if message.get("kind") == "dataset" else "task" if "task_id" in message else ""


def from_paths(paths: Sequence[str], config: Config, defaults: dict[str, Any]) -> Gathered:
    """Return the candidates in these files and below these folders."""
    files = Files(config, defaults, _reader(config.root))
    by_file: dict[str, Candidate] = {}
    unmapped: list[str] = []
    more: list[Candidate] = []
    for word in paths:
        path = Path(word)
        if path.is_dir():
            listed = list(sql_files(path, config.root))
            more += [each for name in task_files(path, config.root) for each in files.embedded(name)]
        elif path.exists():
            name = relative(path, config.root)
            inside = files.embedded(name)
            more += inside
            listed = files.beside(name) or ([] if inside else [name])
        else:
            raise InvalidRequestError(f"there is no file or folder {word}", hint="give SQL files, folders, or -")
        for name in listed:
            if is_messages(name):
                more += from_messages(files.read(name), name, defaults)
                continue
            candidate = files.candidate(name)
            if candidate is not None:
                by_file[name] = candidate
            elif not path.is_dir():
                raise InvalidRequestError(f"{word} is not a task", hint="give SQL files, or map it in impact.toml")
            else:
                unmapped.append(name)
    return Gathered(list(distinct([*by_file.values(), *more])), unmapped)


def from_git(base: str, within: Sequence[str], config: Config, defaults: dict[str, Any]) -> Gathered:
    """Return the candidates in the files that differ from a git base: edited, new, renamed; deleted ones offline."""
    repository = Repository(config.root)
    start, changed = repository.changed_since(base)
    prefix = relative(config.root, repository.root)
    inside = "" if prefix == "." else f"{prefix}/"

    def before(path: str) -> str | None:
        return repository.content(start, inside + path)

    now = Files(config, defaults, _reader(config.root))
    then = Files(config, defaults, before)
    folders = [relative(Path(path), config.root) for path in within if path != STANDARD_INPUT]
    repository.prefetch(start, [file.before for file in changed if file.before is not None])
    taken, datasets = _Taken(now, then), list[Candidate]()
    for file in _inside(changed, inside):
        if folders and not any(_below(file.path or file.before or "", folder) for folder in folders):
            continue
        taken.take(file)
        if file.path is not None and is_messages(file.path):
            datasets += _from_changed(now.read(file.path), file.path, defaults)
    candidates = list(distinct([*taken.by_file.values(), *datasets]))
    remaining = {candidate.task_id for candidate in candidates}
    offline = [
        Candidate(task, "offline", path=path, earlier=then.earlier(before, task))
        for task, (path, before) in taken.gone.items()
        if task not in remaining
    ]
    outside = [] if folders else _outside(changed, inside)
    return Gathered([*candidates, *offline], [*taken.unmapped, *outside])


@dataclass
class _Taken:
    """The content of a branch's changed files: tasks as they are now, removed tasks, and SQL that is not a task."""

    now: Files
    then: Files
    by_file: dict[str, Candidate] = field(default_factory=dict)
    gone: dict[str, tuple[str, str]] = field(default_factory=dict)
    unmapped: list[str] = field(default_factory=list)

    def take(self, file: ChangedFile) -> None:
        """Add one changed file: the task that it defines now, and the task that it no longer defines."""
        self._take_embedded(file)
        for name in (self.now.beside(file.path) or [file.path]) if file.path is not None else ():
            candidate = self.now.candidate(name)
            if candidate is not None:
                before = file.before if name == file.path else name
                earlier = self.then.earlier(before, candidate.task_id) if before is not None else None
                self.by_file[name] = replace(candidate, earlier=earlier)
        was = self.then.task_of(file.before) if file.before is not None else None
        is_now = self.now.task_of(file.path) if file.path is not None else None
        if was is not None and (is_now is None or is_now["task_id"] != was["task_id"]):
            self.gone[was["task_id"]] = file.path or file.before or "", file.before or ""
        if was is None and is_now is None and (path := file.path or file.before) and is_sql(path):
            self.unmapped.append(path)

    def _take_embedded(self, file: ChangedFile) -> None:
        """Add the tasks whose SQL is in a changed ``task.yaml`` itself."""
        now = self.now.embedded(file.path) if file.path is not None else []
        before = {each.task_id: each for each in self._embedded_before(file)}
        for each in now:
            self.by_file[f"{file.path}: {each.task_id}"] = replace(each, earlier=before.get(each.task_id))
        for task in before.keys() - {each.task_id for each in now}:
            self.gone[task] = file.path or file.before or "", file.before or ""

    def _embedded_before(self, file: ChangedFile) -> list[Candidate]:
        try:
            return self.then.embedded(file.before) if file.before is not None else []
        except InvalidRequestError:  # a file that was invalid at the base had no task that could be removed
            return []


def _outside(changed: Sequence[ChangedFile], prefix: str) -> list[str]:
    """Return the changed SQL files outside of the configuration's folder, by their paths relative to it."""
    up = "../" * prefix.count("/")
    paths = [file.path or file.before or "" for file in changed]
    return [up + path for path in paths if is_sql(path) and not path.startswith(prefix)]


def _inside(changed: Sequence[ChangedFile], prefix: str) -> Iterator[ChangedFile]:
    """Yield the files below the configuration's folder, by their paths relative to it."""
    for file in changed:
        path, before = (name[len(prefix) :] if name is not None and name.startswith(prefix) else None for name in file)
        if path is not None or before is not None:
            yield ChangedFile(path, before)


def _below(path: str, folder: str) -> bool:
    return folder == "." or path == folder or path.startswith(f"{folder}/")


def _reader(root: Path) -> Reader:
    """Return a function that reads a file by its path from a root."""

    def read(path: str) -> str | None:
        try:
            return (root / path).read_bytes().decode("utf-8-sig")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except UnicodeDecodeError as error:
            raise InvalidRequestError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None
        except OSError as error:
            raise InvalidRequestError(f"cannot read {path}: {error.strerror}") from None

    return read


def gather(paths: Sequence[str], git_base: str | None, config: Config, defaults: dict[str, Any]) -> Gathered:
    """Return the candidates that a call names; InvalidRequestError if it names none."""
    if git_base is not None:
        return from_git(git_base, paths, config, defaults)
    if not paths:
        raise InvalidRequestError(
            "no candidates are given",
            hint="give files or folders, --git-base REVISION, or - for JSON on standard input",
        )
    named = [path for path in paths if path != STANDARD_INPUT]
    result = from_paths(named, config, defaults) if named else Gathered()
    if STANDARD_INPUT in paths:
        result.candidates += from_input(sys.stdin.buffer.read().decode("utf-8-sig"), defaults)
    distinct(result.candidates)
    return result
