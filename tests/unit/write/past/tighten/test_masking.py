"""The texts of stored rows without their literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lineage_tt import Store
from lineage_tt.model.facts import Shape
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Lineage, MaskedText, Problem, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.write.past.tighten.masking import masker


def test_texts_are_masked_by_their_signs_without_a_parser(literal_store: Store) -> None:
    """A row without a text has none; values of variables go."""
    mask = masker(literal_store.opened_log, None)
    row = LogRow(1, 0, "accepted", sql="select 'a'", dialect="hive", params='{"day":"1"}')
    ((masked, problems),) = mask([row, LogRow(2, 0, "accepted")]).values()

    assert masked is not None
    assert (masked.sql, dict(masked.params), problems) == ("select ?", {"day": "?"}, None)


class Masks:
    """A resolver that gives masked texts, and says of each row what another run of it said."""

    policy = TextPolicy.KEEP

    def __init__(self, problem: str) -> None:
        self.problem = problem
        self.asked: list[tuple[str, tuple[object, ...]]] = []

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        """Return a lineage with a masked text for each."""
        self.asked += [(message.sql or "", tuple(sorted(known))) for message, known in waiting]
        said = [Problem(self.problem, "at ?")]
        return [Lineage(problems=said, masked=MaskedText("masked")) for _ in waiting]


def test_a_parser_says_whether_the_masked_text_says_the_same(literal_store: Store) -> None:
    """Its words are kept where it does; a row that no parser made is not asked about."""
    row = LogRow(1, 0, "accepted", sql="select 'a'", parser="p", problems=[Problem("syntax", "at 'a'")])
    other = row._replace(version=2, parser=None)
    for problem, kept in (("syntax", [Problem("syntax", "at ?")]), ("other", None)):
        resolver = Masks(problem)
        found = masker(literal_store.opened_log, resolver)([row, other])

        assert found == {1: (MaskedText("masked"), kept)}
        assert (resolver.policy, [text for text, _ in resolver.asked]) == (TextPolicy.MASK, ["select 'a'"])
