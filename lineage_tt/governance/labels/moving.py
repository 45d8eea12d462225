"""Labels at two points: which nodes gained and lost some between them.

Where it can be, the labels at the second point are those at the first, moved on by what changed (``following``);
otherwise both are computed.
"""

from __future__ import annotations

from collections.abc import Callable

from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.stating import Lattice
from lineage_tt.governance.ports import PointGraph


def difference(
    first: PointGraph, second: PointGraph, scene: Scene, held: Callable[[PointGraph], Labelled] | None = None
) -> list[Changed]:
    """Return the nodes whose labels differ between two points, in order of names."""
    one, other = (held or (lambda point: Labelled(point, scene)))(first), Labelled(second, scene)
    before, after = dict(one.all()), dict(other.all())
    return [
        Changed(node, before.get(node, ()), after.get(node, ()))
        for node in sorted({*before, *after})
        if before.get(node) != after.get(node)
    ]


def lattice_of(scene: Scene, *points: PointGraph) -> Lattice:
    """Return the bits of all labels that any of these points states."""
    from lineage_tt.governance.labels.stating import stated_of

    return Lattice(scene, [word for point in points for word in stated_of(point.facts()).words])
