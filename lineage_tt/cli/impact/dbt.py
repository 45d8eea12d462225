"""dbt's manifest.json: the model in a file, the relation that it makes, and what ``ref`` and ``source`` resolve to.

``ingest --from dbt`` reads the same manifest with the same reader (``ingest.dbt``), so task names agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ingest.dbt.artifacts import read_manifest
from ingest.dbt.kinds.snapshots import as_built
from ingest.dbt.relations import Relations, depends_on, dialect_of
from ingest.dbt.texts import compiled, filled, raw
from lineage_tt.cli.impact.config import DbtRule

#: Where a model stores its key in the manifest.
_KEY: Final = "lineage_tt.key"


class Manifest:
    """The models of a dbt project."""

    def __init__(self, content: dict[str, Any], rule: DbtRule) -> None:
        adapter = str(content.get("metadata", {}).get("adapter_type") or "")
        self._dialect = rule.dialect or dialect_of(adapter)
        self._relations = Relations(content, self._dialect, rule.namespace or self._dialect)
        macros = content.get("macros")
        listed = macros.items() if isinstance(macros, dict) else ()
        self._macros = {name: macro for name, macro in listed if isinstance(macro, dict)}
        self._models = {
            _path_of(node): {
                "unique_id": unique_id,
                **node,
                _KEY: unique_id,
            }
            for unique_id, node in self._relations.of_kind("model", "snapshot")
        }

    @classmethod
    def load(cls, path: Path, rule: DbtRule) -> Manifest:
        """Read a manifest; InvalidRequestError where the file does not exist or is not a manifest."""
        return cls(read_manifest(path), rule)

    def model(self, path: str) -> dict[str, Any] | None:
        """Return the model that a file defines, None if it defines no model."""
        return self._models.get(path)

    def users_of(self, path: str) -> list[str]:
        """Return the models that use a macro which a file defines, over other macros, too; by their unique ids."""
        found = {name for name, macro in self._macros.items() if _path_of(macro) == path}
        size = -1
        while size != len(found):  # a macro may come before those that it uses, or use itself
            size = len(found)
            found |= {name for name, macro in self._macros.items() if found.intersection(depends_on(macro, "macros"))}
        return sorted(model[_KEY] for model in self._models.values() if found.intersection(depends_on(model, "macros")))

    def task_of(self, model: dict[str, Any]) -> dict[str, Any]:
        """Return a model's task: its unique id, and the relation that it makes as target."""
        fields = {"task_id": model["unique_id"], "dialect": self._dialect, "namespace": self._relations.names.namespace,
                 "target": self._relations.dataset(model[_KEY]),
                 "default_database": ".".join(filter(None, (model.get("database"), model.get("schema"))))}  # fmt: skip
        return {name: value for name, value in fields.items() if value}

    def text_of(self, model: dict[str, Any], text: str) -> str:
        """Return a model's SQL: compiled if the manifest has it for this exact text, else with names filled in."""
        result = compiled(model)
        if result is None or (raw(model) or "").strip() != text.strip():
            result = filled(text, model, self._relations)
        return as_built(model, result)


def _path_of(node: Mapping[str, Any]) -> str:
    return str(node.get("original_file_path") or "").replace("\\", "/")
