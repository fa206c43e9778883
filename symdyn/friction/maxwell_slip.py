"""Maxwell slip and its generalisation (GMS): parallel springs that slide at their own levels.

The number of elements is fixed when the law is made. Each element sticks like a spring until it
carries its share of the level h(v), then slides towards that share at a rate set by C. Plain Maxwell
slip stays at its share at once; in position it is the Prandtl-Ishlinskii (Iwan) play operator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import stiction_level
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def maxwell_slip(elements: int) -> FrictionLaw:
    """Maxwell slip with ``elements`` elements: the level of an element does not depend on speed."""
    springs = [f"k{i}" for i in range(1, elements + 1)]
    levels = [f"F{i}" for i in range(1, elements + 1)]

    def rate(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> list[S]:
        out: list[S] = []
        for state, k, level in zip(x, springs, levels, strict=True):
            out.append(A.where(_slides(A, v, state, p[level]), A.const(0), p[k] * v))
        return out

    def update(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
    ) -> list[S]:
        out: list[S] = []
        for state, k, level in zip(x, springs, levels, strict=True):
            trial = state + p[k] * v * dt
            out.append(A.binary("max", -p[level], A.binary("min", trial, p[level])))
        return out

    def force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = p["b"] * v
        for state in x:
            total = total + state
        return total

    def steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = A.const(0)
        for level in levels:
            total = total + p[level]
        return total * A.unary("sign", v) + p["b"] * v

    return FrictionLaw(
        name="maxwell-slip",
        title=f"Maxwell slip, {elements} elements",
        source="Iwan 1966; Lampaert, Al-Bender, Swevers 2003",
        formula=(
            r"\tau = \sum_i F_i + b v,\quad "
            r"\dot F_i = k_i v \text{ unless } |F_i| = W_i \text{ and } F_i v > 0"
        ),
        parameters=(
            *(Quantity(k, "N m/rad", "stiffness of an element", Domain.POSITIVE) for k in springs),
            *(Quantity(w, "N m", "level of an element", Domain.NONNEGATIVE) for w in levels),
            Quantity("b", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
        ),
        states=tuple(
            Quantity(f"s{i}", "N m", "force of an element") for i in range(1, elements + 1)
        ),
        force=force,
        steady=steady,
        rate=rate,
        update=update,
        rest="sticks like a spring with non-local memory; no drift",
        limits="steady force sum(F_i) sign(v) + b v",
        linear=("b",),
    )


def generalised_maxwell_slip(elements: int) -> FrictionLaw:
    """GMS with ``elements`` elements of equal role; shares a_i of the Stribeck level sum to one."""
    springs = [f"k{i}" for i in range(1, elements + 1)]
    shares = [f"a{i}" for i in range(1, elements + 1)]

    def level(A: Algebra[S], v: S, p: Mapping[str, S]) -> S:
        return stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])

    def rate(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> list[S]:
        h = level(A, v, p)
        s = A.unary("sign", v)
        out: list[S] = []
        for state, k, share in zip(x, springs, shares, strict=True):
            slip = s * p["C"] * (p[share] - A.unary("abs", state) / h)
            out.append(A.where(_slides(A, v, state, p[share] * h), slip, p[k] * v))
        return out

    def update(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
    ) -> list[S]:
        h = level(A, v, p)
        s = A.unary("sign", v)
        kept = A.unary("exp", -(p["C"] * dt / h))
        out: list[S] = []
        for state, k, share in zip(x, springs, shares, strict=True):
            bound = p[share] * h
            target = s * bound
            slid = target + (state - target) * kept
            trial = state + p[k] * v * dt
            stuck = A.binary("max", -bound, A.binary("min", trial, bound))
            out.append(A.where(_slides(A, v, state, bound), slid, stuck))
        return out

    def force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = p["sigma2"] * v
        for state in x:
            total = total + state
        return total

    def steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = A.const(0)
        for share in shares:
            total = total + p[share]
        return total * level(A, v, p) * A.unary("sign", v) + p["sigma2"] * v

    return FrictionLaw(
        name="gms",
        title=f"Generalised Maxwell slip, {elements} elements",
        source="Al-Bender, Lampaert, Swevers 2005, IEEE TAC 50(11), eq. (11)-(13)",
        formula=(
            r"\text{stick: } \dot F_i = k_i v;\quad \text{slip: } \dot F_i = "
            r"\operatorname{sgn}(v)\,C\left(a_i - \frac{|F_i|}{h(v)}\right);\quad "
            r"\tau = \sum_i F_i + \sigma_2 v"
        ),
        parameters=(
            Quantity("Fc", "N m", "Coulomb level", Domain.POSITIVE),
            Quantity("Fs", "N m", "break-away level", Domain.POSITIVE),
            Quantity("vs", "rad/s", "Stribeck velocity", Domain.POSITIVE),
            Quantity("alpha", "1", "Stribeck exponent", Domain.POSITIVE),
            Quantity("C", "N m/s", "rate towards the level in slip", Domain.POSITIVE),
            Quantity("sigma2", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
            *(Quantity(k, "N m/rad", "stiffness of an element", Domain.POSITIVE) for k in springs),
            *(Quantity(a, "1", "share of an element, sum 1", Domain.NONNEGATIVE) for a in shares),
        ),
        states=tuple(
            Quantity(f"F{i}", "N m", "force of an element") for i in range(1, elements + 1)
        ),
        force=force,
        steady=steady,
        rate=rate,
        update=update,
        rest="sticks like a spring with non-local memory; no drift",
        limits="steady force h(v) sign(v) + sigma2 v",
        linear=("sigma2",),
    )


def _slides(A: Algebra[S], v: S, force: S, level: S) -> S:
    """1 if an element at its level moves further in the same direction."""
    full = A.binary("le", level, A.unary("abs", force))
    return A.where(full, A.binary("lt", A.const(0), force * v), A.const(0))
