"""Models of what routes answer, by subject; those that several share are in ``http/schemas.py``."""
