"""Labels as of a point: the least fixpoint over the edges in force of what people, tasks and catalogs state.

``scene`` reads the rules, ``statements`` what is stated and decided, ``propagation_rules`` which edges carry what;
``spreading`` is the compiled fixpoint, ``labelled`` its answer, ``why`` the way, the time and the change that brought a
label; ``following`` keeps an answer current from change to change, and ``scan`` finds labels that lost their level.
"""
