"""Packages of npm: those that the browser's pages hold, and those that check them."""
