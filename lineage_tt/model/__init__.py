"""Values and their rules: edges, facts, messages, answers, instants, errors.

Pure; imports nothing of the package but ``timeline`` and, for bounds, itself.
"""
