/* Functions of the module that fit tables: sums over rows, products along axes, vectors of L-BFGS. */
#include "arguments.h"

/* Cells from (cells of 1 byte, of 2, of 4, numbers of columns of each, n, starts, n_cells). */
static int read_cells(Arrays *arrays, PyObject *tuple, Cells *cells) {
    PyObject *columns[3], *starts;
    long long n_columns[3], n, n_cells;
    if (!PyArg_ParseTuple(tuple, "OOOLLLLOL", &columns[0], &columns[1], &columns[2], &n_columns[0], &n_columns[1],
                          &n_columns[2], &n, &starts, &n_cells))
        return -1;
    cells->n = n;
    cells->n_cells = n_cells;
    int64_t n_terms = 0;
    for (int i = 0; i < 3; i++) {
        cells->n_columns[i] = n_columns[i];
        n_terms += n_columns[i];
        cells->columns[i] = array(arrays, columns[i], n * n_columns[i], (size_t)1 << i, PyBUF_ANY_CONTIGUOUS);
        if (!cells->columns[i])
            return -1;
    }
    cells->starts = READ(starts, n_terms, int64_t);
    for (int64_t t = 0; cells->starts && t < n_terms; t++)
        if (cells->starts[t] < 0 || cells->starts[t] > n_cells)
            return refuse("a table lies beyond the cells");
    return cells->starts ? 0 : -1;
}

/* Arguments: kind, cells, tables, base, labels, weights, b, c, loss_unit, first, stop, sums, losses. Losses alone
 * need no sums. */
PyObject *py_sum_over_rows(PyObject *self, PyObject *args) {
    PyObject *cells_, *tables_, *base_, *labels_, *weights_, *sums_, *losses_;
    long long b, c, first, stop;
    int kind;
    Cells cells;
    Problems problems;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "iOOOOOLLdLLOO", &kind, &cells_, &tables_, &base_, &labels_, &weights_, &b, &c,
                          &problems.loss_unit, &first, &stop, &sums_, &losses_))
        return NULL;
    if (read_cells(arrays, cells_, &cells))
        return done(arrays, 1);
    if (kind < LOSSES || kind > TOTALS || b < 1 || c < 1 || first < 0 || stop > cells.n)
        return done(arrays, refuse("no such sums, problems or rows"));
    problems.kind = (Sums)kind;
    problems.n_problems = b;
    problems.n_columns = c;
    const int64_t n_sums = kind == LOSSES ? 0 : (cells.n_cells + 1) * b * c;
    int64_t *sums = NULL, *losses = NULL;
    const int is_read = (problems.tables = READ(tables_, cells.n_cells * b * c, double)) &&
                        (problems.base = READ(base_, b * c, double)) &&
                        (problems.labels = READ(labels_, cells.n, int64_t)) &&
                        (problems.weights = READ(weights_, cells.n * b, double)) &&
                        (sums = WRITE(sums_, n_sums, int64_t)) &&
                        (losses = WRITE(losses_, 2 * b, int64_t));
    int has_failed = !is_read;
    if (is_read) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = sum_over_rows(&cells, &problems, first, stop, sums, losses);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Arguments: columns (a tuple of one to three (n,)), their itemsize, n, steps (a tuple of as many arrays), out (n,), its
 * itemsize. */
PyObject *py_cells_of_rows(PyObject *self, PyObject *args) {
    PyObject *columns_, *steps_, *out_;
    long long n;
    int size, out_size;
    const void *columns[3];
    const uint32_t *steps[3];
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!iLO!Oi", &PyTuple_Type, &columns_, &size, &n, &PyTuple_Type, &steps_, &out_, &out_size))
        return NULL;
    const Py_ssize_t n_axes = PyTuple_Size(columns_);
    if (n_axes < 1 || n_axes > 3 || PyTuple_Size(steps_) != n_axes || size < 1 || size > 4 || size == 3 || out_size < 1 ||
        out_size > 4 || out_size == 3)
        return done(arrays, refuse("cells must have one to three axes, and 1, 2 or 4 bytes"));
    for (Py_ssize_t axis = 0; axis < n_axes; axis++) {
        columns[axis] = array(arrays, PyTuple_GetItem(columns_, axis), n, (size_t)size, PyBUF_ANY_CONTIGUOUS);
        steps[axis] = columns[axis] ? READ(PyTuple_GetItem(steps_, axis), 1, uint32_t) : NULL;
        if (!steps[axis])
            return done(arrays, 1);
    }
    void *out = array(arrays, out_, n, (size_t)out_size, PyBUF_ANY_CONTIGUOUS | PyBUF_WRITABLE);
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        cells_of_rows(columns, size, steps, (int)n_axes, n, out, out_size);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !out);
}

/* Arguments: cells (n,), their itemsize, n, n_cells, counts (2, n_cells), of which the first ones are the result. */
PyObject *py_count_cells(PyObject *self, PyObject *args) {
    PyObject *cells_, *counts_;
    long long n, n_cells;
    int size;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiLLO", &cells_, &size, &n, &n_cells, &counts_))
        return NULL;
    if (size < 1 || size > 4 || size == 3 || n_cells < 0)
        return done(arrays, refuse("cells must have 1, 2 or 4 bytes"));
    const void *cells = array(arrays, cells_, n, (size_t)size, PyBUF_ANY_CONTIGUOUS);
    int64_t *counts = cells ? WRITE(counts_, 2 * n_cells, int64_t) : NULL;
    int has_failed = !counts;
    if (counts) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = count_cells(cells, size, n, n_cells, counts, counts + n_cells);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed < 0 ? refuse("a cell is not there") : has_failed);
}

/* Arguments: cells, tables (n_cells, m), base (m,), m, first, stop, out (n, m). */
PyObject *py_row_scores(PyObject *self, PyObject *args) {
    PyObject *cells_, *tables_, *base_, *out_;
    long long m, first, stop;
    Cells cells;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOLLLO", &cells_, &tables_, &base_, &m, &first, &stop, &out_))
        return NULL;
    if (read_cells(arrays, cells_, &cells))
        return done(arrays, 1);
    if (m < 1 || first < 0 || stop > cells.n)
        return done(arrays, refuse("no such columns or rows"));
    const double *tables = READ(tables_, cells.n_cells * m, double);
    const double *base = tables ? READ(base_, m, double) : NULL;
    double *out = base ? WRITE(out_, cells.n * m, double) : NULL;
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        row_scores(&cells, tables, base, m, first, stop, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !out);
}

/* Arguments: transposed (n_in, n_out), n_out, n_in, pre, post, in, out. */
PyObject *py_axis_product(PyObject *self, PyObject *args) {
    PyObject *transposed_, *in_, *out_;
    long long n_out, n_in, pre, post;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLLLOO", &transposed_, &n_out, &n_in, &pre, &post, &in_, &out_))
        return NULL;
    const AxisProduct product = {READ(transposed_, n_out * n_in, double), n_out, n_in, pre, post};
    const double *in = product.transposed ? READ(in_, pre * n_in * post, double) : NULL;
    double *out = in ? WRITE(out_, pre * n_out * post, double) : NULL;
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        axis_product(&product, in, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !out);
}

/* Arguments: cells (n, n_tables) column by column, itemsize, n, n_tables, between (size, size) or None, sizes, factors and
 * places (n_tables,), n_places, out (n_places, n, n). */
PyObject *py_add_similarity(PyObject *self, PyObject *args) {
    PyObject *cells_, *between_, *sizes_, *factors_, *places_, *out_;
    long long n, n_tables, n_places;
    int itemsize;
    Similarity tables = {.between = NULL};
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiLLOOOOLO", &cells_, &itemsize, &n, &n_tables, &between_, &sizes_, &factors_, &places_,
                          &n_places, &out_))
        return NULL;
    if (itemsize != 1 && itemsize != 2 && itemsize != 4)
        return done(arrays, refuse("cells must have 1, 2 or 4 bytes"));
    tables.itemsize = itemsize;
    tables.n = n;
    tables.n_tables = n_tables;
    int has_failed = !((tables.cells = array(arrays, cells_, n * n_tables, (size_t)itemsize, PyBUF_ANY_CONTIGUOUS)) &&
                       (tables.sizes = READ(sizes_, n_tables, int64_t)) &&
                       (tables.factors = READ(factors_, n_tables, double)) &&
                       (tables.places = READ(places_, n_tables, int64_t)));
    double *out = has_failed ? NULL : WRITE(out_, n_places * n * n, double);
    has_failed |= !out || (n_tables && between_ != Py_None &&
                           !(tables.between = READ(between_, tables.sizes[0] * tables.sizes[0], double)));
    for (int64_t t = 0; t < n_tables && !has_failed; t++)
        if (tables.places[t] < 0 || tables.places[t] >= n_places || tables.sizes[t] < 1 || tables.sizes[t] > INT32_MAX ||
            (tables.between && tables.sizes[t] != tables.sizes[0]))
            has_failed = refuse("no such table or place");
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = add_similarity(&tables, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Arguments: left, right (n, b, c), n, b, c, out (b,). */
PyObject *py_dot_products(PyObject *self, PyObject *args) {
    PyObject *left_, *right_, *out_;
    long long n, b, c;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLLLO", &left_, &right_, &n, &b, &c, &out_))
        return NULL;
    if (b < 1 || c < 1)
        return done(arrays, refuse("no such problems"));
    const Shape shape = {n, b, c};
    const double *left = READ(left_, n * b * c, double);
    const double *right = left ? READ(right_, n * b * c, double) : NULL;
    double *out = right ? WRITE(out_, b, double) : NULL;
    int has_failed = !out;
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = dot_products(left, right, &shape, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Arguments: steps, changes (memory, n, b, c), inverses (memory, b), order (n_pairs,), memory, n_pairs, short_steps (b,), n, b,
 * c, gradient (n, b, c). */
PyObject *py_two_loops(PyObject *self, PyObject *args) {
    PyObject *steps_, *changes_, *inverses_, *order_, *short_steps_, *gradient_;
    long long size, n_pairs, n, b, c;
    Memory memory;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOLLOLLLO", &steps_, &changes_, &inverses_, &order_, &size, &n_pairs, &short_steps_, &n,
                          &b, &c, &gradient_))
        return NULL;
    if (b < 1 || c < 1)
        return done(arrays, refuse("no such problems"));
    const Shape shape = {n, b, c};
    memory.n_pairs = n_pairs;
    const double *short_steps = NULL;
    double *gradient = NULL;
    const int is_read = (memory.steps = READ(steps_, size * n * b * c, double)) &&
                        (memory.changes = READ(changes_, size * n * b * c, double)) &&
                        (memory.inverses = READ(inverses_, size * b, double)) &&
                        (memory.order = READ(order_, n_pairs, int64_t)) &&
                        (short_steps = READ(short_steps_, b, double)) &&
                        (gradient = WRITE(gradient_, n * b * c, double));
    int has_failed = !is_read;
    for (int64_t i = 0; is_read && i < n_pairs; i++)
        if (memory.order[i] < 0 || memory.order[i] >= size)
            has_failed = refuse("no such pair");
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = two_loops(&memory, short_steps, &shape, gradient, gradient, NULL);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Check that groups lie within the matrices, and that their unknowns and cells are not more than there are. */
static int check_groups(const TableProblem *problem, int64_t n_matrices, int64_t n_unknowns) {
    int64_t unknowns = 0, cells = 0;
    for (int64_t g = 0; g < problem->n_groups; g++) {
        const TableGroup *group = &problem->groups[g];
        if (group->n_tables < 1 || group->n_axes < 1 || group->n_axes > MOST_AXES)
            return refuse("no such group of tables");
        int64_t own_unknowns = group->n_tables, own_cells = group->n_tables;
        for (int64_t a = 0; a < group->n_axes; a++) {
            const TableAxis *axis = &group->axes[a];
            if (axis->n_cells < 1 || axis->n_unknowns < 1 || axis->expand < 0 || axis->project < 0 ||
                axis->expand + axis->n_cells * axis->n_unknowns > n_matrices ||
                axis->project + axis->n_cells * axis->n_unknowns > n_matrices)
                return refuse("a basis lies beyond the matrices");
            own_unknowns *= axis->n_unknowns;
            own_cells *= axis->n_cells;
        }
        unknowns += own_unknowns;
        cells += own_cells;
    }
    if (problem->cells->n_cells - cells != n_unknowns - unknowns || unknowns > n_unknowns)
        return refuse("unknowns and cells of free tables differ");
    return 0;
}

/* Arguments: cells, groups (n_groups, TABLE_GROUP_NUMBERS), n_groups, matrices, n_matrices, scale, ridge (n,), base (c,),
 * labels, weights (rows, b), unit, n, b, c, max_iterations, tolerance, point (n, b, c), team or None. Returns the number of
 * evaluations. */
PyObject *py_solve_tables(PyObject *self, PyObject *args) {
    PyObject *cells_, *groups_, *matrices_, *scale_, *ridge_, *base_, *labels_, *weights_, *point_, *team_;
    long long n_groups, n_matrices, n, b, c, max_iterations;
    double tolerance;
    Cells cells;
    TableProblem problem = {.cells = &cells};
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLOLOOOOOdLLLLdOO", &cells_, &groups_, &n_groups, &matrices_, &n_matrices, &scale_, &ridge_,
                          &base_, &labels_, &weights_, &problem.unit, &n, &b, &c, &max_iterations, &tolerance, &point_,
                          &team_))
        return NULL;
    if (team_ != Py_None && !(problem.team = read_team(team_)))
        return NULL;
    if (read_cells(arrays, cells_, &cells))
        return done(arrays, 1);
    if (n < 1 || b < 1 || c < 1 || n_groups < 0)
        return done(arrays, refuse("no such problems"));
    problem.n_groups = n_groups;
    double *point = NULL;
    const int is_read =
        (problem.groups = (const TableGroup *)READ(groups_, n_groups * TABLE_GROUP_NUMBERS, int64_t)) &&
        (problem.matrices = READ(matrices_, n_matrices, double)) && (problem.scale = READ(scale_, n, double)) &&
        (problem.ridge = READ(ridge_, n, double)) && (problem.base = READ(base_, c, double)) &&
        (problem.labels = READ(labels_, cells.n, int64_t)) && (problem.weights = READ(weights_, cells.n * b, double)) &&
        (point = WRITE(point_, n * b * c, double));
    int64_t n_evaluations = -1;
    if (is_read && !check_groups(&problem, n_matrices, n - 1)) {
        const Shape shape = {n, b, c};
        Py_BEGIN_ALLOW_THREADS
        n_evaluations = solve_tables(&problem, &shape, max_iterations, tolerance, point);
        Py_END_ALLOW_THREADS
    }
    PyObject *none = done(arrays, n_evaluations < 0);
    Py_XDECREF(none);
    return none ? PyLong_FromLongLong(n_evaluations) : NULL;
}

/* Codes from (codes, n, d, sizes, is_ordered, has_missing, terms, n_terms), without terms where n_terms is -1. */
static int read_tree_codes(Arrays *arrays, PyObject *tuple, TreeCodes *codes) {
    PyObject *codes_, *sizes, *is_ordered, *has_missing, *terms;
    long long n, d, n_terms;
    if (!PyArg_ParseTuple(tuple, "OLLOOOOL", &codes_, &n, &d, &sizes, &is_ordered, &has_missing, &terms, &n_terms))
        return -1;
    codes->n = n;
    codes->d = d;
    codes->n_terms = n_terms;
    if (!(codes->codes = READ(codes_, n * d, uint8_t)) || !(codes->sizes = READ(sizes, d, int32_t)) ||
        !(codes->is_ordered = READ(is_ordered, d, uint8_t)) || !(codes->has_missing = READ(has_missing, d, uint8_t)) ||
        !(codes->terms = READ(terms, n_terms < 0 ? 0 : 3 * n_terms, int32_t)))
        return -1;
    for (int64_t j = 0; j < d; j++)
        if (codes->sizes[j] < 0 || codes->sizes[j] > TREE_CODES)
            return refuse("a feature has more than 256 codes");
    for (int64_t t = 0; t < 3 * n_terms; t++)
        if (codes->terms[t] >= d)
            return refuse("a term has a feature that is not there");
    return 0;
}

#define MOST_RESOLUTIONS 4

/* Codes and growth of each resolution, from two tuples: codes, and (depth, rate, ridge, category_ridge, least_curvature). */
static int read_resolutions(Arrays *arrays, PyObject *codes_, PyObject *growths_, TreeCodes *codes, Growth *growths, int *n) {
    const Py_ssize_t size = PyTuple_Size(codes_);
    if (size < 1 || size > MOST_RESOLUTIONS || PyTuple_Size(growths_) != size)
        return refuse("there must be one to four resolutions");
    *n = (int)size;
    for (Py_ssize_t at = 0; at < size; at++) {
        Growth *own = &growths[at];
        if (read_tree_codes(arrays, PyTuple_GetItem(codes_, at), &codes[at]) ||
            !PyArg_ParseTuple(PyTuple_GetItem(growths_, at), "idddd", &own->depth, &own->rate, &own->ridge,
                              &own->category_ridge, &own->least_curvature))
            return -1;
        if (own->depth < 1 || own->depth > 3 || codes[at].n != codes[0].n)
            return refuse("no such trees");
    }
    return 0;
}

/* Arguments: codes and growths (tuples with one for each resolution), n_columns, units, turns, drawn, n_rounds, labels,
 * weights, scores, team or None, features, is_left, gains, values. */
PyObject *py_boost_rounds(PyObject *self, PyObject *args) {
    PyObject *codes_, *growths_, *turns_, *drawn_, *labels_, *weights_, *scores_, *team_;
    PyObject *features_, *is_left_, *gains_, *values_;
    long long n_columns, n_rounds;
    TreeCodes codes[MOST_RESOLUTIONS];
    Growth growths[MOST_RESOLUTIONS];
    Boosting boosting = {.codes = codes, .growths = growths};
    Trees trees;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!LdOOLOOOOOOOO", &PyTuple_Type, &codes_, &PyTuple_Type, &growths_, &n_columns,
                          &boosting.units, &turns_, &drawn_, &n_rounds, &labels_, &weights_, &scores_, &team_,
                          &features_, &is_left_, &gains_, &values_))
        return NULL;
    if (team_ != Py_None && !(boosting.team = read_team(team_)))
        return NULL;
    if (read_resolutions(arrays, codes_, growths_, codes, growths, &boosting.n_resolutions))
        return done(arrays, 1);
    if (n_columns < 1 || n_rounds < 0)
        return done(arrays, refuse("no such trees"));
    const int64_t n = codes[0].n, n_trees = n_rounds * n_columns;
    boosting.n = n;
    boosting.n_columns = n_columns;
    const int32_t *turns = NULL;
    const uint8_t *drawn = NULL;
    double *scores = NULL;
    const int is_read = (turns = READ(turns_, n_rounds, int32_t)) && (drawn = READ(drawn_, n_rounds * ((n + 7) / 8), uint8_t)) &&
                        (boosting.labels = READ(labels_, n, int64_t)) && (boosting.weights = READ(weights_, n, double)) &&
                        (scores = WRITE(scores_, n * n_columns, double)) &&
                        (trees.features = WRITE(features_, n_trees * TREE_INNER, int32_t)) &&
                        (trees.is_left = WRITE(is_left_, n_trees * TREE_INNER * TREE_CODES, uint8_t)) &&
                        (trees.gains = WRITE(gains_, n_trees * TREE_INNER, double)) &&
                        (trees.values = WRITE(values_, n_trees * TREE_NODES, double));
    int has_failed = !is_read;
    for (int64_t i = 0; is_read && i < n_rounds; i++)
        if (turns[i] < 0 || turns[i] >= boosting.n_resolutions)
            return done(arrays, refuse("a resolution is not there"));
    if (is_read) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = boost_rounds(&boosting, turns, drawn, n_rounds, scores, &trees);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Tables from (terms, n_terms, keys, term_of, n_keys, offsets, sizes, starts, coarser, n_turns, n_codes, d, c). */
static int read_tree_tables(Arrays *arrays, PyObject *tuple, TreeTables *tables, long long *n_turns) {
    PyObject *terms, *keys, *term_of, *offsets, *sizes, *starts, *coarser;
    long long n_terms, n_keys, n_codes, d, c;
    if (!PyArg_ParseTuple(tuple, "OLOOLOOOOLLLL", &terms, &n_terms, &keys, &term_of, &n_keys, &offsets, &sizes, &starts,
                          &coarser, n_turns, &n_codes, &d, &c))
        return -1;
    if (d < 0 || n_terms < d || n_keys < 0 || *n_turns < 1 || n_codes < 0 || c < 1)
        return refuse("no such tables");
    tables->d = d;
    tables->n_terms = n_terms;
    tables->n_keys = n_keys;
    tables->n_codes = n_codes;
    tables->n_columns = c;
    const int is_read = (tables->terms = READ(terms, 3 * n_terms, int32_t)) && (tables->keys = READ(keys, n_keys, int64_t)) &&
                        (tables->term_of = READ(term_of, n_keys, int32_t)) &&
                        (tables->offsets = READ(offsets, n_terms, int64_t)) &&
                        (tables->sizes = READ(sizes, 3 * d, int32_t)) && (tables->starts = READ(starts, 3 * d, int64_t)) &&
                        (tables->coarser = READ(coarser, *n_turns * n_codes, uint8_t));
    return is_read ? 0 : -1;
}

/* Whether terms, codes and features are where they should be, and tables end within so many cells. */
static int are_tables_sound(const TreeTables *tables, int64_t n_cells) {
    const int64_t d = tables->d;
    int is_sound = 1;
    for (int64_t place = 0; place < 3 * d; place++)
        is_sound &= tables->sizes[place] >= 0 && tables->starts[place] >= 0 &&
                    tables->starts[place] + tables->sizes[place] <= tables->n_codes;
    for (int64_t key = 0; key < tables->n_keys; key++)
        is_sound &= tables->term_of[key] >= 0 && tables->term_of[key] < tables->n_terms;
    for (int64_t t = 0; t < tables->n_terms && is_sound; t++) {
        const int32_t *term = tables->terms + 3 * t;
        const int n_axes = term[1] < 0 ? 1 : term[2] < 0 ? 2 : 3;
        int64_t n = 1;
        for (int axis = 0; axis < n_axes && is_sound; axis++) {
            is_sound = term[axis] >= 0 && term[axis] < d;
            n *= is_sound ? tables->sizes[(n_axes - 1) * d + term[axis]] : 0;
        }
        is_sound &= tables->offsets[t] >= 0 && tables->offsets[t] + n <= n_cells;
    }
    return is_sound;
}

/* Arguments: tables, turns, n_rounds, features, is_left, values, n_cells, intercept (c,), out (n_cells, c),
 * is_used (n_terms,). */
PyObject *py_add_trees(PyObject *self, PyObject *args) {
    PyObject *tables_, *turns_, *features_, *is_left_, *values_, *intercept_, *out_, *is_used_;
    long long n_rounds, n_cells, n_turns;
    TreeTables tables;
    Trees trees = {.gains = NULL};
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLOOOLOOO", &tables_, &turns_, &n_rounds, &features_, &is_left_, &values_, &n_cells,
                          &intercept_, &out_, &is_used_))
        return NULL;
    if (read_tree_tables(arrays, tables_, &tables, &n_turns))
        return done(arrays, 1);
    if (n_rounds < 0 || n_cells < 0 || !are_tables_sound(&tables, n_cells))
        return done(arrays, refuse("a table lies beyond the cells"));
    const int64_t n_trees = n_rounds * tables.n_columns;
    const int32_t *turns = NULL;
    double *intercept = NULL, *out = NULL;
    uint8_t *is_used = NULL;
    const int is_read = (turns = READ(turns_, n_rounds, int32_t)) &&
                        (trees.features = (int32_t *)READ(features_, n_trees * TREE_INNER, int32_t)) &&
                        (trees.is_left = (uint8_t *)READ(is_left_, n_trees * TREE_INNER * TREE_CODES, uint8_t)) &&
                        (trees.values = (double *)READ(values_, n_trees * TREE_NODES, double)) &&
                        (intercept = WRITE(intercept_, tables.n_columns, double)) &&
                        (out = WRITE(out_, n_cells * tables.n_columns, double)) &&
                        (is_used = WRITE(is_used_, tables.n_terms, uint8_t));
    if (!is_read)
        return done(arrays, 1);
    for (int64_t i = 0; i < n_rounds; i++)
        if (turns[i] < 0 || turns[i] >= n_turns)
            return done(arrays, refuse("a resolution is not there"));
    for (int64_t i = 0; i < n_trees * TREE_INNER; i++)
        if (trees.features[i] >= tables.d)
            return done(arrays, refuse("a feature is not there"));
    int has_failed;
    Py_BEGIN_ALLOW_THREADS
    has_failed = add_trees(&tables, turns, n_rounds, &trees, intercept, out, is_used);
    Py_END_ALLOW_THREADS
    return done(arrays, has_failed < 0 ? refuse("a path is in no term") : has_failed);
}
