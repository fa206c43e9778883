"""Text that every generated NumPy module carries: shape checks and two tables of operations."""

from __future__ import annotations

INFIX: dict[str, str] = {"add": "+", "sub": "-", "mul": "*"}

BEFORE = """\
import math

import numpy as np


def _constant(numbers):
    values = np.array(numbers, dtype=float)
    values.flags.writeable = False
    return values
"""

AFTER = '''\
# -- operations -----------------------------------------------------------------------------------


def _guarded(function, overflow=math.inf):
    """NaN outside the domain and infinity on overflow, where the math module raises."""

    def apply(x):
        try:
            return function(x)
        except ValueError:
            return math.nan
        except OverflowError:
            return overflow(x) if callable(overflow) else overflow

    return apply


class _Floats:
    """The operations on Python floats: one state."""

    sin = staticmethod(_guarded(math.sin))
    cos = staticmethod(_guarded(math.cos))
    tan = staticmethod(_guarded(math.tan))
    asin = staticmethod(_guarded(math.asin))
    acos = staticmethod(_guarded(math.acos))
    atan = math.atan
    sinh = staticmethod(_guarded(math.sinh, lambda x: math.copysign(math.inf, x)))
    cosh = staticmethod(_guarded(math.cosh))
    tanh = math.tanh
    exp = staticmethod(_guarded(math.exp))
    sqrt = staticmethod(_guarded(math.sqrt))
    abs = abs

    @staticmethod
    def fill(out, first, count, value):
        out[first : first + count] = [value] * count

    @staticmethod
    def div(x, y):
        if y != 0:
            return x / y
        if x == 0 or x != x:
            return math.nan
        return math.copysign(math.inf, x) * math.copysign(1.0, y)

    @staticmethod
    def log(x):
        if x == 0:
            return -math.inf
        return math.log(x) if x > 0 else math.nan

    @staticmethod
    def cbrt(x):
        return float(np.cbrt(x))

    @staticmethod
    def pow(x, y):
        if x < 0:
            return math.nan
        if x == 0 and y < 0:
            return math.inf
        try:
            return math.pow(abs(x), y)
        except OverflowError:
            return math.inf

    @staticmethod
    def atan2(y, x):
        return 0.0 if y == 0 and x == 0 else math.atan2(y, x)

    @staticmethod
    def sign(x):
        return 1.0 if x > 0 else -1.0 if x < 0 else x

    @staticmethod
    def min(x, y):
        return x if x < y or x != x else y

    @staticmethod
    def max(x, y):
        return x if x > y or x != x else y

    @staticmethod
    def lt(x, y):
        return 1.0 if x < y else 0.0

    @staticmethod
    def le(x, y):
        return 1.0 if x <= y else 0.0

    @staticmethod
    def eq(x, y):
        return 1.0 if x == y else 0.0

    @staticmethod
    def where(c, a, b):
        return a if c != 0 else b


class _Arrays:
    """The operations on arrays: many states. Both branches of where are computed, one is taken."""

    sin, cos, tan = np.sin, np.cos, np.tan
    asin, acos, atan = np.arcsin, np.arccos, np.arctan
    sinh, cosh, tanh = np.sinh, np.cosh, np.tanh
    exp, log, sqrt, cbrt = np.exp, np.log, np.sqrt, np.cbrt
    abs, sign, min, max, div = np.abs, np.sign, np.minimum, np.maximum, np.divide

    @staticmethod
    def fill(out, first, count, value):
        out[first : first + count] = value

    @staticmethod
    def pow(x, y):
        return np.where(np.less(x, 0), np.nan, np.power(np.abs(x), y))

    @staticmethod
    def atan2(y, x):
        return np.where(np.equal(x, 0) & np.equal(y, 0), 0.0, np.arctan2(y, x))

    @staticmethod
    def lt(x, y):
        return np.where(np.less(x, y), 1.0, 0.0)

    @staticmethod
    def le(x, y):
        return np.where(np.less_equal(x, y), 1.0, 0.0)

    @staticmethod
    def eq(x, y):
        return np.where(np.equal(x, y), 1.0, 0.0)

    @staticmethod
    def where(c, a, b):
        return np.where(np.not_equal(c, 0), a, b)


# -- states and batches ---------------------------------------------------------------------------

#: Numbers of the result that are computed at a time, and the most states: the intermediate arrays
#: then stay in the cache.
_BLOCK, _STATES = 1 << 19, 4096


def _checked(function, name, shape, value):
    try:
        array = np.asarray(value)
        if np.iscomplexobj(array):
            raise TypeError("it is complex")
        array = array.astype(float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{function}: {name} is no array of real numbers: {error}") from None
    split = array.ndim - len(shape)
    if split < 0 or array.shape[split:] != shape:
        wanted = f"shape {shape}, or that behind the axes of a batch" if shape else "numbers"
        raise ValueError(f"{function}: {name} has shape {array.shape}; expected {wanted}")
    return array, array.shape[:split]


def _run(function, body, arguments, shape):
    arrays = [_checked(function, name, own, value) for name, own, value in arguments]
    size = math.prod(shape)
    try:
        batch = np.broadcast_shapes(*[batch for _, batch in arrays])
    except ValueError:
        parts = ", ".join(
            f"{name} {batch}" for (name, _, _), (_, batch) in zip(arguments, arrays)
        )
        raise ValueError(f"{function}: the batch axes do not fit together: {parts}") from None
    if not batch:
        out = [0.0] * size
        given = [array.ravel().tolist() if own else float(array)
                 for (array, _), (_, own, _) in zip(arrays, arguments)]
        body(_Floats, *given, out)
        return np.array(out).reshape(shape) if shape else float(out[0])
    count = math.prod(batch)
    rows = []
    for (array, its_batch), (_, own, _) in zip(arrays, arguments):
        if its_batch:
            flat = np.broadcast_to(array, batch + own).reshape(count, math.prod(own))
            rows.append((True, bool(own), flat))
        else:
            rows.append((False, bool(own), array.ravel().tolist() if own else float(array)))
    result = np.empty((count, size))
    with np.errstate(all="ignore"):
        step = max(1, min(_STATES, _BLOCK // size))
        for start in range(0, count, step):
            block = slice(start, min(start + step, count))
            given = []
            for varies, is_array, values in rows:
                if varies:
                    columns = np.ascontiguousarray(values[block].T)
                    values = list(columns) if is_array else columns[0]
                given.append(values)
            out = np.zeros((size, block.stop - start))
            body(_Arrays, *given, out)
            result[block] = out.T
    return result.reshape(batch + shape)


# -- functions ------------------------------------------------------------------------------------
'''
