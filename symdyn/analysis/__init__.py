"""What can be said about a friction law without simulating it: curves, equilibria, energy, loops.

Each statement is a closed form, an exact criterion or an enclosure in intervals, with its
derivation or source beside it.
"""

from symdyn.analysis.equilibria import Equilibrium as Equilibrium
from symdyn.analysis.equilibria import Stability as Stability
from symdyn.analysis.equilibria import equilibria as equilibria
from symdyn.analysis.equilibria import law_equilibria as law_equilibria
from symdyn.analysis.law_curve import law_shape as law_shape
from symdyn.analysis.lugre import LagLoop as LagLoop
from symdyn.analysis.lugre import StickMode as StickMode
from symdyn.analysis.lugre import deflection_bound as deflection_bound
from symdyn.analysis.lugre import drift_per_cycle as drift_per_cycle
from symdyn.analysis.lugre import lag_loop as lag_loop
from symdyn.analysis.lugre import presliding as presliding
from symdyn.analysis.lugre import stick_mode as stick_mode
from symdyn.analysis.lugre_passivity import SpeedLimits as SpeedLimits
from symdyn.analysis.lugre_passivity import dissipation as dissipation
from symdyn.analysis.lugre_passivity import dissipation_speed_limits as dissipation_speed_limits
from symdyn.analysis.lugre_passivity import lugre_passivity as lugre_passivity
from symdyn.analysis.lugre_passivity import required_viscous as required_viscous
from symdyn.analysis.lugre_passivity import storage_dissipation as storage_dissipation
from symdyn.analysis.observer_servo import ServoReport as ServoReport
from symdyn.analysis.observer_servo import compensated_loop as compensated_loop
from symdyn.analysis.passivity import passivity as passivity
from symdyn.analysis.positive_real import Reality as Reality
from symdyn.analysis.positive_real import RealityReport as RealityReport
from symdyn.analysis.positive_real import positive_reality as positive_reality
from symdyn.analysis.static_passivity import curve_passivity as curve_passivity
from symdyn.analysis.static_passivity import static_passivity as static_passivity
from symdyn.analysis.steady_curve import CurveShape as CurveShape
from symdyn.analysis.steady_curve import StribeckCurve as StribeckCurve
from symdyn.analysis.steady_curve import critical_steepness as critical_steepness
from symdyn.analysis.steady_curve import critical_viscous as critical_viscous
from symdyn.analysis.steady_curve import curve_of as curve_of
from symdyn.analysis.steady_curve import shape as shape
