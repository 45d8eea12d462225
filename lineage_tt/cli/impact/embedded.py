"""SQL inside another file: in ``task.yaml`` under ``sql``, or after the front matter of a ``.sql`` file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

#: YAML between two lines of three dashes at the beginning of a file; a SQL comment also begins with two dashes.
_FRONT: Final = re.compile(r"\A---[ \t]*\r?\n((?:(?!--).*\r?\n)*?)---[ \t]*\r?(?:\n|\Z)")
_KEY: Final = re.compile(r"^\s*\w+\s*:", re.MULTILINE)


def is_text(sql: str) -> bool:
    """Return whether the value of ``sql`` is SQL itself and not the name of a file."""
    return not sql.lower().endswith(".sql") and bool(re.search(r"\s", sql.strip()))


def front_matter(text: str) -> tuple[str, str]:
    """Return the YAML in front of a text ("" where there is none), and the text with blank lines in its place."""
    match = _FRONT.match(text)
    if match is None or not _KEY.search(match[1]):
        return "", text
    return match[1], "\n" * match[0].count("\n") + text[match.end() :]


def texts_in(document: str) -> Iterator[tuple[int, str]]:
    """Yield, for each text under ``sql`` in a ``task.yaml``, its first line and the document with the rest blanked."""
    import yaml

    lines = document.split("\n")
    root = yaml.compose(document, Loader=yaml.SafeLoader)
    tasks = [root]
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == "tasks" and isinstance(value, yaml.SequenceNode):
            tasks = value.value
    for task in tasks:
        for key, value in task.value if isinstance(task, yaml.MappingNode) else ():
            if key.value == "sql" and isinstance(value, yaml.ScalarNode):
                start, end = value.start_mark.line, max(value.end_mark.line, value.start_mark.line + 1)
                first = start + 1 if value.style in ("|", ">") else start
                blanked = [line if first <= place < end else "" for place, line in enumerate(lines)]
                yield first + 1, "\n".join(blanked)


def plain(context: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a task's context that YAML sets."""
    return {key: value for key, value in context.items() if key in names}
