"""Questions of governance, each derived from the graph as of any two times. Nothing derived is stored.

``ports`` defines what the questions need: a ``PointGraph``, the lineage as of one point as arrays, and what else is
known at that point. ``points`` builds one from the temporal graph or from a list of edges. Each question has its own
package and imports only the ports; what people state for it is a fact with both times. Needs
``pip install 'lineage-tt[graph]'``.
"""
