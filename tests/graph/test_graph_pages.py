"""Pages of a walk, and the cursors from one to the next."""

from __future__ import annotations

import base64

import orjson
import pytest
from graph_story import DAYS

from lineage_tt.graph import Graph
from lineage_tt.graph.answers.pages import Page, basis_of, page_of, request_digest
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError

REVENUE = "bi:board/1#revenue"
BASIS = Basis(5, 3, 7)


def test_a_cursor_belongs_to_its_question(graph: Graph) -> None:
    """The cursor of one walk is refused by another: other nodes, another basis, another direction."""
    view = graph.as_of(DAYS[0])
    page = view.upstream(REVENUE, limit=1)

    assert page.truncated
    assert view.upstream(REVENUE, limit=5, cursor=page.cursor).cursor is None
    for other in (
        lambda: view.upstream("bi:board/1#orders", cursor=page.cursor),
        lambda: graph.as_of(DAYS[1]).upstream(REVENUE, cursor=page.cursor),
        lambda: view.downstream(REVENUE, cursor=page.cursor),
    ):
        with pytest.raises(InvalidRequestError, match="another question"):
            other()


def test_pages_one_after_the_other_are_the_walk(graph: Graph) -> None:
    """Each node once, in one order, however small the pages are."""
    view = graph.as_of(DAYS[0])
    whole, cursor = view.upstream(REVENUE), None
    found: dict[str, int] = {}
    while True:
        page = view.upstream(REVENUE, limit=1, cursor=cursor)
        found |= page.nodes
        if (cursor := page.cursor) is None:
            break

    assert list(found.items()) == list(whole.nodes.items())


def test_a_cursor_holds_how_far_one_has_come_and_at_which_basis() -> None:
    """The page after it begins there; without a limit it has no end."""
    digest = request_digest(BASIS, ["a"], "up")
    cursor = page_of(None, 10, digest, BASIS).next_cursor(BASIS)

    assert page_of(cursor, 5, digest, BASIS) == Page(10, 15, digest)
    assert page_of(cursor, None, digest, BASIS).end > 2**53
    assert basis_of(cursor) == BASIS
    assert "=" not in cursor


def test_whatever_decides_a_walk_decides_its_digest() -> None:
    """Its basis, its nodes in their order, its options."""
    digests = {
        request_digest(BASIS, ["a", "b"], "up"), request_digest(BASIS, ["b", "a"], "up"),
        request_digest(BASIS, ["a", "b"], "down"), request_digest(BASIS._replace(version=4), ["a", "b"], "up"),
    }  # fmt: skip

    assert len(digests) == 4
    assert request_digest(BASIS, ["a"]) == request_digest(BASIS, ["a"])


@pytest.mark.parametrize(
    "values",
    [[], [1], [0, "d", 5, 3, 7], ["1", "d", 5, 3, 7], [1.5, "d", 5, 3, 7], [2**53, "d", 5, 3, 7], [1, "d", 5, 3],
     [1, "d", 5, True, 7], {"first": 1}, 7, None],
)  # fmt: skip
def test_what_is_no_cursor_is_refused(values: object) -> None:
    """Whoever made it; so are texts that hold nothing at all."""
    cursor = base64.urlsafe_b64encode(orjson.dumps(values)).decode().rstrip("=")

    for text in (cursor, cursor[:-1] + "!", "é", "A"):
        with pytest.raises(InvalidRequestError, match="not a cursor"):
            basis_of(text)
