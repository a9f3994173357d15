/* Vector work of L-BFGS for several problems side by side.
 *
 * A dot product is the sum of LANES_OF_DOT partial sums, of every 16th row each, added in halves; then of the columns of
 * a problem, in order. So the result is the same for all instructions, and in NumPy.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "vectors.h"

int dot_products(const double *left, const double *right, const Shape *shape, double *out) {
    const Extent extent = extent_of(shape);
    double *sums = calloc((size_t)extent.width, sizeof(double));
    if (!sums)
        return 1;
    combine(&(Combination){.extent = extent, .source = left, .with = right, .sums = sums});
    add_lanes(shape, sums, out);
    free(sums);
    return 0;
}

/* From the newest pair to the oldest one; the amounts (n_pairs, b) that are taken away are kept. factor: space for (b,). */
static void loop_back(const Memory *memory, const Shape *shape, Combination *pass, double *factors, double *factor,
                      double *direction, double *amounts) {
    const int64_t b = shape->n_problems, n = pass->extent.n;
    for (int64_t i = memory->n_pairs - 1; i >= 0; i--) {
        const int64_t place = memory->order[i];
        pass->with = memory->steps + place * n;
        combine(pass);
        add_lanes(shape, pass->sums, factor);
        for (int64_t p = 0; p < b; p++) {
            amounts[i * b + p] = memory->inverses[place * b + p] * factor[p];
            factor[p] = -amounts[i * b + p];
        }
        spread(shape, factor, factors);
        pass->source = pass->to = direction;
        pass->from = memory->changes + place * n;
    }
}

/* From the oldest pair to the newest one. The first pass still has to end the other loop, and to scale. */
static void loop_forth(const Memory *memory, const Shape *shape, Combination *pass, double *factors, double *factor,
                       const double *amounts) {
    const int64_t b = shape->n_problems, n = pass->extent.n;
    for (int64_t i = 0; i < memory->n_pairs; i++) {
        const int64_t place = memory->order[i];
        pass->with = memory->changes + place * n;
        combine(pass);
        add_lanes(shape, pass->sums, factor);
        for (int64_t p = 0; p < b; p++)
            factor[p] = amounts[i * b + p] - memory->inverses[place * b + p] * factor[p];
        spread(shape, factor, factors);
        pass->scales = NULL;
        pass->from = memory->steps + place * n;
    }
}

int two_loops(const Memory *memory, const double *short_steps, const Shape *shape, const double *gradient,
              double *direction, double *slope) {
    const Extent extent = extent_of(shape);
    const int64_t b = shape->n_problems, width = extent.width;
    double *space = calloc((size_t)(3 * width + (memory->n_pairs + 1) * b), sizeof(double));
    if (!space)
        return 1;
    double *sums = space, *factors = sums + width, *scales = factors + width, *factor = scales + width, *amounts = factor + b;
    const int is_in_place = direction == gradient;
    Combination pass = {.extent = extent, .source = gradient, .factors = factors, .sums = sums};
    pass.to = is_in_place ? NULL : direction;
    if (memory->n_pairs == 0 && !is_in_place)
        memcpy(direction, gradient, (size_t)extent.n * sizeof(double));
    loop_back(memory, shape, &pass, factors, factor, direction, amounts);
    pass.source = pass.to = direction;
    pass.scales = scales;
    spread(shape, short_steps, scales);
    loop_forth(memory, shape, &pass, factors, factor, amounts);
    pass.with = slope ? gradient : NULL;
    combine(&pass);
    if (slope)
        add_lanes(shape, sums, slope);
    free(space);
    return 0;
}
