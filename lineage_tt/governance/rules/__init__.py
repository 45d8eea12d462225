"""Rules over lineage as of a point: predicates on the graph of tables and tasks, whatever tool made these.

``tables`` is that graph, ``config_tables`` are the tables of ``governance.toml``, ``settings`` reads ``[rules]``,
``checks`` holds the predicates by subject, ``engine`` runs them and applies the allow-list, ``sarif`` writes the format
that other tools read. The names are those of dbt-project-evaluator and dbt-bouncer, where these have the rule.
"""
