"""What happens to bytes that are not a message: a rejection with a code, and words without the message's content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import orjson
from pydantic import ValidationError

from ingest.messages.wording import problem_of
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.model.names import clipped, too_long

_KINDS: Final = ("task", "dataset", "fact", "alias", "edge", "annotation")


def refusal(raw: bytes, error: Exception, position: int | None, ids: tuple[Any, Any] = (None, None)) -> RejectedMessage:
    """Return the rejection of ``raw``: a code, words without the message's content, ids where they can be read.

    ``ids`` are the event and the task as far as a mapping extracted them; else the message's own fields count.
    """
    code, detail = "invalid-message", str(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        kinds = "kind: must be " + ", ".join(map(repr, _KINDS[:-1])) + f" or {_KINDS[-1]!r}"
        detail = kinds if first["loc"] == ("kind",) else problem_of(first)
        if first["loc"] == ("task_id",) and b'"dataset"' in raw and b'"kind"' not in raw:
            detail += "; a message about a dataset has the kind 'dataset'"
        code = {"json_invalid": "malformed-json", "string_too_long": "name-too-long"}.get(first["type"], code)
    elif isinstance(error, (json.JSONDecodeError, UnicodeDecodeError, RecursionError)):
        code, detail = "malformed-json", f"not JSON: {error}"
    event_id, task_id = (_shown(mapped) or own for mapped, own in zip(ids, _identifiers(raw), strict=True))
    return RejectedMessage(raw, code, detail[:2000], event_id, task_id, position=position)


def too_deep(document: Any, name: str) -> RejectedMessage:
    """Return the rejection of parsed JSON that is nested too deep to be a message; ``name`` identifies it."""
    try:
        raw = json.dumps(document).encode()
    except RecursionError:
        raw = orjson.dumps({"left_out": name})
    return RejectedMessage(raw, "malformed-json", f"{clipped(name)} is nested too deep; use fewer levels")


def _identifiers(raw: bytes) -> tuple[str | None, str | None]:
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(document, Mapping):
        return None, None
    return _shown(document.get("event_id")), _shown(document.get("task_id"))


def _shown(name: Any) -> str | None:
    """Return an id that can be shown, None for anything else."""
    return name if isinstance(name, str) and name.isprintable() and not too_long(name) else None
