"""Reference implementations of the course Deep Learning, Derived."""
