"""The lineage of each message of a batch, as if each had come alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field, Shape
from lineage_tt.model.messages import Lineage, NodeChange, Problem, RejectedMessage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.catalog.catalog import Catalog, Entry
from lineage_tt.write.catalog.lineages import LOOK_AHEAD, Lineages, ParsingNeededError
from lineage_tt.write.catalog.reresolve import is_without_text

ONE = TaskChange("e1", "t1", "update", 5, sql="select * from n:a")
TWO = replace(ONE, event_id="e2", task_id="t2")


class Parser:
    """Makes lineages that ask for the columns of ``n:a``; counts its calls."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        """Return one lineage for each: the columns that it saw are its outputs."""
        self.calls.append([message.event_id for message, _ in waiting])
        made = []
        for message, columns in waiting:
            seen = columns.get("n:a")
            names = tuple(str(each) for each in seen or ())
            problems = [Problem("p", f"quotes 'secret' of {message.task_id}")]
            made.append(Lineage(lookups=[("n:a", seen)], outputs=[("n:out", names)], problems=problems))
        return made


def declared(*columns: str, version: int = 1) -> tuple[str, Entry]:
    """A declaration of ``n:a``."""
    return "n:a", Entry.declared(0, NO_SOURCE_VERSION, version, tuple(map(Field, columns)))


def test_texts_of_a_batch_are_parsed_in_one_call() -> None:
    """With the columns known before it; at its turn each is valid as long as these are the same."""
    parser, catalog = Parser(), Catalog()
    catalog.declare(*declared("x"))
    lineages = Lineages(parser)
    lineages.prepare([ONE, TWO], catalog)
    found = [lineages.resolve(each, catalog).outputs for each in (ONE, TWO)]

    assert found == [[("n:out", ("x",))]] * 2
    assert parser.calls == [["e1", "e2"]]


def test_columns_that_the_batch_declares_count_for_texts_after_it() -> None:
    """A batch that creates a table and reads it is parsed once."""
    parser, catalog = Parser(), Catalog()
    table = NodeChange("d", "dataset", "n:a", "define", 0, fields=[Field("x")])
    lineages = Lineages(parser)
    lineages.prepare([ONE, table, TWO], catalog)
    assert lineages.resolve(ONE, catalog).lookups == [("n:a", None)]
    catalog.declare(*declared("x"))

    assert lineages.resolve(TWO, catalog).lookups == [("n:a", ("x",))]
    assert len(parser.calls) == 1


def test_what_went_stale_is_parsed_again_with_those_that_follow() -> None:
    """Their turn comes soon; those far behind wait for theirs."""
    parser, catalog = Parser(), Catalog()
    many = [replace(ONE, event_id=f"e{number}", task_id=f"t{number}") for number in range(LOOK_AHEAD + 3)]
    lineages = Lineages(parser)
    lineages.prepare(many, catalog)
    catalog.declare(*declared("x"))
    lineages.resolve(many[0], catalog)

    assert len(parser.calls[1]) == LOOK_AHEAD
    assert lineages.resolve(many[1], catalog).lookups == [("n:a", ("x",))]
    assert len(parser.calls) == 2


def test_one_by_one_no_text_is_parsed_before_its_turn() -> None:
    """So that the call fails over the one that is to blame."""
    parser, catalog = Parser(), Catalog()
    lineages = Lineages(parser)
    lineages.one_by_one()
    lineages.prepare([ONE, TWO], catalog)
    assert parser.calls == []
    lineages.resolve(ONE, catalog)

    assert parser.calls == [["e1"]]


def test_what_a_message_states_itself_needs_no_parser() -> None:
    """Nor does one that ends a task, or withdraws what was stated."""
    lineages, stated = Lineages(None), Lineage()

    assert lineages.stated(replace(ONE, lineage=stated)) is stated
    assert [lineages.needs_parser(replace(ONE, op=op)) for op in ("offline", "retract", "update")] == [
        False, False, True,
    ]  # fmt: skip
    assert not lineages.needs_parser(RejectedMessage(b"", "c", "d"))
    lineages.prepare([replace(ONE, op="offline")], Catalog())


def test_a_text_without_a_parser_says_what_to_give() -> None:
    """A store that only takes edges must not drop a text."""
    with pytest.raises(InvalidRequestError, match="'e1' carries SQL and nothing here parses it"):
        Lineages(None).prepare([ONE], Catalog())
    with pytest.raises(InvalidRequestError, match="changes columns that task 't1' reads"):
        Lineages(None).again([(replace(ONE, cause="d"), 1)], Catalog())


def test_while_others_wait_nothing_is_parsed() -> None:
    """The caller gives up its turn; what is parsed already is used."""
    parser, catalog = Parser(), Catalog()
    lineages = Lineages(parser)
    lineages.prepare([ONE], catalog)
    lineages.may_parse = False

    assert lineages.resolve(ONE, catalog).lookups == [("n:a", None)]
    for parse in (lambda: lineages.resolve(TWO, catalog), lambda: lineages.again([(ONE, 1)], catalog)):
        with pytest.raises(ParsingNeededError):
            parse()


def test_a_statement_does_not_read_what_it_wrote_itself() -> None:
    """Neither when it takes the place of an earlier one, nor when it is resolved a second time."""
    parser, catalog = Parser(), Catalog()
    catalog.declare("n:a", Entry(0, NO_SOURCE_VERSION, 4, ("own",)))
    lineages = Lineages(parser)

    assert lineages.resolve(ONE, catalog, replaced=4).lookups == [("n:a", None)]
    assert lineages.again([(ONE, 4)], catalog)[0].lookups == [("n:a", None)]
    assert lineages.again([(ONE, 5)], catalog)[0].lookups == [("n:a", ("own",))]


def test_statements_without_a_text_keep_their_places() -> None:
    """Each is marked; the others are parsed in one call."""
    parser = Parser()
    gone = replace(ONE, sql=None)
    found = Lineages(parser).again([(gone, 1), (TWO, 2), (gone, 3)], Catalog())

    assert [is_without_text(each) for each in found] == [True, False, True]
    assert parser.calls == [["e2"]]


def test_another_policy_makes_lineages_again() -> None:
    """Under it their words may quote less."""
    parser, catalog = Parser(), Catalog()
    lineages = Lineages(parser)
    lineages.prepare([ONE], catalog)
    lineages.keep_texts_as(TextPolicy.KEEP)
    assert "secret" in lineages.resolve(ONE, catalog).problems[0].detail
    lineages.keep_texts_as(TextPolicy.MASK)

    assert "secret" not in lineages.resolve(ONE, catalog).problems[0].detail
    assert len(parser.calls) == 2
