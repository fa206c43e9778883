"""One set of parameters for each law of the catalogue, for its picture, its self-test, its tests.

The Stribeck set (Fc, Fs, vs, b) = (1, 1.5, 0.01, 0.5), alpha = 2, with sigma0 = 1e4 and sigma1 =
99.5 for bristles, is a joint of moderate size: with an inertia of 1 kg m^2 it rings at 100 rad/s
with a damping ratio of 0.5 when stuck. The other sets are that joint as the other laws see it.
"""

from __future__ import annotations

_STRIBECK = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0, "b": 0.5}
_LEVELS = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0}
_BRISTLES = {**_LEVELS, "sigma0": 1e4, "sigma1": 99.5, "sigma2": 0.5}

#: Parameters by the name of the law.
EXAMPLES: dict[str, dict[str, float]] = {
    "coulomb": {"Fc": 1.0, "b": 0.5},
    "coulomb-set": {"Fc": 1.0, "b": 0.5},
    "coulomb-smooth": {"Fc": 1.0, "b": 0.5, "eps": 1e-3},
    "viscous": {"b": 0.5},
    "viscous-cubic": {"b1": 0.5, "b3": 0.02},
    "viscous-power": {"b": 0.5, "d": 0.6},
    "asymmetric": {
        "Fc_plus": 1.0, "Fc_minus": 1.2, "b_plus": 0.5, "b_minus": 0.4, "offset": 0.1,
    },
    "stribeck": _STRIBECK,
    "stribeck-set": _STRIBECK,
    "stribeck-smooth": {**_STRIBECK, "eps": 1e-3},
    "hess-soom": {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "b": 0.5},
    "makkar": {"g1": 0.5, "g2": 400.0, "g3": 40.0, "g4": 1.0, "g5": 400.0, "g6": 0.5},
    "brown-mcphee": {"Fc": 1.0, "Fs": 1.5, "vt": 0.01, "b": 0.5},
    "simscape": {"Tbrk": 1.5, "TC": 1.0, "wbrk": 0.005, "f": 0.5},
    "table": {
        "w2": 0.01, "w3": 0.03, "w4": 1.0, "t1": 1.4, "t2": 1.2, "t3": 1.02, "t4": 1.5,
        "peak": 1.1,
    },
    "karnopp": {"Fc": 1.0, "Fs": 1.5, "b": 0.5, "Dv": 1e-3},
    "load-stribeck": {
        "Fc0": 0.8, "FcL": 0.1, "Fs0": 1.2, "FsL": 0.2, "vs": 0.01, "alpha": 2.0, "b": 0.5,
    },
    "temperature-stribeck": {
        "Fc0": 0.8, "FcL": 0.1, "Fs0": 0.4, "FsL": 0.1, "FsT": 2e-3, "vs0": 0.01, "vsT": 2e-4,
        "alpha": 1.3, "Fv0": 0.3, "FvT": 0.6, "TV0": 20.0,
    },
    "ripple": {"Fc": 1.0, "b": 0.5, "a": 0.2, "k": 36.0, "phase": 0.3},
    "dahl": {"Fc": 1.0, "sigma0": 1e4, "i": 1.0},
    "lugre": _BRISTLES,
    "lugre-fading": {**_BRISTLES, "vd": 0.01},
    "elasto-plastic": {**_BRISTLES, "z_ba": 7e-5},
    "maxwell-slip": {
        "k1": 4e3, "k2": 3e3, "k3": 2e3, "k4": 1e3, "F1": 0.1, "F2": 0.2, "F3": 0.3, "F4": 0.4,
        "b": 0.5,
    },
    "gms": {
        **_LEVELS, "C": 50.0, "sigma2": 0.5,
        "k1": 4e3, "k2": 3e3, "k3": 2e3, "k4": 1e3, "a1": 0.1, "a2": 0.2, "a3": 0.3, "a4": 0.4,
    },
    "bouc-wen": {"A": 1.0, "beta": 6e3, "gamma": 4e3, "n": 1.0, "k": 1e4, "b": 0.5},
}  # fmt: skip
