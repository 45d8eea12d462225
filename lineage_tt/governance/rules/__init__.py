"""Rules over lineage as of a point: predicates of the graph of tables and tasks, whatever made them.

``tables`` is that graph, ``settings`` reads the rules' table of ``governance.toml``, ``checks`` holds the predicates by
what they look at, ``engine`` runs them and takes the allow-list into account, ``sarif`` writes what other tools read.
The names are those of dbt-project-evaluator and dbt-bouncer, where these have the rule.
"""
