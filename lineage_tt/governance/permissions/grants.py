"""Grants: facts under ``grant:PRINCIPAL`` on a dataset or column, whose values are ``read``, ``write`` and ``own``.

A grant on a dataset applies to its columns. An owner may read and write; the right to write does not include the right
to read. The principal ``*`` is everybody. A grant with another value gives no right, but its node counts as one with
grants. A node without any grant is open to nobody, unless the rules say otherwise:

    [permissions]
    default = "deny"          # or "allow": what has no grant at all may be read and written by everybody
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, Final, Literal, NamedTuple, cast

from lineage_tt.governance.rules.config_tables import ConfigTables, refuse_unknown
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError

GRANT: Final = "grant:"
EVERYBODY: Final = "*"
Right = Literal["read", "write", "own"]
RIGHTS: Final = ("read", "write", "own")


class Grant(NamedTuple):
    """A right of a principal on a node, and the message that states it."""

    node: str
    principal: str
    right: str
    version: int
    valid_from: int
    valid_to: int | None


class Denied(NamedTuple):
    """A node that a principal may not use, and its owners, whom to ask."""

    node: str
    owners: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {"node": self.node, "owners": list(self.owners)}


def grant_key(principal: str) -> str:
    """Return the key of the facts that state a principal's rights. Raises InvalidRequestError for an invalid name."""
    if not principal.strip():
        raise InvalidRequestError("a grant needs a principal", hint="name a person, a role, or * for everybody")
    return GRANT + principal


def checked_rights(rights: Collection[str]) -> list[str]:
    """Return the rights, each once. Raises InvalidRequestError for an invalid right."""
    for right in rights:
        if right not in RIGHTS:
            raise InvalidRequestError(f"{right!r} is not a right", hint=f"give {', '.join(RIGHTS)}")
    return sorted(set(rights))


class Grants:
    """The grants in force at a point."""

    def __init__(self, facts: Iterable[FactAsOf], config: ConfigTables | None = None) -> None:
        stated = [fact for fact in facts if fact.key.startswith(GRANT)]
        self.all = [
            Grant(f.node, f.key[len(GRANT) :], f.value, f.version, f.valid_from, f.valid_to)
            for f in stated
            if f.value in RIGHTS
        ]
        #: grants whose value is not a right, or that name no principal: they give nobody a right
        self.unread = [fact for fact in stated if fact.value not in RIGHTS or not fact.key[len(GRANT) :].strip()]
        config = config or ConfigTables()
        table = config.table("permissions")
        refuse_unknown(table, {"default": str}, f"{config.name}: [permissions]")
        self.default: str = table.get("default", "deny")
        if self.default not in ("deny", "allow"):
            raise InvalidRequestError(f"{config.name}: default is {self.default!r}", hint="give deny or allow")
        self._rights: dict[str, dict[str, set[Right]]] = defaultdict(lambda: defaultdict(set))
        for grant in self.all:
            self._rights[grant.node][grant.principal].add(cast("Right", grant.right))
        for fact in self.unread:  # somebody meant to restrict the node: by default it must not stay open to everybody
            self._rights.setdefault(fact.node, defaultdict(set))

    def may(self, principal: str, right: Right, node: str) -> bool:
        """Return whether a principal has a right on a node."""
        nodes = [each for each in dict.fromkeys((node, dataset_of(node))) if each in self._rights]
        if not nodes:
            return self.default == "allow"
        sufficient = {right, "own"}
        return any(
            not sufficient.isdisjoint(self._rights[each].get(who, ()))
            for each in nodes
            for who in (principal, EVERYBODY)
        )

    def owners(self, node: str) -> tuple[str, ...]:
        """Return who owns a node or its dataset through a grant."""
        result = {
            who for each in (node, dataset_of(node)) for who, rights in self._rights.get(each, {}).items()
            if "own" in rights
        }  # fmt: skip
        return tuple(sorted(result))

    def denied(self, principal: str, right: Right, nodes: Iterable[str]) -> list[Denied]:
        """Return, in order, those of some nodes on which a principal does not have a right."""
        return [Denied(node, self.owners(node)) for node in sorted(set(nodes)) if not self.may(principal, right, node)]
