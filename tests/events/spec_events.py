"""Random events with every facet of OpenLineage's specification, made from its schemas and valid as they have it."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
from run_events import START

from lineage_tt.model.times import format_instant

SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
#: The facets whose schemas are in a place of their own, by the part of an event that has them.
PARTS = {"dataset": "DatasetFacet", "job": "JobFacet", "run": "RunFacet", "inputFacets": "InputDatasetFacet",
         "outputFacets": "OutputDatasetFacet"}  # fmt: skip
#: By the names of properties: few names, so that parts of an event speak of the same things, some of them odd.
WORDS = {
    "name": ["a", "b.c", "/x/y=1/z", "a#b", 'größe "q"'],
    "field": ["x", "Y", "a.b", "k#l", "ü"],
    "column": ["x", "Y"],
    "type": ["DIRECT", "INDIRECT", "ODD"],
    "subtype": ["IDENTITY", "JOIN", "GROUP_BY", "MASKED", "odd"],
    "key": ["pii", "team"],
    "value": ["true", "", "red"],
    "lifecycleStateChange": ["CREATE", "ALTER", "OVERWRITE", "TRUNCATE"],
    "processingType": ["BATCH"],
    "query": ["select 1 as one", "%% no SQL"],
}
#: What a job says here is said by tests of their own: streams, snapshots, and SQL of whichever language.
PLAIN = ["alpha", "beta gamma", "https://example.com/δ", ""]


class Spec:
    """The schemas of the specification."""

    def __init__(self, shared: Path) -> None:
        folder = shared / "data" / "openlineage" / "spec"
        paths = [folder / "OpenLineage.json", *sorted((folder / "facets").glob("*.json"))]
        self.schemas = {each["$id"]: each for each in map(_loaded, paths)}
        self._whole = jsonschema_rs.validator_for(self.schemas[SPEC], retriever=self.schemas.__getitem__)
        #: The facets of each part: name, and where its schema is.
        self.facets: dict[str, list[tuple[str, str]]] = {part: [] for part in PARTS}
        for uri, schema in self.schemas.items():
            for name, place in schema.get("properties", {}).items():
                for each in self._choices(place, uri):
                    if (part := self._part(each)) is not None:
                        self.facets[part].append((name, each))

    def resolved(self, pointer: str, root: str) -> tuple[Any, str]:
        """Return the schema that a reference means, and the file in which it is."""
        uri, _, path = pointer.partition("#")
        uri = uri or root
        found: Any = self.schemas[uri]
        for step in path.strip("/").split("/"):
            found = found[step]
        return found, uri

    def validate(self, event: Any) -> None:
        """Raise where an event, or a facet of it, is not as the specification has it."""
        self._whole.validate(event)
        for holder in (event.get("job"), event.get("run"), event.get("dataset")):
            self._validate_facets((holder or {}).get("facets"))
        for dataset in (*event.get("inputs", ()), *event.get("outputs", ())):
            for name in ("facets", "inputFacets", "outputFacets"):
                self._validate_facets(dataset.get(name))

    def _validate_facets(self, facets: Mapping[str, Any] | None) -> None:
        for facet in (facets or {}).values():
            pointer = {"$ref": facet["_schemaURL"]}
            jsonschema_rs.validator_for(pointer, retriever=self.schemas.__getitem__).validate(facet)

    def _choices(self, place: Any, uri: str) -> list[str]:
        """Return the references to the facets of a property: there may be several, for several parts."""
        if "$ref" in place:
            schema, root = self.resolved(place["$ref"], uri)
            inner = schema.get("oneOf")
            whole = place["$ref"] if not place["$ref"].startswith("#") else root + place["$ref"]
            return [whole] if inner is None else [found for each in inner for found in self._choices(each, root)]
        return [found for each in place.get("anyOf", ()) for found in self._choices(each, uri)]

    def _part(self, pointer: str) -> str | None:
        schema, _ = self.resolved(pointer, "")
        bases = {each.get("$ref", "").rpartition("/")[2] for each in schema.get("allOf", ())}
        return next((part for part, base in PARTS.items() if base in bases), None)


def _loaded(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


class Maker:
    """Makes values that schemas accept."""

    def __init__(self, spec: Spec, draw: random.Random) -> None:
        self._spec = spec
        self._draw = draw
        self._namespaces: list[str] = []

    def event(self, kind: str, number: int) -> Any:
        """Return an event of a run, a job or a dataset, complete in itself; each has namespaces of its own."""
        self._namespaces = [f"db{number}", f"s3://lake{number}", f"postgres://h:{number}"]
        head = {"eventTime": format_instant(START + number), "producer": "https://example.com/p",
                "schemaURL": f"{SPEC}#/$defs/{kind}"}  # fmt: skip
        if kind == "DatasetEvent":
            return {**head, "dataset": self._dataset()}
        job = {"namespace": "etl", "name": f"job {number}", "facets": self._facets("job")}
        made = {**head, "job": job, **{name: self._datasets(f"{name[:-1]}Facets") for name in ("inputs", "outputs")}}
        if kind == "RunEvent":
            run = {"runId": f"00000000-0000-4000-8000-{number:012d}", "facets": self._facets("run")}
            made |= {"eventType": "COMPLETE", "run": run}
        return made

    def _datasets(self, uses: str) -> list[Any]:
        found = [self._dataset() for _ in range(self._draw.randrange(3))]
        distinct = {(each["namespace"], each["name"]): each for each in found}
        return [{**each, uses: self._facets(uses)} for each in distinct.values()]

    def _dataset(self) -> Any:
        names = {name: self._text(None, name) for name in ("namespace", "name")}
        return {**names, "facets": self._facets("dataset")}

    def _facets(self, part: str) -> dict[str, Any]:
        made = {}
        for name, pointer in self._spec.facets[part]:
            if self._draw.random() < 0.3:
                schema, root = self._spec.resolved(pointer, "")
                facet = self._made(schema, root, name, 0)
                if name == "lineage" and facet.get("_deleted") is None and part == "dataset":
                    facet.setdefault("inputs", [])
                made[name] = {**facet, "_producer": "https://example.com/p", "_schemaURL": pointer}
        return made

    def _made(self, schema: Any, root: str, name: str, depth: int) -> Any:
        if "$ref" in schema:
            found, root = self._spec.resolved(schema["$ref"], root)
            return self._made(found, root, name, depth)
        for word in ("oneOf", "anyOf"):
            if word in schema:
                one = self._draw.choice(schema[word])
                return self._made(one, root, name, depth + 1)
        if "allOf" in schema:
            whole: dict[str, Any] = {}
            for each in schema["allOf"]:
                whole |= self._made(each, root, name, depth)
            return whole
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._draw.choice(WORDS.get(name, schema["enum"]) if name not in ("type",) else schema["enum"])
        return self._of_type(schema, root, name, depth)

    def _of_type(self, schema: Any, root: str, name: str, depth: int) -> Any:
        kind = schema.get("type", "object")
        if isinstance(kind, list):
            kind = self._draw.choice(kind)
        if kind == "object":
            return self._object(schema, root, depth)
        if kind == "array":
            count = self._draw.randrange(3) if depth < 6 else 0
            return [self._made(schema["items"], root, name, depth + 1) for _ in range(count)]
        if kind == "string":
            return self._text(schema.get("format"), name)
        if kind == "boolean":
            return self._draw.random() < 0.5
        return self._draw.choice([1, 3, 10**12]) if kind in ("integer", "number") else None

    def _object(self, schema: Any, root: str, depth: int) -> dict[str, Any]:
        made = {}
        required = set(schema.get("required", ()))
        for name, inner in schema.get("properties", {}).items():
            chance = 0.1 if name == "_deleted" else 0.6 if depth < 6 else 0.0
            if name in required or self._draw.random() < chance:
                made[name] = self._made(inner, root, name, depth + 1)
        for name, others in schema.get("dependentRequired", {}).items():
            for other in others if name in made else ():
                made.setdefault(other, self._text(None, other))
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and depth < 6:
            for name in self._draw.sample(WORDS["field"], self._draw.randrange(3)):
                made[name] = self._made(more, root, name, depth + 1)
        return made

    def _text(self, form: str | None, name: str) -> str:
        if form == "date-time":
            return str(format_instant(START - self._draw.randrange(10**12)))
        if form == "uuid":
            return f"00000000-0000-4000-8000-{self._draw.randrange(10**9):012d}"
        if form == "uri":
            return "https://example.com/u"
        words: list[str] = self._namespaces if name == "namespace" else WORDS.get(name, PLAIN)
        return self._draw.choice(words)
