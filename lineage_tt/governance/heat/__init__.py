"""How much each column and table is worth to others as of a point: who refers to it, its rank, its reads, its trend.

``pagerank`` is over plain arrays, ``reach`` counts what is reached, ``heat`` puts the rows together. Nothing is stored:
each answer is worked out from the edges in force at its point.
"""
