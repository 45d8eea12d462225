"""``impact.toml``: which file is which task, and what the team asks of a release.

dialect = "spark"                      # for all texts; the options of the command line win
namespace = "hive"
default_database = "dw"

[[paths]]                              # the first that matches counts
match = "jobs/**/*.sql"
task_id = "jobs.{stem}"                # {stem} {name} {parent} {path}: of the file, from this file's folder
target = "hive:dw.{stem}"              # what a bare SELECT writes

[dbt]
manifest = "target/manifest.json"
dialect = "spark"

[policy]
fail_on = ["breaking"]
protected = ["hive:dws.*"]
layers = ["hive:ods.*", "hive:dw.*", "hive:ads.*"]      # from the lowest up

[[policy.approve]]
owner = "team-finance"
datasets = ["hive:ads.finance_*"]

[[policy.allow]]
reason = "the board is switched off in May"
until = 2026-05-31
subject = "hive:dw.orders#*"           # and task, kind: patterns

[owners]
"bi:board/42" = ["ana"]

[labels]
"hive:ods.users#email" = ["pii"]
"""

from __future__ import annotations

import datetime
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lineage_tt.errors import InvalidRequestError
from lineage_tt.impact.policy import FAIL_ON, Allowed, Approval, Policy

CONFIG_NAME = "impact.toml"
Listed = Annotated[list[str], Field(default_factory=list)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PathRule(_Strict):
    """Which task the files of a pattern are."""

    match: str
    task_id: str = "{stem}"
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None


class DbtRule(_Strict):
    """Where dbt's manifest is, and how its models are read."""

    manifest: str = "target/manifest.json"
    dialect: str | None = None
    namespace: str | None = None


class ApprovalRule(_Strict):
    """Whose word is needed for which datasets."""

    owner: str
    datasets: list[str]


class AllowRule(_Strict):
    """What is let pass, why, and until when (the last day on which it counts)."""

    reason: Annotated[str, Field(min_length=1)]
    until: datetime.date
    task: str = "*"
    subject: str = "*"
    kind: str = "*"


class PolicyRules(_Strict):
    """What the team asks of a release."""

    fail_on: list[str] | None = None
    protected: Listed
    layers: Listed
    approve: Annotated[list[ApprovalRule], Field(default_factory=list)]
    allow: Annotated[list[AllowRule], Field(default_factory=list)]


class ConfigFile(_Strict):
    """The content of ``impact.toml``."""

    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    paths: Annotated[list[PathRule], Field(default_factory=list)]
    dbt: DbtRule | None = None
    policy: PolicyRules = Field(default_factory=lambda: PolicyRules.model_validate({}))
    owners: Annotated[dict[str, list[str]], Field(default_factory=dict)]
    labels: Annotated[dict[str, list[str]], Field(default_factory=dict)]


class Config:
    """A configuration and the folder that its paths start from."""

    def __init__(self, content: ConfigFile, root: Path) -> None:
        self.content = content
        self.root = root

    def defaults(self, dialect: str | None, namespace: str | None, default_database: str | None) -> dict[str, Any]:
        """Return the context of texts that nothing else is said of; what was given on the command line wins."""
        known = self.content
        found = {
            "dialect": dialect or known.dialect,
            "namespace": namespace or (known.namespace if dialect is None else None),
            "default_database": default_database or known.default_database,
        }
        return {name: value for name, value in found.items() if value is not None}

    def policy(self, fail_on: list[str] | None, approved_by: list[str] | None, today: str) -> Policy:
        """Return the team's policy with the gates of the command line."""
        rules = self.content.policy
        return Policy(
            fail_on=checked_gates(fail_on or rules.fail_on or ["none"]),
            protected=tuple(rules.protected),
            approvals=tuple(Approval(rule.owner, tuple(rule.datasets)) for rule in rules.approve),
            approved_by=tuple(approved_by or ()),
            allow=tuple(
                Allowed(rule.reason, rule.until.isoformat(), rule.task, rule.subject, rule.kind) for rule in rules.allow
            ),
            layers=tuple(rules.layers),
            owners={node: tuple(owners) for node, owners in self.content.owners.items()},
            labels={node: tuple(labels) for node, labels in self.content.labels.items()},
            today=today,
        )


def checked_gates(gates: list[str]) -> tuple[str, ...]:
    """Return the gates; InvalidRequestError for a word that is none."""
    for gate in gates:
        if gate not in FAIL_ON:
            raise InvalidRequestError(f"there is no gate {gate!r}", hint=f"give --fail-on {', '.join(FAIL_ON)}")
    return tuple(dict.fromkeys(gates))


def read_config(path: str | None, folder: Path) -> Config:
    """Return the configuration in a file, or of ``impact.toml`` in a folder if there is one; else an empty one."""
    file = Path(path) if path else folder / CONFIG_NAME
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
        return Config(ConfigFile.model_validate(given), file.resolve().parent)
    except FileNotFoundError:
        if path is None:
            return Config(ConfigFile.model_validate({}), folder.resolve())
        raise InvalidRequestError(f"there is no file {path}", hint="give --config the path of an impact.toml") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidRequestError(f"{file.name} cannot be read: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidRequestError(
            f"{file.name}: {where}: {first['msg']}", hint="see docs/reference/impact.md for its fields"
        ) from None
