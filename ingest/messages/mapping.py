"""Field mapping: a TOML file that says how a platform's own messages become task changes.

    ignore = { type = ["heartbeat"] }          # messages that say nothing here, by field and values

    [fields]
    event_id = "event_id"                      # a field of the message; dots go into objects
    effective_at = { field = "at", unit = "ms" }                       # numbers: "s", "ms" or "us" since 1970
    op = { field = "action", map = { create = "online", drop = "offline" } }
    dialect = { value = "hive" }
    target = { template = "hive:{db}.{table}" }
    default_database = { field = "task_id", pattern = '([^.]+)\\..*', template = "{1}" }   # groups of the pattern

    [edges]                                    # for messages that carry edges; "0", "1" are places in a list
    field = "edges"
    source = { field = "0", pattern = '(.*)\\.(.*)', template = "hive:{1}#{2}" }
    target = { field = "1", pattern = '(.*)\\.(.*)', template = "hive:{1}#{2}" }

    [dataset]                                  # messages that say which columns a dataset has
    when = { kind = ["dataset"] }              # by field and values
    [dataset.fields]
    dataset = { template = "hive:{db}.{table}" }
    columns = "columns"

Fields of the message that nothing names are kept as attributes, unless ``keep`` lists those to keep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from ingest.messages.field_rules import FieldRule, Getter, getter, path_getter, paths_of
from ingest.messages.fields import EDGE_FIELDS
from ingest.messages.native import TaskChangeMessage, as_change, model_of
from ingest.messages.nodes import DatasetMessage, FactMessage
from ingest.messages.refusals import refusal
from ingest.messages.wording import misspelled, misspelled_inside, nearest, problem_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message
from lineage_tt.model.names import clipped, meaning
from lineage_tt.storage.toml_files import read_toml

#: The table of a mapping file that is about OpenLineage events (``ingest.events.policy``).
EVENTS: Final = "openlineage"


def _with_values(conditions: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return conditions by field. ValueError for a field without values, which no message fits."""
    for name, values in conditions.items():
        if not values:
            raise ValueError(f"{name} has no values, so that no message fits: give some, or leave it out")
    return conditions


#: The values by which messages are recognised, by field.
Conditions = Annotated[dict[str, list[Any]], AfterValidator(_with_values)]


class EdgesRule(BaseModel):
    """Where the explicit edges are, and how each becomes one of ours."""

    model_config = ConfigDict(extra="forbid")

    field: str
    source: FieldRule
    target: FieldRule
    type: FieldRule | None = None
    subtype: FieldRule | None = None
    expression: FieldRule | None = None


class KindRule(BaseModel):
    """How messages of another kind are recognised, and where their fields come from."""

    model_config = ConfigDict(extra="forbid")

    when: Conditions
    fields: dict[str, FieldRule]

    @model_validator(mode="after")
    def _fits_some(self) -> KindRule:
        if not self.when:
            raise ValueError('when is empty, so that no message fits: write when = { kind = ["dataset"] }')
        return self


class MappingFile(BaseModel):
    """The TOML file's content."""

    model_config = ConfigDict(extra="forbid")

    fields: dict[str, FieldRule]
    dataset: KindRule | None = None
    fact: KindRule | None = None
    edges: EdgesRule | None = None
    ignore: Conditions = Field(default_factory=dict)
    keep: list[str] | None = None

    @model_validator(mode="after")
    def _known(self) -> MappingFile:
        for what, rules, model in (
            ("task change", self.fields, TaskChangeMessage),
            ("dataset change", self.dataset.fields if self.dataset else {}, DatasetMessage),
            ("fact change", self.fact.fields if self.fact else {}, FactMessage),
        ):
            unknown = sorted(set(rules) - set(model.model_fields))
            if unknown:
                near = nearest(unknown[0], model.model_fields)
                raise ValueError(f"{', '.join(unknown)}: no such field of a {what}{near}")
        return self


class FieldMapping:
    """A compiled mapping: turns a platform's message into the store's."""

    def __init__(self, rules: MappingFile) -> None:
        self._ignore = [(path_getter(field), values) for field, values in rules.ignore.items()]
        self._keep = None if rules.keep is None else set(rules.keep)
        self._task = _Fields(rules.fields, [*rules.ignore, *([rules.edges.field] if rules.edges else ())])
        self._others = [
            (
                name,
                [(path_getter(field), values) for field, values in rule.when.items()],
                _Fields(rule.fields, rule.when),
            )
            for name, rule in (("dataset", rules.dataset), ("fact", rules.fact))
            if rule is not None
        ]
        self._edges: tuple[Getter, dict[str, Getter]] | None = None
        self._edges_field, self._named_in_edges, self._unruled = "", frozenset[str](), frozenset[str]()
        if rules.edges:
            names = ("source", "target", "type", "subtype", "expression")
            parts = {name: rule for name in names if (rule := getattr(rules.edges, name)) is not None}
            self._edges = path_getter(rules.edges.field), {name: getter(rule) for name, rule in parts.items()}
            self._edges_field, self._unruled = rules.edges.field, EDGE_FIELDS - parts.keys()
            self._named_in_edges = frozenset(path.split(".")[0] for rule in parts.values() for path in paths_of(rule))

    def apply(self, document: Mapping[str, Any], raw: bytes, position: int | None) -> Message | None:
        """Return the message that a document states, None where the mapping says to ignore it."""
        mapped: dict[str, Any] = {}
        rules = self._task
        try:
            if any(path(document) in values for path, values in self._ignore):
                return None
            kind = "task"
            for name, conditions, others in self._others:
                if any(path(document) in values for path, values in conditions):
                    kind, rules = name, others
            mapped, attributes = rules.map(document, self._keep)
            mapped["kind"] = kind
            edges = self._map_edges(document) if kind == "task" else None
            if edges is not None:
                mapped["edges"] = edges
            message = as_change(model_of(mapped), raw, position, mapped, mapped=True)
            if self._keep and (unkept := [*rules.unkept(document, self._keep)]):
                message.without_effect = [*message.without_effect, *unkept]
            if edges and (unnamed := [*self._unnamed_in_edges(document)]):
                message.without_effect = [*message.without_effect, *unnamed]
            message.attributes = json.dumps(attributes, allow_nan=False, sort_keys=True) if attributes else None
            return message
        except (ValueError, TypeError, KeyError, IndexError, ArithmeticError) as error:
            refused = refusal(raw, error, position, (mapped.get("event_id"), mapped.get("task_id")))
            refused.sql = sql if isinstance(sql := mapped.get("sql"), str) else None
            if isinstance(error, ValidationError):
                place = error.errors(include_url=False)[0]["loc"]
                refused.detail += rules.advice(str(place[0]) if place else "", document)
            return refused

    def _map_edges(self, document: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        if self._edges is None:
            return None
        path, parts = self._edges
        edges = path(document)
        if edges is None:
            return None
        return [{n: value for n, get in parts.items() if (value := get(edge)) is not None} for edge in edges]

    def _unnamed_in_edges(self, document: Mapping[str, Any]) -> Iterator[str]:
        """Yield words for fields of edges that no rule takes, and that seem to be what an edge of ours has."""
        edges = self._edges[0](document) if self._edges is not None else None
        if not isinstance(edges, list) or not all(isinstance(edge, Mapping) for edge in edges):
            return
        for place, near in misspelled_inside(self._edges_field, edges, self._named_in_edges, self._unruled):
            yield f"{place} is not kept and has no effect: [edges] of the mapping has no rule for {near}"


class _Fields:
    """The rules of one kind of message, compiled."""

    def __init__(self, rules: Mapping[str, FieldRule], also_named: Iterable[str]) -> None:
        self._getters = {name: getter(rule) for name, rule in rules.items()}
        self._rules = dict(rules)
        self._named = {path.split(".")[0] for rule in rules.values() for path in paths_of(rule)} | set(also_named)

    def advice(self, field: str, document: Mapping[str, Any]) -> str:
        """Return from which fields the mapping takes a field and which of these the message lacks; '' for none."""
        rule = self._rules.get(field)
        paths = paths_of(rule) if rule is not None else []
        lacking = next((path for path in paths if path_getter(path)(document) is None), None)
        if lacking is None:
            return ""
        return f" (the mapping takes it from {lacking!r}, which the message lacks{nearest(lacking, document)})"

    def unkept(self, document: Mapping[str, Any], keep: set[str]) -> Iterator[str]:
        """Yield words for names of ``keep`` that a message lacks, and that resemble a field that nothing names."""
        lacking = keep - document.keys()
        if not lacking:
            return
        left = [name for name in document if name not in keep and name not in self._named and name not in self._getters]
        for name, near in misspelled(lacking, left, ()):
            if _DIGITS.sub("", name) != _DIGITS.sub("", near):  # numbered fields are not misspelt ones
                yield f"keep names {clipped(name)}, which the message lacks{meaning(near)}"

    def map(self, document: Mapping[str, Any], keep: set[str] | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the fields of the store's message, and those of the platform's that are kept as attributes.

        A field that no rule names is the store's field of the same name, if there is one.
        """
        mapped = {name: value for name, get in self._getters.items() if (value := get(document)) is not None}
        attributes = {}
        for name, value in document.items():
            if name in mapped or not (name in keep if keep is not None else name not in self._named):
                continue
            if name in _TAKEN:
                mapped[name] = value
            else:
                attributes[name] = value
        return mapped, attributes


_DIGITS: Final = re.compile(r"\d+")
#: Fields of these names mean the same in any message as in the store's.
_TAKEN: Final = set(TaskChangeMessage.model_fields) - {"owners", "labels", "description", "priority", "kind"}


#: What a mapping file may hold, for suggestions.
_KEYS: Final = [name for model in (MappingFile, KindRule, EdgesRule, FieldRule) for name in model.model_fields]


def maps_fields(path: str | Path) -> bool:
    """Return whether a mapping file says anything about messages, not only about events."""
    table = read_toml(_chosen(path), "the mapping")
    return EVENTS not in table or len(table) > 1


def load_mapping(path: str | Path) -> FieldMapping:
    """Read a mapping file, or one that is shipped, by its bare name; InvalidRequestError says what is wrong in it."""
    try:
        table = read_toml(_chosen(path), "the mapping")
        return FieldMapping(MappingFile.model_validate({n: rules for n, rules in table.items() if n != EVENTS}))
    except ValidationError as error:
        words = "; ".join(problem_of(each, _KEYS) for each in error.errors(include_url=False))
        raise InvalidRequestError(
            f"the mapping {path} is wrong: {words}", hint="see docs/how-to/ingest-with-a-field-mapping.md"
        ) from None


def _chosen(path: str | Path) -> Path:
    shipped = Path(__file__).parent / "mappings" / f"{path}.toml"
    return shipped if re.fullmatch(r"\w+", str(path)) and shipped.exists() else Path(path)
