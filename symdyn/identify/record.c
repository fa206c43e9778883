/*
 * Walks a fixed-step map x <- step(t, x, p, dt) through the intervals of a record: some of the
 * parameters have a value of their own in each interval.
 *
 * Handed a generated step as a pointer. Nothing is allocated.
 */
#include <stddef.h>
#include <string.h>

typedef void (*symdyn_step)(double t, const double *x, const double *p, double dt, double *out);

/*
 * x, y      two states of n numbers: the start, and room for the next
 * p         parameters
 * rows      intervals; dts their lengths, inputs their width values a row, for p[places[0..]]
 * substeps  steps in each interval; time starts at 0 in each
 * states    rows of n numbers, the state at the end of each interval
 *
 * Returns the number of intervals after which all states were finite.
 */
size_t symdyn_record(symdyn_step step, size_t n, double *x, double *y, double *p, size_t rows,
                     const double *dts, const double *inputs, size_t width, const size_t *places,
                     size_t substeps, double *states)
{
    for (size_t i = 0; i < rows; ++i) {
        const double dt = dts[i] / (double)substeps;
        for (size_t j = 0; j < width; ++j) p[places[j]] = inputs[i * width + j];
        for (size_t k = 0; k < substeps; ++k) {
            step((double)k * dt, x, p, dt, y);
            memcpy(x, y, n * sizeof *x);
        }
        double sum = 0.0;
        for (size_t j = 0; j < n; ++j) sum += x[j] - x[j];
        if (sum != 0.0) return i; /* an infinity or NaN less itself is NaN */
        memcpy(states + i * n, x, n * sizeof *x);
    }
    return rows;
}
