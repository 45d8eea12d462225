"""The naive model: section 2 of the design as plain lists, without regard to speed. It shares no logic with the store.

``model`` accepts messages and answers at points and over time, ``walks`` follows edges, ``completeness`` computes what
an answer does not know. ``labels``, ``running`` and ``worth`` compute what is derived from edges at a point: labels,
finish times of tasks, and heat. Only ``worth`` imports from the store: edges and the names of their nodes.
"""

from reference.completeness import Lacking, absent, lacking, stated_columns, unknown_of
from reference.model import Belief, EdgeValue, Model, Record, Rectangle, Sent, TaskEdge, Unsure, covers, join_touching
from reference.walks import (
    Rejected,
    ShownEdge,
    alias,
    as_edge,
    dataset,
    enters,
    is_column,
    is_star,
    joined,
    leaves,
    merged,
    near_end,
    next_edges,
    rejected,
    rejection,
    renamed,
    shown,
    table_level,
    walk,
)

__all__ = [
    "Belief",
    "EdgeValue",
    "Lacking",
    "Model",
    "Record",
    "Rectangle",
    "Rejected",
    "Sent",
    "ShownEdge",
    "TaskEdge",
    "Unsure",
    "absent",
    "alias",
    "as_edge",
    "covers",
    "dataset",
    "enters",
    "is_column",
    "is_star",
    "join_touching",
    "joined",
    "lacking",
    "leaves",
    "merged",
    "near_end",
    "next_edges",
    "rejected",
    "rejection",
    "renamed",
    "shown",
    "stated_columns",
    "table_level",
    "unknown_of",
    "walk",
]
