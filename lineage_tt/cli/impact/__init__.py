"""Where the candidates of ``lineage-tt impact`` come from: files, git, dbt, ``task.yaml``, ``impact.toml``."""
