"""How much each column and table is worth to others as of a point: its references, its rank, its reads, its trend.

``pagerank`` works on plain arrays, ``reach`` counts what is reached, ``heat`` builds the rows. Nothing is stored: each
answer is computed from the edges in force at its point.
"""
