"""What can be said about a friction law without simulating it: curves, equilibria, energy, loops.

Each statement is a closed form or an exact criterion, with its derivation or source beside it.
"""
