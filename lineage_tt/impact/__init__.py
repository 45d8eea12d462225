"""What a change of tasks would do, found before it is deployed: a pure function of a release, a base and parsed texts.

``assess`` takes candidates and a base (a store at a pinned basis), and returns a report. Nothing is written: the change
is hypothetical. An :class:`~lineage_tt.impact.texts.Analyst`, which the caller provides, reads SQL.
"""
