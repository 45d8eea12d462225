"""The table ``[rules]`` of ``governance.toml``.

[rules]
max_fanin = 20                   # tables that one table is made of
max_fanout = 20                  # tables made of one
max_view_chain = 4
views = ["*.v_*"]                # which datasets are views
ends = ["bi:*"]                  # datasets that nobody needs to read
hard_coded = ["file:*", "s3*"]   # datasets that tasks should read by another name
off = ["undocumented_models"]

[[rules.layer]]                  # from the bottom up
name = "ods"
match = ["hive:ods.*"]
naming = ["hive:ods.ods_*"]      # what such datasets are called

[rules.severity]
two_writers = "warning"

[[rules.allow]]
rule = "two_writers"
subject = "hive:dw.orders"       # a pattern
reason = "moves to the new job"
until = 2026-12-31               # the last day on which it is allowed
"""

from __future__ import annotations

from datetime import date, datetime
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from lineage_tt.governance.rules.config_tables import ConfigTables, refuse_unknown, texts_of
from lineage_tt.model.errors import InvalidRequestError

_KEYS: Final[dict[str, type | tuple[type, ...]]] = {
    "max_fanin": int, "max_fanout": int, "max_view_chain": int, "views": list, "ends": list, "hard_coded": list,
    "off": list, "layer": list, "severity": dict, "allow": list,
}  # fmt: skip


class Layer(NamedTuple):
    """A layer of datasets: which datasets are in it, and how they are named."""

    name: str
    match: tuple[str, ...]
    naming: tuple[str, ...]


class Allowed(NamedTuple):
    """An exception to a rule: the rule, the subjects, the reason, and the last day."""

    rule: str
    subject: str
    reason: str
    until: date

    def covers(self, rule: str, subject: str) -> bool:
        """Return whether this exception covers a violation."""
        return self.rule == rule and fnmatchcase(subject, self.subject)


class Settings(NamedTuple):
    """The rules' settings."""

    max_fanin: int = 50
    max_fanout: int = 50
    max_view_chain: int = 4
    views: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    hard_coded: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    allow: tuple[Allowed, ...] = ()

    @classmethod
    def of(cls, config: ConfigTables, rules: tuple[str, ...], severities: tuple[str, ...]) -> Settings:
        """Return the settings in a configuration. Raises InvalidRequestError for invalid settings."""
        table, where = config.table("rules"), f"{config.name}: [rules]"
        refuse_unknown(table, _KEYS, where)
        for name in ("max_fanin", "max_fanout", "max_view_chain"):
            if table.get(name, 1) < 1:
                raise InvalidRequestError(f"{where}: {name} is {table[name]}", hint="give 1 or more")
        severity = table.get("severity", {})
        named = [*texts_of(table, "off", where), *severity]
        _check_rules(named, rules, where)
        for name, word in severity.items():
            if word not in severities:
                raise InvalidRequestError(f"{where}: {name} is {word!r}", hint=f"give {', '.join(severities)}")
        default = cls()
        return cls(
            table.get("max_fanin", default.max_fanin), table.get("max_fanout", default.max_fanout),
            table.get("max_view_chain", default.max_view_chain), texts_of(table, "views", where),
            texts_of(table, "ends", where), texts_of(table, "hard_coded", where), texts_of(table, "off", where),
            tuple(_layer(each, where) for each in table.get("layer", [])), tuple(severity.items()),
            tuple(_allowed(each, rules, where) for each in table.get("allow", [])),
        )  # fmt: skip

    def layer_of(self, dataset: str) -> int:
        """Return the place of a dataset's layer, -1 if it is in none."""
        for place, layer in enumerate(self.layers):
            if matches(dataset, layer.match):
                return place
        return -1


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a name matches any of some patterns."""
    return bool(patterns) and any(fnmatchcase(name, pattern) for pattern in patterns)


def _layer(entry: Any, where: str) -> Layer:
    where = f"{where[:-1]}.layer]"
    if not isinstance(entry, dict):
        raise InvalidRequestError(f"{where} is not a table", hint="write [[rules.layer]]")
    refuse_unknown(entry, {"name": str, "match": list, "naming": list}, where)
    if not entry.get("name") or not entry.get("match"):
        raise InvalidRequestError(f"{where}: a layer has a name and patterns", hint="give name and match")
    return Layer(entry["name"], texts_of(entry, "match", where), texts_of(entry, "naming", where))


def _allowed(entry: Any, rules: tuple[str, ...], where: str) -> Allowed:
    where = f"{where[:-1]}.allow]"
    if not isinstance(entry, dict):
        raise InvalidRequestError(f"{where} is not a table", hint="write [[rules.allow]]")
    refuse_unknown(entry, {"rule": str, "subject": str, "reason": str, "until": date}, where)
    missing = [name for name in ("rule", "subject", "reason", "until") if not entry.get(name)]
    if missing:
        raise InvalidRequestError(f"{where}: {missing[0]} is missing", hint="an allowance has a reason and a last day")
    _check_rules([entry["rule"]], rules, where)
    until = entry["until"]
    return Allowed(
        entry["rule"], entry["subject"], entry["reason"], until.date() if isinstance(until, datetime) else until
    )


def _check_rules(named: list[str], rules: tuple[str, ...], where: str) -> None:
    for name in named:
        if name not in rules:
            raise InvalidRequestError(f"{where}: no rule is called {name!r}", hint=f"use {', '.join(rules)}")
