"""How runs become valid time, by source: the policy of each job, from the table ``[openlineage]`` of a mapping file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError

from ingest.events.openlineage.merging import JobName, Picture
from ingest.events.policy_file import PLACE, PolicyFile, Rules, SourceRules, Trim, Unseen
from ingest.events.trino import naming
from ingest.messages.mapping import EVENTS
from ingest.messages.wording import problem_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.toml_files import read_toml

_TRIMMED: Final = frozenset(["job.name", "parent.name", "root.name"])
_BEFORE, _AFTER = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
_DATE: Final = (
    r"(?:19|20)\d\d(?P<s>[-_./]?)(?:0[1-9]|1[0-2])(?P=s)(?:0[1-9]|[12]\d|3[01])"
    r"(?:[T_ .-]?(?:[01]\d|2[0-3])[-_:.]?[0-5]\d(?:[-_:.]?[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_PATTERNS: Final[dict[Trim, str]] = {
    "date": _DATE,
    "uuid": r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-f]{32}",
    "attempt": r"(?:attempt|try|retry)[-_ .=#]?\d{1,6}",
}
#: How long a run that has not ended is waited for, in microseconds: 30 days.
UNFINISHED: Final = 30 * 86_400_000_000


class Policy:
    """The rules of one source, each with its default."""

    def __init__(self, *rules: Rules) -> None:
        def first(name: str, default: Any) -> Any:
            return next((value for each in rules if (value := getattr(each, name)) is not None), default)

        self.template: str = first("task", "{job.namespace}/{job.name}")
        self._is_plain = first("task", None) is None
        self.trim: tuple[Trim, ...] = tuple(first("trim", ["date", "uuid", "attempt"]))
        self.edges: Literal["replace", "union", "declared"] = first("edges", "replace")
        self.unseen: Unseen = first("unseen", Unseen(runs=None, time=None))
        self.effective_at: Literal["start", "nominal", "completion"] = first("effective_at", "start")
        self.dialect: str | None = first("dialect", None)
        self.debounce: int = first("debounce", 60_000_000)
        content = repr((self.template, self.trim, self.dialect, self.edges, self.unseen))
        #: The digest of what a statement depends on beside its events.
        self.digest: bytes = hashlib.blake2b(content.encode(), digest_size=8).digest()

    def task_of(self, picture: Picture) -> str:
        """Return the id of a picture's task."""
        values = places(picture)
        template = naming.TEMPLATE if self._is_plain and naming.is_unnamed(picture) else self.template
        return self._filled(template, values) or f"{picture.job.namespace}/{picture.job.name}"

    def _filled(self, template: str, values: Mapping[str, str]) -> str:

        def value(place: re.Match[str]) -> str:
            for name in place[1].split("|"):
                if filled := values.get(name):
                    return trimmed(filled, self.trim) if name in _TRIMMED else filled
            return ""

        return PLACE.sub(value, template).strip()


class Policies:
    """The policies of a mapping file; without one, the defaults."""

    def __init__(self, rules: PolicyFile | None = None) -> None:
        rules = rules or PolicyFile()
        #: The policy of jobs that fit no source.
        self.default = Policy(rules)
        #: Namespaces of datasets: by engine where its events do not say them, else by the one that events say.
        self.namespaces: Mapping[str, str] = dict(rules.namespaces)
        #: ``CATALOG.SCHEMA`` of queries whose events do not say it: by engine, or by the namespace that events say.
        self.sessions: Mapping[str, str] = dict(rules.sessions)
        #: How long after its last event a run that has not ended is forgotten, in microseconds.
        self.unfinished: int = rules.unfinished if rules.unfinished is not None else UNFINISHED
        self._sources = [(each.when, Policy(each, rules)) for each in rules.source]

    @property
    def varied(self) -> bool:
        """Whether there is more than one policy."""
        return bool(self._sources)

    def of(self, picture: Picture) -> Policy:
        """Return the policy of the first source that a picture fits."""
        if self._sources:
            values = places(picture)
            for when, policy in self._sources:
                if all(fnmatchcase(values.get(name, ""), pattern) for name, pattern in when.items()):
                    return policy
        return self.default

    def task_of(self, job: JobName) -> str:
        """Return the task of a job of which only the name is known."""
        picture = Picture(job)
        return self.of(picture).task_of(picture)

    @property
    def digest(self) -> bytes:
        """The digest of all that statements depend on beside their events."""
        content = b"".join(repr(when).encode() + each.digest for when, each in self._sources) + self.default.digest
        return hashlib.blake2b(content, digest_size=8).digest()


def places(picture: Picture) -> Mapping[str, str]:
    """Return the values of the places in templates."""
    parent, root = picture.parent, picture.root
    return {
        "job.namespace": picture.job.namespace,
        "job.name": picture.job.name,
        "parent.namespace": parent.namespace if parent else "",
        "parent.name": parent.name if parent else "",
        "root.namespace": root.namespace if root else "",
        "root.name": root.name if root else "",
        "integration": picture.job_type.integration or "",
        "producer": picture.producer,
        "outputs": ",".join(sorted(picture.outputs)),
        **{f"tag.{key}": value for key, value in picture.tags.items()},
        **naming.places(picture),
    }


@lru_cache(maxsize=65_536)
def trimmed(name: str, what: tuple[Trim, ...]) -> str:
    """Return a name without its dates, UUIDs and attempts, and without the separators around them."""
    if not what:
        return name
    left = _pattern(what).sub("", name)
    return left.strip("-_./ :@#=") if left != name and left.strip("-_./ :@#=") else name


@lru_cache(maxsize=16)
def _pattern(what: tuple[Trim, ...]) -> re.Pattern[str]:
    inner = "|".join(f"(?:{_PATTERNS[each]})" for each in what)
    return re.compile(rf"[-_./ :@#=]{{0,4}}{_BEFORE}(?:{inner}){_AFTER}", re.IGNORECASE)


def load_policies(path: str | Path | None, *, required: bool = True) -> Policies:
    """Return the policies of a mapping file; InvalidRequestError says what is wrong in it.

    Where they are not ``required``, a file that says nothing about events gives the defaults.
    """
    if path is None or (not required and not Path(path).exists()):
        return Policies()
    table = read_toml(Path(path), "the mapping").get(EVENTS)
    if table is None and not required:
        return Policies()
    if table is None:
        raise InvalidRequestError(
            f"the mapping {path} says nothing about OpenLineage events",
            hint="give it a table [openlineage]; see docs/how-to/openlineage.md",
        )
    try:
        return Policies(PolicyFile.model_validate(table))
    except ValidationError as error:
        names = [*PolicyFile.model_fields, *SourceRules.model_fields, *Unseen.model_fields]
        words = "; ".join(problem_of(each, names) for each in error.errors(include_url=False))
        raise InvalidRequestError(
            f"the mapping {path} is wrong in [openlineage]: {words}", hint="see docs/how-to/openlineage.md"
        ) from None
