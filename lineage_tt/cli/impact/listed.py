"""Candidates in JSON: on standard input, in files of messages, and in a branch's changed files of dataset messages."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lineage_tt.impact.release.candidates import Candidate, read_candidate
from lineage_tt.model.errors import InvalidRequestError


def standard_input() -> str:
    """Return the text on standard input; InvalidRequestError where it holds nothing, or is not text."""
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRequestError(f"standard input is not UTF-8: {error.reason} at byte {error.start}") from None
    if not text.strip():
        raise InvalidRequestError("standard input is empty", hint="pipe candidates in; a release of none is []")
    return text


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


def from_changed(text: str | None, path: str, defaults: dict[str, Any]) -> list[Candidate]:
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
