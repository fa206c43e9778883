"""Generated code, recursions and outside programs compared; nothing else knows the latter."""
