"""Lineage as pictures: what is drawn (``arrows``, ``picture``) and how (``svg``, ``page``).

A picture is made of answers, not of the store. It may hold the answers at several points: the layout is that of their
union, so that a table which is there at two points does not move between them. Imports ``model`` and ``graph.layout``.
"""
