"""Maxwell slip and its generalisation (GMS): parallel springs that slide at their own levels.

The number of elements is fixed when the law is made. Plain Maxwell slip: each element sticks like a
spring until it carries its level, then stays there; in position it is the Prandtl-Ishlinskii (Iwan)
play operator. GMS: an element that reaches its share of the Stribeck level h(v) slips, and then its
force follows that share at a rate set by C until the velocity changes sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import (
    covered,
    direction,
    is_zero,
    jump,
    power_at_rest,
    speed_of,
    stiction_level,
    stribeck_drop,
    towards,
)
from symdyn.friction.law import Domain, FrictionLaw, Quantity, Relation
from symdyn.friction.parts import LEVEL, VISCOUS_BESIDE_BRISTLES

#: The shares of a GMS law have to sum to one to within this, for decimals that a user rounded.
SHARES_TOLERANCE = 1e-9


def _sum(A: Algebra[S], p: Mapping[str, S], names: Sequence[str]) -> S:
    """Sum of some parameters."""
    total = A.const(0)
    for name in names:
        total = total + p[name]
    return total


def maxwell_slip(elements: int) -> FrictionLaw:
    """Maxwell slip with ``elements`` elements: the level of an element does not depend on speed."""
    springs = [f"k{i}" for i in range(1, elements + 1)]
    levels = [f"F{i}" for i in range(1, elements + 1)]

    def rate(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> list[S]:
        s = direction(A, v)
        return [
            A.where(A.binary("le", p[level], s * state), A.const(0), p[k] * v)
            for state, k, level in zip(x, springs, levels, strict=True)
        ]

    def update(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
    ) -> list[S]:
        s = direction(A, v)
        out: list[S] = []
        for state, k, level in zip(x, springs, levels, strict=True):
            trial = state + p[k] * v * dt
            slid = A.where(A.binary("lt", p[level], s * trial), s * p[level], trial)
            out.append(A.where(A.binary("le", p[level], s * state), s * p[level], slid))
        return out

    def force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = p["b"] * v
        for state in x:
            total = total + state
        return total

    def steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = _sum(A, p, levels)
        return total * A.unary("sign", v) + p["b"] * v

    def ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
        total = _sum(A, p, levels)
        return total, total, p["b"]

    return FrictionLaw(
        name="maxwell-slip",
        title=f"Maxwell slip, {elements} elements",
        source="Iwan 1966, J. Appl. Mech. 33(4); Lampaert, Al-Bender, Swevers 2003",
        formula=(
            r"\tau = \sum_i F_i + b v,\quad "
            r"\dot F_i = k_i v \text{ unless } |F_i| = W_i \text{ and } F_i v > 0"
        ),
        parameters=(
            *(Quantity(k, "N m/rad", "stiffness of an element", Domain.POSITIVE) for k in springs),
            *(Quantity(w, "N m", "level W of an element", Domain.NONNEGATIVE) for w in levels),
            Quantity("b", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
        ),
        states=tuple(
            Quantity(f"s{i}", "N m", "force of an element") for i in range(1, elements + 1)
        ),
        force=force,
        steady=steady,
        rate=rate,
        update=update,
        step="exact at constant velocity",
        rest="sticks like a spring with non-local memory; no drift",
        limits="steady force tends to sum(W_i) sign(v) at 0; it is sum(W_i) sign(v) + b v",
        ends=ends,
        linear=("b",),
    )


def generalised_maxwell_slip(elements: int) -> FrictionLaw:
    """GMS with ``elements`` elements; their shares a_i of the Stribeck level sum to one.

    The states are the forces of the elements and then their modes: 0 sticks, +1 and -1 slips
    forwards and backwards. Modes change in ``update`` only. Rates integrated with all modes at 0
    give the law without that memory: an element then slips while it carries its share.
    """
    springs = [f"k{i}" for i in range(1, elements + 1)]
    shares = [f"a{i}" for i in range(1, elements + 1)]

    def level(A: Algebra[S], v: S, p: Mapping[str, S]) -> S:
        h = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])
        return A.binary("min", h, A.binary("max", p["Fc"], p["Fs"]))

    def slope_at_rest(A: Algebra[S], v: S, p: Mapping[str, S], factor: S) -> S:
        """factor (h(v) - h(0)) at rest: its value 0 with its slope."""
        drop = factor * (p["Fc"] - p["Fs"])
        return power_at_rest(A, speed_of(A, v), drop, p["vs"], p["alpha"])

    def rate(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> list[S]:
        h, s, resting = level(A, v, p), direction(A, v), is_zero(A, v)
        forces, modes = x[:elements], x[elements:]
        out: list[S] = []
        for state, mode, k, share in zip(forces, modes, springs, shares, strict=True):
            aligned = s * state
            full = A.binary("le", p[share] * h, aligned)
            slips = A.where(full, A.const(1), A.binary("lt", A.const(0), s * mode))
            slip = s * p["C"] * (p[share] - aligned / h)
            creep = slope_at_rest(A, v, p, p["C"] * aligned / (p["Fs"] * p["Fs"]))
            moving = A.where(slips, slip, p[k] * v)
            out.append(A.where(resting, A.where(full, creep, p[k] * v), moving))
        return [*out, *(A.const(0) * mode for mode in modes)]

    def update(
        A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
    ) -> list[S]:
        h, s, resting = level(A, v, p), direction(A, v), is_zero(A, v)
        kept_part = covered(A, p["C"] * dt / h)
        forces, modes = x[:elements], x[elements:]
        moved: list[S] = []
        after: list[S] = []
        for state, mode, k, share in zip(forces, modes, springs, shares, strict=True):
            bound = p[share] * h
            full = A.binary("le", bound, s * state)
            slips = A.where(full, A.const(1), A.binary("lt", A.const(0), s * mode))
            trial = state + p[k] * v * dt
            reaches = A.binary("lt", bound, s * trial)
            stuck = A.where(reaches, s * bound, trial)
            slid = towards(A, state, s * bound, kept_part)
            creep = state + slope_at_rest(A, v, p, p[share] * kept_part)
            at_rest = A.where(full, creep, trial)
            moved.append(A.where(resting, at_rest, A.where(slips, slid, stuck)))
            slipping = A.where(slips, s, A.where(reaches, s, A.const(0)))
            after.append(A.where(resting, A.const(0), slipping))
        return [*moved, *after]

    def force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = p["sigma2"] * v
        for state in x[:elements]:
            total = total + state
        return total

    def steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        total = _sum(A, p, shares)
        drop = p["Fs"] - p["Fc"]
        dry = jump(A, v, p["Fs"], lambda r: stribeck_drop(A, r, drop, p["vs"], p["alpha"]))
        return total * dry + p["sigma2"] * v

    def ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
        total = _sum(A, p, shares)
        return total * p["Fs"], total * p["Fc"], p["sigma2"]

    return FrictionLaw(
        name="gms",
        title=f"Generalised Maxwell slip, {elements} elements",
        source="Al-Bender, Lampaert, Swevers 2005, IEEE TAC 50(11)",
        formula=(
            r"\text{stick: } \dot F_i = k_i v;\quad \text{slip: } \dot F_i = "
            r"\operatorname{sgn}(v)\,C\left(a_i - \frac{F_i \operatorname{sgn} v}{h(v)}\right);"
            r"\quad \tau = \sum_i F_i + \sigma_2 v,\quad "
            r"h(v) = F_c + (F_s - F_c) e^{-|v/v_s|^\alpha}"
        ),
        parameters=(
            *LEVEL,
            Quantity("C", "N m/s", "rate towards the level in slip", Domain.POSITIVE),
            VISCOUS_BESIDE_BRISTLES,
            *(Quantity(k, "N m/rad", "stiffness of an element", Domain.POSITIVE) for k in springs),
            *(Quantity(a, "1", "share of an element", Domain.NONNEGATIVE) for a in shares),
        ),
        relations=(
            Relation(
                " + ".join(shares) + " = 1",
                tuple(shares),
                lambda p: abs(sum(p[a] for a in shares) - 1) <= SHARES_TOLERANCE,
                "Otherwise steady sliding is not on the Stribeck curve.",
            ),
        ),
        states=(
            *(Quantity(f"F{i}", "N m", "force of an element") for i in range(1, elements + 1)),
            *(
                Quantity(f"m{i}", "1", "0 sticks, +1 or -1 slips that way")
                for i in range(1, elements + 1)
            ),
        ),
        force=force,
        steady=steady,
        rate=rate,
        update=update,
        step="exact at constant velocity",
        rest="sticks like a spring with non-local memory; no drift",
        limits="steady force tends to Fs sign(v) at 0; approaches Fc sign(v) + sigma2 v",
        ends=ends,
        linear=("sigma2",),
    )
