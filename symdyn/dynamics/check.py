"""Sizes at the boundary: every public function of the dynamics starts here."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn._errors import SizeError
from symdyn.algebra.protocol import S
from symdyn.model.over import Model


def check_coordinates(where: str, model: Model[S], **vectors: Sequence[S]) -> None:
    """Raise SizeError unless each vector has one entry per coordinate."""
    for name, vector in vectors.items():
        if len(vector) != model.n:
            raise SizeError(
                where,
                name,
                model.n,
                len(vector),
                "Give one value per coordinate, in the robot's order.",
            )


def check_theta(where: str, model: Model[S], theta: Sequence[S]) -> None:
    """Raise SizeError unless theta has ten entries per body."""
    if len(theta) != 10 * len(model.links):
        raise SizeError(
            where,
            "theta",
            10 * len(model.links),
            len(theta),
            "Give m, h1, h2, h3, I11, I22, I33, I12, I23, I13 per body, in the robot's order.",
        )
