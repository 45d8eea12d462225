"""Answers as text, JSON, CSV, Graphviz and Mermaid: pure functions from answers to lines, separate from commands."""
