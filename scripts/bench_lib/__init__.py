"""What scripts/bench measures with: made histories, a peer, processes watched, a report."""
