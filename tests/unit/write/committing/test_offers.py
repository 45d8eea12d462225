"""Offers: the rows of a small append, as its ticket holds them for whoever commits first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Problem
from lineage_tt.model.redaction.policy import TextPolicy, TextState
from lineage_tt.write.committing.offers import MAX_BYTES, offer_bytes, offer_of, subject_of

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
ROW = LogRow(
    8, 0, "accepted", event_id="e", task_id="t", op="online", kind="task", effective_at=5, edges=[EDGE],
    changes=[(1, *EDGE, 5, None)], problems=[Problem("p", "d", "", 1, 2)], content_sha256=b"\x01\xff",
)  # fmt: skip
TEXTS = TextState()


def plan(*rows: LogRow, **said: Any) -> Any:
    """A plan after version 7 with these rows, which depends on nothing else unless ``said`` says so."""
    plain: dict[str, Any] = {"version": 7, "order": None, "looked_up": set(), "followed": False, "cites_itself": False}
    plain |= {"texts": TEXTS, "histories": {}}
    return SimpleNamespace(rows=list(rows), **plain | said)


def test_rows_come_out_of_an_offer_as_they_went_in() -> None:
    """But for their numbers and checksums, which the commit gives them."""
    found = offer_of("ticket", offer_bytes(plan(ROW)) or b"", TEXTS)

    assert found is not None
    assert (found.name, found.version, found.subjects) == ("ticket", 7, {"t"})
    assert found.rows == [ROW._replace(version=0, facts=[], fact_changes=[])]


@pytest.mark.parametrize(
    "said",
    [{"order": object()}, {"looked_up": {"n:a"}}, {"followed": True}, {"cites_itself": True},
     {"histories": {"t": SimpleNamespace(star_datasets=lambda: {"n:a"})}}],
    ids=lambda said: next(iter(said)),
)  # fmt: skip
def test_rows_that_depend_on_more_than_their_subjects_are_not_offered(said: dict[str, Any]) -> None:
    """Whoever commits them could not know whether they are still right."""
    assert offer_bytes(plan(ROW, **said)) is None


@pytest.mark.parametrize(
    "row",
    [ROW._replace(status="rejected"), ROW._replace(op="retract"), ROW._replace(kind="dataset"),
     ROW._replace(derived_from=3), ROW._replace(outputs=[("n:b", ["y"])]), ROW._replace(stars=[("n:a", None)])],
    ids=["rejected", "retract", "dataset", "derived", "outputs", "stars"],
)  # fmt: skip
def test_rows_that_others_must_read_are_not_offered(row: LogRow) -> None:
    """One such row keeps the whole append from being offered."""
    assert offer_bytes(plan(ROW, row)) is None


def test_an_offer_has_a_bounded_size() -> None:
    """A large append waits for its own turn; so does one without rows."""
    assert offer_bytes(plan(ROW._replace(reason="x" * MAX_BYTES))) is None
    assert offer_bytes(plan()) is None


def test_an_offer_of_another_form_or_policy_is_left_to_its_owner() -> None:
    """A ticket may be another release's, cut, or made before the policy changed."""
    data = offer_bytes(plan(ROW)) or b""
    other = orjson.dumps(orjson.loads(data) | {"form": [0]})
    stricter = TextState(((3, TextPolicy.DROP),))

    assert [offer_of("x", each, TEXTS) for each in (other, data[:-4], b"[]", b"", b"{}")] == [None] * 5
    assert offer_of("x", data, stricter) is None


def test_a_row_is_about_its_task_or_its_node_and_key() -> None:
    """Facts of one node under two keys are two subjects."""
    assert subject_of(ROW) == "t"
    assert subject_of(LogRow(1, 0, "accepted", kind="fact", subject="n:a", fact_key="label")) == (
        "fact",
        "n:a",
        "label",
    )
