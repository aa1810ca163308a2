"""Part translation: from one sequence to another, and how attention and search make it better."""
