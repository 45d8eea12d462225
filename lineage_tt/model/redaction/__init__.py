"""What is taken out before storing: credentials always, literals and whole texts where the store's policy says so.

Pure functions of texts, messages and rows; they parse no SQL and read no store.
"""
