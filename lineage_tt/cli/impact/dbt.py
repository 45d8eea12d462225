"""dbt's manifest.json: which model a file is, what relation it makes, and what ``ref`` and ``source`` stand for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from lineage_tt.cli.impact.config import DbtRule
from lineage_tt.model.errors import InvalidRequestError

_ARGUMENT: Final = r"\s*['\"]([^'\"]+)['\"]\s*"
_REF: Final = re.compile(
    r"\{\{-?\s*ref\(" + _ARGUMENT + r"(?:," + _ARGUMENT + r")?(?:,\s*v\w*\s*=\s*[^)]*)?\)\s*-?\}\}"
)
_SOURCE: Final = re.compile(r"\{\{-?\s*source\(" + _ARGUMENT + "," + _ARGUMENT + r"\)\s*-?\}\}")
_CONFIG: Final = re.compile(r"\{\{-?\s*config\(.*?\)\s*-?\}\}", re.DOTALL)
_ADAPTERS: Final = {"postgresql": "postgres", "sqlserver": "tsql", "athena": "trino"}


class Manifest:
    """The models of a dbt project."""

    def __init__(self, content: dict[str, Any], rule: DbtRule) -> None:
        nodes = content.get("nodes", {}).values()
        models = [node for node in nodes if node.get("resource_type") in ("model", "snapshot")]
        self._models = {node.get("original_file_path", "").replace("\\", "/"): node for node in models}
        everything = [*nodes, *content.get("sources", {}).values()]
        self._names = {
            node.get("name"): _relation(node) for node in everything if node.get("resource_type") != "source"
        }
        self._sources = {(node.get("source_name"), node.get("name")): _relation(node)
                         for node in everything if node.get("resource_type") == "source"}  # fmt: skip
        adapter = content.get("metadata", {}).get("adapter_type") or ""
        self._dialect = rule.dialect or _ADAPTERS.get(adapter, adapter) or None
        self._namespace = rule.namespace or self._dialect

    @classmethod
    def load(cls, path: Path, rule: DbtRule) -> Manifest:
        """Read a manifest; InvalidRequestError where it is not there or is none."""
        try:
            content = json.loads(path.read_bytes())
        except OSError as error:
            raise InvalidRequestError(
                f"dbt's manifest {path.name} cannot be read: {error.strerror}",
                hint="run dbt compile (or dbt parse) first",
            ) from None
        except ValueError:
            raise InvalidRequestError(f"dbt's manifest {path.name} is not JSON", hint="run dbt compile again") from None
        if not isinstance(content, dict) or not isinstance(content.get("nodes"), dict):
            raise InvalidRequestError(
                f"{path.name} is not a dbt manifest: it has no nodes", hint="run dbt compile again"
            )
        return cls(content, rule)

    def model(self, path: str) -> dict[str, Any] | None:
        """Return the model that a file is, None for another file."""
        return self._models.get(path)

    def task_of(self, model: dict[str, Any]) -> dict[str, Any]:
        """Return a model's task: its unique id, and the relation that it makes as target."""
        found = {"task_id": model["unique_id"], "dialect": self._dialect, "namespace": self._namespace,
                 "target": f"{self._namespace}:{_relation(model)}",
                 "default_database": ".".join(filter(None, (model.get("database"), model.get("schema"))))}  # fmt: skip
        return {name: value for name, value in found.items() if value}

    def text_of(self, model: dict[str, Any], text: str) -> str:
        """Return a model's SQL: compiled where the manifest holds it for this very text, else with names put in."""
        compiled = model.get("compiled_code")
        if compiled and (model.get("raw_code") or "").strip() == text.strip():
            return str(compiled)
        text = _CONFIG.sub(lambda found: "\n" * found.group().count("\n"), text)
        text = _REF.sub(lambda found: self._names.get(found[2] or found[1]) or found[0], text)
        return _SOURCE.sub(lambda found: self._sources.get((found[1], found[2])) or found[0], text)


def _relation(node: dict[str, Any]) -> str:
    name = node.get("alias") or node.get("identifier") or node.get("name")
    return ".".join(filter(None, (node.get("database"), node.get("schema"), name)))
