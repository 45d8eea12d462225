"""What is judged of one message before it is placed, and what happens to one on which the code fails.

Imports ``model`` and ``write.rows``.
"""
