"""What a test is attached to: the relation whose property it is, and whose column it may name.

Manifests since 1.5 state it for tests of models. For those of sources, and in older manifests, only the test's argument
``model`` does: ``{{ get_where_subquery(source('raw', 'orders')) }}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ingest.dbt.relations import Relations
from ingest.dbt.texts import namer_of_models

_TEXT: Final = r"\s*['\"]([^'\"]+)['\"]\s*"
_SOURCE: Final = re.compile(rf"\bsource\({_TEXT},{_TEXT}\)")
_REF: Final = re.compile(rf"\bref\({_TEXT}(?:,{_TEXT})?(?:,\s*v(?:ersion)?\s*=\s*['\"]?([\w.]+)['\"]?\s*)?\)")


def attached_to(unique_id: str, node: Mapping[str, Any], relations: Relations) -> str | None:
    """Return the dataset that a test is attached to; None where neither the manifest nor what it reads says so.

    A test that reads one table belongs to that table; one of an ephemeral model, whose columns may be called otherwise
    than in the table below, belongs to none.
    """
    for named in (node.get("attached_node"), _named(node, "model", relations)):
        if isinstance(named, str) and relations.node(named) is not None:
            return relations.dataset(named)
    inputs = relations.inputs(unique_id)
    return inputs[0] if len(inputs) == 1 else None


def related_to(unique_id: str, node: Mapping[str, Any], relations: Relations) -> str | None:
    """Return the dataset whose column the argument ``field`` of a test of relationships is: what ``to`` names.

    Where it names nothing that is known, and the test is attached to one of two tables, it is the other one.
    """
    named = _named(node, "to", relations)
    if named is not None and relations.node(named) is not None:
        return relations.dataset(named)
    attached, inputs = attached_to(unique_id, node, relations), relations.inputs(unique_id)
    others = [each for each in inputs if each != attached]
    return others[0] if len(others) == 1 and attached is not None else None


def _named(node: Mapping[str, Any], argument: str, relations: Relations) -> str | None:
    """Return the unique id of the node that an argument of a test names."""
    metadata = node.get("test_metadata")
    arguments = metadata.get("kwargs") if isinstance(metadata, Mapping) else None
    text = arguments.get(argument) if isinstance(arguments, Mapping) else None
    if not isinstance(text, str):
        return None
    if source := _SOURCE.search(text):
        table = relations.sources_by_name.get((source[1], source[2]))
        return str(table.get("unique_id")) if table is not None else None
    if ref := _REF.search(text):
        package, name = (ref[1], ref[2]) if ref[2] else (None, ref[1])
        return namer_of_models(node, relations)(package, name, ref[3])
    return None
