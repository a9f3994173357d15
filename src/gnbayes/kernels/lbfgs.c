/* Vector work of L-BFGS for several problems side by side.
 *
 * A dot product is the sum of LANES_OF_DOT partial sums, of every 16th row each, added in halves; then of the columns of
 * a problem, in order. So the result is the same for all instructions, and in NumPy.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define LANES_OF_DOT 16

/* to += from * factors, if asked to, then partial sums of to * with; all of them n numbers, factors and sums in rows of
 * `width`. */
ALWAYS_INLINE void add_and_multiply(const int is_added, const double *from, const double *factors, double *to,
                                    const double *with, int64_t n, int64_t width, double *sums) {
    while (n > 0) {
        const int64_t n_part = n < width ? n : width;
        for (int64_t q = 0; q < n_part; q++) {
            const double value = is_added ? to[q] + from[q] * factors[q] : to[q];
            if (is_added)
                to[q] = value;
            if (with)
                sums[q] += value * with[q];
        }
        n -= n_part;
        to += n_part;
        from += is_added ? n_part : 0;
        with += with ? n_part : 0;
    }
}

#define ARGUMENTS                                                                                                      \
    const double *from, const double *factors, double *to, const double *with, int64_t n, int64_t width, double *sums
/* The cases that occur, so that compilers see which pointers are there. */
#define CASES                                                                                                          \
    if (from && with)                                                                                                  \
        add_and_multiply(1, from, factors, to, with, n, width, sums);                                                  \
    else if (from)                                                                                                     \
        add_and_multiply(1, from, factors, to, NULL, n, width, sums);                                                  \
    else                                                                                                               \
        add_and_multiply(0, NULL, NULL, to, with, n, width, sums);

static void pass_portable(ARGUMENTS) { CASES }
#if HAS_X86_VECTORS
static TARGET_AVX2 void pass_avx2(ARGUMENTS) { CASES }
static TARGET_AVX512_BASE void pass_avx512(ARGUMENTS) { CASES }
#endif

static void pass(ARGUMENTS) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        pass_avx512(from, factors, to, with, n, width, sums);
    else if (level >= AVX2)
        pass_avx2(from, factors, to, with, n, width, sums);
    else
#endif
        pass_portable(from, factors, to, with, n, width, sums);
}

/* Partial sums (LANES_OF_DOT, b, c) added up to one number per problem; they are zeros afterwards. */
static void add_lanes(const Shape *shape, double *sums, double *out) {
    const int64_t b = shape->n_problems, c = shape->n_columns, m = b * c;
    for (int64_t half = LANES_OF_DOT / 2; half > 0; half /= 2)
        for (int64_t q = 0; q < half * m; q++)
            sums[q] += sums[half * m + q];
    for (int64_t p = 0; p < b; p++) {
        out[p] = sums[p * c];
        for (int64_t q = 1; q < c; q++)
            out[p] += sums[p * c + q];
    }
    memset(sums, 0, (size_t)(LANES_OF_DOT * m) * sizeof(double));
}

/* One factor per problem, for every lane and column. */
static void spread(const Shape *shape, const double *factors, double *out) {
    const int64_t b = shape->n_problems, c = shape->n_columns;
    for (int64_t q = 0; q < LANES_OF_DOT * b * c; q++)
        out[q] = factors[q / c % b];
}

int dot_products(const double *left, const double *right, const Shape *shape, double *out) {
    const int64_t m = shape->n_problems * shape->n_columns;
    double *sums = calloc((size_t)(LANES_OF_DOT * m), sizeof(double));
    if (!sums)
        return 1;
    pass(NULL, NULL, (double *)left, right, shape->n * m, LANES_OF_DOT * m, sums);
    add_lanes(shape, sums, out);
    free(sums);
    return 0;
}

int two_loops(const Memory *memory, const double *short_steps, const Shape *shape, double *gradient) {
    const int64_t b = shape->n_problems, m = b * shape->n_columns, n = shape->n * m, width = LANES_OF_DOT * m;
    const int64_t n_pairs = memory->n_pairs;
    double *space = calloc((size_t)(2 * width + (n_pairs + 2) * b), sizeof(double));
    if (!space)
        return 1;
    double *sums = space, *factors = sums + width, *dots = factors + width, *factor = dots + b, *amounts = factor + b;
    const double *from = NULL;
    for (int64_t i = n_pairs - 1; i >= 0; i--) {
        const int64_t place = memory->order[i];
        pass(from, factors, gradient, memory->steps + place * n, n, width, sums);
        add_lanes(shape, sums, dots);
        for (int64_t p = 0; p < b; p++) {
            amounts[i * b + p] = memory->inverses[place * b + p] * dots[p];
            factor[p] = -amounts[i * b + p];
        }
        spread(shape, factor, factors);
        from = memory->changes + place * n;
    }
    if (from)
        pass(from, factors, gradient, NULL, n, width, sums);
    spread(shape, short_steps, factors);
    for (int64_t i = 0; i < n; i += width)
        for (int64_t q = 0; q < (n - i < width ? n - i : width); q++)
            gradient[i + q] *= factors[q];
    from = NULL;
    for (int64_t i = 0; i < n_pairs; i++) {
        const int64_t place = memory->order[i];
        pass(from, factors, gradient, memory->changes + place * n, n, width, sums);
        add_lanes(shape, sums, dots);
        for (int64_t p = 0; p < b; p++)
            factor[p] = amounts[i * b + p] - memory->inverses[place * b + p] * dots[p];
        spread(shape, factor, factors);
        from = memory->steps + place * n;
    }
    if (from)
        pass(from, factors, gradient, NULL, n, width, sums);
    free(space);
    return 0;
}
