"""What a query makes: columns with their flows, laid over each other.

Imports nothing else of the binder.
"""
