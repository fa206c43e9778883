"""The readable and the machine-readable report of a derivation."""
