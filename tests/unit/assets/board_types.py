"""Types of boards and facts, as a file."""

from __future__ import annotations

FILE = b"""
[types.board]
parent = "dashboard"
identity = ["bi:board/*"]
icon = "chart"
fed_by = ["table"]
feeds = []

[types.fact]
parent = "table"
identity = ["*:dw.fct_*"]

[types.small-board]
parent = "board"
"""
