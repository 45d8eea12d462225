"""Texts before they are parsed: the guard, templates, tokens, regions.

Resolves no name; imports ``dialects``.
"""
