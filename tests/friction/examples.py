"""Parameters at which laws are tried: the examples of the package, and corners of their domains."""

from __future__ import annotations

from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw

#: Exponents around those where the slope at rest changes its kind: infinite, finite, zero.
EXPONENTS = (0.5, 1.0, 1.5, 2.0, 3.0)


def variants(law: FrictionLaw) -> list[dict[str, float]]:
    """The example of a law, with every exponent and with levels that coincide."""
    example = dict(EXAMPLES[law.name])
    found = [example]
    for name in ("alpha", "d", "i", "n"):
        if name in example:
            found += [{**example, name: value} for value in EXPONENTS]
    if {"Fc", "Fs", "alpha"} <= set(example):
        found += [{**example, "Fs": example["Fc"], "alpha": value} for value in EXPONENTS]
    if law.name == "viscous-power":
        found += [{**example, "b": 0.0, "d": value} for value in EXPONENTS]
    return found


#: (name, number of the variant) of every law, for parametrised tests.
CASES = [(name, k) for name, law in LAWS.items() for k in range(len(variants(law)))]


def signals_of(law: FrictionLaw) -> dict[str, float]:
    """A value for each signal of a law."""
    known = {"load": 0.7, "temperature": 20.0, "position": 0.4}
    return {q.name: known[q.name] for q in law.signals}


def states_of(law: FrictionLaw, fraction: float) -> list[float]:
    """States at a fraction of what a law can hold; signs alternate."""
    scale = {
        "dahl": [1.0], "lugre": [1.5e-4], "lugre-fading": [1.5e-4], "elasto-plastic": [1.4e-4],
        "maxwell-slip": [0.1, 0.2, 0.3, 0.4], "gms": [0.15, 0.3, 0.45, 0.6, 0.0, 0.0, 0.0, 0.0],
        "bouc-wen": [1e-4],
    }.get(law.name, [])  # fmt: skip
    return [(-1) ** k * fraction * size for k, size in enumerate(scale)]
