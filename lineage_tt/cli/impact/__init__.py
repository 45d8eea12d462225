"""Sources of the candidates of ``lineage-tt impact``: files, git, dbt, ``task.yaml``, ``impact.toml``."""
