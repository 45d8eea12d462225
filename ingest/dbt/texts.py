"""The SQL of a dbt node: compiled where dbt compiled it, else with the names filled in that Jinja would give."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ingest.dbt.relations import Relations, depends_on, is_ephemeral

_ARGUMENT: Final = r"\s*['\"]([^'\"]+)['\"]\s*"
_REF: Final = re.compile(
    r"\{\{-?\s*ref\(" + _ARGUMENT + r"(?:," + _ARGUMENT + r")?(?:,\s*v\w*\s*=\s*([^(){}]*))?\)\s*-?\}\}"
)
_SOURCE: Final = re.compile(r"\{\{-?\s*source\(" + _ARGUMENT + "," + _ARGUMENT + r"\)\s*-?\}\}")
_CONFIG: Final = re.compile(r"\{\{-?\s*config\(")
_CONFIG_END: Final = re.compile(r"\)\s*-?\}\}")
_VERSION: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"|(\d[\w.]*)")
_BEFORE_QUERY: Final = re.compile(
    r"\s+|--[^\n]*|/\*.*?\*/|\{#.*?#\}|\{%[-+]?\s*set\s[^%=]*=.*?%\}"
    r"|\{%[-+]?\s*set\s[^%=]*%\}.*?\{%[-+]?\s*endset\s*[-+]?%\}",
    re.DOTALL,
)
_WITH: Final = re.compile(r"with(?:\s+recursive)?\b", re.IGNORECASE)
#: The version in a call of ``ref`` that is not a constant.
UNKNOWN: Final = ""
#: How many ephemeral models may read each other in a row.
MAX_DEPTH: Final = 100
#: What is given package or None, name and version of a model.
Ref = Callable[[str | None, str, str | None], str | None]


def compiled(node: Mapping[str, Any]) -> str | None:
    """Return the compiled SQL of a node, None for what dbt did not compile and for what is not SQL."""
    text = node.get("compiled_code") or node.get("compiled_sql")
    return text if isinstance(text, str) and text.strip() and node.get("language", "sql") == "sql" else None


def raw(node: Mapping[str, Any]) -> str | None:
    """Return the SQL of a node as it was written, with Jinja; None for what is not SQL."""
    text = node.get("raw_code") or node.get("raw_sql")
    return text if isinstance(text, str) and text.strip() and node.get("language", "sql") == "sql" else None


def with_names(text: str, ref: Ref, source: Callable[[str, str], str | None]) -> str:
    """Return raw SQL with ``ref`` and ``source`` replaced by relations, ``config`` by as many lines; the rest stays.

    ``ref`` is given (package or None, model, version or None), ``source`` (source, table); None leaves the call as it
    is. A version that is not a constant is UNKNOWN.
    """
    text = _without_config(text)

    def of_ref(match: re.Match[str]) -> str:
        package, name = (match[1], match[2]) if match[2] else (None, match[1])
        return ref(package, name, _version(match[3])) or match[0]

    text = _REF.sub(of_ref, text)
    return _SOURCE.sub(lambda match: source(match[1], match[2]) or match[0], text)


def _version(written: str | None) -> str | None:
    if written is None:
        return None
    constant = _VERSION.fullmatch(written.strip())
    return next(filter(None, constant.groups()), UNKNOWN) if constant else UNKNOWN


def _without_config(text: str) -> str:
    """Return a text without its calls of config, their lines kept. Reads each character once, whatever the text."""
    pieces, done = [], 0
    for begin in _CONFIG.finditer(text):
        if begin.start() < done:
            continue
        end = _CONFIG_END.search(text, begin.end())
        if end is None:
            break
        pieces += [text[done : begin.start()], "\n" * text.count("\n", begin.start(), end.end())]
        done = end.end()
    return "".join([*pieces, text[done:]])


def filled(text: str, reader: Mapping[str, Any], relations: Relations) -> str:
    """Return a node's raw SQL as dbt would compile it, as far as that is known without running its macros.

    References are replaced by relations. An ephemeral model is a CTE of its reader, as dbt makes it.
    """
    return _Filling(relations).whole(text, reader)


class _Filling:
    """One text with the ephemeral models that it reads, each once, in the order in which they read each other."""

    def __init__(self, relations: Relations) -> None:
        self._relations = relations
        self._texts: dict[str, str] = {}
        self._open: set[str] = set()

    def whole(self, text: str, reader: Mapping[str, Any]) -> str:
        text = self._named(text, reader)
        return _with_ctes(text, self._texts) if self._texts else text

    def _named(self, text: str, reader: Mapping[str, Any]) -> str:
        models = namer_of_models(reader, self._relations)

        def ref(package: str | None, name: str, version: str | None) -> str | None:
            unique_id = models(package, name, version)
            node = self._relations.node(unique_id or "")
            if unique_id is None or node is None:
                return None
            return self._ephemeral(unique_id, node) if is_ephemeral(node) else _written(node)

        return with_names(text, ref, namer_of_sources(self._relations))

    def _ephemeral(self, unique_id: str, node: Mapping[str, Any]) -> str | None:
        name = f"__dbt__cte__{node.get('name')}"
        if name not in self._texts:
            text, written = compiled(node), raw(node)
            if unique_id in self._open or len(self._open) == MAX_DEPTH:
                return None
            self._open.add(unique_id)
            if text is None and written is not None:
                text = self._named(written, node)
            self._open.remove(unique_id)
            if text is None:
                return None
            self._texts[name] = text.strip().rstrip(";")
        return name


def _with_ctes(text: str, ctes: Mapping[str, str]) -> str:
    """Return a query with CTEs in front of its own."""
    listed = ", ".join(f"{name} as (\n{query}\n)" for name, query in ctes.items())
    at = 0
    while before := _BEFORE_QUERY.match(text, at):
        at = before.end()
    own = _WITH.match(text, at)
    return f"{text[: own.end()]} {listed}, {text[own.end() :]}" if own else f"with {listed}\n{text}"


def namer_of_models(reader: Mapping[str, Any], relations: Relations) -> Ref:
    """Return what ``ref`` means in a node: the unique id of a model, None where none or several versions may be meant.

    Of several that are named so, those count that the manifest says the node depends on, then those of its own package.
    Without a version the latest one is meant.
    """
    own, dependencies = reader.get("package_name"), frozenset(depends_on(reader))

    def ref(package: str | None, name: str, version: str | None) -> str | None:
        named = {each: relations.node(each) or {} for each in relations.models_by_name.get(name, ())}
        found = [each for each, node in named.items() if package in (None, node.get("package_name"))]
        found = [each for each in found if _is_version(named[each], version)]
        found = [each for each in found if each in dependencies] or found
        found = [each for each in found if named[each].get("package_name") == own] or found
        first = [each for each in found if named[each].get("package_name") == named[found[0]].get("package_name")]
        return first[0] if len(first) == 1 else None

    return ref


def _is_version(node: Mapping[str, Any], asked: str | None) -> bool:
    version, latest = node.get("version"), node.get("latest_version")
    if asked is None:
        return version is None or latest is None or str(version) == str(latest)
    return asked in (str(version), UNKNOWN)


def namer_of_sources(relations: Relations) -> Callable[[str, str], str | None]:
    """Return what ``source`` gives: the relation of a source's table."""
    return lambda source, table: _written(relations.sources_by_name.get((source, table)))


def _written(node: Mapping[str, Any] | None) -> str | None:
    if node is None:
        return None
    last = node.get("alias") or node.get("identifier") or node.get("name")
    parts = ".".join(str(part) for part in (node.get("database"), node.get("schema"), last) if part)
    return str(node.get("relation_name") or parts) or None
