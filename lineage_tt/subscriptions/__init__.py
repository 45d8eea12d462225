"""Subscriptions: who wants to be told of which changes, and how. ``docs/how-to/subscribe.md`` shows them at work."""
