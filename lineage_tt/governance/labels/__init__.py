"""Labels as of a point: the least fixpoint, over the edges in force, of what people, tasks and catalogs state.

``scene`` reads the rules, ``statements`` reads what is stated and decided, ``propagation_rules`` finds which edges
carry labels; ``spreading`` is the compiled fixpoint, ``labelled`` its answer, ``why`` the path, the time and the change
that brought a label; ``following`` keeps an answer current from change to change, and ``scan`` finds nodes whose level
fell.
"""
