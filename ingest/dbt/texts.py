"""The SQL of a dbt node: compiled where dbt compiled it, else with the names filled in that Jinja would give."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ingest.dbt.relations import Relations

_ARGUMENT: Final = r"\s*['\"]([^'\"]+)['\"]\s*"
_REF: Final = re.compile(
    r"\{\{-?\s*ref\(" + _ARGUMENT + r"(?:," + _ARGUMENT + r")?(?:,\s*v\w*\s*=\s*[^(){}]*)?\)\s*-?\}\}"
)
_SOURCE: Final = re.compile(r"\{\{-?\s*source\(" + _ARGUMENT + "," + _ARGUMENT + r"\)\s*-?\}\}")
_CONFIG: Final = re.compile(r"\{\{-?\s*config\(")
_CONFIG_END: Final = re.compile(r"\)\s*-?\}\}")


def compiled(node: Mapping[str, Any]) -> str | None:
    """Return the compiled SQL of a node, None for what dbt did not compile and for what is not SQL."""
    text = node.get("compiled_code") or node.get("compiled_sql")
    return text if isinstance(text, str) and text.strip() and node.get("language", "sql") == "sql" else None


def raw(node: Mapping[str, Any]) -> str | None:
    """Return the SQL of a node as it was written, with Jinja; None for what is not SQL."""
    text = node.get("raw_code") or node.get("raw_sql")
    return text if isinstance(text, str) and text.strip() and node.get("language", "sql") == "sql" else None


def with_names(
    text: str, ref: Callable[[str | None, str], str | None], source: Callable[[str, str], str | None]
) -> str:
    """Return raw SQL with ``ref`` and ``source`` replaced by relations, ``config`` by as many lines; the rest stays.

    ``ref`` is given (package or None, model), ``source`` (source, table); None leaves the call as it is.
    """
    text = _without_config(text)

    def of_ref(match: re.Match[str]) -> str:
        package, name = (match[1], match[2]) if match[2] else (None, match[1])
        return ref(package, name) or match[0]

    text = _REF.sub(of_ref, text)
    return _SOURCE.sub(lambda match: source(match[1], match[2]) or match[0], text)


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


def namer_of_models(reader: Mapping[str, Any], relations: Relations) -> Callable[[str | None, str], str | None]:
    """Return what ``ref`` gives in a node: the relation of a package's model, the reader's own package first."""
    named, own = relations.models_by_name, str(reader.get("package_name"))

    def ref(package: str | None, name: str) -> str | None:
        unique_id = named.get((package or own, name)) or (named.get((None, name)) if package is None else None)
        return _written(relations.node(unique_id or ""))

    return ref


def namer_of_sources(relations: Relations) -> Callable[[str, str], str | None]:
    """Return what ``source`` gives: the relation of a source's table."""
    return lambda source, table: _written(relations.sources_by_name.get((source, table)))


def _written(node: Mapping[str, Any] | None) -> str | None:
    if node is None:
        return None
    last = node.get("alias") or node.get("identifier") or node.get("name")
    parts = ".".join(str(part) for part in (node.get("database"), node.get("schema"), last) if part)
    return str(node.get("relation_name") or parts) or None
