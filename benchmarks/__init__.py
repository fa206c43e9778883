"""Benchmarks: derivation, operation counts, run time beside other programs, growth with size.

Run with ``python -m benchmarks``; ``--help`` lists the parts.
"""
