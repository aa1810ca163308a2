"""Speed of the reference implementations, as a ratio to a peer in the same run."""
