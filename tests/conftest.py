"""One random profile for all tests: reproducible by default, random on request.

``SYMDYN_RANDOM=1`` draws new examples; hypothesis then prints the seed that repeats a failure.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

# one thread of linear algebra per worker, before NumPy is loaded: matrices here are small, and
# threads that wait for each other on shared cores take twenty times as long
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SEED = 20240607

settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,  # shared cores: a slow example is no failure
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)
settings.register_profile(
    "random",
    deadline=None,
    max_examples=400,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
settings.load_profile("random" if os.environ.get("SYMDYN_RANDOM") else "reproducible")


@pytest.fixture
def seed() -> int:
    """The one seed of a test's random source; pytest prints it with a failing test's arguments."""
    return SEED
