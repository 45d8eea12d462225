"""The graph at one point: its view, walks of one point, and batches of nodes at several points.

Imports the arrays, walks and answers of the graph; what loads a graph or keeps it current imports this.
"""
