/* Passes over the vectors of L-BFGS, for all instructions. */
#include "vectors.h"

#include <string.h>

#include "elementary.h"

/* A pass for each level of instructions, and the one that takes the best of them. */
#if HAS_X86_VECTORS
#define AT_ALL_LEVELS(NAME, TYPE)                                                                                      \
    static void NAME##_portable(const TYPE *of) { NAME##_anywhere(of); }                                               \
    static TARGET_AVX2 void NAME##_avx2(const TYPE *of) { NAME##_anywhere(of); }                                       \
    static TARGET_AVX512_BASE void NAME##_avx512(const TYPE *of) { NAME##_anywhere(of); }                                   \
    void NAME(const TYPE *of) {                                                                                        \
        if (level >= AVX512_BASE)                                                                                           \
            NAME##_avx512(of);                                                                                         \
        else if (level == AVX2)                                                                                        \
            NAME##_avx2(of);                                                                                           \
        else                                                                                                           \
            NAME##_portable(of);                                                                                       \
    }
#else
#define AT_ALL_LEVELS(NAME, TYPE)                                                                                      \
    void NAME(const TYPE *of) { NAME##_anywhere(of); }
#endif

Extent extent_of(const Shape *shape) {
    const int64_t m = shape->n_problems * shape->n_columns;
    return (Extent){shape->n * m, LANES_OF_DOT * m};
}

void spread(const Shape *shape, const double *factors, double *out) {
    const int64_t b = shape->n_problems, c = shape->n_columns;
    for (int64_t q = 0; q < LANES_OF_DOT * b * c; q++)
        out[q] = factors[q / c % b];
}

void add_lanes(const Shape *shape, double *sums, double *out) {
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

/* What is done with each part of `width` numbers. */
#define FOR_PARTS(EXTENT)                                                                                              \
    for (int64_t at = 0, n_part; n_part = (EXTENT).n - at < (EXTENT).width ? (EXTENT).n - at : (EXTENT).width,         \
                                 at < (EXTENT).n;                                                                      \
         at += (EXTENT).width)

ALWAYS_INLINE void combine_case(const int is_added, const int is_scaled, const int is_kept, const int is_summed,
                                const Combination *of) {
    const double *restrict source = of->source, *restrict from = of->from, *restrict factors = of->factors;
    const double *restrict scales = of->scales, *restrict with = of->with;
    double *restrict to = of->to, *restrict sums = of->sums;
    FOR_PARTS(of->extent)
        for (int64_t q = 0; q < n_part; q++) {
            double value = is_added || is_scaled ? to[at + q] : source[at + q];
            if (is_added)
                value = value + from[at + q] * factors[q];
            if (is_scaled)
                value = value * scales[q];
            if (is_kept)
                to[at + q] = value;
            if (is_summed)
                sums[q] += value * with[at + q];
        }
}

/* The cases that occur, so that compilers see which pointers are there. */
ALWAYS_INLINE void combine_anywhere(const Combination *of) {
    if (of->from && of->scales)
        combine_case(1, 1, 1, 1, of);
    else if (of->from && of->with)
        combine_case(1, 0, 1, 1, of);
    else if (of->from)
        combine_case(1, 0, 1, 0, of);
    else if (of->scales && of->with)
        combine_case(0, 1, 1, 1, of);
    else if (of->scales)
        combine_case(0, 1, 1, 0, of);
    else if (of->to)
        combine_case(0, 0, 1, 1, of);
    else
        combine_case(0, 0, 0, 1, of);
}
AT_ALL_LEVELS(combine, Combination)

ALWAYS_INLINE void take_step_anywhere(const Step *of) {
    const double *restrict before = of->before, *restrict direction = of->direction, *restrict steps = of->steps;
    const double *restrict scale = of->scale, *restrict ridge = of->ridge;
    double *restrict after = of->after, *restrict x = of->x, *restrict sums = of->sums;
    FOR_PARTS(of->extent)
        for (int64_t q = 0; q < n_part; q++) {
            const double point = before[at + q] - steps[q] * direction[at + q], scaled = point * scale[at + q];
            after[at + q] = point;
            x[at + q] = scaled;
            sums[q] += (ridge[at + q] * scaled) * scaled;
        }
}
AT_ALL_LEVELS(take_step, Step)

ALWAYS_INLINE void add_ridge_anywhere(const Slope *of) {
    const double *restrict x = of->x, *restrict of_rows = of->of_rows, *restrict scale = of->scale;
    const double *restrict ridge = of->ridge;
    double *restrict gradient = of->gradient;
    for (int64_t i = 0; i < of->n; i++)
        gradient[i] = (ridge[i] * x[i] + of_rows[i]) * scale[i];
}
AT_ALL_LEVELS(add_ridge, Slope)

ALWAYS_INLINE void subtract_anywhere(const Difference *of) {
    const double *restrict point = of->point, *restrict point_before = of->point_before;
    const double *restrict gradient = of->gradient, *restrict gradient_before = of->gradient_before;
    double *restrict step = of->step, *restrict change = of->change;
    double *restrict sums = of->sums, *restrict squares = of->squares;
    FOR_PARTS(of->extent)
        for (int64_t q = 0; q < n_part; q++) {
            const double own_step = point[at + q] - point_before[at + q];
            const double own_change = gradient[at + q] - gradient_before[at + q];
            step[at + q] = own_step;
            change[at + q] = own_change;
            sums[q] += own_step * own_change;
            squares[q] += own_change * own_change;
        }
}
AT_ALL_LEVELS(subtract, Difference)

/* A number from a whole one, rounded once as by a cast, but in steps that all vector instructions have: its upper half is
 * exact next to 2^84, and its lower half next to 2^52. */
ALWAYS_INLINE double to_number(int64_t whole) {
    const uint64_t bits = (uint64_t)whole;
    const double low = from_bits((int64_t)((bits & UINT64_C(0xffffffff)) | UINT64_C(0x4330000000000000)));
    const double high = from_bits((int64_t)((bits >> 32) ^ UINT64_C(0x4530000080000000)));
    return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
}

ALWAYS_INLINE void take_wholes_anywhere(const Conversion *of) {
    int64_t *restrict wholes = of->wholes;
    double *restrict out = of->out;
    const double unit = of->unit;
    for (int64_t i = 0; i < of->n; i++) {
        out[i] = to_number(wholes[i]) * unit;
        wholes[i] = 0;
    }
}
AT_ALL_LEVELS(take_wholes, Conversion)
