"""The ten inertial parameters in the orders and reference points of other programs.

Ours is equation (7): m, h1, h2, h3, I11, I22, I33, I12, I23, I13, with h = m c and I about the
frame origin, products with the sign of the matrix entry. An order is a permutation of that; a
change of the reference point (origin or centre of mass) is a computation and stands apart:
`symdyn.spatial.inertia.phi_from_central`, `central_from_phi`, and for URDF the two functions here.

Sources: pinocchio ``Inertia::toDynamicParameters``; Khalil & Dombre 2002, section 9.3 (SYMORO, also
SymPyBotics); the URDF specification, element ``inertial``.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn._errors import InputError, SizeError
from symdyn.algebra.protocol import S
from symdyn.spatial.inertia import Phi, as_phi, central_from_phi, phi_from_central
from symdyn.spatial.vector import Vec3

#: Order by name: entry k of that order is entry ORDERS[name][k] of ours; all about the origin.
#:
#: - ``paper``: m, h1, h2, h3, I11, I22, I33, I12, I23, I13 (ours)
#: - ``rows``: m, h1, h2, h3, then the upper triangle by rows, 11 12 13 22 23 33
#: - ``pinocchio``: m, h1, h2, h3, then the lower triangle by rows, 11 12 22 13 23 33
#: - ``symoro``: the upper triangle by rows, 11 12 13 22 23 33, then h1, h2, h3, m
ORDERS: dict[str, tuple[int, ...]] = {
    "paper": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    "rows": (0, 1, 2, 3, 4, 7, 9, 5, 8, 6),
    "pinocchio": (0, 1, 2, 3, 4, 7, 5, 9, 8, 6),
    "symoro": (4, 7, 9, 5, 8, 6, 1, 2, 3, 0),
}


def to_order(phi: Sequence[S], order: str) -> list[S]:
    """Ten parameters (or several bodies' tens in a row) from our order to another.

    Parameters
    ----------
    phi : (10 N,) in the order of equation (7)
    order : a key of `ORDERS`

    Raises
    ------
    SizeError : the length is no multiple of ten
    InputError : an unknown order
    """
    places = _places(phi, order)
    return [phi[10 * (k // 10) + places[k % 10]] for k in range(len(phi))]


def from_order(values: Sequence[S], order: str) -> list[S]:
    """The inverse of `to_order`; parameters and errors as there."""
    places = _places(values, order)
    back = [places.index(k) for k in range(10)]
    return [values[10 * (k // 10) + back[k % 10]] for k in range(len(values))]


def _places(values: Sequence[object], order: str) -> tuple[int, ...]:
    if order not in ORDERS:
        raise InputError(f"unknown order {order!r}", expected=f"one of {', '.join(ORDERS)}")
    if len(values) % 10:
        remedy = "Each body has ten parameters."
        raise SizeError(
            "inertial parameters", "the list", 10 * (len(values) // 10 + 1), len(values), remedy
        )
    return ORDERS[order]


def phi_from_urdf(mass: S, com: Vec3[S], inertia: Sequence[S]) -> Phi[S]:
    """phi from the numbers of a URDF ``inertial`` element whose frame is not turned.

    Parameters
    ----------
    mass : [kg]
    com : ``origin xyz``, the centre of mass in the link frame [m]
    inertia : ixx, ixy, ixz, iyy, iyz, izz about the centre of mass [kg m^2]
    """
    xx, xy, xz, yy, yz, zz = inertia
    return phi_from_central(mass, com, (xx, yy, zz, xy, yz, xz))


def urdf_from_phi(phi: Sequence[S]) -> tuple[S, Vec3[S], tuple[S, S, S, S, S, S]]:
    """The inverse of `phi_from_urdf`; divides by the mass."""
    mass, com, (xx, yy, zz, xy, yz, xz) = central_from_phi(as_phi(phi))
    return mass, com, (xx, xy, xz, yy, yz, zz)
