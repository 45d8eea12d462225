"""The lineage of the messages of a batch, the same as if each had come alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol, runtime_checkable

from lineage_tt.model.errors import InvalidRequestError, LineageError
from lineage_tt.model.messages import Lineage, Message, Resolver, TaskChange
from lineage_tt.model.redaction.messages import redacted_lineage
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.write.catalog.ahead import Ahead
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.reresolve import without_text

#: After a message whose parse is stale, this many following messages with SQL are checked too.
LOOK_AHEAD: Final = 48
_NOTHING: Final = Lineage(ordered=True)


class ParsingNeededError(LineageError):
    """SQL has to be parsed while other writers would wait for it: let them go first."""


@runtime_checkable
class Redacting(Protocol):
    """A resolver that returns the masked text with each lineage where the policy requires it."""

    policy: TextPolicy


class Lineages:
    """The lineage of each message of a batch: as given, or made from its SQL with the columns known at its turn.

    SQL is parsed for all messages at once, with the columns known before the batch and those that the batch declares
    before the message. At the message's turn the result is valid if the datasets that were looked up still have the
    same columns. Otherwise its text is parsed again, together with those of the next messages that are stale too: their
    turn comes soon, and the resolver is parallel.
    """

    def __init__(self, resolver: Resolver | None) -> None:
        self._resolver = resolver
        self._lineages: dict[int, Lineage] = {}
        self._queue: list[TaskChange] = []
        self._places: dict[int, int] = {}
        self._replaced: dict[int, int] = {}
        self._together = True
        self._policy = TextPolicy.KEEP
        #: Whether SQL may be parsed now; if not, ParsingNeededError is raised when it would have to be.
        self.may_parse = True

    def keep_texts_as(self, policy: TextPolicy) -> None:
        """Make lineages under this policy for texts; lineages made under another policy are discarded."""
        if policy is not self._policy:
            self._policy = policy
            self._lineages.clear()
        if isinstance(self._resolver, Redacting):
            self._resolver.policy = policy

    def prepare(self, messages: Iterable[Message], catalog: Catalog) -> None:
        """Make the lineage of all messages that carry SQL, in one call of the resolver."""
        messages = list(messages)
        self._queue = [m for m in messages if isinstance(m, TaskChange) and self.needs_parser(m)]
        self._places = {id(message): place for place, message in enumerate(self._queue)}
        if self._together:
            ahead = Ahead(messages, catalog)
            self._make([message for message in self._queue if id(message) not in self._lineages], ahead)

    def one_by_one(self) -> None:
        """Make lineages one at a time, at each message's turn: making them together failed on one message."""
        self._together = False

    def stated(self, message: TaskChange) -> Lineage | None:
        """Return the lineage that the message itself states, None where it has to be made from its SQL."""
        if message.op in ("offline", "retract"):
            return _NOTHING
        return message.lineage

    def needs_parser(self, message: Message) -> bool:
        """Return whether a message's lineage has to be made from its SQL."""
        return isinstance(message, TaskChange) and self.stated(message) is None

    def resolve(self, message: TaskChange, catalog: Catalog, replaced: int | None = None) -> Lineage:
        """Return the message's lineage under the current catalog.

        ``replaced`` is the version that the message replaces at its time: the message does not read what that wrote.
        """
        if replaced is not None:
            self._replaced[id(message)] = replaced
        if self._stale(message, catalog):
            place = self._places.get(id(message), len(self._queue))
            following = self._queue[place + 1 : place + LOOK_AHEAD] if self._together else []
            together = [message, *(later for later in following if self._stale(later, catalog))]
            self._make(together, Ahead((), catalog))
        return self._lineages[id(message)]

    def again(self, statements: Sequence[tuple[TaskChange, int]], catalog: Catalog) -> list[Lineage]:
        """Return the lineage of statements that are re-resolved, each as of its ``effective_at``.

        Each comes with the version that stated it: what that version says about columns of datasets is ignored. A
        statement whose text is not kept gets a lineage that says so (``is_without_text``).
        """
        texts = [(each, version) for each, version in statements if each.sql is not None]
        if not texts:
            return [without_text(each) for each, _ in statements]
        self._check_may_parse()
        if self._resolver is None:
            raise InvalidRequestError(
                f"{statements[0][0].cause!r} changes columns that task {statements[0][0].task_id!r} reads, and "
                "nothing here parses SQL",
                hint="append through ingest.Ingester, or give a resolver",
            )
        waiting = [(each, catalog.at(each.effective_at or 0, version)) for each, version in texts]
        redacted = iter([redacted_lineage(lineage, self._policy) for lineage in self._resolver(waiting)])
        return [without_text(each) if each.sql is None else next(redacted) for each, _ in statements]

    def _stale(self, message: TaskChange, catalog: Catalog) -> bool:
        lineage = self._lineages.get(id(message))
        if lineage is None:
            return True
        at, beside = message.effective_at or 0, self._replaced.get(id(message))
        return any(catalog.columns(dataset, at, beside) != columns for dataset, columns in lineage.lookups)

    def _check_may_parse(self) -> None:
        if not self.may_parse:
            raise ParsingNeededError("SQL is to be parsed and others wait")

    def _make(self, waiting: Sequence[TaskChange], catalog: Ahead) -> None:
        if not waiting:
            return
        self._check_may_parse()
        if self._resolver is None:
            raise InvalidRequestError(
                f"the message {waiting[0].event_id!r} carries SQL and nothing here parses it",
                hint="append through ingest.Ingester, or give a resolver",
            )
        resolved = self._resolver([(each, catalog.at(each, self._replaced.get(id(each)))) for each in waiting])
        redacted = [redacted_lineage(lineage, self._policy) for lineage in resolved]
        self._lineages.update(zip(map(id, waiting), redacted, strict=True))
