"""Questions of governance, each derived from the graph as of any two times. Nothing derived is stored.

``ports`` says what the questions need: a ``PointGraph``, the lineage as of one point as arrays, and what lies beside
it. ``points`` makes one of the temporal graph or of a list of edges. Each question has a package of its own and
imports the ports alone; what people state for it is a fact with both times. Needs ``pip install 'lineage-tt[graph]'``.
"""
