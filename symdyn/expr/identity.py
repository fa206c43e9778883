"""Are two lists of expressions equal as functions? Decided without simplifying anything.

1. The normal form of trigonometric polynomials proves equality, if it stays within its budget.
2. Else both sides are evaluated at random points of random prime fields, with the failure bound of
   `symdyn.expr.mod_bound`; equal residues make the verdict PROBABILISTIC.
3. A difference is REFUTED only with a witness: a state in short decimals, exact as doubles, at
   which both sides were computed with 50 digits and differ. Without one it is INCOMPLETE.

Sources: Schwartz 1980, J. ACM 27(4); Zippel 1979, EUROSAM.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from symdyn._errors import SizeError, counted
from symdyn.algebra.modular import random_prime
from symdyn.algebra.mp import MpAlgebra
from symdyn.expr.evaluate import evaluate
from symdyn.expr.evaluate_mod import constants_under_roots, evaluate_mod
from symdyn.expr.graph import Graph
from symdyn.expr.mod_bound import failure_bound
from symdyn.expr.trig_form import FormTooBigError, trig_forms
from symdyn.expr.verdict import Json, Verdict, VerdictKind

#: The default seed: the same primes, points and witnesses in every run. Any other is as good.
SEED = 20240607
#: Sizes of primes; larger ones only where the degree of the expressions asks for them.
_PRIME_BITS = (61, 127, 255, 521)
#: A single point fails with at most this probability, if a prime of the list is large enough.
_POINT_BOUND = Fraction(1, 2**24)
#: A prime at which a denominator vanishes is replaced so many times before giving up.
_RETRIES = 8
#: States tried in search of a witness.
_STATES = 12
_INDEXED = re.compile(r"(?P<name>.+)\[(?P<index>\d+)\]\Z")


def equal(
    graph: Graph,
    lefts: Sequence[int],
    rights: Sequence[int],
    *,
    claim: str = "left = right",
    points: int = 3,
    seed: int = SEED,
    limit: int = 200_000,
) -> Verdict:
    """Whether each left is the same function of the symbols as its right.

    Parameters
    ----------
    graph : where both live
    lefts, rights : indices, compared in pairs
    claim : the statement in words, for the verdict
    points : random points if the normal form is too big; the bound has this exponent
    seed : names the random primes, points and states
    limit : budget of term updates of the normal form; 0 leaves it out

    Returns
    -------
    PROVED, PROBABILISTIC with its bound, REFUTED with a witness, or INCOMPLETE with the reason

    Raises
    ------
    SizeError : the lists have different lengths
    """
    if len(lefts) != len(rights):
        raise SizeError("equal", "rights", len(lefts), len(rights), "Compare in pairs.")
    pairs = [(a, b) for a, b in zip(lefts, rights, strict=True) if a != b]
    if not pairs:
        detail = "both sides are the same expressions"
        return Verdict(VerdictKind.PROVED, claim, detail, method="construction")
    verdict = _by_normal_form(graph, pairs, claim, limit) if limit else None
    if verdict is None:
        verdict = _by_residues(graph, pairs, claim, points, seed)
    if verdict is not None:
        return verdict
    witness = find_witness(graph, lefts, rights, seed=seed)
    if witness is not None:
        detail = f"both sides differ in entry {witness['entry']} at the state of the witness"
        return Verdict(VerdictKind.REFUTED, claim, detail, None, witness, "evaluation, 50 digits")
    return Verdict(
        VerdictKind.INCOMPLETE,
        claim,
        f"the sides could not be shown to be equal, and agree at {_STATES} states; functions that "
        "the comparison takes as independent may be related, or the sides have no finite value",
        method="finite field",
    )


Pairs = Sequence[tuple[int, int]]


def _by_normal_form(graph: Graph, pairs: Pairs, claim: str, limit: int) -> Verdict | None:
    """PROVED, or None if that is not the outcome."""
    try:
        forms = trig_forms(graph, [i for pair in pairs for i in pair], limit=limit)
    except FormTooBigError:
        return None
    if any(a != b for a, b in zip(forms[::2], forms[1::2], strict=True)):
        return None
    terms = sum(f.size for f in forms[::2])
    detail = f"{counted(len(pairs), 'pair')} of equal forms, {counted(terms, 'term')}"
    return Verdict(VerdictKind.PROVED, claim, detail, method="normal form")


def _by_residues(graph: Graph, pairs: Pairs, claim: str, points: int, seed: int) -> Verdict | None:
    """PROBABILISTIC, INCOMPLETE if nothing can be evaluated, None if the sides differ."""
    lefts, rights = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    bits, bound = _prime_size(graph, lefts, rights)
    squares = constants_under_roots(graph, [*lefts, *rights])
    random = Random(f"symdyn {seed} {bits}")
    for _ in range(points):
        for _ in range(_RETRIES):
            p = random_prime(random, bits, squares)
            try:
                found = evaluate_mod(graph, [*lefts, *rights], p, random.getrandbits(63)).values
            except ZeroDivisionError:
                continue
            break
        else:
            return Verdict(
                VerdictKind.INCOMPLETE,
                claim,
                "a denominator vanishes at every point tried; it may be zero everywhere",
                method="finite field",
            )
        if found[: len(lefts)] != found[len(lefts) :]:
            return None
    if bound >= 1:
        return Verdict(
            VerdictKind.INCOMPLETE,
            claim,
            f"equal at {points} points of {bits}-bit prime fields, but the degree of the "
            "expressions allows no useful bound",
            method="finite field",
        )
    return Verdict(
        VerdictKind.PROBABILISTIC,
        claim,
        f"{counted(len(pairs), 'pair')} equal at {counted(points, 'point')}, "
        f"primes of {bits} bits, seed {seed}",
        bound**points,
        method="finite field",
    )


def _prime_size(graph: Graph, lefts: Sequence[int], rights: Sequence[int]) -> tuple[int, Fraction]:
    """Bits of the primes to use, the fewest that give a good bound, and that bound for a point."""
    bits, bound = 0, Fraction(1)
    for bits in _PRIME_BITS:
        bound = failure_bound(graph, lefts, rights, bits)
        if bound <= _POINT_BOUND:
            break
    return bits, bound


def find_witness(
    graph: Graph, lefts: Sequence[int], rights: Sequence[int], *, seed: int = SEED
) -> dict[str, Json] | None:
    """A state at which a left and its right differ, with both values to 50 digits.

    Symbols take multiples of 1/16 between 0 and 2, in every other state of both signs. A difference
    counts if evaluation with 50 and with 80 digits gives it alike to ten digits, so that rounding
    cannot be taken for one.

    Returns
    -------
    {"state": values by name, those of ``name[i]`` as lists; "entry": index of the pair; "left",
    "right", "difference": decimal texts}, or None
    """
    roots = [*lefts, *rights]
    names = {i: str(graph.payload[i]) for i in graph.reachable(roots) if graph.ops[i] == "symbol"}
    random = Random(f"symdyn witness {seed}")
    n = len(lefts)
    short, long = MpAlgebra(50), MpAlgebra(80)
    tolerance = long.const(Fraction(1, 10**10))
    for attempt in range(_STATES):
        # positive values first: masses and lengths that are negative convince nobody
        signs = (1,) if attempt % 2 == 0 else (-1, 1)
        state = {i: Fraction(random.choice(signs) * random.randint(1, 32), 16) for i in names}
        values, finer = (
            evaluate(graph, roots, A, {i: A.const(v) for i, v in state.items()})
            for A in (short, long)
        )
        for k in range(n):
            difference, exact = values[k] - values[n + k], finer[k] - finer[n + k]
            error = long.number(str(difference)) - exact
            # written so that NaN and infinities never pass
            if 0 < abs(exact) < long.number("inf") and abs(error) <= tolerance * abs(exact):
                return {
                    "state": _grouped({names[i]: float(v) for i, v in state.items()}),
                    "entry": k,
                    "left": str(values[k]),
                    "right": str(values[n + k]),
                    "difference": str(difference),
                }
    return None


def _grouped(values: Mapping[str, float]) -> dict[str, Json]:
    """Values by name; those called ``name[i]`` as one list, with 0 where an entry is not needed."""
    out: dict[str, Json] = {}
    for name, value in values.items():
        match = _INDEXED.match(name)
        if match is None:
            out[name] = value
            continue
        entries = out.setdefault(match["name"], [])
        assert isinstance(entries, list), "a symbol and a vector of the same name"
        index = int(match["index"])
        entries.extend([0.0] * (index + 1 - len(entries)))
        entries[index] = value
    return out
