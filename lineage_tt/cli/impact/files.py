"""Turns files into candidates, by the paths of ``impact.toml``, dbt's manifest, ``task.yaml`` files and file names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from lineage_tt.cli.impact.config import Config, PathRule
from lineage_tt.cli.impact.dbt import Manifest
from lineage_tt.cli.impact.embedded import front_matter, is_text, plain, texts_in
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.model.errors import InvalidRequestError

TASK_FILES: Final = ("task.yaml", "task.yml")
_KEYS: Final = frozenset(["task_id", "sql", "dialect", "namespace", "default_database", "target", "params", "owners"])
_CONTEXT: Final = _KEYS - {"sql", "owners"}
#: Returns the text of a file by its path from the root, None if the file does not exist.
Reader = Callable[[str], "str | None"]


class Files:
    """Finds which task a file defines, and reads it; paths are relative to the configuration's folder, with slashes."""

    def __init__(self, config: Config, defaults: dict[str, Any], read: Reader) -> None:
        self._config = config
        self._defaults = defaults
        self._read = read
        rule = config.dbt
        self._manifest = Manifest.load(config.root / rule.manifest, rule) if rule else None
        self._described: dict[str, list[dict[str, Any]]] = {}

    def candidate(self, path: str) -> Candidate | None:
        """Return the candidate in a file, None for a file that defines no task."""
        task = self.task_of(path)
        if task is None:
            return None
        original = self.read(path)
        text = front_matter(original)[1]
        if self._manifest is not None and (model := self._manifest.model(path)) is not None:
            text = self._manifest.text_of(model, original)
        known = {name: value for name, value in task.items() if value is not None}
        if not known.get("dialect"):
            raise InvalidRequestError(f"the dialect of {path} is unknown", hint="give --dialect or impact.toml")
        known.setdefault("namespace", known["dialect"])
        return Candidate(sql=text, path=path, original=original if text != original else None, **known)

    def embedded(self, path: str) -> list[Candidate]:
        """Return the candidates whose SQL is in a ``task.yaml`` itself; none for any other file."""
        if PurePosixPath(path).name not in TASK_FILES or self._read(path) is None:
            return []
        document = self.read(path)
        tasks = _parse_yaml(document, path)
        result = []
        listed = [task for task in tasks.get("tasks", [tasks]) if isinstance(task, dict) and "sql" in task]
        for task, (line, original) in zip(listed, texts_in(document), strict=True):
            checked = self._checked(task, path, str(PurePosixPath(path).parent))
            if not is_text(checked["sql"]):
                continue
            known = self._defaults | plain(checked, _CONTEXT)
            if not known.get("dialect"):
                raise InvalidRequestError(f"the dialect of {path} is unknown", hint="write dialect: in it")
            known.setdefault("namespace", known["dialect"])
            result.append(Candidate(sql=checked["sql"], path=path, line=line, original=original, **known))
        return result

    def read(self, path: str) -> str:
        """Return the text of a file; InvalidRequestError where the file does not exist."""
        text = self._read(path)
        if text is None:
            raise InvalidRequestError(f"cannot read {path}: it does not exist, or is not UTF-8 text")
        return text

    def earlier(self, path: str, task_id: str) -> Candidate | None:
        """Return the same task in an earlier state of these files, None if the file defined another task or none."""
        try:
            candidate = self.candidate(path)
        except InvalidRequestError:
            return None
        return candidate if candidate is not None and candidate.task_id == task_id else None

    def task_of(self, path: str) -> dict[str, Any] | None:
        """Return the task that a file defines: its id and context; None for a file that defines no task."""
        model = self._manifest.model(path) if self._manifest is not None else None
        if model is not None and self._manifest is not None:
            return self._defaults | self._manifest.task_of(model)
        described = self._described_by_yaml(path)
        if described is not None:
            return self._defaults | described
        if not is_sql(path):
            return None
        front = self._front(path)
        for rule in self._config.paths:
            if matches(path, rule.match):
                return self._defaults | _by_rule(path, rule) | front
        if self._config.paths and "task_id" not in front:
            return None
        return self._defaults | {"task_id": PurePosixPath(path).stem} | front

    def _front(self, path: str) -> dict[str, Any]:
        """Return the context of a task in the front matter of its file."""
        text = self._read(path) or ""
        header = front_matter(text)[0] if text.startswith("---") else ""
        return plain(_parse_yaml(header, path), _CONTEXT) if header else {}

    def beside(self, path: str) -> list[str]:
        """Return the SQL files that a ``task.yaml`` describes; none for any other file."""
        if PurePosixPath(path).name not in TASK_FILES:
            return []
        folder = PurePosixPath(path).parent
        return [str(folder / each["sql"]) for each in self._tasks_in(str(folder)) if not is_text(each["sql"])]

    def _described_by_yaml(self, path: str) -> dict[str, Any] | None:
        folder, name = str(PurePosixPath(path).parent), PurePosixPath(path).name
        if not is_sql(name):
            return None
        for task in self._tasks_in(folder):
            if task.get("sql") == name:
                return {key: value for key, value in task.items() if key not in ("sql", "owners")}
        return None

    def _tasks_in(self, folder: str) -> list[dict[str, Any]]:
        if folder not in self._described:
            self._described[folder] = list(self._load(folder))
        return self._described[folder]

    def _load(self, folder: str) -> Iterator[dict[str, Any]]:
        for name in TASK_FILES:
            path = str(PurePosixPath(folder) / name)
            text = self._read(path)
            if text is None:
                continue
            document = _parse_yaml(text, path)
            for task in document.get("tasks", [document]):
                yield self._checked(task, path, folder)

    def _checked(self, task: Any, path: str, folder: str) -> dict[str, Any]:
        if not isinstance(task, dict) or not isinstance(task.get("task_id"), str):
            raise InvalidRequestError(f"{path} has no task_id", hint="write task_id: and, if need be, sql: FILE")
        unknown = sorted(set(task) - _KEYS)
        if unknown:
            raise InvalidRequestError(
                f"{path}: unknown key {unknown[0]!r}", hint=f"known are {', '.join(sorted(_KEYS))}"
            )
        if "sql" not in task:
            listed = sorted(each.name for each in (self._config.root / folder).glob("*.sql"))
            if len(listed) != 1:
                raise InvalidRequestError(f"{path} has no key sql, and its folder holds {len(listed)} SQL files",
                                          hint="write sql: FILE")  # fmt: skip
            task = {**task, "sql": listed[0]}
        return dict(task)


def matches(path: str, pattern: str) -> bool:
    """Return whether a path matches a pattern; ``**`` matches any number of folders, or none."""
    import re

    parts = []
    for piece in re.split(r"(\*\*/|\*\*|\*|\?)", pattern):
        parts.append({"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(piece, re.escape(piece)))
    return re.fullmatch("".join(parts), path) is not None


def _by_rule(path: str, rule: PathRule) -> dict[str, Any]:
    place = PurePosixPath(path)
    parts = {"stem": place.stem, "name": place.name, "parent": place.parent.name, "path": str(place.with_suffix(""))}
    try:
        fields = {"task_id": rule.task_id.format(**parts), "dialect": rule.dialect, "namespace": rule.namespace,
                 "default_database": rule.default_database,
                 "target": rule.target.format(**parts) if rule.target else None}  # fmt: skip
    except (KeyError, IndexError, ValueError) as error:
        raise InvalidRequestError(
            f"impact.toml: {error} is not a part of a path", hint="use {stem}, {name}, {parent} or {path}"
        ) from None
    return {name: value for name, value in fields.items() if value is not None}


def _parse_yaml(text: str, path: str) -> dict[str, Any]:
    try:
        import yaml
    except ImportError:
        raise InvalidRequestError(
            f"{path} needs a YAML reader", hint="install it: pip install 'lineage-tt[impact]'"
        ) from None
    try:
        result = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidRequestError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(result, dict):
        raise InvalidRequestError(f"{path} is not a mapping", hint="write task_id: and, if need be, sql: FILE")
    return result


def is_sql(path: str) -> bool:
    """Return whether a file holds SQL, by its name, ignoring case."""
    return path.lower().endswith(".sql")


def task_files(folder: Path, root: Path) -> Iterator[str]:
    """Yield the ``task.yaml`` files below a folder, by their path from the root, in order."""
    for path in sorted(folder.rglob("task.y*ml")):
        inside = path.relative_to(folder)
        if path.name in TASK_FILES and not any(part.startswith(".") for part in inside.parts):
            yield relative(path, root)


def sql_files(folder: Path, root: Path) -> Iterator[str]:
    """Yield the SQL files below a folder, by their path from the root, in order; hidden folders are skipped."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if is_sql(path.name) and path.is_file() and not any(part.startswith(".") for part in inside.parts):
            yield relative(path, root)


def relative(path: Path, root: Path) -> str:
    """Return a path relative to the root, with slashes; for a path outside of the root, the absolute path."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return path.resolve().as_posix()
