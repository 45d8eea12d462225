"""From text to parsed statements, with all that is done to a text so that sqlglot reads it.

Resolves no name; imports ``text`` and ``dialects``.
"""
