/* The loop that is timed, the same for every contender in C (see protocol.py). */
#ifndef TIMED_LOOP_H
#define TIMED_LOOP_H

#define _POSIX_C_SOURCE 200809L
#include <time.h>

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Runs CALL for each state; it finds q, v and x, and leaves its result in out. */
#define TIMED_LOOP(n, CALL)                                                                        \
    do {                                                                                           \
        double sum = 0.0;                                                                          \
        const double start = thread_seconds();                                                     \
        for (long r = 0; r < repeats; ++r) {                                                       \
            for (long s = 0; s < count; ++s) {                                                     \
                const double *q = states + s * 3 * (n);                                            \
                const double *v = q + (n), *x = v + (n);                                           \
                (void)v;                                                                           \
                (void)x;                                                                           \
                CALL;                                                                              \
                sum += out[0];                                                                     \
            }                                                                                      \
        }                                                                                          \
        const double stop = thread_seconds();                                                      \
        *sink = sum;                                                                               \
        return stop - start;                                                                       \
    } while (0)

#endif
