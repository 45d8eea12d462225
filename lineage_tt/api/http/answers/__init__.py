"""Models of answers, by subject. Models that several routes share are in ``http/schemas.py``."""
