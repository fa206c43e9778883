/*
 * Walks a fixed-step map x <- step(t, x, p, dt) and keeps what was asked for:
 * every stride-th state, and each passage of one state through a level.
 *
 * Compiled beside a generated step, which is handed over as a pointer. Nothing is allocated.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef void (*symdyn_step)(double t, const double *x, const double *p, double dt, double *out);

/*
 * x, y       two states of n numbers: the start, and room for the next; x holds the end
 * samples    rows t, x[0..n-1] after 0, stride, 2 stride, ... steps; NULL for none
 * section    index of the state whose passages count, or negative for none
 * direction  +1 upwards, -1 downwards, 0 both
 * passages   capacity rows t, x before, x after, smallest and largest x[watched] since the passage
 *            before (or the start); a turning point is that of the parabola through three states
 * found      number of passages
 * stop       whether to end when capacity passages are found (else further ones are not kept)
 * ceiling    the walk ends early where |x[watched]| passes it
 * speed      index of the velocity whose extremes count, or negative for none
 * extremes   smallest and largest x[speed], then the state at which |x[speed]| was largest
 * kept, done number of samples, and of steps taken
 *
 * Returns 0, or 1 if a state stopped being finite; x is then the last finite state.
 */
int symdyn_march(symdyn_step step, size_t n, double *x, double *y, const double *p, double t0,
                 double dt, size_t steps, size_t stride, double *samples, long section,
                 double level, int direction, size_t capacity, double *passages, size_t *found,
                 int stop, size_t watched, double ceiling, long speed, double *extremes,
                 size_t *kept, size_t *done)
{
    double *const fastest = extremes + 2;
    double low = x[watched], high = x[watched], last = x[watched];
    const size_t row = 2 * n + 3;
    size_t k = 0;
    *found = *kept = 0;
    if (speed >= 0) {
        extremes[0] = extremes[1] = x[speed];
        memcpy(fastest, x, n * sizeof *x);
    }
    for (; k < steps && fabs(x[watched]) <= ceiling; ++k) {
        const double t = t0 + (double)k * dt;
        if (samples && k % stride == 0) {
            *samples++ = t;
            memcpy(samples, x, n * sizeof *x);
            samples += n;
            ++*kept;
        }
        step(t, x, p, dt, y);
        double sum = 0.0;
        for (size_t i = 0; i < n; ++i) sum += y[i] - y[i];
        if (sum != 0.0) { /* an infinity or NaN less itself is NaN, which differs from 0 */
            *done = k;
            return 1;
        }
        if (speed >= 0) {
            const double v = y[speed];
            if (v < extremes[0]) extremes[0] = v;
            if (v > extremes[1]) extremes[1] = v;
            if (fabs(v) > fabs(fastest[speed])) memcpy(fastest, y, n * sizeof *x);
        }
        const double here = x[watched], next = y[watched];
        if ((here > last && here > next) || (here < last && here < next)) {
            const double slope = next - last, bend = 2.0 * here - last - next;
            const double turn = here + slope * slope / (8.0 * bend);
            if (turn < low) low = turn;
            if (turn > high) high = turn;
        }
        if (next < low) low = next;
        if (next > high) high = next;
        last = here;
        if (section >= 0) {
            const double a = x[section] - level, b = y[section] - level;
            if ((direction >= 0 && a < 0.0 && b >= 0.0) || (direction <= 0 && a > 0.0 && b <= 0.0)) {
                if (*found < capacity) {
                    double *to = passages + *found * row;
                    to[0] = t;
                    memcpy(to + 1, x, n * sizeof *x);
                    memcpy(to + 1 + n, y, n * sizeof *x);
                    to[2 * n + 1] = low;
                    to[2 * n + 2] = high;
                    low = high = next;
                }
                ++*found;
                if (stop && *found == capacity) {
                    memcpy(x, y, n * sizeof *x);
                    *done = k + 1;
                    return 0;
                }
            }
        }
        memcpy(x, y, n * sizeof *x);
    }
    if (samples && k % stride == 0) {
        *samples++ = t0 + (double)k * dt;
        memcpy(samples, x, n * sizeof *x);
        ++*kept;
    }
    *done = k;
    return 0;
}
