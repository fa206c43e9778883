"""Symbolic derivation of robot dynamics, verified by independent roads and exported as checked code."""

__version__ = "0.1.0"
