"""What walks return: numbers, their texts, pages of them, paths, and other forms for other libraries.

Imports ``graph.walks`` and ``graph.arrays``.
"""
