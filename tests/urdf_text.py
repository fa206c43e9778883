"""Small URDF documents for tests, written from their parts."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

LIMIT = '<limit lower="-3" upper="3" effort="100" velocity="10"/>'
SLOTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def tensor(values: str) -> str:
    """An <inertia> of six numbers in the order of SLOTS, or of the three on the diagonal."""
    words = values.split()
    if len(words) == 3:
        words = [words[0], "0", "0", words[1], "0", words[2]]
    return "<inertia " + " ".join(f'{s}="{w}"' for s, w in zip(SLOTS, words, strict=True)) + "/>"


def link(
    name: str,
    mass: str | None = None,
    com: str = "0 0 0",
    inertia: str = "0 0 0",
    rpy: str | None = None,
) -> str:
    """A link; without a mass it has no <inertial>."""
    if mass is None:
        return f"<link name={quoteattr(name)}/>"
    turn = "" if rpy is None else f' rpy="{rpy}"'
    return (
        f'<link name={quoteattr(name)}><inertial><origin xyz="{com}"{turn}/>'
        f'<mass value="{mass}"/>{tensor(inertia)}</inertial></link>'
    )


def joint(
    name: str,
    parent: str,
    child: str,
    *,
    kind: str = "revolute",
    xyz: str = "0 0 0",
    rpy: str = "0 0 0",
    axis: str | None = "0 0 1",
    more: str = "",
) -> str:
    """A joint with limits where its type needs them."""
    return (
        f'<joint name={quoteattr(name)} type="{kind}"><parent link={quoteattr(parent)}/>'
        f'<child link={quoteattr(child)}/><origin xyz="{xyz}" rpy="{rpy}"/>'
        + (f'<axis xyz="{axis}"/>' if axis is not None else "")
        + (LIMIT if kind in ("revolute", "prismatic") else "")
        + f"{more}</joint>"
    )


def robot(*elements: str, name: str = "r") -> str:
    """A document with one element a line, the first in line 3."""
    return "\n".join(
        ['<?xml version="1.0"?>', f"<robot name={quoteattr(name)}>", *elements, "</robot>"]
    )


def pendulum(
    mass: str = "1",
    com: str = "0.5 0 0",
    inertia: str = "0.1 0.1 0.1",
    *,
    rpy: str | None = None,
    axis: str | None = "0 0 1",
    kind: str = "revolute",
    more: str = "",
) -> str:
    """One link ``a`` on joint ``j``; the link stands in line 4, the joint in line 5."""
    return robot(
        link("base"),
        link("a", mass, com, inertia, rpy),
        joint("j", "base", "a", axis=axis, kind=kind, more=more),
    )
