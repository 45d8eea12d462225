"""The candidates of one call: from paths, from git, from a JSON list on standard input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from lineage_tt.cli.folders import walk
from lineage_tt.cli.impact.config import CONFIGURATION, Config
from lineage_tt.cli.impact.files import TASK_FILES, Files, Reader, is_config, is_sql, relative
from lineage_tt.cli.impact.git import ChangedFile, Repository, below, files_inside
from lineage_tt.cli.impact.listed import from_changed, from_input, from_messages, is_messages, standard_input
from lineage_tt.impact.release.candidates import Candidate, distinct
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import and_more

STANDARD_INPUT: Final = "-"
_READ: Final = "a folder is read for .sql files and task.yaml; give .json, .jsonl and .ndjson files of messages by name"


@dataclass
class Gathered:
    """The candidates of a call, the SQL files that the call names but no path rule matches, and what else to say.

    ``empty`` says which paths hold neither; ``owners`` are those that files state of their tasks, by node. ``reported``
    are notes that belong in the report itself.
    """

    candidates: list[Candidate] = field(default_factory=list)
    unmapped: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    reported: list[str] = field(default_factory=list)
    owners: dict[str, tuple[str, ...]] = field(default_factory=dict)


def from_paths(paths: Sequence[str], config: Config, defaults: dict[str, Any]) -> Gathered:
    """Return the candidates in these files and below these folders, and which of them hold none."""
    files = Files(config, defaults, _reader(config.root))
    by_file: dict[str, Candidate] = {}
    result = Gathered(owners=files.owners)
    more: list[Candidate] = []
    for word in paths:
        before = len(more) + len(result.unmapped)
        listed, is_folder = _listed_in(word, files, config, more, result.notes)
        for name in listed:
            if is_messages(name):
                more += from_messages(files.read(name), name, defaults)
                continue
            candidate = files.candidate(name)
            if candidate is not None:
                by_file[name] = candidate
            elif not is_folder:
                raise InvalidRequestError(f"{word} is not a task", hint="give SQL files, or map it in impact.toml")
            else:
                result.unmapped.append(name)
        if len(more) + len(result.unmapped) == before and not by_file.keys() & set(listed):
            result.empty.append(f"{word} holds no task")
    result.candidates += distinct([*by_file.values(), *more])
    return result


def _listed_in(
    word: str, files: Files, config: Config, more: list[Candidate], notes: list[str]
) -> tuple[list[str], bool]:
    """Return the files to read for a path, and whether it is a folder; add tasks that a ``task.yaml`` holds itself."""
    path = Path(word)
    if path.is_dir():
        walked = walk(path)
        listed = [relative(each, config.root) for each in walked.files if is_sql(each.name)]
        described = [relative(each, config.root) for each in walked.files if each.name in TASK_FILES]
        more += [each for name in described for each in files.embedded(name)]
        notes += [*walked.notes(), *(words for name in described for words in files.unread(name))]
        notes += [*_skipped(word, [each for each in walked.files if not files.has_effect(each)])]
        return listed, True
    if not path.exists():
        raise InvalidRequestError(f"there is no file or folder {word}", hint="give SQL files, folders, or -")
    name = relative(path, config.root)
    inside = files.embedded(name)
    more += inside
    return files.beside(name) or ([] if inside else [name]), False


def _skipped(where: str, paths: Sequence[Path]) -> Iterator[str]:
    """Yield the words that say how many files were not read, by the ends of their names; nothing where all were."""
    if paths:
        ends = Counter(path.suffix.lower() or path.name for path in paths)
        counted = ", ".join(f"{number} {end}" for end, number in ends.most_common(5)) + ", …" * (len(ends) > 5)
        yield f"{where}: {len(paths)} file{'s' * (len(paths) != 1)} not read ({counted})"


def from_git(base: str, within: Sequence[str], config: Config, defaults: dict[str, Any]) -> Gathered:
    """Return the candidates in the files that differ from a git base: edited, new, renamed; deleted ones offline.

    Only files below one of ``within`` count, if there are any. Raises InvalidRequestError for a path that exists
    neither now nor at the base.
    """
    repository = Repository(config.root)
    start, changed = repository.changed_since(base)
    prefix = relative(config.root, repository.root)
    inside = "" if prefix == "." else f"{prefix}/"

    def before(path: str) -> str | None:
        return repository.content(start, inside + path)

    now = Files(config, defaults, _reader(config.root))
    then = Files(config, defaults, before, strict=False)
    reported = list(_configured([file.path or file.before for file in files_inside(changed, inside)], base))
    folders = {word: _place(word, repository, start) for word in within}
    if folders:
        changed = [file for file in changed if any(below(file, folder) for folder in folders.values())]
    repository.prefetch(start, [file.before for file in changed if file.before is not None])
    taken, datasets, others = _Taken(now, then), list[Candidate](), list[Path]()
    for file in files_inside(changed, inside):
        taken.take(file)
        if file.path is not None and is_messages(file.path):
            messages = from_changed(now.read(file.path), file.path, defaults)
            datasets += messages
            if messages:
                continue
        if file.path is not None and not now.has_effect(path := config.root / file.path):
            others.append(path)
    candidates = list(distinct([*taken.by_file.values(), *datasets]))
    remaining = {candidate.task_id for candidate in candidates}
    offline = [
        Candidate(task, "offline", path=path, earlier=earlier or then.earlier(before, task))
        for task, (path, before, earlier) in taken.gone.items()
        if task not in remaining
    ]
    notes = [*_skipped("changed", others), *_macros(files_inside(changed, inside), now, remaining)]
    notes += [*_untouched(folders, changed, base), *_untracked(repository, now, folders)]
    notes += _staged(repository, now, folders)
    unmapped = [*taken.unmapped, *_outside(changed, inside)]
    return Gathered([*candidates, *offline], unmapped, notes, owners=now.owners, reported=reported)


def _configured(changed: Sequence[str | None], base: str) -> Iterator[str]:
    """Yield the words that say which files of the configuration differ, and what is not judged because of it.

    They are used as they are now, for the texts of the base revision, too.
    """
    for name, words in CONFIGURATION.items():
        if name in changed:
            yield f"{name} differs from {base}: {words}"


def _place(word: str, repository: Repository, start: str) -> str:
    """Return a path from the root of the work tree; InvalidRequestError if it exists neither there nor at the base."""
    place = relative(Path(word), repository.root)
    if repository.root.resolve().is_relative_to(Path(word).resolve()):
        place = "."
    if not Path(word).exists() and not repository.has(start, place):
        raise InvalidRequestError(
            f"there is no file or folder {word}, here or at the base", hint="check its name; case matters"
        )
    return place


def _macros(changed: Iterable[ChangedFile], now: Files, judged: Set[str]) -> Iterator[str]:
    """Yield the words that say which models use macros that change: their own texts do not show it."""
    for file in changed:
        path = file.path or file.before or ""
        if users := [task for task in now.users_of(path) if task not in judged]:
            yield f"{path} holds macros of models whose own texts stay, so they are not judged: {and_more(users)}"


def _untouched(folders: Mapping[str, str], changed: Sequence[ChangedFile], base: str) -> Iterator[str]:
    """Yield the words that say which paths hold no changed file."""
    words = [word for word, folder in folders.items() if not any(below(file, folder) for file in changed)]
    if words:
        yield f"no file in {', '.join(words)} differs from {base}"


def _untracked(repository: Repository, now: Files, folders: Mapping[str, str]) -> Iterator[str]:
    """Yield the words that say which files git does not list as changed, because it does not know them."""
    if files := _with_effect(repository.untracked(), now, folders):
        yield f"{len(files)} untracked file{'s' * (len(files) != 1)} not judged ({_first(files)}): add them with git"


def _staged(repository: Repository, now: Files, folders: Mapping[str, str]) -> Iterator[str]:
    """Yield the words that say which files are judged in another form than a commit would have them."""
    if files := _with_effect(repository.staged_otherwise(), now, folders):
        yield f"judged as in the work tree, and not as staged: {_first(files)}"


def _with_effect(paths: Iterable[str], now: Files, folders: Mapping[str, str]) -> list[str]:
    """Return those of the files from the root that hold tasks, and are below one of the folders if there are any."""
    files = [ChangedFile(path, None) for path in paths if now.has_effect(Path(path)) and not is_config(path)]
    if folders:
        files = [file for file in files if any(below(file, folder) for folder in folders.values())]
    return [file.path or "" for file in files]


def _first(files: Sequence[str]) -> str:
    return ", ".join(files[:3]) + ", …" * (len(files) > 3)


@dataclass
class _Taken:
    """The content of a branch's changed files: tasks as they are now, removed tasks, and SQL that is not a task."""

    now: Files
    then: Files
    by_file: dict[str, Candidate] = field(default_factory=dict)
    gone: dict[str, tuple[str, str, Candidate | None]] = field(default_factory=dict)
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
        was = self._was(file)
        is_now = self.now.task_of(file.path) if file.path is not None else None
        if was is not None and (is_now is None or is_now["task_id"] != was["task_id"]):
            self.gone[was["task_id"]] = file.path or file.before or "", file.before or "", None
        if was is None and is_now is None and (path := file.path or file.before) and is_sql(path):
            self.unmapped.append(path)

    def _was(self, file: ChangedFile) -> dict[str, Any] | None:
        try:
            return self.then.task_of(file.before) if file.before is not None else None
        except InvalidRequestError:  # as in _embedded_before
            return None

    def _take_embedded(self, file: ChangedFile) -> None:
        """Add the tasks whose SQL is in a changed ``task.yaml`` itself."""
        now = self.now.embedded(file.path) if file.path is not None else []
        before = {each.task_id: each for each in self._embedded_before(file)}
        for each in now:
            self.by_file[f"{file.path}: {each.task_id}"] = replace(each, earlier=before.get(each.task_id))
        for task in before.keys() - {each.task_id for each in now}:
            self.gone[task] = file.path or file.before or "", file.before or "", before[task]

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


def _reader(root: Path) -> Reader:
    """Return a function that reads a file by its path from a root."""

    def read(path: str) -> str | None:
        try:
            return (root / path).read_bytes().decode("utf-8-sig")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except UnicodeDecodeError as error:
            raise InvalidRequestError(
                f"{path} is not UTF-8: {error.reason} at byte {error.start}", hint="save it as UTF-8"
            ) from None
        except OSError as error:
            raise InvalidRequestError(f"cannot read {path}: {error.strerror}") from None

    return read


def gather(paths: Sequence[str], git_base: str | None, config: Config, defaults: dict[str, Any]) -> Gathered:
    """Return the candidates that a call names; InvalidRequestError if it names none."""
    if not paths and git_base is None:
        raise InvalidRequestError(
            "no candidates are given",
            hint="give files or folders, --git-base REVISION, or - for JSON on standard input",
        )
    named = [path for path in paths if path != STANDARD_INPUT]
    if git_base is not None:
        result = from_git(git_base, named, config, defaults)
    else:
        result = from_paths(named, config, defaults) if named else Gathered()
    listed = from_input(standard_input(), defaults) if STANDARD_INPUT in paths else []
    result.candidates += listed
    distinct(result.candidates)
    if result.empty and not result.candidates and not result.unmapped:
        raise InvalidRequestError("\n".join([*result.empty, *result.notes]), hint=_READ)
    if STANDARD_INPUT in paths and not listed:
        result.notes.append("standard input holds no candidate")
    result.notes += result.empty
    return result
