"""What differs between two points, summed up by groups."""

from __future__ import annotations

from edges_as_of import edge, fact

from lineage_tt.levels.changes import GroupChange, Side, changed_groups, parents_of
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import EdgeAsOf

AB, AC, CB = (edge("t", f"n{s}:a.x", f"n{t}:b.y") for s, t in ("12", "13", "32"))
MORE = edge("u", "n1:a.x#k", "n2:b.y#k")


def test_a_pair_of_groups_comes_goes_or_changes() -> None:
    """What is the same at both is not listed, whatever version states it."""
    found = changed_groups(Side([AB, AC]), Side([AB._replace(version=9), MORE, CB]), "namespace")

    assert found == [
        GroupChange("changed", "n1", "n2", 1, 2, 0, 1), GroupChange("removed", "n1", "n3", 1, 0, 1, 0),
        GroupChange("added", "n3", "n2", 0, 1, 0, 1),
    ]  # fmt: skip
    assert changed_groups(Side([AB]), Side([AB._replace(version=9, valid_from=5)]), "system") == []


def test_with_a_node_only_its_edges_count() -> None:
    """Itself, or of its dataset."""
    assert changed_groups(Side([]), Side([AB, CB]), "dataset", "n3:a.x") == [
        GroupChange("added", "n3:a.x", "n2:b.y", 0, 1, 0, 1)
    ]


def test_a_view_shows_a_side() -> None:
    """With who starts which task, where sub-tasks count as that."""

    class View:
        def edges(self) -> list[EdgeAsOf]:
            return [AB]

        def facts(self) -> list[FactAsOf]:
            return [fact("task:t", "parent", "task:dag"), fact("n:a", "label", "x")]

    stray = [fact("task:u", "parent", "dag"), fact("n:a", "parent", "task:dag")]  # what is not a task starts none
    assert parents_of([*View().facts(), *stray]) == {"task:t": "task:dag"}
    assert Side.of(View()) == Side([AB], View().facts(), None)
    assert Side.of(View(), roll_up=True).parents == parents_of(View().facts()) == {"task:t": "task:dag"}
