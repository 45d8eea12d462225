"""A governance.toml of two levels of labels and three layers of a warehouse."""

from __future__ import annotations

RULES = """
[labels]
levels = ["public", "secret"]
stop_functions = ["sha2"]
[[rules.layer]]
name = "ods"
match = ["hive:ods.*"]
[[rules.layer]]
name = "dw"
match = ["hive:dw.*"]
[[rules.layer]]
name = "ads"
match = ["hive:ads.*"]
"""
