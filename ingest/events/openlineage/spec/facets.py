"""The facets that say something about lineage, each as its specification defines it, read tolerantly.

``read`` returns a facet or None; a facet of a wrong shape counts as missing, and its raw form is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, ValidationError

from ingest.events.openlineage.spec.models import Part
from ingest.messages.fields import Name

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def sequence(value: Any) -> Any:
    """Return a list that a producer gives as null as an empty one."""
    return [] if value is None else value


def _text(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else str(value).lower()


Text = Annotated[str | None, BeforeValidator(_text)]


class Transformation(Part):
    """How a source becomes a target (columnLineage 1-1 and later, lineage)."""

    type: str
    subtype: str | None = None
    description: str | None = None
    masking: bool | None = None


Transformations = Annotated[list[Transformation], BeforeValidator(sequence)]


class InputField(Part):
    """A column that an output column, or a whole output, depends on."""

    namespace: Name
    name: Name
    field: Name
    transformations: Transformations = Field(default_factory=list)


class OutputField(Part):
    """The columns that one output column is made of."""

    inputFields: Annotated[list[InputField], BeforeValidator(sequence)] = Field(default_factory=list)  # noqa: N815
    transformationDescription: str | None = None  # noqa: N815 (1-0: one for all inputs)
    transformationType: str | None = None  # noqa: N815


class ColumnLineage(Part):
    """columnLineage, 1-0 to 1-2: ``dataset`` are columns on which the whole output depends."""

    fields: dict[Name, OutputField] = Field(default_factory=dict)
    dataset: Annotated[list[InputField], BeforeValidator(sequence)] = Field(default_factory=list)


class LineageInput(Part):
    """A dataset, a column of one, or a job (the event's own, where it is not named) that feeds a target."""

    type: str = "DATASET"
    namespace: Name | None = None
    name: Name | None = None
    field: Name | None = None
    transformations: Transformations = Field(default_factory=list)


class LineageField(Part):
    """What feeds one column."""

    inputs: list[LineageInput] = Field(default_factory=list)


class LineageEntry(Part):
    """What feeds one target. ``inputs`` that are an empty list say that nothing does, None says nothing."""

    type: str = "DATASET"
    namespace: Name | None = None
    name: Name | None = None
    inputs: list[LineageInput] | None = None
    fields: dict[Name, LineageField] | None = None


class LineageJob(Part):
    """The lineage facet of a job (1-0), or, as in its drafts, of a run; those called the entries ``lineage``."""

    entries: list[LineageEntry] = Field(validation_alias=AliasChoices("entries", "lineage"))


class SchemaField(Part):
    """A column of a dataset, or a field inside one."""

    name: Name
    type: str | None = None
    description: str | None = None
    fields: Annotated[list[SchemaField], BeforeValidator(sequence)] = Field(default_factory=list)


class Schema(Part):
    """The columns of a dataset, in order."""

    fields: Annotated[list[SchemaField], BeforeValidator(sequence)] = Field(default_factory=list)


class Owner(Part):
    """Who owns a dataset or a job."""

    name: Name


class Ownership(Part):
    """The owners of a dataset or a job."""

    owners: Annotated[list[Owner], BeforeValidator(sequence)] = Field(default_factory=list)


class Tag(Part):
    """A tag of a dataset, of a ``field`` of it, of a job or of a run."""

    key: Name
    value: Text = None
    field: str | None = None


class Tags(Part):
    """The tags of a dataset, a job or a run."""

    tags: Annotated[list[Tag], BeforeValidator(sequence)] = Field(default_factory=list)


class Documentation(Part):
    """What a dataset or a job is for."""

    description: str


class Identifier(Part):
    """A name of a dataset."""

    namespace: Name
    name: Name


class Identified(Part):
    """Something with a name."""

    name: Name


class Symlinks(Part):
    """Other names of a dataset."""

    identifiers: Annotated[list[Identifier], BeforeValidator(sequence)] = Field(default_factory=list)


class Assertion(Part):
    """The result of a check of a dataset, or of a column of it (dataQualityAssertions, 1-0 to 1-1)."""

    assertion: str
    success: Any = None  # read in ``checks``: what is neither true nor false is an error of the check
    column: str | None = None
    name: str | None = None
    severity: str | None = None


class Test(Part):
    """The result of a check that a run made, whatever it looked at (test, 1-0)."""

    name: str
    status: str
    type: str | None = None
    severity: str | None = None


class DatasetType(Part):
    """What kind of thing a dataset is: TABLE, VIEW, TOPIC, …"""

    datasetType: str  # noqa: N815
    subType: str | None = None  # noqa: N815


class Lifecycle(Part):
    """What happened to a dataset as a whole: ALTER, CREATE, DROP, OVERWRITE, RENAME or TRUNCATE."""

    lifecycleStateChange: str  # noqa: N815
    previousIdentifier: Identifier | None = None  # noqa: N815


class Sql(Part):
    """The statement that a job runs."""

    query: str
    dialect: str | None = None


class Emission(Part):
    """How the events of one run relate to each other (jobType 2-0-4)."""

    eventContentMode: str | None = None  # noqa: N815


class JobType(Part):
    """What kind of job it is."""

    model_config = ConfigDict(extra="allow")

    processingType: str | None = None  # noqa: N815
    integration: str | None = None
    jobType: str | None = None  # noqa: N815
    emissionPattern: Emission | None = None  # noqa: N815


class Parent(Part):
    """The job that started a run, and the one at the root of it."""

    job: Identifier
    root: ParentRoot | None = None


class ParentRoot(Part):
    """The root of a run."""

    job: Identifier


Facet = TypeVar("Facet", bound=Part)


def read(facets: Mapping[str, Any], name: str, model: type[Facet]) -> Facet | None:
    """Return the facet of that name; None where it is missing, deleted or of a wrong shape.

    Of its lists, only the readable items count.
    """
    facet = facets.get(name)
    if not isinstance(facet, Mapping) or facet.get("_deleted") is True:
        return None
    return readable(facet, model)[0]


def readable(facet: Any, model: type[Facet]) -> tuple[Facet | None, list[ErrorDetails]]:
    """Return the readable part of a facet, None for nothing, and what is wrong with the items that were left out.

    An item is one of a list, or one column of ``fields``: where a producer gets one wrong, the others still count.
    """
    try:
        return model.model_validate(facet), []
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
    items = {_item(each["loc"], facet) for each in wrong}
    if () in items:
        return None, wrong
    try:
        return model.model_validate(_without(facet, (), items)), wrong
    except ValidationError:
        return None, wrong


def _item(place: tuple[int | str, ...], facet: Any) -> tuple[int | str, ...]:
    """Return the path to the innermost item that holds a place; the empty path where none does."""
    result: tuple[int | str, ...] = ()
    value, above = facet, ""
    for depth, step in enumerate(place, 1):
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            result = place[:depth]
            value = value[step]
        elif isinstance(value, Mapping) and step in value:
            if above == "fields":
                result = place[:depth]
            value = value[step]
        else:
            break
        above = str(step)
    return result


def _without(value: Any, way: tuple[int | str, ...], items: set[tuple[int | str, ...]]) -> Any:
    """Return a copy of a value without some items in it."""
    if isinstance(value, list):
        return [_without(each, (*way, n), items) for n, each in enumerate(value) if (*way, n) not in items]
    if isinstance(value, Mapping):
        return {name: _without(each, (*way, name), items) for name, each in value.items() if (*way, name) not in items}
    return value
