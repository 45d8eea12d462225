"""The naive model: section 2 of the design as plain lists. It shares no code with the store; nothing here is fast.

``model`` judges messages and answers for points and over time, ``walks`` follows edges, ``completeness`` says what an
answer cannot know. ``labels``, ``running`` and ``worth`` judge what is derived from edges as of a point: labels, what
runs when, and heat, redundancy and quality (``worth`` takes the store's own type of an edge, and nothing else of it).
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
