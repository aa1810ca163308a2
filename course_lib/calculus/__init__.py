"""Part calculus: derivatives of vector functions, and how a program computes them."""
