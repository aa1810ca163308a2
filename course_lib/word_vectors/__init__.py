"""Part word_vectors: words as vectors, learned from the company that they keep."""
