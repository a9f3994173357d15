/* Passes over the vectors of L-BFGS, (n, b, c): b problems of c columns side by side. Each pass does all that one reading
 * of the numbers allows, as vectors may be larger than what stays in cache.
 *
 * Dot products are sums of LANES_OF_DOT partial sums, (LANES_OF_DOT, b, c), of every 16th row each, to which passes add.
 */
#ifndef GNBAYES_VECTORS_H
#define GNBAYES_VECTORS_H

#include "kernels.h"

#define LANES_OF_DOT 16

/* How many numbers a vector has, and how many are in LANES_OF_DOT rows of it. */
typedef struct {
    int64_t n, width;
} Extent;
Extent extent_of(const Shape *shape);

/* One factor per problem (b,), for every lane and column: out (width,). */
void spread(const Shape *shape, const double *factors, double *out);
/* Partial sums (width,) added up to one number per problem, out (b,); they are zeros afterwards. */
void add_lanes(const Shape *shape, double *sums, double *out);

/* to = (source + from * factors) * scales, and partial sums of to * with. Either to is source, or from and scales are NULL. */
typedef struct {
    Extent extent;
    const double *source;
    const double *from, *factors; /* factors (width,); NULL: nothing is added */
    const double *scales;         /* (width,), or NULL */
    const double *with;           /* or NULL: no sums */
    double *to;                   /* or NULL: sums only, of source * with */
    double *sums;                 /* (width,) */
} Combination;
void combine(const Combination *of);

/* after = before - steps * direction, x = after * scale, and partial sums of ridge * x * x. */
typedef struct {
    Extent extent;
    const double *before, *direction, *steps; /* steps (width,) */
    const double *scale, *ridge;
    double *after, *x, *sums;
} Step;
void take_step(const Step *of);

/* The gradient at x: (ridge * x + of_rows) * scale. */
typedef struct {
    int64_t n;
    const double *x, *of_rows, *scale, *ridge;
    double *gradient;
} Slope;
void add_ridge(const Slope *of);

/* step = point - point_before, change = gradient - gradient_before, and partial sums of step * change and of change
 * squared. */
typedef struct {
    Extent extent;
    const double *point, *point_before, *gradient, *gradient_before;
    double *step, *change, *sums, *squares;
} Difference;
void subtract(const Difference *of);

/* Whole numbers times unit, to out; they are zeros afterwards. */
typedef struct {
    int64_t n;
    double unit;
    int64_t *wholes;
    double *out;
} Conversion;
void take_wholes(const Conversion *of);

#endif
