"""Governance measured: labels, rules, heat, clean-up, quality, root causes."""
