"""Servers that tests and demonstrations start and kill on this machine."""
