"""Lineage resolved before its turn, for a long stretch of messages at once, with the columns that will then be known.

What a text says depends on the columns known at its turn, and these come from the texts before it. So a stretch is
parsed in rounds: its messages are walked in order, each declaring the columns that it is known to write by now; a text
that was not parsed yet with the columns of its turn is requested; all requests are parsed together, and the walk starts
over, until no request is left. A statement that is resolved again, at any valid time, because the columns that it
depends on changed, is also such a turn. On the real stream a sixth of the texts is parsed twice, and four rounds
suffice.

The result is a guess. At each message's turn the writer checks, as always, whether the columns that its lineage was
made with are the ones in force; where they are not, the text is parsed once more, here. So the rows are those of an
ingest message by message, and a wrong guess costs only time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Self, cast

from ingest.resolve.resolver import SqlResolver
from ingest.spark.walk import Variants, Walk, key_of
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, Message, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.write.catalog.catalog import Catalog

if TYPE_CHECKING:
    from ingest.spark.pool import SparkPool
    from ingest.workers.pool import ExtractionPool
    from lineage_tt.write.past.history import Past

#: What is not settled then is left to the writer.
MAX_ROUNDS: Final = 12
#: Stretches whose lineage is kept: one is placed, with the end of the one before, while the next is parsed.
MAX_STRETCHES: Final = 4


class PooledResolver(SqlResolver):
    """A resolver whose pool is given."""

    def __init__(self, pool: SparkPool) -> None:
        super().__init__()
        self._pool = cast("ExtractionPool", pool)


class Stretch(NamedTuple):
    """What was made for a stretch: what its texts say with various columns, and what each message will say."""

    variants: Variants
    foreseen: dict[int, tuple[TaskChange, Lineage]]


class Foresight:
    """A resolver for the writer that was given its messages before; ``workers`` processes parse what was not foreseen.

    ``past`` is what the log holds and ``version`` its last version.
    """

    def __init__(self, pool: SparkPool, past: Past, version: int, workers: int = 2) -> None:
        self._ahead = PooledResolver(pool)
        self._here = SqlResolver(workers)
        catalog = Catalog()
        for dataset, entry in past.declared:
            catalog.declare(dataset, entry)
        for gone in past.withdrawn:
            catalog.withdraw(gone)
        for come in past.restored:
            catalog.restore(come)
        self._walk = Walk(catalog, version)
        self._stretches: deque[Stretch] = deque(maxlen=MAX_STRETCHES)
        self._requested: set[int] = set()
        self._policy = TextPolicy.KEEP
        #: How many texts were parsed because they were not foreseen with the columns of their turn.
        self.surprises = 0

    @property
    def policy(self) -> TextPolicy:
        """How the store keeps texts; what was foreseen without a masked text is made again where one is wanted."""
        return self._policy

    @policy.setter
    def policy(self, policy: TextPolicy) -> None:
        self._policy = self._ahead.policy = self._here.policy = policy

    def foresee(self, messages: Sequence[Message]) -> None:
        """Resolve the messages that carry SQL; they follow those of the call before."""
        variants: Variants = {}
        guesses: dict[int, Lineage] = {}
        for _ in range(MAX_ROUNDS):
            requests = self._walk.through(messages, variants, guesses)
            if not requests:
                break
            for (message, _), lineage in zip(requests, self._ahead(requests), strict=True):
                variants.setdefault(key_of(message), []).append(lineage)
        self._walk.settle(messages, variants, guesses)
        foreseen: dict[int, tuple[TaskChange, Lineage]] = {}
        for place, lineage in guesses.items():
            stated = messages[place]
            assert isinstance(stated, TaskChange)
            foreseen[id(stated)] = stated, lineage  # the message too, for its id is its own as long as it lives
        self._stretches.append(Stretch(variants, foreseen))

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        """Return the lineage of each message under the columns beside it, or what was foreseen for its turn.

        The writer asks for all messages before the turn of the first. When a message's turn has come and its lineage
        does not hold, the writer asks for it again, with some that follow: only the first of these has to be right.
        """
        lineages: list[Lineage | None] = []
        for message, known in waiting:
            guess = self._guess(message)
            at_its_turn = not lineages and (guess is None or id(message) in self._requested)
            if guess is not None:
                self._requested.add(id(message))
            lineages.append(self._exact(message, known) or (None if at_its_turn else guess))
        missing = [place for place, lineage in enumerate(lineages) if lineage is None]
        if missing:
            self.surprises += len(missing)
            for place, lineage in zip(missing, self._here([waiting[place] for place in missing]), strict=True):
                lineages[place] = lineage
        return [lineage for lineage in lineages if lineage is not None]

    def _exact(self, message: TaskChange, known: Mapping[str, Shape]) -> Lineage | None:
        """Return the lineage of the message's text that was resolved with just these columns."""
        key = key_of(message)
        for stretch in list(self._stretches):
            for lineage in stretch.variants.get(key, ()):
                if self._is_masked(lineage) and all(known.get(d) == columns for d, columns in lineage.lookups):
                    return lineage
        return None

    def _guess(self, message: TaskChange) -> Lineage | None:
        """Return what was foreseen for the message."""
        for stretch in list(self._stretches):
            stated = stretch.foreseen.get(id(message))
            if stated is not None and stated[0] is message and self._is_masked(stated[1]):
                return stated[1]
        return None

    def _is_masked(self, lineage: Lineage) -> bool:
        """Whether what was foreseen comes with a masked text, where the policy wants one: it may be new."""
        return self._policy is not TextPolicy.MASK or lineage.masked is not None

    def forget(self, messages: Sequence[Message]) -> None:
        """Note that messages are in the log: no lineage of theirs is requested again."""
        self._requested.difference_update(map(id, messages))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ahead.close()
        self._here.close()
