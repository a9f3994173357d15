/* L-BFGS for the tables of a sum of terms: the loss of the rows, its gradient and the search, all in one call.
 *
 * The steps and their order of additions are those of lbfgs.py, objective.py and layout.py, to the last bit; what takes
 * a dozen arrays per evaluation there is done here without leaving C. With few rows, this saves most of the time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "vectors.h"

#define MEMORY 6
#define MOST_TRIALS 12
/* Share of the slope that a step has to gain (Armijo). */
#define SUFFICIENT 1e-4
/* Numbers of tables that are transformed together; all of them stay in cache. */
#define NUMBERS_AT_ONCE 4096
#define LARGEST_LOSS 4096.0
#define LOSS_PARTS 0x1p30

/* Like NumPy's: NaN if one of the two is NaN. */
ALWAYS_INLINE double maximum(double a, double b) { return a > b || isnan(a) ? a : b; }
ALWAYS_INLINE double minimum(double a, double b) { return a < b || isnan(a) ? a : b; }

typedef struct {
    double *point, *gradient; /* (n, b, c) */
    double *value;            /* (b,) */
} Spot;

typedef struct {
    const TableProblem *problem;
    Shape shape;
    int64_t m;                   /* b * c */
    const double *scale, *ridge; /* (n, b, c) */
    double *x, *of_rows, *tables, *of_cells, *axis[2], *base;
    double *sums_of_dots, *steps; /* of two dot products and one, for LANES_OF_DOT rows */
    double *dots;                 /* (2, b) */
    int64_t *sums, *losses;
    const SharedSums *shared;
    int64_t n_evaluations;
} Evaluation;

/* Numbers of a table of a group on either side, and at most on the way. */
typedef struct {
    int64_t n_cells, n_unknowns, n_most, n_at_once;
} TableSize;

static TableSize table_size(const TableGroup *group, int64_t m) {
    TableSize size = {m, m, m, 0};
    for (int64_t a = 0; a < group->n_axes; a++) {
        const TableAxis *axis = &group->axes[a];
        size.n_cells *= axis->n_cells;
        size.n_unknowns *= axis->n_unknowns;
        size.n_most *= axis->n_cells > axis->n_unknowns ? axis->n_cells : axis->n_unknowns;
    }
    size.n_at_once = size.n_most < NUMBERS_AT_ONCE ? NUMBERS_AT_ONCE / size.n_most : 1;
    return size;
}

/* Some tables of a group from their unknowns, or the reverse, axis by axis. */
static void apply_axes(Evaluation *work, const TableGroup *group, int64_t n_tables, int64_t n_in, const double *in,
                       double *out, int is_back) {
    int64_t pre = n_tables, size = n_in;
    for (int64_t a = 0; a < group->n_axes; a++) {
        const TableAxis *axis = &group->axes[a];
        const int64_t own_in = is_back ? axis->n_cells : axis->n_unknowns;
        const int64_t own_out = is_back ? axis->n_unknowns : axis->n_cells;
        const double *matrix = work->problem->matrices + (is_back ? axis->project : axis->expand);
        double *to = a == group->n_axes - 1 ? out : work->axis[a % 2];
        const AxisProduct product = {matrix, own_out, own_in, pre, size / (pre * own_in)};
        axis_product(&product, in, to);
        in = to;
        pre *= own_out;
        size = size / own_in * own_out;
    }
}

/* Tables from unknowns: every group by its matrices, as many tables at once as stay in cache; free tables are their
 * unknowns. */
static void expand(Evaluation *work, const double *unknowns, double *tables) {
    const TableProblem *problem = work->problem;
    int64_t n_left = (work->shape.n - 1) * work->m;
    for (int64_t g = 0; g < problem->n_groups; g++) {
        const TableGroup *group = &problem->groups[g];
        const TableSize size = table_size(group, work->m);
        for (int64_t first = 0; first < group->n_tables; first += size.n_at_once) {
            const int64_t left = group->n_tables - first, n = left < size.n_at_once ? left : size.n_at_once;
            apply_axes(work, group, n, n * size.n_unknowns, unknowns, tables, 0);
            unknowns += n * size.n_unknowns;
            tables += n * size.n_cells;
            n_left -= n * size.n_unknowns;
        }
    }
    memcpy(tables, unknowns, (size_t)n_left * sizeof(double));
}

/* The reverse, from sums over the rows of cells, which are zeros afterwards. */
static void project(Evaluation *work, double *out) {
    const TableProblem *problem = work->problem;
    int64_t *sums = work->sums, n_left = problem->cells->n_cells * work->m;
    for (int64_t g = 0; g < problem->n_groups; g++) {
        const TableGroup *group = &problem->groups[g];
        const TableSize size = table_size(group, work->m);
        for (int64_t first = 0; first < group->n_tables; first += size.n_at_once) {
            const int64_t left = group->n_tables - first, n = left < size.n_at_once ? left : size.n_at_once;
            const int64_t n_cells = n * size.n_cells;
            take_wholes(&(Conversion){n_cells, problem->unit, sums, work->of_cells});
            apply_axes(work, group, n, n_cells, work->of_cells, out, 1);
            sums += n_cells;
            out += n * size.n_unknowns;
            n_left -= n_cells;
        }
    }
    take_wholes(&(Conversion){n_left, problem->unit, sums, out});
}

/* Value and gradient of every problem a step further: after = before - step * direction. */
static void evaluate(Evaluation *work, const double *before, const double *direction, const double *step,
                     const Spot *after) {
    const TableProblem *problem = work->problem;
    const Extent extent = extent_of(&work->shape);
    const int64_t m = work->m, b = work->shape.n_problems, c = work->shape.n_columns;
    const int64_t n_cells = problem->cells->n_cells;
    spread(&work->shape, step, work->steps);
    take_step(&(Step){extent, before, direction, work->steps, work->scale, work->ridge, after->point, work->x,
                      work->sums_of_dots});
    add_lanes(&work->shape, work->sums_of_dots, work->dots);
    for (int64_t q = 0; q < m; q++)
        work->base[q] = work->x[q] + problem->base[q % c];
    expand(work, work->x + m, work->tables);
    memset(work->losses, 0, (size_t)(2 * b) * sizeof(int64_t));
    const Problems problems = {GRADIENT, work->tables, work->base, problem->labels, problem->weights, b, c,
                               1 / LARGEST_LOSS};
    sum_all_rows(work->shared, problem->cells, &problems, work->sums, work->losses);
    const double loss_unit = problem->unit * LARGEST_LOSS;
    for (int64_t p = 0; p < b; p++) {
        const double wholes = (double)work->losses[p] * loss_unit, parts = (double)work->losses[b + p] * loss_unit;
        after->value[p] = (wholes + parts / LOSS_PARTS) + 0.5 * work->dots[p];
    }
    project(work, work->of_rows + m);
    take_wholes(&(Conversion){m, problem->unit, work->sums + n_cells * m, work->of_rows});
    add_ridge(&(Slope){extent.n, work->x, work->of_rows, work->scale, work->ridge, after->gradient});
    work->n_evaluations++;
}

/* One step of every active problem, shortened where it gains too little; others stay. */
static void search(Evaluation *work, const Spot *before, const Spot *after, const double *direction,
                   const double *slope, const uint8_t *is_active, double *step) {
    const int64_t b = work->shape.n_problems;
    for (int64_t p = 0; p < b; p++)
        step[p] = is_active[p];
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        evaluate(work, before->point, direction, step, after);
        int is_too_far = 0;
        for (int64_t p = 0; p < b; p++) {
            const double value = before->value[p], gained = after->value[p] - value + slope[p] * step[p];
            if (!is_active[p] || after->value[p] <= value - SUFFICIENT * step[p] * slope[p])
                continue;
            is_too_far = 1;
            const double lowest = slope[p] * step[p] / maximum(2 * gained, 1e-300);
            step[p] = trial < MOST_TRIALS - 2 ? step[p] * minimum(maximum(lowest, 0.1), 0.5) : 0.0;
        }
        if (!is_too_far)
            break;
    }
}

/* The last steps, as lbfgs.py remembers them. */
typedef struct {
    double *steps, *changes;    /* (MEMORY, n, b, c) */
    double *inverses, *scales;  /* (MEMORY, b) */
    int64_t n_added;
} Past;

static void remember(Past *past, const Evaluation *work, const Spot *now, const Spot *before) {
    const Extent extent = extent_of(&work->shape);
    const int64_t b = work->shape.n_problems, at = past->n_added % MEMORY;
    double *sums = work->sums_of_dots, *squares = sums + extent.width, *dots = work->dots;
    subtract(&(Difference){extent, now->point, before->point, now->gradient, before->gradient,
                           past->steps + at * extent.n, past->changes + at * extent.n, sums, squares});
    add_lanes(&work->shape, sums, dots);
    add_lanes(&work->shape, squares, dots + b);
    for (int64_t p = 0; p < b; p++) {
        const double inverse = dots[p] > 1e-12 * dots[b + p] ? 1 / dots[p] : 0.0;
        past->inverses[at * b + p] = inverse;
        past->scales[at * b + p] = 1 / maximum(inverse * dots[b + p], 1e-300);
    }
    past->n_added++;
}

/* Inverse curvature times gradient; of problems that it would lead uphill, the gradient, scaled by short_steps. */
static int find_direction(const Past *past, const Shape *shape, const double *gradient, const double *short_steps,
                          double *direction, double *own_steps, double *slope) {
    const int64_t b = shape->n_problems, c = shape->n_columns;
    const int64_t n_pairs = past->n_added < MEMORY ? past->n_added : MEMORY;
    int64_t order[MEMORY];
    for (int64_t i = 0; i < n_pairs; i++)
        order[i] = (past->n_added - n_pairs + i) % MEMORY;
    const int64_t last = n_pairs ? order[n_pairs - 1] * b : 0;
    for (int64_t p = 0; p < b; p++)
        own_steps[p] = n_pairs && past->inverses[last + p] > 0 ? past->scales[last + p] : short_steps[p];
    const Memory memory = {past->steps, past->changes, past->inverses, order, n_pairs};
    if (two_loops(&memory, own_steps, shape, gradient, direction, slope))
        return 1;
    int is_changed = 0;
    for (int64_t p = 0; p < b; p++)
        if (slope[p] <= 0) {
            is_changed = 1;
            for (int64_t i = 0; i < shape->n; i++)
                for (int64_t q = (i * b + p) * c; q < (i * b + p + 1) * c; q++)
                    direction[q] = gradient[q] * short_steps[p];
        }
    return is_changed && dot_products(direction, gradient, shape, slope);
}

static int descend(Evaluation *work, Past *past, Spot *now, Spot *other, double *direction, double *numbers,
                   uint8_t *is_active, int64_t max_iterations, double tolerance) {
    const Shape *shape = &work->shape;
    const int64_t b = shape->n_problems;
    double *short_steps = numbers, *own_steps = numbers + b, *slope = numbers + 2 * b, *dots = work->dots;
    /* No step at first: direction and own_steps are zeros. */
    memcpy(other->point, now->point, (size_t)(shape->n * work->m) * sizeof(double));
    evaluate(work, other->point, direction, own_steps, now);
    if (dot_products(now->gradient, now->gradient, shape, dots))
        return 1;
    for (int64_t p = 0; p < b; p++) {
        short_steps[p] = 1 / maximum(sqrt(dots[p]), 1e-12);
        is_active[p] = 1;
    }
    int is_any_active = 1;
    for (int64_t i = 0; i < max_iterations && is_any_active; i++) {
        if (find_direction(past, shape, now->gradient, short_steps, direction, own_steps, slope))
            return 1;
        search(work, now, other, direction, slope, is_active, own_steps);
        remember(past, work, other, now);
        is_any_active = 0;
        for (int64_t p = 0; p < b; p++) {
            is_active[p] &= now->value[p] - other->value[p] > tolerance * maximum(fabs(other->value[p]), 1.0);
            is_any_active |= is_active[p];
        }
        const Spot before = *now;
        *now = *other;
        *other = before;
    }
    return 0;
}

/* Numbers of the tables that are together between unknowns and cells, at most. */
static int64_t most_at_once(const TableProblem *problem, int64_t m) {
    int64_t most = 0;
    for (int64_t g = 0; g < problem->n_groups; g++) {
        const TableSize size = table_size(&problem->groups[g], m);
        most = size.n_most * size.n_at_once > most ? size.n_most * size.n_at_once : most;
    }
    return most;
}

/* The numbers of rows of unknowns, (n,), for each of m columns. */
static const double *for_columns(const double *numbers, int64_t n, int64_t m, double *space) {
    if (m == 1)
        return numbers;
    for (int64_t i = 0; i < n; i++)
        for (int64_t q = 0; q < m; q++)
            space[i * m + q] = numbers[i];
    return space;
}

/* The part of some space that comes next. */
static double *take(double **space, int64_t n) {
    double *own = *space;
    *space += n;
    return own;
}

int64_t solve_tables(const TableProblem *problem, const Shape *shape, int64_t max_iterations, double tolerance,
                     double *point) {
    const int64_t b = shape->n_problems, m = b * shape->n_columns, size = shape->n * m, width = extent_of(shape).width;
    const int64_t of_cells = (problem->cells->n_cells + 1) * m, of_axes = most_at_once(problem, m);
    const int64_t n_scales = m == 1 ? 0 : 2 * size;
    const int64_t n_numbers = (2 * MEMORY + 7) * size + n_scales + of_cells + 3 * of_axes + m + 3 * width + (2 * MEMORY + 7) * b;
    double *space = calloc((size_t)n_numbers, sizeof(double));
    int64_t *wholes = calloc((size_t)(of_cells + 2 * b), sizeof(int64_t));
    uint8_t *is_active = malloc((size_t)b);
    SharedSums shared;
    const int has_space = !make_shared_sums(problem->team, of_cells, b, shape->n_columns, &shared) && space && wholes && is_active;
    int64_t n_evaluations = -1;
    if (has_space) {
        double *next = space;
        Past past = {.n_added = 0};
        past.steps = take(&next, MEMORY * size);
        past.changes = take(&next, MEMORY * size);
        past.inverses = take(&next, MEMORY * b);
        past.scales = take(&next, MEMORY * b);
        Spot now = {take(&next, size), take(&next, size), take(&next, b)};
        Spot other = {take(&next, size), take(&next, size), take(&next, b)};
        Evaluation work = {.problem = problem, .shape = *shape, .m = m, .sums = wholes, .losses = wholes + of_cells,
                           .shared = &shared};
        work.scale = for_columns(problem->scale, shape->n, m, take(&next, n_scales / 2));
        work.ridge = for_columns(problem->ridge, shape->n, m, take(&next, n_scales / 2));
        work.x = take(&next, size);
        work.of_rows = take(&next, size);
        work.tables = take(&next, of_cells);
        work.axis[0] = take(&next, of_axes);
        work.axis[1] = take(&next, of_axes);
        work.of_cells = take(&next, of_axes);
        work.base = take(&next, m);
        work.sums_of_dots = take(&next, 2 * width);
        work.steps = take(&next, width);
        work.dots = take(&next, 2 * b);
        double *direction = take(&next, size);
        memcpy(now.point, point, (size_t)size * sizeof(double));
        if (!descend(&work, &past, &now, &other, direction, next, is_active, max_iterations, tolerance)) {
            memcpy(point, now.point, (size_t)size * sizeof(double));
            n_evaluations = work.n_evaluations;
        }
    }
    free(space);
    free(wholes);
    free(is_active);
    free_shared_sums(&shared);
    return n_evaluations;
}
