"""What the journal keeps of texts under each policy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
from run_events import START, columns_of, dataset, event

from ingest.events.openlineage.reading import Event, parse_event
from ingest.events.runs import redaction
from ingest.events.runs.journal import Journal, pack_refused
from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.model.redaction.policy import TextPolicy, TextState, Tightened
from lineage_tt.model.redaction.texts import DROPPED_TEXT

KEEP, MASK, DROP = TextPolicy.KEEP, TextPolicy.MASK, TextPolicy.DROP
TEXT = "insert into b select x from a where name = 'Ada'"


def body(query: str = TEXT, **more: Any) -> dict[str, Any]:
    """What an event says of lineage."""
    return {"job": {"facets": {"sql": {"query": query}}}, "inputs": [], "outputs": [], **more}


def kept(said: dict[str, Any], policy: TextPolicy) -> dict[str, Any]:
    """The same as the journal keeps it."""
    result: dict[str, Any] = orjson.loads(redaction.redacted_body(orjson.dumps(said), policy) or b"")
    return result


@pytest.mark.parametrize(
    "function", ["redacted_body", "redacted_extras", "redacted_content", "redacted_about", "redacted_message"]
)
def test_where_all_is_kept_bytes_stay(function: str) -> None:
    """They are not even read."""
    assert getattr(redaction, function)(b"anything 'Ada'", KEEP) == b"anything 'Ada'"


@pytest.mark.parametrize("policy", [MASK, DROP])
def test_the_sql_of_a_job_stays_readable_without_its_literals(policy: TextPolicy) -> None:
    """Its run is not decided yet; a text that was dropped is marked, and stays so."""
    query = kept(body(), policy)["job"]["facets"]["sql"]["query"]

    assert query.startswith("insert into b select x from a where name = ")
    assert "Ada" not in query
    assert kept(body(DROPPED_TEXT), policy)["job"]["facets"]["sql"]["query"] == DROPPED_TEXT
    assert redaction.redacted_body(None, policy) is None


@pytest.mark.parametrize("policy", [MASK, DROP])
def test_expressions_of_columns_lose_their_literals(policy: TextPolicy) -> None:
    """Where columnLineage has them, in either release; a description of anything else is not an expression."""
    how = {"transformations": [{"description": "x || 'Ada'", "type": "DIRECT"}]}
    said = body(outputs=[{"f": {"transformationDescription": "upper('Ada')"}, "i": how, "description": "Ada's"}])
    found = kept(said, policy)["outputs"][0]
    texts = [found["f"]["transformationDescription"], found["i"]["transformations"][0]["description"]]

    assert not any("Ada" in each for each in texts)
    assert all(texts)
    assert found["description"] == "Ada's"
    assert found["i"]["transformations"][0]["type"] == "DIRECT"


def test_of_what_is_beside_the_lineage_the_names_are_kept() -> None:
    """A plan quotes what it reads; what was left out already stays so."""
    extras = orjson.dumps({"run": {"plan": "name = 'Ada'", "b": 1}, "event": {"a": 1}})
    names = {"left_out": ["event.a", "run.b", "run.plan"]}

    assert orjson.loads(redaction.redacted_extras(extras, MASK) or b"") == names
    assert redaction.redacted_extras(orjson.dumps(names), DROP) == orjson.dumps(names)
    assert redaction.redacted_extras(None, DROP) is None


def test_contents_lose_literals_in_expressions_words_and_facts() -> None:
    """What is not a text of SQL stays."""
    said: dict[str, Any] = {
        "edges": [["d:a#x", "d:b#y", "DIRECT", "TRANSFORMATION", "x || 'Ada'"]], "outputs": [["d:b", ["y"]]],
        "problems": [["syntax", "near 'Ada'", "d:a", 1]],
        "facts": [["d:b", "definition", "select 'Ada'"], ["d:b", "owner", "ada"]],
    }  # fmt: skip
    found = orjson.loads(redaction.redacted_content(orjson.dumps(said), MASK))

    assert b"Ada" not in orjson.dumps(found)
    assert (found["outputs"], found["facts"][1]) == (said["outputs"], ["d:b", "owner", "ada"])
    assert found["edges"][0][:4] == said["edges"][0][:4]
    assert [each[0::2][:2] for each in found["problems"]] == [["syntax", "d:a"]]


def test_a_message_on_its_way_is_kept_like_what_it_holds() -> None:
    """Its content, and what is beside it; one without either stays as it is."""
    content = orjson.dumps({"facts": [["d:b", "definition", "select 'Ada'"]]}).decode()
    said = {"member": "m", "content": content, "origin": {"about": orjson.dumps({"q": "select 'Ada'"}).decode()}}
    found = orjson.loads(redaction.redacted_message(orjson.dumps(said), DROP))

    assert found["member"] == "m"
    assert orjson.loads(found["content"]) == {"facts": [["d:b", "definition", DROPPED_TEXT]]}
    assert orjson.loads(found["origin"]["about"]) == {"q": DROPPED_TEXT}
    bare: dict[str, Any] = {"member": "m", "content": None, "origin": {}}
    assert orjson.loads(redaction.redacted_message(orjson.dumps(bare), DROP)) == bare


def test_a_refusal_on_its_way_is_what_the_log_will_hold() -> None:
    """Its bytes, and words that quote them."""
    packed = pack_refused(RejectedMessage(b'{"q": "name = \'Ada\'"}', "invalid-message", "'select \"Ada\"' is odd"))
    found = orjson.loads(redaction.redacted_message(packed, MASK))["refused"]

    assert "Ada" not in found["raw"] + found["detail"]
    assert (found["code"], orjson.loads(found["raw"]).keys()) == ("invalid-message", {"q"})


def journal(folder: Path, *ended: bool) -> Journal:
    """A journal with runs of a job with SQL, each of a text of its own, decided or not."""
    result = Journal(folder)
    for number, is_ended in enumerate(ended):
        said = event("COMPLETE", START, f"j{number}", f"r{number}",
                     outputs=[dataset("b", columnLineage=columns_of(y=["a.x"]))],
                     job_facets={"sql": {"query": f"{TEXT} -- {number}"}})  # fmt: skip
        read = parse_event(orjson.dumps(said))
        assert isinstance(read, Event)
        result.take([read], now=START)
        if is_ended:
            with result.transaction() as db:
                db.execute("UPDATE runs SET dirty = 0, state = 'complete' WHERE name = ?", (f"j{number}",))
    return result


def queries(made: Journal) -> list[str]:
    """The texts that a journal holds."""
    bodies = [orjson.loads(body) for (body,) in made.read("SELECT body FROM shapes ORDER BY id")]
    return [each["job"]["facets"]["sql"]["query"] for each in bodies]


def test_texts_of_decided_runs_are_dropped(tmp_path: Path) -> None:
    """One of whose runs something is still to be decided stays; what was dropped is not counted again."""
    made = journal(tmp_path, True, False)
    with made.transaction() as db:
        assert redaction.drop_decided(db) == 1
    with made.transaction() as db:
        assert redaction.drop_decided(db) == 0

    assert [each == DROPPED_TEXT for each in queries(made)] == [True, False]
    made.close()


def tightened(policy: TextPolicy, commit: int = 5) -> TextState:
    """A store that was tightened for its whole history."""
    return TextState(((0, KEEP), (3, policy)), Tightened(policy, 3, commit))


def test_a_journal_is_rewritten_as_its_store_was_tightened(tmp_path: Path) -> None:
    """Nothing of the old is left in its files, and it is done once."""
    made = journal(tmp_path, True, False)
    made.close()
    redaction.tighten(made.path, TextState())
    assert b"Ada" in made.path.read_bytes()

    redaction.tighten(made.path, tightened(DROP))
    assert not any(b"Ada" in each.read_bytes() for each in tmp_path.iterdir())
    with closing(sqlite3.connect(made.path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (5,)
    again = Journal(tmp_path)
    assert [each == DROPPED_TEXT for each in queries(again)] == [True, False]
    again.close()


def test_a_journal_that_is_not_there_is_none(tmp_path: Path) -> None:
    """None is made."""
    redaction.tighten(tmp_path / "journal.sqlite", tightened(DROP))

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    """With what to do; its bytes stay."""
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"no database at all, and long enough to have a header" * 20)

    with pytest.raises(UnavailableError, match="cannot be rewritten"):
        redaction.tighten(path, tightened(MASK))
