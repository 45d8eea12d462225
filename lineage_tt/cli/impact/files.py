"""Turns files into candidates, by the paths of ``impact.toml``, dbt's manifest, ``task.yaml`` files and file names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from lineage_tt.cli.impact.config import CONFIGURATION, Config, PathRule
from lineage_tt.cli.impact.dbt import Manifest
from lineage_tt.cli.impact.embedded import check_fields, front_matter, is_text, plain, refuse_unknown, texts_in
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.model.errors import InvalidRequestError

TASK_FILES: Final = ("task.yaml", "task.yml")
_KEYS: Final = frozenset(["task_id", "sql", "dialect", "namespace", "default_database", "target", "params", "owners"])
_CONTEXT: Final = _KEYS - {"sql", "owners"}
#: Returns the text of a file by its path from the root, None if the file does not exist.
Reader = Callable[[str], "str | None"]


class Files:
    """Finds which task a file defines, and reads it; paths are relative to the configuration's folder, with slashes."""

    def __init__(self, config: Config, defaults: dict[str, Any], read: Reader, *, strict: bool = True) -> None:
        """``strict`` refuses unknown keys; without it (an earlier state, which nobody can edit) they are ignored."""
        #: The owners that files state of their tasks, by node (``task:ID``).
        self.owners: dict[str, tuple[str, ...]] = {}
        self._strict = strict
        self._config = config
        self._defaults = defaults
        self._read = read
        rule = config.dbt
        self._manifest = Manifest.load(config.root / rule.manifest, rule) if rule else None
        self._described: dict[str, list[dict[str, Any]]] = {}

    def has_effect(self, path: Path) -> bool:
        """Return whether a file in a folder is read: for tasks, or as configuration."""
        rule = self._config.dbt
        if rule is not None and path.resolve() == (self._config.root / rule.manifest).resolve():
            return True
        return is_sql(path.name) or path.name in TASK_FILES or is_config(path.name)

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

    def users_of(self, path: str) -> list[str]:
        """Return the tasks of dbt's models that use a macro which a file defines."""
        return self._manifest.users_of(path) if self._manifest is not None else []

    def embedded(self, path: str) -> list[Candidate]:
        """Return the candidates whose SQL is in a ``task.yaml`` itself; none for any other file."""
        if PurePosixPath(path).name not in TASK_FILES or self._read(path) is None:
            return []
        document = self.read(path)
        result = []
        tasks = self._tasks_of(_parse_yaml(document, path), path)
        folder = str(PurePosixPath(path).parent)
        listed = [self._checked(task, path, folder) for task in tasks if isinstance(task, dict) and "sql" in task]
        for checked, (line, original) in zip(listed, texts_in(document), strict=True):
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
        if not is_sql(path):
            return None
        described, front = self._described_by_yaml(path), self._front(path)
        task = self._mapped(path, described, plain(front, _CONTEXT))
        if task is not None:
            self._keep_owners(task["task_id"], front)
        return task

    def _mapped(self, path: str, described: dict[str, Any] | None, front: dict[str, Any]) -> dict[str, Any] | None:
        """Return the task of a ``.sql`` file by ``task.yaml``, a path rule or its name, with its front matter."""
        if described is not None:
            differ = sorted(name for name in described.keys() & front if described[name] != front[name])
            if differ and self._strict:
                raise InvalidRequestError(
                    f"{path}: its front matter and task.yaml beside it differ in {differ[0]}", hint="write it once"
                )
            return self._defaults | front | described
        for rule in self._config.paths:
            if matches(path, rule.match):
                return self._defaults | _by_rule(path, rule) | front
        if self._config.paths and "task_id" not in front:
            return None
        return self._defaults | {"task_id": PurePosixPath(path).stem} | front

    def _front(self, path: str) -> dict[str, Any]:
        """Return the context of a task in the front matter of its file, and its owners."""
        text = self._read(path) or ""
        header = front_matter(text)[0] if text.startswith("---") else ""
        if not header:
            return {}
        front = _parse_yaml(header, path)
        if self._strict:
            refuse_unknown(front, _KEYS - {"sql"}, path)
        check_fields(front, path)
        return front

    def beside(self, path: str) -> list[str]:
        """Return the SQL files that a ``task.yaml`` describes; none for any other file."""
        if PurePosixPath(path).name not in TASK_FILES:
            return []
        folder = PurePosixPath(path).parent
        return [str(folder / each["sql"]) for each in self._tasks_in(str(folder)) if not is_text(each["sql"])]

    def unread(self, path: str) -> Iterator[str]:
        """Yield the words that say which tasks of a ``task.yaml`` a folder does not give."""
        try:
            named = self.beside(path)
        except InvalidRequestError as error:
            yield f"not read: {error.message}"
            return
        for each in named:
            if self._read(each) is None:
                yield f"{path} names {each}, which does not exist"
            elif not is_sql(each):
                yield f"{path} names {each}, which is not a .sql file: not read"

    def _described_by_yaml(self, path: str) -> dict[str, Any] | None:
        folder, name = str(PurePosixPath(path).parent), PurePosixPath(path).name
        if not is_sql(name):
            return None
        for task in self._tasks_in(folder):
            if task.get("sql") == name:
                return plain(task, _CONTEXT)
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
            seen: set[str] = set()
            for task in self._tasks_of(_parse_yaml(text, path), path):
                checked = self._checked(task, path, folder)
                if self._strict and checked["sql"] in seen and not is_text(checked["sql"]):
                    raise InvalidRequestError(
                        f"{path}: two tasks have sql: {checked['sql']}", hint="give each task a file, or the SQL itself"
                    )
                seen.add(checked["sql"])
                yield checked

    def _tasks_of(self, document: dict[str, Any], path: str) -> list[Any]:
        """Return the tasks in a ``task.yaml``: those under ``tasks``, or the one that it is."""
        if "tasks" not in document:
            return [document]
        tasks = document["tasks"]
        if not isinstance(tasks, list):
            raise InvalidRequestError(f"{path}: tasks is not a list", hint="write - task_id: … for each task")
        beside = sorted(map(str, document.keys() - {"tasks"}))
        if beside and self._strict:
            raise InvalidRequestError(
                f"{path}: the key {beside[0]!r} beside tasks has no effect",
                hint="write it in each task; dialect, namespace and default_database of all files are in impact.toml",
            )
        return tasks

    def _checked(self, task: Any, path: str, folder: str) -> dict[str, Any]:
        if self._strict and isinstance(task, dict):
            refuse_unknown(task, _KEYS, path)
        if not isinstance(task, dict) or not task.get("task_id") or not isinstance(task["task_id"], str):
            raise InvalidRequestError(f"{path} has no task_id", hint="write task_id: and, if need be, sql: FILE")
        check_fields(task, path)
        self._keep_owners(task["task_id"], task)
        if task.get("sql") is None:
            listed = sorted(each.name for each in (self._config.root / folder).glob("*.sql"))
            if len(listed) != 1:
                raise InvalidRequestError(f"{path} has no key sql, and its folder holds {len(listed)} SQL files",
                                          hint="write sql: FILE")  # fmt: skip
            task = {**task, "sql": listed[0]}
        if "/" in task["sql"] and not is_text(task["sql"]) and self._strict:
            raise InvalidRequestError(
                f"{path}: {task['sql']} is not beside it", hint="put a task.yaml into the folder of the file"
            )
        return dict(task)

    def _keep_owners(self, task_id: str, fields: dict[str, Any]) -> None:
        owners = fields.get("owners") or []
        listed = [owners] if isinstance(owners, str) else owners
        if listed:
            self.owners[f"task:{task_id}"] = tuple(dict.fromkeys(listed))


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


def is_config(path: str) -> bool:
    """Return whether a file configures the program, by its name."""
    return PurePosixPath(path).name in CONFIGURATION


def is_sql(path: str) -> bool:
    """Return whether a file holds SQL, by its name, ignoring case."""
    return path.lower().endswith(".sql")


def unused_rules(config: Config, candidates: Iterable[Candidate]) -> Iterator[str]:
    """Yield each path rule that defines no task: no SQL file matches it, or an earlier rule matches all that do."""
    if not config.paths:
        return
    below = (relative(each, config.root) for each in config.root.rglob("*") if is_sql(each.name))
    paths = {*below, *(each.path for each in candidates if each.path is not None)}
    places = [[n for n, rule in enumerate(config.paths) if matches(path, rule.match)] for path in paths]
    for number, rule in enumerate(config.paths):
        if not any(number in each for each in places):
            yield f"paths.{number} of impact.toml ({rule.match}) matches no SQL file"
        elif not any(each[:1] == [number] for each in places):
            yield f"paths.{number} of impact.toml ({rule.match}) defines no task: earlier paths match the same files"


def relative(path: Path, root: Path) -> str:
    """Return a path relative to the root, with slashes; for a path outside of the root, the absolute path."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return path.resolve().as_posix()
