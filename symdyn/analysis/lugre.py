"""The LuGre model linearised and bounded: stick mode, limits of the bristles, lag loop, drift.

zdot = v - (sigma0 |v|/h(v)) z, F = sigma0 z + sigma1 zdot + sigma2 v. Source: Canudas de Wit,
Olsson, Astrom, Lischinsky 1995, IEEE TAC 40(3), for the model, its boundedness and the stick mode;
the lag loop and the drift are derived in `derivations`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.sizes import check_sizes, finite, sized
from symdyn.analysis.steady_curve import StribeckCurve
from symdyn.friction.curves import stiction_level
from symdyn.friction.elasto_plastic import ELASTO_PLASTIC
from symdyn.friction.lugre import LUGRE


@dataclass(frozen=True, slots=True)
class StickMode:
    """Oscillation of an inertia held by its bristles.

    Attributes
    ----------
    frequency : undamped angular frequency sqrt(sigma0/J) [rad/s]
    damping_ratio : (sigma1 + sigma2)/(2 sqrt(sigma0 J))
    """

    frequency: float
    damping_ratio: float


def stick_mode(parameters: Mapping[str, float], inertia: float) -> StickMode:
    """Linearisation at rest, z = 0: J theta'' + (sigma1 + sigma2) theta' + sigma0 theta = 0.

    Parameters
    ----------
    parameters : of the law `LUGRE`
    inertia : J > 0 [kg m^2]
    """
    p = sized(LUGRE, parameters)
    _check_positive("inertia", inertia)
    damping = p["sigma1"] + p["sigma2"]
    return StickMode(
        math.sqrt(p["sigma0"] / inertia), damping / (2 * math.sqrt(p["sigma0"] * inertia))
    )


def deflection_bound(parameters: Mapping[str, float]) -> float:
    """max(Fc, Fs)/sigma0 [rad]: |z| never grows beyond it, whatever the velocity does.

    It does not follow that |F| stays below the levels: see `lugre_passivity`.
    """
    p = sized(LUGRE, parameters)
    return max(p["Fc"], p["Fs"]) / p["sigma0"]


@dataclass(frozen=True, slots=True)
class LagLoop:
    """The loop of friction over a velocity that oscillates about v0 with a small amplitude.

    The friction follows the velocity with dF/dv(s) = gain (sigma0 + sigma1 s)/(s + rate) + sigma2.

    Attributes
    ----------
    rate : decay rate of the bristles, sigma0 |v0|/h(v0) [1/s]; its inverse is the time constant
    gain : |v0| h'(v0)/h(v0); negative where the level falls
    reversal : sigma1 at which the direction of the loop turns round, h(v0)/|v0| [N m s/rad]
    sigma0, sigma1, sigma2 : of the law
    """

    rate: float
    gain: float
    reversal: float
    sigma0: float
    sigma1: float
    sigma2: float

    @property
    def lags(self) -> bool:
        """Whether friction is larger while the speed grows than while it falls, where h falls.

        The direction of the experiments of Hess and Soom. Where the level rises with speed it is
        the other way round.
        """
        return self.sigma1 < self.reversal

    def response(self, frequency: float) -> complex:
        """dF/dv at an angular frequency [N m s/rad]."""
        check_sizes("lag loop", {"frequency": frequency})
        s = 1j * frequency
        return self.gain * (self.sigma0 + self.sigma1 * s) / (s + self.rate) + self.sigma2

    def area(self, frequency: float, amplitude: float) -> float:
        """Signed area of the loop, the integral of F dv over a cycle, for a small amplitude.

        pi a^2 gain Omega (sigma1 rate - sigma0)/(rate^2 + Omega^2) [N m rad/s]; it is no energy.
        """
        check_sizes("lag loop", {"frequency": frequency, "amplitude": amplitude})
        if frequency == 0:
            return 0.0
        turn = self.gain * (self.sigma1 * self.rate - self.sigma0)
        over = self.rate * (self.rate / frequency) + frequency
        return finite("area of the loop", math.pi * amplitude * (amplitude * (turn / over)))


def lag_loop(parameters: Mapping[str, float], velocity: float) -> LagLoop:
    """Linearisation in steady sliding at a velocity other than 0.

    Raises
    ------
    InputError : the velocity is 0 or not finite
    """
    p = sized(LUGRE, parameters)
    if velocity == 0 or not math.isfinite(velocity):
        raise InputError("steady sliding needs a velocity", expected="v != 0", got=repr(velocity))
    check_sizes("lag loop", {"velocity": velocity})
    level = StribeckCurve(p["Fc"], p["Fs"], p["vs"], p["alpha"])
    speed = abs(velocity)
    h = stiction_level(FLOAT64, speed, p["Fc"], p["Fs"], p["vs"], p["alpha"])
    return LagLoop(
        rate=p["sigma0"] * speed / h,
        gain=speed * level.slope(speed) / h,
        reversal=h / speed,
        sigma0=p["sigma0"],
        sigma1=p["sigma1"],
        sigma2=p["sigma2"],
    )


# -- quasi-static motion below break-away ---------------------------------------------------------


def presliding(parameters: Mapping[str, float], torque: float) -> tuple[float, float]:
    """Displacement and deflection under a torque applied from rest, infinitely slowly.

    theta = -(Fs/sigma0) log(1 - torque/Fs), z = torque/sigma0. The displacement is larger: part of
    the motion is slip already.

    Returns
    -------
    (theta, z) [rad]

    Raises
    ------
    InputError : |torque| >= Fs
    """
    p = sized(LUGRE, parameters)
    _check_below(torque, p["Fs"])
    size = -p["Fs"] / p["sigma0"] * math.log1p(-abs(torque) / p["Fs"])
    return math.copysign(size, torque), torque / p["sigma0"]


def drift_per_cycle(parameters: Mapping[str, float], least: float, greatest: float) -> float:
    """How far a torque that oscillates slowly below break-away moves the joint in each cycle.

    (Fs/sigma0) log[(1 - (u1/Fs)^2)/(1 - (u2/Fs)^2)] for a torque between u1 and u2 [rad]. Zero only
    for u1 = -u2: LuGre drifts under an offset load, as no stuck joint does.

    Parameters
    ----------
    parameters : of the law `LUGRE`, or of `ELASTO_PLASTIC`, which does not drift while
        |u| <= sigma0 z_ba
    least, greatest : u1 <= u2 [N m]

    Raises
    ------
    InputError : a torque at or beyond break-away, or elasto-plastic bristles that slip
    """
    is_elasto_plastic = "z_ba" in parameters
    p = sized(ELASTO_PLASTIC if is_elasto_plastic else LUGRE, parameters)
    _check_below(least, p["Fs"])
    _check_below(greatest, p["Fs"])
    if least > greatest:
        raise InputError("the torques are not in order", got=f"{least!r}, {greatest!r}")
    if is_elasto_plastic:
        elastic = p["sigma0"] * p["z_ba"]
        if max(abs(least), abs(greatest)) > elastic:
            raise InputError(
                "the bristles slip at these torques; there is no closed form",
                expected=f"torques within {elastic:.6g} N m, sigma0 z_ba",
                got=f"{least!r}, {greatest!r}",
            )
        return 0.0
    low, high = least / p["Fs"], greatest / p["Fs"]
    return p["Fs"] / p["sigma0"] * (math.log1p(-low * low) - math.log1p(-high * high))


def _check_below(torque: float, Fs: float) -> None:
    if not abs(torque) < Fs:
        raise InputError(
            "the torque is not below break-away",
            expected=f"|torque| < Fs = {Fs!r} N m",
            got=repr(torque),
        )


def _check_positive(name: str, value: float) -> None:
    if not 0 < value < math.inf:
        raise InputError(f"the {name} is outside its domain", expected="> 0", got=repr(value))
    check_sizes("analysis of LuGre", {name: value})
