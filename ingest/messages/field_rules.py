"""Where the value of one field comes from: the rule of a mapping file, and the function that it compiles to."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ingest.messages.patterns import UnsafePatternError, judged

_UNITS = {"s": 1_000_000, "ms": 1_000, "us": 1}
_PLACE = re.compile(r"\{([^{}]+)\}")
#: The parts of a rule that say where a value comes from, and what becomes of it.
_SOURCES = ("field", "value", "template", "pattern", "map", "default", "unit")
Getter = Callable[[Any], Any]


class FieldRule(BaseModel):
    """Where one field's value comes from."""

    model_config = ConfigDict(extra="forbid")

    field: str | None = None
    value: Any = None
    template: str | None = None
    pattern: str | None = None
    map: dict[str, Any] | None = None
    default: Any = None
    unit: str | None = Field(None, pattern="^(s|ms|us)$")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        return {"field": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _sensible(self) -> FieldRule:
        if self.field is None and self.value is None and self.template is None:
            raise ValueError("give field, value or template")
        beside = [name for name in _SOURCES if name != "value" and getattr(self, name) is not None]
        if self.value is not None and beside:
            raise ValueError(f"{beside[0]} has no effect beside value, which is the same for every message: give one")
        if self.field is not None and self.template is not None and self.pattern is None:
            raise ValueError(
                "field has no effect beside template: give one, or a pattern whose groups the template takes"
            )
        if self.pattern is not None and (self.field is None or self.template is None):
            raise ValueError("pattern needs a field to match and a template for its groups")
        if self.pattern is not None:
            try:
                judged(self.pattern)
            except (re.error, UnsafePatternError, RecursionError) as error:
                raise ValueError(f"pattern {self.pattern!r}: {error}") from None
        return self


def getter(rule: FieldRule) -> Getter:
    """Compile one rule to a function of the message."""
    if rule.value is not None:
        return partial(_constant, rule.value)
    if rule.pattern is not None:
        compiled = re.compile(rule.pattern), judged(rule.pattern)
        get: Getter = partial(_matched, path_getter(rule.field or ""), *compiled, rule.template or "")
    elif rule.template is not None:
        get = partial(_filled, [(name, path_getter(name)) for name in _PLACE.findall(rule.template)], rule.template)
    else:
        get = path_getter(rule.field or "")
    if rule.unit:
        get = partial(_scaled, get, _UNITS[rule.unit])
    if rule.map is not None:
        get = partial(_translated, get, rule.map)
    return get if rule.default is None else partial(_or_default, get, rule.default)


def paths_of(rule: FieldRule) -> list[str]:
    """Return the paths that a rule reads."""
    if rule.field is not None:
        return [rule.field]
    return _PLACE.findall(rule.template or "")


def path_getter(text: str) -> Getter:
    """Return the function that reads a field, also inside objects and lists, from a message; it gives None for none."""
    steps = [int(step) if step.isdigit() else step for step in text.split(".")]
    if len(steps) == 1:
        return partial(_step, steps[0])
    return partial(_steps, steps)


def _step(step: str | int, value: Any) -> Any:
    if isinstance(value, Mapping):
        return value.get(str(step))
    return value[step] if isinstance(step, int) and isinstance(value, list) and step < len(value) else None


def _steps(steps: list[str | int], value: Any) -> Any:
    for step in steps:
        value = _step(step, value)
    return value


def _constant(value: Any, _: Any) -> Any:
    return value


def _matched(get: Getter, pattern: re.Pattern[str], most: int, template: str, document: Any) -> str | None:
    value = get(document)
    if value is None:
        return None
    if len(str(value)) > most:
        raise ValueError(f"a value of more than {most} characters is not matched against {pattern.pattern!r}")
    try:
        match = pattern.fullmatch(str(value))
    except SystemError as error:  # a fault of Python's matcher with possessive repeats
        raise ValueError(f"{value!r} cannot be matched against {pattern.pattern!r}: {error}") from None
    if not match:
        raise ValueError(f"{value!r} does not match {pattern.pattern!r}")
    return _PLACE.sub(lambda place: match[int(place[1])] or "", template)


def _filled(places: list[tuple[str, Getter]], template: str, document: Any) -> str | None:
    values = {name: get(document) for name, get in places}
    if any(value is None for value in values.values()):
        return None
    return _PLACE.sub(lambda place: str(values[place[1]]), template)


def _scaled(get: Getter, factor: int, document: Any) -> int | None:
    value = get(document)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number of seconds, milliseconds or microseconds")
    return round(value * factor)


def _translated(get: Getter, table: Mapping[str, Any], document: Any) -> Any:
    value = get(document)
    return table.get(str(value), value)


def _or_default(get: Getter, default: Any, document: Any) -> Any:
    value = get(document)
    return default if value is None else value
