"""Text that generated C carries along: sine and cosine, and the operations that libm lacks.

``@`` stands for the prefix of the unit, ``@@`` for it in capitals. A block is printed only if the
unit uses it, so that no compiler finds an unused function.

The angle is reduced by multiples of pi/2 that are split in three parts of 33, 33 and 53 bits
(Cody and Waite 1980, ch. 8); the first two products are exact up to 2^20 quarter turns, and what
the subtractions round off is carried along in a second double. The polynomials are minimax in the
relative error on |r| <= pi/4 (Remez exchange at 60 digits): 3.7e-18 for the sine, 5.6e-20 for the
cosine, so rounding rules. Measured against 80-bit sine and cosine over 5.6e7 angles up to 1e5,
those next to multiples of pi/2 included: largest error 0.85 units in the last place with fused
multiply-add, 0.87 without.
"""

from __future__ import annotations

#: Beyond this the three-part reduction is left to libm.
ANGLE_LIMIT = 1e5

SCHEDULE = """\
/* GCC for x86 leaves out the scheduling before register allocation, which functions with much
   arithmetic gain 5 to 10 % from. It changes no result. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("schedule-insns,sched-pressure")
#endif
"""

UNSCHEDULE = """\
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
"""

INLINE = """\
#if defined(__GNUC__)
#define @@_INLINE static inline __attribute__((always_inline))
#define @@_RARE static __attribute__((noinline, cold))
#else
#define @@_INLINE static inline
#define @@_RARE static
#endif
"""

QUAD = """\
/* Four doubles at a time where the compiler has vector types, else one. */
#if defined(__GNUC__)
#define @@_QUAD 4
typedef double @_quad __attribute__((vector_size(32)));
typedef uint64_t @_quad_bits __attribute__((vector_size(32)));
#else
#define @@_QUAD 1
typedef double @_quad;
typedef uint64_t @_quad_bits;
#endif
"""

LANES = """\
/* States that a batch computes side by side; 1 where the compiler has no vector types.
   Give -D@@_LANES=n (a power of 2) to choose, or 1 to switch it off. */
#ifndef @@_LANES
#if !defined(__GNUC__)
#define @@_LANES 1
#elif defined(__AVX512F__)
#define @@_LANES 8
#elif defined(__AVX__)
#define @@_LANES 4
#else
#define @@_LANES 2
#endif
#endif
#if @@_LANES > 1
typedef double @_lanes __attribute__((vector_size(8 * @@_LANES)));
typedef uint64_t @_lanes_bits __attribute__((vector_size(8 * @@_LANES)));
#define @@_EACH for (int k = 0; k < @@_LANES; ++k)
#define @@_ALL(x) ((x) - (@_lanes){0})
#endif
"""

SINCOS = """\
/* Sine and cosine by our own polynomials, several angles side by side and free of branches.
   Largest error found: 0.87 units in the last place. Angles beyond 1e5, infinities and NaN go
   to libm, and so does everything if the compiler may reorder or widen floating point. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || \\
    (defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2))
#define @@_OWN_SINCOS 0
#else
#define @@_OWN_SINCOS 1
#define @@_SINCOS(NAME, REAL, BITS) \\
    @@_INLINE void NAME(const REAL *angle, double *sine, double *cosine, BITS *beyond) \\
    { \\
        const REAL x = *angle; \\
        BITS u, us, uc; \\
        memcpy(&u, &x, sizeof u); \\
        *beyond |= (BITS)((u & 0x7fffffffffffffffu) > 0x40f86a0000000000u); \\
        /* adding 1.5 * 2^52 rounds to a whole number, which then stands in the low bits */ \\
        const REAL t = x * 0.6366197723675814 + 6755399441055744.0; \\
        const REAL n = t - 6755399441055744.0; \\
        memcpy(&u, &t, sizeof u); \\
        const REAL a = x - n * 1.5707963267341256; \\
        const REAL b = n * 6.077100506303966e-11; \\
        const REAL r = a - b; \\
        const REAL d = ((a - r) - b) - n * 2.0222662487959506e-21; \\
        const REAL z = r * r; \\
        const REAL z2 = z * z; \\
        const REAL z4 = z2 * z2; \\
        const REAL p = (-0.1666666666666663 + z * 0.008333333333322118) \\
                       + z2 * (-0.0001984126982958862 + z * 2.7557313621061898e-06) \\
                       + z4 * (-2.5050747711123413e-08 + z * 1.5896227091848596e-10); \\
        const REAL c = (0.041666666666666595 + z * -0.0013888888888873056) \\
                       + z2 * (2.480158728885071e-05 + z * -2.7557314179001157e-07) \\
                       + z4 * (2.0875700800648836e-09 + z * -1.1358534323969834e-11); \\
        const REAL h = 0.5 * z; \\
        const REAL w = 1.0 - h; \\
        const REAL s0 = r + (z * r * p + d * w); \\
        const REAL c0 = w + (((1.0 - w) - h) + (z2 * c - r * d)); \\
        memcpy(&us, &s0, sizeof us); \\
        memcpy(&uc, &c0, sizeof uc); \\
        /* odd quarter turns exchange sine and cosine; the signs follow the quadrant */ \\
        const BITS swap = (us ^ uc) & (0 - (u & 1)); \\
        us = us ^ swap ^ ((u & 2) << 62); \\
        uc = uc ^ swap ^ (((u + 1) & 2) << 62); \\
        memcpy(sine, &us, sizeof us); \\
        memcpy(cosine, &uc, sizeof uc); \\
    }
#endif

@@_RARE void @_libm_sincos(int n, const double *angle, double *sine, double *cosine)
{
    for (int i = 0; i < n; ++i) {
        sine[i] = sin(angle[i]);
        cosine[i] = cos(angle[i]);
    }
}
"""

QUAD_KERNEL = """\
#if @@_OWN_SINCOS
@@_SINCOS(@_sincos_quad, @_quad, @_quad_bits)
#endif
"""

SINCOS_MANY = """\
/* n >= 4 angles; the last four overlap those before them if 4 does not divide n. */
@@_INLINE void @_sincos(int n, const double *angle, double *sine, double *cosine)
{
#if @@_OWN_SINCOS
    @_quad_bits beyond;
    uint64_t word[@@_QUAD], any = 0;
    memset(&beyond, 0, sizeof beyond);
    for (int i = 0; i < n; i += @@_QUAD) {
        const int at = i + @@_QUAD <= n ? i : n - @@_QUAD;
        @_quad x;
        memcpy(&x, angle + at, sizeof x);
        @_sincos_quad(&x, sine + at, cosine + at, &beyond);
    }
    memcpy(word, &beyond, sizeof word);
    for (int i = 0; i < @@_QUAD; ++i) any |= word[i];
    if (any)
#endif
        @_libm_sincos(n, angle, sine, cosine);
}
"""

SINCOS_FEW = """\
/* n = 1, 2 or 3 angles, which need not pass through memory; room for 4 results. */
static void @_sincos_few(int n, double a, double b, double c, double *sine, double *cosine)
{
    const double angle[4] = {a, b, c, 0.0};
#if @@_OWN_SINCOS && @@_QUAD == 4
    const @_quad x = {a, b, c, 0.0};
    @_quad_bits beyond;
    uint64_t word[4];
    memset(&beyond, 0, sizeof beyond);
    @_sincos_quad(&x, sine, cosine, &beyond);
    memcpy(word, &beyond, sizeof word);
    if (word[0] | word[1] | word[2] | word[3])
#endif
        @_libm_sincos(n, angle, sine, cosine);
}
"""

SINCOS_LANES = """\
#if @@_LANES > 1
#if @@_OWN_SINCOS
@@_SINCOS(@_sincos_lanes, @_lanes, @_lanes_bits)
#endif

static void @_batch_sincos(int n, const @_lanes *angle, @_lanes *sine, @_lanes *cosine)
{
#if @@_OWN_SINCOS
    @_lanes_bits beyond;
    uint64_t word[@@_LANES], any = 0;
    memset(&beyond, 0, sizeof beyond);
    for (int i = 0; i < n; ++i)
        @_sincos_lanes(angle + i, (double *)(sine + i), (double *)(cosine + i), &beyond);
    memcpy(word, &beyond, sizeof word);
    for (int i = 0; i < @@_LANES; ++i) any |= word[i];
    if (any)
#endif
        @_libm_sincos(n * @@_LANES, (const double *)angle, (double *)sine, (double *)cosine);
}
#endif
"""

TRANSPOSE = """\
#if @@_LANES > 1
/* Rows of numbers, one row a state, to vectors with a state per lane, and back: transposes of
   4 x 4 and 8 x 8 numbers. A last tile overlaps the one before it. */
#if defined(__clang__) || __GNUC__ >= 12
#define @@_PICK4(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define @@_PICK8(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define @@_PICK4(a, b, ...) __builtin_shuffle(a, b, (@_quad_bits){__VA_ARGS__})
#define @@_PICK8(a, b, ...) __builtin_shuffle(a, b, (@_lanes_bits){__VA_ARGS__})
#endif
#define @@_TILE (@@_LANES % 8 == 0 ? 8 : 4)

@@_INLINE void @_transpose4(const double *in, size_t apart, double *out, size_t out_apart)
{
    @_quad a, b, c, d;
    memcpy(&a, in, sizeof a);
    memcpy(&b, in + apart, sizeof b);
    memcpy(&c, in + 2 * apart, sizeof c);
    memcpy(&d, in + 3 * apart, sizeof d);
    const @_quad p = @@_PICK4(a, b, 0, 4, 2, 6), q = @@_PICK4(a, b, 1, 5, 3, 7);
    const @_quad r = @@_PICK4(c, d, 0, 4, 2, 6), s = @@_PICK4(c, d, 1, 5, 3, 7);
    a = @@_PICK4(p, r, 0, 1, 4, 5);
    b = @@_PICK4(q, s, 0, 1, 4, 5);
    c = @@_PICK4(p, r, 2, 3, 6, 7);
    d = @@_PICK4(q, s, 2, 3, 6, 7);
    memcpy(out, &a, sizeof a);
    memcpy(out + out_apart, &b, sizeof b);
    memcpy(out + 2 * out_apart, &c, sizeof c);
    memcpy(out + 3 * out_apart, &d, sizeof d);
}

/* Even and odd places of two vectors, and the way back: their halves interleaved. */
#if @@_LANES == 8
#define @@_EVEN(a, b) @@_PICK8(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define @@_ODD(a, b) @@_PICK8(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define @@_LOW(a, b) @@_PICK8(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define @@_HIGH(a, b) @@_PICK8(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif @@_LANES == 4
#define @@_EVEN(a, b) @@_PICK4(a, b, 0, 2, 4, 6)
#define @@_ODD(a, b) @@_PICK4(a, b, 1, 3, 5, 7)
#define @@_LOW(a, b) @@_PICK4(a, b, 0, 4, 1, 5)
#define @@_HIGH(a, b) @@_PICK4(a, b, 2, 6, 3, 7)
#endif

/* Three perfect shuffles transpose 8 x 8 numbers. The usual first step, unpacking the even places
   of two 512-bit vectors, is avoided: GCC 12 takes one operand twice if it spills the other. */
#if @@_LANES == 8
@@_INLINE void @_transpose8(const double *in, size_t apart, double *out, size_t out_apart)
{
    @_lanes a0, a1, a2, a3, a4, a5, a6, a7;
    memcpy(&a0, in, sizeof a0);
    memcpy(&a1, in + apart, sizeof a1);
    memcpy(&a2, in + 2 * apart, sizeof a2);
    memcpy(&a3, in + 3 * apart, sizeof a3);
    memcpy(&a4, in + 4 * apart, sizeof a4);
    memcpy(&a5, in + 5 * apart, sizeof a5);
    memcpy(&a6, in + 6 * apart, sizeof a6);
    memcpy(&a7, in + 7 * apart, sizeof a7);
    const @_lanes b0 = @@_LOW(a0, a4), b1 = @@_HIGH(a0, a4);
    const @_lanes b2 = @@_LOW(a1, a5), b3 = @@_HIGH(a1, a5);
    const @_lanes b4 = @@_LOW(a2, a6), b5 = @@_HIGH(a2, a6);
    const @_lanes b6 = @@_LOW(a3, a7), b7 = @@_HIGH(a3, a7);
    const @_lanes c0 = @@_LOW(b0, b4), c1 = @@_HIGH(b0, b4);
    const @_lanes c2 = @@_LOW(b1, b5), c3 = @@_HIGH(b1, b5);
    const @_lanes c4 = @@_LOW(b2, b6), c5 = @@_HIGH(b2, b6);
    const @_lanes c6 = @@_LOW(b3, b7), c7 = @@_HIGH(b3, b7);
    const @_lanes d0 = @@_LOW(c0, c4), d1 = @@_HIGH(c0, c4);
    const @_lanes d2 = @@_LOW(c1, c5), d3 = @@_HIGH(c1, c5);
    const @_lanes d4 = @@_LOW(c2, c6), d5 = @@_HIGH(c2, c6);
    const @_lanes d6 = @@_LOW(c3, c7), d7 = @@_HIGH(c3, c7);
    memcpy(out, &d0, sizeof d0);
    memcpy(out + out_apart, &d1, sizeof d1);
    memcpy(out + 2 * out_apart, &d2, sizeof d2);
    memcpy(out + 3 * out_apart, &d3, sizeof d3);
    memcpy(out + 4 * out_apart, &d4, sizeof d4);
    memcpy(out + 5 * out_apart, &d5, sizeof d5);
    memcpy(out + 6 * out_apart, &d6, sizeof d6);
    memcpy(out + 7 * out_apart, &d7, sizeof d7);
}
#else
#define @_transpose8 @_transpose4
#endif
#endif
"""

LOAD = """\
#if @@_LANES > 1
/* m numbers from the front of rows of n. Lanes without a state repeat the first one. */
static void @_load(size_t m, size_t n, size_t states, const double *in, @_lanes *to)
{
    double *out = (double *)to;
    if (states == @@_LANES && n == 1) {
        memcpy(to, in, sizeof *to);
        return;
    }
#ifdef @@_EVEN
    if (states == @@_LANES && n == 2 && m == 2) {
        @_lanes a, b;
        memcpy(&a, in, sizeof a);
        memcpy(&b, in + @@_LANES, sizeof b);
        to[0] = @@_EVEN(a, b);
        to[1] = @@_ODD(a, b);
        return;
    }
#endif
    if (states == @@_LANES && @@_LANES % 4 == 0 && m >= 4) {
        const size_t tile = m >= @@_TILE ? @@_TILE : 4;
        for (size_t k = 0; k < @@_LANES; k += tile)
            for (size_t i = 0; i < m; i += tile) {
                const size_t at = i + tile <= m ? i : m - tile;
                if (tile == 4)
                    @_transpose4(in + n * k + at, n, out + @@_LANES * at + k, @@_LANES);
                else
                    @_transpose8(in + n * k + at, n, out + @@_LANES * at + k, @@_LANES);
            }
        return;
    }
    for (size_t i = 0; i < m; ++i)
        for (size_t k = 0; k < @@_LANES; ++k)
            out[@@_LANES * i + k] = in[n * (k < states ? k : 0) + i];
}
#endif
"""

UNLOAD = """\
#if @@_LANES > 1
/* And back: m vectors to m numbers of rows of n. */
static void @_unload(size_t m, size_t n, size_t states, const @_lanes *from, double *out)
{
    const double *in = (const double *)from;
    if (states == @@_LANES && n == 1) {
        memcpy(out, from, sizeof *from);
        return;
    }
#ifdef @@_EVEN
    if (states == @@_LANES && n == 2 && m == 2) {
        const @_lanes a = @@_LOW(from[0], from[1]), b = @@_HIGH(from[0], from[1]);
        memcpy(out, &a, sizeof a);
        memcpy(out + @@_LANES, &b, sizeof b);
        return;
    }
#endif
    if (states == @@_LANES && @@_LANES % 4 == 0 && m >= 4) {
        const size_t tile = m >= @@_TILE ? @@_TILE : 4;
        for (size_t i = 0; i < m; i += tile) {
            const size_t at = i + tile <= m ? i : m - tile;
            for (size_t k = 0; k < @@_LANES; k += tile)
                if (tile == 4)
                    @_transpose4(in + @@_LANES * at + k, @@_LANES, out + n * k + at, n);
                else
                    @_transpose8(in + @@_LANES * at + k, @@_LANES, out + n * k + at, n);
        }
        return;
    }
    for (size_t k = 0; k < states; ++k)
        for (size_t i = 0; i < m; ++i) out[n * k + i] = in[@@_LANES * i + k];
}
#endif
"""

FILL = """\
#if @@_LANES > 1
@@_INLINE void @_fill(size_t m, size_t n, size_t states, double value, double *out)
{
    for (size_t k = 0; k < states; ++k)
        for (size_t i = 0; i < m; ++i) out[n * k + i] = value;
}
#endif
"""

#: Operations whose C spelling is not one call of libm; meanings as in `symdyn.algebra.ops`.
FUNCTIONS: dict[str, str] = {
    "pow": """\
@@_INLINE double @_pow(double x, double y)
{
    /* real power: no root of a negative number, and -0 counts as 0 */
    return x < 0.0 ? NAN : pow(fabs(x), y);
}
""",
    "atan2": """\
@@_INLINE double @_atan2(double y, double x)
{
    return x == 0.0 && y == 0.0 ? 0.0 : atan2(y, x);
}
""",
    "sign": """\
@@_INLINE double @_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}
""",
    "min": """\
@@_INLINE double @_min(double x, double y)
{
    return x < y || x != x ? x : y;
}
""",
    "max": """\
@@_INLINE double @_max(double x, double y)
{
    return x > y || x != x ? x : y;
}
""",
}

#: Operations that are one call of libm.
LIBM: dict[str, str] = {
    "sqrt": "sqrt", "cbrt": "cbrt", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos",
    "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "abs": "fabs",
}  # fmt: skip

INFIX: dict[str, str] = {"add": "+", "sub": "-", "mul": "*", "div": "/"}

COMPARE: dict[str, str] = {"lt": "<", "le": "<=", "eq": "=="}


def instantiate(text: str, prefix: str) -> str:
    """Put the unit's prefix in."""
    return text.replace("@@", prefix.upper()).replace("@", prefix)
