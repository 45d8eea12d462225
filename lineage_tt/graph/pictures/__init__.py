"""Lineage as pictures: what is drawn (``arrows``, ``picture``) and how (``svg``, ``page``).

A picture is made from answers, not from the store. It may show the answers at several points: the layout is that of
their union, so a table that exists at two points does not move between them. Imports ``model`` and ``graph.layout``.
"""
