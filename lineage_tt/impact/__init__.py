"""What a change of tasks does before it is deployed: a pure function of a release, a base and what texts say.

``assess`` takes candidates and a base (a store at a pinned basis), and returns a report. Nothing is written: the change
is speculative. SQL is read by an :class:`~lineage_tt.impact.texts.Analyst`, which the caller brings.
"""
