"""The names of SQL dialects, for people: whether one is known, and which known one comes nearest. Loads no parser."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.registry import BY_NAME, DIALECTS, SIMILAR, find_rules
from lineage_tt.model.names import meaning, near_names

#: sqlglot's dialects that read ours. A test compares them with sqlglot's own list.
PARSED: Final = frozenset(rules.parser for rules in DIALECTS if rules.parser)


def is_known(dialect: str) -> bool:
    """Return whether a dialect's name is known, in any case of its letters."""
    return find_rules(dialect) is not None


def canonical(dialect: str) -> str:
    """Return the dialect's name of an alias; any other name in lower case."""
    rules = find_rules(dialect)
    return dialect.lower() if rules is None else rules.name


def nearest(dialect: str) -> str | None:
    """Return the known dialect that is most like this one, or is spelt most like it; None where there is none."""
    similar = SIMILAR.get(dialect.lower().replace("_", "").replace("-", "").replace(" ", ""))
    if similar is not None:
        return similar.name
    return next(iter(near_names(dialect, known_names(), any_case=True)), None)


def known_names() -> tuple[str, ...]:
    """Return every name that is known, in order."""
    return tuple(sorted(name for name in BY_NAME if name))


def unknown_words(dialect: str) -> str:
    """Return that a dialect is not known, in words, with the nearest name where there is one."""
    return f"no dialect {dialect!r}{meaning(nearest(dialect))}"
