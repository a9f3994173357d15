/* The kernels as a Python module: arrays come in by the buffer protocol, work is done without the GIL.
 *
 * Only gnbayes calls these functions, with contiguous arrays of the right type and codes and labels that it has checked.
 * Sizes are checked here once more.
 */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

static const char *const level_names[] = {"portable", "avx2", "avx512-base", "avx512"};

static PyObject *py_level(PyObject *self, PyObject *args) {
    (void)self;
    (void)args;
    return PyUnicode_FromString(level_names[level]);
}

static PyObject *py_set_level(PyObject *self, PyObject *args) {
    const char *name;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    for (int t = 0; t <= (int)best_level(); t++)
        if (!strcmp(name, level_names[t])) {
            level = (Level)t;
            Py_RETURN_NONE;
        }
    PyErr_Format(PyExc_ValueError, "this machine has no instructions named %s", name);
    return NULL;
}

static PyObject *py_pack(PyObject *self, PyObject *args) {
    PyObject *codes_, *columns_, *labels_, *class_words_, *kept_, *words_, *singles_;
    long long n, n_columns, n_classes, n_kept, start, single_start;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLOOOLOLOLOL", &codes_, &n, &n_columns, &columns_, &labels_, &class_words_, &n_classes,
                          &kept_, &n_kept, &words_, &start, &singles_, &single_start))
        return NULL;
    const uint8_t *codes = READ(codes_, n * n_columns, uint8_t);
    const int64_t *columns = codes ? READ(columns_, LANES, int64_t) : NULL;
    const int64_t *labels = columns ? READ(labels_, n, int64_t) : NULL;
    const int64_t *class_words = labels ? READ(class_words_, n_classes + 1, int64_t) : NULL;
    const int64_t *kept = class_words ? READ(kept_, LANES, int64_t) : NULL;
    uint64_t *words =
        kept ? WRITE(words_, start + class_words[n_classes] * n_kept * LANES, uint64_t) : NULL;
    int64_t *singles = words ? WRITE(singles_, single_start + n_classes * n_kept * LANES, int64_t) : NULL;
    int has_failed = !singles;
    if (!has_failed) {
        const uint8_t *lanes[LANES];
        for (int l = 0; l < LANES; l++) {
            if (columns[l] >= n_columns)
                has_failed = refuse("no such column");
            lanes[l] = columns[l] < 0 ? NULL : codes + columns[l] * n;
        }
        if (!has_failed) {
            Py_BEGIN_ALLOW_THREADS
            has_failed = pack_group(lanes, labels, n, n_classes, class_words, kept, n_kept, words + start,
                                    singles + single_start);
            Py_END_ALLOW_THREADS
        }
    }
    return done(arrays, has_failed);
}

/* Bits from the tuple in which Python keeps them. */
static int read_bits(Arrays *arrays, PyObject *tuple, Bits *bits) {
    PyObject *words, *starts, *n_kept, *class_words, *class_rows, *singles, *single_starts, *features, *cardinalities;
    long long n_groups, n_classes;
    if (!PyArg_ParseTuple(tuple, "OOOOOOOOOLL", &words, &starts, &n_kept, &class_words, &class_rows, &singles,
                          &single_starts, &features, &cardinalities, &n_groups, &n_classes))
        return -1;
    bits->n_groups = n_groups;
    bits->n_classes = n_classes;
    int is_read = (bits->starts = READ(starts, n_groups, int64_t)) && (bits->n_kept = READ(n_kept, n_groups, int64_t)) &&
                  (bits->class_words = READ(class_words, n_classes + 1, int64_t)) &&
                  (bits->class_rows = READ(class_rows, n_classes, int64_t)) &&
                  (bits->single_starts = READ(single_starts, n_groups, int64_t)) &&
                  (bits->features = READ(features, n_groups * LANES, int64_t)) &&
                  (bits->cardinalities = READ(cardinalities, n_groups * LANES, int64_t));
    int64_t n_words = 0, n_singles = 0;
    for (int64_t g = 0; is_read && g < n_groups; g++) {
        const int64_t word_end = bits->starts[g] + bits->class_words[n_classes] * bits->n_kept[g] * LANES;
        const int64_t single_end = bits->single_starts[g] + n_classes * bits->n_kept[g] * LANES;
        n_words = word_end > n_words ? word_end : n_words;
        n_singles = single_end > n_singles ? single_end : n_singles;
    }
    for (int64_t t = 0; is_read && t < n_groups * LANES; t++)
        if (bits->n_kept[t / LANES] > MOST_KEPT || bits->cardinalities[t] - 1 > bits->n_kept[t / LANES])
            return refuse("a feature has too many values for bits");
    is_read = is_read && (bits->words = READ(words, n_words, uint64_t)) &&
              (bits->singles = READ(singles, n_singles, int64_t));
    return is_read ? 0 : -1;
}

static PyObject *py_n_tiles(PyObject *self, PyObject *args) {
    long long n_groups;
    (void)self;
    return PyArg_ParseTuple(args, "L", &n_groups) ? PyLong_FromLongLong(count_tiles(n_groups)) : NULL;
}

static int is_size_of_cells(int size) { return size == 2 || size == 4 || size == 8; }

/* Arguments: bits, first, stop, offsets (n_features + 1,), n_features, cells (k, values, values), their itemsize. */
static PyObject *py_cells(PyObject *self, PyObject *args) {
    PyObject *tuple, *offsets_, *cells_;
    long long first, stop, n_features;
    int size;
    Arrays held = {.n = 0}, *arrays = &held;
    Bits bits;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLOLOi", &tuple, &first, &stop, &offsets_, &n_features, &cells_, &size))
        return NULL;
    if (read_bits(arrays, tuple, &bits))
        return done(arrays, 1);
    if (first < 0 || stop > count_tiles(bits.n_groups) || !is_size_of_cells(size))
        return done(arrays, refuse("no such tile, or no such cells"));
    const int64_t *offsets = READ(offsets_, n_features + 1, int64_t);
    const int64_t n_values = offsets ? offsets[n_features] : 0;
    const int64_t n_cells = bits.n_classes * n_values * n_values;
    void *cells =
        offsets ? array(arrays, cells_, n_cells, (size_t)size, PyBUF_ANY_CONTIGUOUS | PyBUF_WRITABLE) : NULL;
    int has_failed = !cells;
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t tile = first; tile < stop && !has_failed; tile++)
            has_failed = tile_cells(&bits, tile, offsets, n_values, cells, size);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* What turns sums into information, from (terms, joint, of_class, steps of fixed point in one nat, n). */
static int read_scale(Arrays *arrays, PyObject *tuple, int64_t n_features, Scale *scale) {
    PyObject *terms, *joint;
    long long of_class;
    double steps;
    if (!PyArg_ParseTuple(tuple, "OOLdd", &terms, &joint, &of_class, &steps, &scale->n))
        return -1;
    scale->unit = 1.0 / steps;
    scale->of_class = of_class;
    scale->terms = NULL;
    const int is_read = (terms == Py_None || (scale->terms = READ(terms, (int64_t)scale->n + 1, int64_t))) &&
                        (scale->joint = READ(joint, n_features, int64_t));
    if (is_read && scale->terms)
        split_terms(scale);
    return is_read ? 0 : -1;
}

static int needs_terms(const Scale *scale) { return scale->terms ? 0 : refuse("terms are needed"); }

/* From cells (k, values, values) that keep all pairs; terms may be None where the cells hold terms. */
static PyObject *py_cells_information(PyObject *self, PyObject *args) {
    PyObject *cells_, *offsets_, *scale_, *out_;
    long long n_features, n_classes;
    int size;
    Arrays held = {.n = 0}, *arrays = &held;
    Scale scale;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiOLLOO", &cells_, &size, &offsets_, &n_features, &n_classes, &scale_, &out_))
        return NULL;
    if (!is_size_of_cells(size))
        return done(arrays, refuse("no such cells"));
    if (read_scale(arrays, scale_, n_features, &scale))
        return done(arrays, 1);
    const int64_t *offsets = READ(offsets_, n_features + 1, int64_t);
    const int64_t n_values = offsets ? offsets[n_features] : 0;
    const int64_t n_cells = n_classes * n_values * n_values;
    const void *cells = offsets ? array(arrays, cells_, n_cells, (size_t)size, PyBUF_ANY_CONTIGUOUS) : NULL;
    double *out = cells ? WRITE(out_, n_features * n_features, double) : NULL;
    int has_failed = !out;
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = cells_information(cells, size, offsets, n_features, n_classes, &scale, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

static PyObject *py_information(PyObject *self, PyObject *args) {
    PyObject *tuple, *scale_, *out_;
    long long first, stop, n_features;
    Arrays held = {.n = 0}, *arrays = &held;
    Bits bits;
    Scale scale;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLOOL", &tuple, &first, &stop, &scale_, &out_, &n_features))
        return NULL;
    if (read_bits(arrays, tuple, &bits) || read_scale(arrays, scale_, n_features, &scale) || needs_terms(&scale))
        return done(arrays, 1);
    if (first < 0 || stop > count_tiles(bits.n_groups))
        return done(arrays, refuse("no such tile"));
    double *out = WRITE(out_, n_features * n_features, double);
    int has_failed = !out;
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t tile = first; tile < stop && !has_failed; tile++)
            has_failed = tile_information(&bits, tile, &scale, out, n_features);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

static PyObject *py_information_row(PyObject *self, PyObject *args) {
    PyObject *tuple, *scale_, *out_;
    long long place, first, stop, n_features;
    Arrays held = {.n = 0}, *arrays = &held;
    Bits bits;
    Scale scale;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLLOOL", &tuple, &place, &first, &stop, &scale_, &out_, &n_features))
        return NULL;
    if (read_bits(arrays, tuple, &bits) || read_scale(arrays, scale_, n_features, &scale) || needs_terms(&scale))
        return done(arrays, 1);
    double *out = WRITE(out_, n_features, double);
    int has_failed = !out;
    if (out && (place < 0 || place >= bits.n_groups * LANES || first < 0 || stop > bits.n_groups))
        has_failed = refuse("no such place");
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = row_information(&bits, place, first, stop, &scale, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Rows from (codes, itemsize, labels, weights or None, cardinalities, n, n_features, n_classes). */
static int read_rows(Arrays *arrays, PyObject *tuple, Rows *rows, int64_t *n_features) {
    PyObject *codes, *labels, *weights, *cardinalities;
    long long n, d, n_classes;
    int itemsize;
    if (!PyArg_ParseTuple(tuple, "OiOOOLLL", &codes, &itemsize, &labels, &weights, &cardinalities, &n, &d, &n_classes))
        return -1;
    if (itemsize != 1 && itemsize != 2 && itemsize != 4)
        return refuse("codes must have 1, 2 or 4 bytes");
    rows->itemsize = itemsize;
    rows->n = n;
    rows->n_classes = n_classes;
    rows->weights = NULL;
    *n_features = d;
    const int is_read = (rows->codes = array(arrays, codes, n * d, (size_t)itemsize, PyBUF_ANY_CONTIGUOUS)) &&
                        (rows->labels = READ(labels, n, int64_t)) &&
                        (rows->cardinalities = READ(cardinalities, d, int64_t)) &&
                        (weights == Py_None || (rows->weights = READ(weights, n, double)));
    return is_read ? 0 : -1;
}

/* Whether all codes of a feature lie below its cardinality; without the GIL. */
static int codes_fit(const Rows *rows, int64_t j) {
    return rows->n == 0 || (int64_t)largest_code(rows, j) < rows->cardinalities[j];
}

/* Add to the tables of groups (m, 2) of features, the second -1 for a single feature, which lie at places (m, 4). */
static PyObject *py_histograms(PyObject *self, PyObject *args) {
    PyObject *rows_, *groups_, *places_, *out_;
    long long n_groups, n_cells;
    int64_t n_features;
    Arrays held = {.n = 0}, *arrays = &held;
    Rows rows;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLOOL", &rows_, &groups_, &n_groups, &places_, &out_, &n_cells))
        return NULL;
    if (read_rows(arrays, rows_, &rows, &n_features))
        return done(arrays, 1);
    const int64_t *groups = READ(groups_, 2 * n_groups, int64_t);
    const Place *places = groups ? (const Place *)(const void *)READ(places_, 4 * n_groups, int64_t) : NULL;
    int64_t *out = places ? WRITE(out_, n_cells, int64_t) : NULL;
    int has_failed = !out;
    for (int64_t t = 0; t < n_groups && !has_failed; t++) {
        const int64_t i = groups[2 * t], j = groups[2 * t + 1];
        const Place *place = &places[t];
        if (i < 0 || i >= n_features || j < -1 || j >= n_features)
            has_failed = refuse("no such feature");
        else if (place->start < 0 || place->start + (rows.cardinalities[i] - 1) * place->value_step +
                                             (j < 0 ? 0 : (rows.cardinalities[j] - 1) * place->other_step) +
                                             (rows.n_classes - 1) * place->class_step >=
                                         n_cells)
            has_failed = refuse("a table lies beyond the cells");
    }
    if (!has_failed) {
        int64_t odd = -1;
        Py_BEGIN_ALLOW_THREADS
        for (int64_t t = 0; t < n_groups && odd < 0; t++) {
            const int64_t i = groups[2 * t], j = groups[2 * t + 1];
            if (!codes_fit(&rows, i) || (j >= 0 && !codes_fit(&rows, j)))
                odd = t;
            else
                histogram(&rows, i, j, &places[t], out);
        }
        Py_END_ALLOW_THREADS
        if (odd >= 0)
            has_failed = refuse("codes must be below the cardinality of their feature");
    }
    return done(arrays, has_failed);
}

/* Information of pairs (m, 2), one number per pair. */
static PyObject *py_histogram_information(PyObject *self, PyObject *args) {
    PyObject *rows_, *pairs_, *scale_, *out_;
    long long n_pairs;
    int64_t n_features;
    Arrays held = {.n = 0}, *arrays = &held;
    Rows rows;
    Scale scale;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLOO", &rows_, &pairs_, &n_pairs, &scale_, &out_))
        return NULL;
    if (read_rows(arrays, rows_, &rows, &n_features) || read_scale(arrays, scale_, n_features, &scale) || needs_terms(&scale))
        return done(arrays, 1);
    const int64_t *pairs = READ(pairs_, 2 * n_pairs, int64_t);
    double *out = pairs ? WRITE(out_, n_pairs, double) : NULL;
    int has_failed = !out;
    int64_t most = 1;
    for (int64_t t = 0; t < n_pairs && !has_failed; t++) {
        const int64_t i = pairs[2 * t], j = pairs[2 * t + 1];
        if (i < 0 || i >= n_features || j < 0 || j >= n_features) {
            has_failed = refuse("no such feature");
        } else {
            const int64_t n_cells = rows.cardinalities[i] * rows.cardinalities[j] * rows.n_classes;
            most = n_cells > most ? n_cells : most;
        }
    }
    if (!has_failed) {
        int64_t odd = -1;
        Py_BEGIN_ALLOW_THREADS
        uint32_t *table = calloc((size_t)most, sizeof(uint32_t));
        has_failed = !table;
        for (int64_t t = 0; t < n_pairs && table && odd < 0; t++) {
            const int64_t i = pairs[2 * t], j = pairs[2 * t + 1];
            if (!codes_fit(&rows, i) || !codes_fit(&rows, j))
                odd = t;
            else
                out[t] = in_nats(&scale, i, j, histogram_terms(&rows, i, j, scale.terms, table));
        }
        free(table);
        Py_END_ALLOW_THREADS
        if (odd >= 0)
            has_failed = refuse("codes must be below the cardinality of their feature");
    }
    return done(arrays, has_failed);
}

static PyObject *py_log_joint(PyObject *self, PyObject *args) {
    PyObject *codes_, *terms_, *tables_, *start_, *out_, *is_incomplete_;
    long long n, n_columns, n_terms, n_classes, first, stop;
    int itemsize;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiLLOLOOLLLOO", &codes_, &itemsize, &n, &n_columns, &terms_, &n_terms, &tables_,
                          &start_, &n_classes, &first, &stop, &out_, &is_incomplete_))
        return NULL;
    if ((itemsize != 1 && itemsize != 2 && itemsize != 4) || first < 0 || stop > n)
        return done(arrays, refuse("codes must have 1, 2 or 4 bytes, and the rows be among them"));
    const void *codes = array(arrays, codes_, n * n_columns, (size_t)itemsize, PyBUF_ANY_CONTIGUOUS);
    const int64_t *numbers = codes ? READ(terms_, 5 * n_terms, int64_t) : NULL;
    const Term *terms = (const Term *)(const void *)numbers;
    const double *start = terms ? READ(start_, n_classes, double) : NULL;
    double *out = start ? WRITE(out_, n * n_classes, double) : NULL;
    uint8_t *is_incomplete = out ? WRITE(is_incomplete_, n, uint8_t) : NULL;
    int has_failed = !is_incomplete;
    int64_t n_cells = 0;
    for (int64_t t = 0; t < n_terms && !has_failed; t++) {
        if (terms[t].feature < 0 || terms[t].feature >= n_columns || terms[t].mother >= n_columns ||
            terms[t].start < 0 || terms[t].cardinality < 1 || terms[t].mother_cardinality < 1)
            has_failed = refuse("no such feature");
        const int64_t end = terms[t].start + terms[t].cardinality * terms[t].mother_cardinality * n_classes;
        n_cells = end > n_cells ? end : n_cells;
    }
    const double *tables = has_failed ? NULL : READ(tables_, n_cells, double);
    has_failed = !tables;
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        log_joint(codes, itemsize, n, terms, n_terms, tables, start, n_classes, first, stop, out, is_incomplete);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* terms (n_terms, 11): see SumTerm. All numbers in them are checked, so that no table is read beyond its end. */
static int are_sound(const SumTerm *terms, int64_t n_terms, const int32_t *offsets, int64_t n_offsets, int64_t n_cells,
                     int64_t n_columns, int64_t n_classes) {
    for (const SumTerm *term = terms; term < terms + n_terms; term++) {
        int64_t last = 0;
        if (term->start < 0 || term->n_axes < 1 || term->n_axes > MOST_AXES)
            return 0;
        for (const Axis *axis = term->axes; axis < term->axes + term->n_axes; axis++) {
            if (axis->feature < 0 || axis->feature >= n_columns || axis->n_known < 1 || axis->start < 0 ||
                axis->start > n_offsets - axis->n_known)
                return 0;
            const uint32_t furthest = furthest_offset(offsets + axis->start, axis->n_known);
            if (furthest > INT32_MAX)
                return 0;
            last += furthest;
        }
        if (last > INT32_MAX || term->start > n_cells || (last + 1) * n_classes > n_cells - term->start)
            return 0;
    }
    return 1;
}

static PyObject *py_score_terms(PyObject *self, PyObject *args) {
    PyObject *codes_, *terms_, *offsets_, *tables_, *start_, *out_, *is_incomplete_;
    long long n, n_columns, n_terms, n_offsets, n_cells, n_classes, first, stop;
    int itemsize;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiLLOLOLOLOLLLOO", &codes_, &itemsize, &n, &n_columns, &terms_, &n_terms, &offsets_,
                          &n_offsets, &tables_, &n_cells, &start_, &n_classes, &first, &stop, &out_, &is_incomplete_))
        return NULL;
    if ((itemsize != 1 && itemsize != 2 && itemsize != 4) || first < 0 || stop > n || n_classes < 1)
        return done(arrays, refuse("codes must have 1, 2 or 4 bytes, and the rows be among them"));
    const void *codes = array(arrays, codes_, n * n_columns, (size_t)itemsize, PyBUF_ANY_CONTIGUOUS);
    const int64_t *numbers = codes ? READ(terms_, SUM_TERM_NUMBERS * n_terms, int64_t) : NULL;
    const int32_t *offsets = numbers ? READ(offsets_, n_offsets, int32_t) : NULL;
    const double *tables = offsets ? READ(tables_, n_cells, double) : NULL;
    const double *start = tables ? READ(start_, n_classes, double) : NULL;
    double *out = start ? WRITE(out_, n * n_classes, double) : NULL;
    uint8_t *is_incomplete = out ? WRITE(is_incomplete_, n, uint8_t) : NULL;
    const SumTerm *terms = (const SumTerm *)(const void *)numbers;
    int has_failed = !is_incomplete;
    if (!has_failed && !are_sound(terms, n_terms, offsets, n_offsets, n_cells, n_columns, n_classes))
        has_failed = refuse("terms must lie within their tables and columns");
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        score_terms(codes, itemsize, n, terms, n_terms, offsets, tables, start, n_classes, first, stop, out,
                  is_incomplete);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* Whether every index into another array is within its bounds. */
static int is_sound_tree(const CompletedTree *tree, int64_t n_columns, int64_t k, int64_t n_cells, int64_t n_codes,
                         int64_t n_members, int64_t n_up) {
    for (int64_t j = 0; j < n_columns; j++) {
        const CompletedNode *node = tree->nodes + j;
        const int64_t v = node->n_values;
        if (node->mother >= n_columns || v < 1 || node->n_codes < 1 || node->code_start < 0 || node->table_start < 0 ||
            node->up_start < 0 || node->up_start > n_up - v * k || node->code_start > n_codes - node->n_codes ||
            node->member_start < 0 || node->member_start > n_members - v - 1 ||
            node->within_start != node->code_start * k)
            return 0;
        const int64_t n_above = node->mother >= 0 ? tree->nodes[node->mother].n_values : 1;
        if (n_above < 1 || node->table_start > n_cells - n_above * v * k)
            return 0;
        const int32_t *members = tree->members + node->member_start;
        for (int64_t b = 0; b < v; b++)
            if (members[b] < 0 || members[b + 1] <= members[b] || members[b + 1] > node->n_codes)
                return 0;
        for (int64_t code = 0; code < node->n_codes; code++) {
            const int32_t value = tree->codes[node->code_start + code];
            const int32_t member = tree->member_codes[node->code_start + code];
            if (value < 0 || value >= v || member < 0 || member >= node->n_codes)
                return 0;
        }
    }
    for (int64_t at = 0; at < tree->n_order; at++)
        if (tree->order[at] < 0 || tree->order[at] >= n_columns)
            return 0;
    return 1;
}

/* Terms of features that a code is filled in for must know all codes of the feature. */
static int do_fit(const SumTerm *terms, int64_t n_terms, const CompletedNode *nodes) {
    for (const SumTerm *term = terms; term < terms + n_terms; term++)
        for (const Axis *axis = term->axes; axis < term->axes + term->n_axes; axis++)
            if (axis->n_known != nodes[axis->feature].n_codes)
                return 0;
    return 1;
}

static PyObject *py_average_completions(PyObject *self, PyObject *args) {
    PyObject *codes_, *order_, *nodes_, *tables_, *prior_, *within_, *values_, *members_, *member_codes_;
    PyObject *terms_, *offsets_, *sums_, *start_, *points_, *point_rows_, *out_;
    long long n, n_columns, n_order, n_cells, n_codes, n_members, n_up, n_terms, n_offsets, n_sums, k, n_point_rows,
        n_points, first, stop;
    CompletedTree tree;
    CompletedSum sum;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLOLOOLOdOOLOLOLOLOLOLOLOOLLLLO", &codes_, &n, &n_columns, &order_, &n_order, &nodes_,
                          &tables_, &n_cells, &prior_, &tree.tempering, &within_, &values_, &n_codes, &members_,
                          &n_members, &member_codes_, &n_up, &terms_, &n_terms, &offsets_, &n_offsets, &sums_, &n_sums,
                          &start_, &k, &points_, &point_rows_, &n_point_rows, &n_points, &first, &stop, &out_))
        return NULL;
    if (first < 0 || stop > n || k < 1 || n_points < 1)
        return done(arrays, refuse("no such row"));
    const uint32_t *codes = READ(codes_, n * n_columns, uint32_t);
    int is_read = codes && (tree.order = READ(order_, n_order, int64_t));
    const int64_t *nodes = is_read ? READ(nodes_, NODE_NUMBERS * n_columns, int64_t) : NULL;
    is_read = nodes && (tree.tables = READ(tables_, n_cells, double)) && (tree.prior = READ(prior_, k, double)) &&
              (tree.within = READ(within_, n_codes * k, double)) && (tree.codes = READ(values_, n_codes, int32_t)) &&
              (tree.members = READ(members_, n_members, int32_t)) &&
              (tree.member_codes = READ(member_codes_, n_codes, int32_t));
    const int64_t *terms = is_read ? READ(terms_, SUM_TERM_NUMBERS * n_terms, int64_t) : NULL;
    is_read = terms && (sum.offsets = READ(offsets_, n_offsets, int32_t)) && (sum.tables = READ(sums_, n_sums, double)) &&
              (sum.start = READ(start_, k, double));
    const double *points = is_read ? READ(points_, n_point_rows * n_points, double) : NULL;
    const int64_t *point_rows = points ? READ(point_rows_, n_columns, int64_t) : NULL;
    double *out = point_rows ? WRITE(out_, n * k, double) : NULL;
    int has_failed = !out;
    if (!has_failed) {
        tree.nodes = (const CompletedNode *)(const void *)nodes;
        tree.n_order = n_order;
        sum.terms = (const SumTerm *)(const void *)terms;
        sum.n_terms = n_terms;
        for (int64_t j = 0; j < n_columns; j++)
            has_failed |= point_rows[j] < 0 || point_rows[j] >= n_point_rows;
        if (has_failed || !is_sound_tree(&tree, n_columns, k, n_cells, n_codes, n_members, n_up) ||
            !are_sound(sum.terms, n_terms, sum.offsets, n_offsets, n_sums, n_columns, k) ||
            !do_fit(sum.terms, n_terms, tree.nodes))
            has_failed = refuse("tree and terms must lie within their tables and columns");
    }
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        has_failed = average_completions(codes, first, stop, n_columns, &tree, &sum, k, points, point_rows, n_points, out);
        Py_END_ALLOW_THREADS
        if (has_failed)
            PyErr_NoMemory();
    }
    return done(arrays, has_failed);
}

/* A matrix with any strides, of which some rows are used. */
static int read_matrix(Arrays *arrays, PyObject *object, int kind, int64_t first, int64_t stop, Matrix *matrix) {
    Py_buffer *view = &arrays->views[arrays->n];
    if (PyObject_GetBuffer(object, view, PyBUF_STRIDED_RO))
        return -1;
    arrays->n++;
    if (view->ndim != 2 || kind < 0 || kind > FLOAT64 || view->itemsize != item_sizes[kind] || first < 0 ||
        stop > view->shape[0])
        return refuse("a matrix of another kind or shape");
    *matrix = (Matrix){view->buf, (Kind)kind, view->shape[0], view->shape[1], view->strides[0], view->strides[1]};
    return 0;
}

static PyObject *py_to_bytes(PyObject *self, PyObject *args) {
    PyObject *matrix_, *out_, *is_small_;
    int kind;
    long long first, stop;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiLLOO", &matrix_, &kind, &first, &stop, &out_, &is_small_))
        return NULL;
    Matrix matrix;
    if (read_matrix(arrays, matrix_, kind, first, stop, &matrix))
        return done(arrays, 1);
    uint8_t *out = WRITE(out_, matrix.n_rows * matrix.n_columns, uint8_t);
    uint8_t *is_small = out ? WRITE(is_small_, matrix.n_columns, uint8_t) : NULL;
    if (is_small) {
        Py_BEGIN_ALLOW_THREADS
        to_bytes(&matrix, first, stop, out, is_small);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !is_small);
}

/* bytes (n_columns, n); seen (n_columns, 256) for the columns first..stop-1. */
static PyObject *py_bytes_seen(PyObject *self, PyObject *args) {
    PyObject *bytes_, *seen_;
    long long n, n_columns, first, stop;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLLLO", &bytes_, &n, &n_columns, &first, &stop, &seen_))
        return NULL;
    if (first < 0 || stop > n_columns)
        return done(arrays, refuse("no such column"));
    const uint8_t *bytes = READ(bytes_, n * n_columns, uint8_t);
    uint8_t *seen = bytes ? WRITE(seen_, n_columns * 256, uint8_t) : NULL;
    if (seen) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t j = first; j < stop; j++)
            bytes_seen(bytes + j * n, n, seen + j * 256);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !seen);
}

/* The same columns, each byte replaced as replacement (n_columns, 256) says. */
static PyObject *py_replace_bytes(PyObject *self, PyObject *args) {
    PyObject *bytes_, *replacement_;
    long long n, n_columns, first, stop;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLLLO", &bytes_, &n, &n_columns, &first, &stop, &replacement_))
        return NULL;
    if (first < 0 || stop > n_columns)
        return done(arrays, refuse("no such column"));
    uint8_t *bytes = WRITE(bytes_, n * n_columns, uint8_t);
    const uint8_t *replacement = bytes ? READ(replacement_, n_columns * 256, uint8_t) : NULL;
    if (replacement) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t j = first; j < stop; j++)
            replace_bytes(bytes + j * n, n, replacement + j * 256);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !replacement);
}

static PyObject *py_count_cuts(PyObject *self, PyObject *args) {
    PyObject *values_, *cuts_, *out_;
    long long n, n_cuts;
    int missing;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLOLiO", &values_, &n, &cuts_, &n_cuts, &missing, &out_))
        return NULL;
    if (n_cuts > MOST_CUTS)
        return done(arrays, refuse("too many cuts"));
    const double *values = READ(values_, n, double);
    const double *cuts = values ? READ(cuts_, n_cuts, double) : NULL;
    uint8_t *out = cuts ? WRITE(out_, n, uint8_t) : NULL;
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        count_cuts(values, n, cuts, n_cuts, (uint8_t)missing, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !out);
}

/* Arguments: matrix, kind, first, stop, columns (n,), n, starts (n + 1,), cuts, missing (n,), out: bytes of all columns. */
static PyObject *py_count_matrix_cuts(PyObject *self, PyObject *args) {
    PyObject *matrix_, *columns_, *starts_, *cuts_, *missing_, *out_;
    int kind;
    long long first, stop, n;
    Matrix matrix;
    ColumnCuts columns;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiLLOLOOOO", &matrix_, &kind, &first, &stop, &columns_, &n, &starts_, &cuts_, &missing_,
                          &out_))
        return NULL;
    if (read_matrix(arrays, matrix_, kind, first, stop, &matrix))
        return done(arrays, 1);
    columns.n = n;
    int has_failed = !((columns.columns = READ(columns_, n, int64_t)) && (columns.starts = READ(starts_, n + 1, int64_t)) &&
                       (columns.missing = READ(missing_, n, uint8_t)));
    for (int64_t q = 0; q < n && !has_failed; q++) {
        const int64_t n_cuts = columns.starts[q + 1] - columns.starts[q];
        if (columns.columns[q] < 0 || columns.columns[q] >= matrix.n_columns || columns.starts[0] || n_cuts < 0 ||
            n_cuts > MOST_CUTS)
            has_failed = refuse("no such column, or too many cuts");
    }
    has_failed = has_failed || !(columns.cuts = READ(cuts_, columns.starts[n], double));
    uint8_t *out = has_failed ? NULL : WRITE(out_, matrix.n_rows * matrix.n_columns, uint8_t);
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        count_matrix_cuts(&matrix, first, stop, &columns, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !out);
}

/* sorted (columns, n) float64, labels (columns, n) bytes below n_classes; tables and results as in kernels.h. */
static PyObject *py_column_bins(PyObject *self, PyObject *args) {
    PyObject *sorted_, *labels_, *entropies_, *row_prices_, *class_prices_, *n_cuts_, *cuts_, *means_, *coarse_;
    long long d, n, k, n_bins, n_coarse;
    ColumnBins out;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLLLLLOOOOOOO", &sorted_, &labels_, &d, &n, &k, &n_bins, &n_coarse, &entropies_,
                          &row_prices_, &class_prices_, &n_cuts_, &cuts_, &means_, &coarse_))
        return NULL;
    if (n < 1 || k < 1 || n_bins < 2 || n_coarse < 2)
        return done(arrays, refuse("no rows, classes or bins"));
    const double *sorted = READ(sorted_, d * n, double);
    const uint8_t *labels = sorted ? READ(labels_, d * n, uint8_t) : NULL;
    const double *entropies = labels ? READ(entropies_, (n + 1) * (n + 1), double) : NULL;
    const double *row_prices = entropies ? READ(row_prices_, n + 1, double) : NULL;
    const double *class_prices = row_prices ? READ(class_prices_, k + 1, double) : NULL;
    const int is_read = class_prices && (out.n_cuts = WRITE(n_cuts_, d, int64_t)) &&
                        (out.cuts = WRITE(cuts_, d * n, double)) && (out.means = WRITE(means_, d * n, double)) &&
                        (out.coarse = WRITE(coarse_, d * n, int64_t));
    for (int64_t i = 0; is_read && i < d * n; i++)
        if (labels[i] >= k)
            return done(arrays, refuse("no such class"));
    const BinTables tables = {n, k, n_bins, n_coarse, entropies, row_prices, class_prices};
    int failed = !is_read;
    if (is_read) {
        Py_BEGIN_ALLOW_THREADS
        failed = column_bins(sorted, labels, d, &tables, &out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, failed);
}

/* Arguments: values, totals (n,), whether these are int64, n, ends (n_bins,), n_bins, scale, out (2, n_bins). */
static PyObject *py_bin_sums(PyObject *self, PyObject *args) {
    PyObject *values_, *totals_, *ends_, *out_;
    long long n, n_bins;
    int are_whole;
    double scale;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOpLOLdO", &values_, &totals_, &are_whole, &n, &ends_, &n_bins, &scale, &out_))
        return NULL;
    const double *values = READ(values_, n, double);
    const void *totals = values ? READ(totals_, n, int64_t) : NULL;
    const int64_t *ends = totals ? READ(ends_, n_bins, int64_t) : NULL;
    double *out = ends ? WRITE(out_, 2 * n_bins, double) : NULL;
    int has_failed = !out;
    for (int64_t bin = 0; !has_failed && bin < n_bins; bin++)
        if (ends[bin] > n)
            has_failed = refuse("a bin ends beyond the values");
    if (!has_failed) {
        Py_BEGIN_ALLOW_THREADS
        bin_sums(values, totals, are_whole, ends, n_bins, scale, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, has_failed);
}

/* rows: the row of the feature, or, for more than one step, all (n, n) of them. Returns the feature that comes next. */
static PyObject *py_grow(PyObject *self, PyObject *args) {
    PyObject *rows_, *prefer_, *best_, *best_mother_, *shared_, *order_;
    long long n, feature, n_steps;
    double tie;
    Frontier frontier;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLLLdOOOOO", &rows_, &n, &feature, &n_steps, &tie, &prefer_, &best_, &best_mother_,
                          &shared_, &order_))
        return NULL;
    const int64_t row_step = n_steps == 1 ? 0 : n;
    const double *rows = READ(rows_, n_steps == 1 ? n : n * n, double);
    int64_t *order = rows ? WRITE(order_, n_steps, int64_t) : NULL;
    const int is_read = order && (frontier.prefer = WRITE(prefer_, n, double)) &&
                        (frontier.best = WRITE(best_, n, double)) &&
                        (frontier.best_mother = WRITE(best_mother_, n, int64_t)) &&
                        (frontier.shared = WRITE(shared_, n, double));
    int64_t next = -1;
    if (is_read && (feature < 0 || feature >= n))
        return done(arrays, refuse("no such feature"));
    if (is_read) {
        Py_BEGIN_ALLOW_THREADS
        next = grow(rows, row_step, n, feature, n_steps, tie, &frontier, order);
        Py_END_ALLOW_THREADS
    }
    PyObject *none = done(arrays, !is_read);
    Py_XDECREF(none);
    return none ? PyLong_FromLongLong(next) : NULL;
}

/* best_cherry, best_given (n,): of the rows first..stop-1 of a matrix of information that begins with row first. */
static PyObject *py_best_partners(PyObject *self, PyObject *args) {
    PyObject *rows_, *with_class_, *best_cherry_, *best_given_;
    long long n, first, stop;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLLLOO", &rows_, &with_class_, &n, &first, &stop, &best_cherry_, &best_given_))
        return NULL;
    if (first < 0 || stop > n)
        return done(arrays, refuse("no such row"));
    const double *rows = READ(rows_, (stop - first) * n, double);
    const double *with_class = rows ? READ(with_class_, n, double) : NULL;
    double *best_cherry = with_class ? WRITE(best_cherry_, n, double) : NULL;
    double *best_given = best_cherry ? WRITE(best_given_, n, double) : NULL;
    if (best_given) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t i = first; i < stop; i++)
            best_partner(rows + (i - first) * n, with_class, n, i, best_cherry + i, best_given + i);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !best_given);
}

static PyObject *py_roofline(PyObject *self, PyObject *args) {
    PyObject *words_;
    long long n, repeats, sum = 0;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OLL", &words_, &n, &repeats))
        return NULL;
    const uint64_t *words = READ(words_, n, uint64_t);
    if (words) {
        Py_BEGIN_ALLOW_THREADS
        sum = roofline(words, n, repeats);
        Py_END_ALLOW_THREADS
    }
    PyObject *none = done(arrays, !words);
    Py_XDECREF(none);
    return none ? PyLong_FromLongLong(sum) : NULL;
}

/* Arguments: seed, first, n_rounds, n, below, team or None, out (n_rounds, bytes). */
static PyObject *py_draw_rows(PyObject *self, PyObject *args) {
    PyObject *team_, *out_;
    Team *team = NULL;
    unsigned long long seed, first, below;
    long long n_rounds, n;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "KKLLKOO", &seed, &first, &n_rounds, &n, &below, &team_, &out_))
        return NULL;
    if (team_ != Py_None && !(team = read_team(team_)))
        return NULL;
    if (n_rounds < 0 || n < 0 || below > 256 || seed > UINT32_MAX || first > UINT32_MAX - (uint64_t)n_rounds)
        return done(arrays, refuse("no such rounds"));
    uint8_t *out = WRITE(out_, n_rounds * ((n + 7) / 8), uint8_t);
    if (out) {
        Py_BEGIN_ALLOW_THREADS
        draw_rows((uint32_t)seed, (uint32_t)first, n_rounds, n, (uint32_t)below, team, out);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !out);
}

/* Cells of all terms; -1 if a feature or code of one is not there. */
static int64_t count_cells_of_terms(const TermCodes *codes, const int32_t *terms, int64_t n_terms) {
    int64_t n_cells = 0;
    for (int64_t j = 0; j < codes->d; j++)
        for (int64_t i = 0; i < codes->n; i++)
            if (codes->codes[j * codes->n + i] < 0 || codes->codes[j * codes->n + i] >= codes->sizes[j])
                return -1;
    for (int64_t at = 0; at < n_terms; at++) {
        int64_t own = 1;
        for (int i = 0; i < 3; i++) {
            const int32_t feature = terms[3 * at + i];
            if (feature >= codes->d || (feature < 0 && !i))
                return -1;
            own *= feature < 0 ? 1 : codes->sizes[feature];
            if (own > INT32_MAX)
                return -1;
        }
        n_cells += own;
    }
    return n_cells;
}

/* Arguments: codes (d, n), sizes (d,), n, d, terms (n_terms, 3), n_terms, first (n,), second (n,), sums, others. */
static PyObject *py_sum_by_cells(PyObject *self, PyObject *args) {
    PyObject *codes_, *sizes_, *terms_, *first_, *second_, *sums_, *others_;
    long long n, d, n_terms;
    Arrays held = {.n = 0}, *arrays = &held;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOLLOLOOOO", &codes_, &sizes_, &n, &d, &terms_, &n_terms, &first_, &second_, &sums_, &others_))
        return NULL;
    TermCodes codes = {.n = n, .d = d};
    const int32_t *terms = NULL;
    const double *first = NULL, *second = NULL;
    if (!(codes.codes = READ(codes_, n * d, int32_t)) || !(codes.sizes = READ(sizes_, d, int32_t)) ||
        !(terms = READ(terms_, 3 * n_terms, int32_t)) || !(first = READ(first_, n, double)) ||
        !(second = READ(second_, n, double)))
        return done(arrays, 1);
    const int64_t n_cells = count_cells_of_terms(&codes, terms, n_terms);
    if (n_cells < 0)
        return done(arrays, refuse("a cell is not there"));
    double *sums = WRITE(sums_, n_cells, double), *others = sums ? WRITE(others_, n_cells, double) : NULL;
    if (others) {
        Py_BEGIN_ALLOW_THREADS
        sum_by_cells(&codes, terms, n_terms, first, second, sums, others);
        Py_END_ALLOW_THREADS
    }
    return done(arrays, !others);
}

static PyMethodDef methods[] = {
    {"level", py_level, METH_NOARGS, "Name of the instructions in use."},
    {"set_level", py_set_level, METH_VARARGS, "Use other instructions: portable, avx2, avx512-base or avx512."},
    {"pack", py_pack, METH_VARARGS, "Bits of one group of features."},
    {"n_tiles", py_n_tiles, METH_VARARGS, "Number of tiles of so many groups."},
    {"cells", py_cells, METH_VARARGS, "Cells of the pairs of some tiles."},
    {"information", py_information, METH_VARARGS, "Information of the pairs of some tiles."},
    {"information_row", py_information_row, METH_VARARGS, "Information of one feature and those of some groups."},
    {"cells_information", py_cells_information, METH_VARARGS, "Information of all pairs from their cells."},
    {"histograms", py_histograms, METH_VARARGS, "Tables of features or pairs."},
    {"histogram_information", py_histogram_information, METH_VARARGS, "Information of pairs, by their tables."},
    {"log_joint", py_log_joint, METH_VARARGS, "Log joint of complete rows."},
    {"score_terms", py_score_terms, METH_VARARGS, "Scores of complete rows."},
    {"average_completions", py_average_completions, METH_VARARGS, "Probabilities of rows with unknown features."},
    {"to_bytes", py_to_bytes, METH_VARARGS, "Small whole numbers as bytes, column by column."},
    {"bytes_seen", py_bytes_seen, METH_VARARGS, "Which bytes occur."},
    {"replace_bytes", py_replace_bytes, METH_VARARGS, "Replace bytes by others, in place."},
    {"count_cuts", py_count_cuts, METH_VARARGS, "Number of cuts that values reach."},
    {"count_matrix_cuts", py_count_matrix_cuts, METH_VARARGS, "The same for columns of a matrix."},
    {"column_bins", py_column_bins, METH_VARARGS, "Fine and coarse bins of columns."},
    {"bin_sums", py_bin_sums, METH_VARARGS, "Weights and weighted sums of the values of bins."},
    {"grow", py_grow, METH_VARARGS, "Some steps of Prim's algorithm."},
    {"best_partners", py_best_partners, METH_VARARGS, "Best partner of each feature."},
    {"sum_over_rows", py_sum_over_rows, METH_VARARGS, "Losses of rows and sums over their cells."},
    {"cells_of_rows", py_cells_of_rows, METH_VARARGS, "Cells of rows in a table."},
    {"count_cells", py_count_cells, METH_VARARGS, "Number of rows in each cell."},
    {"row_scores", py_row_scores, METH_VARARGS, "Sums of table entries of rows."},
    {"axis_product", py_axis_product, METH_VARARGS, "Product along one axis of tables."},
    {"add_similarity", py_add_similarity, METH_VARARGS, "How alike rows are by tables."},
    {"dot_products", py_dot_products, METH_VARARGS, "Dot product of each problem."},
    {"two_loops", py_two_loops, METH_VARARGS, "The two loops of L-BFGS."},
    {"new_team", py_new_team, METH_VARARGS, "Threads that may share the parts of jobs."},
    {"follow", py_follow, METH_VARARGS, "Help with the jobs of a team until it ends."},
    {"end_team", py_end_team, METH_VARARGS, "Let all that follow return."},
    {"solve_tables", py_solve_tables, METH_VARARGS, "Fit tables to rows by L-BFGS."},
    {"boost_rounds", py_boost_rounds, METH_VARARGS, "Rounds of boosting by small trees."},
    {"draw_rows", py_draw_rows, METH_VARARGS, "Random rows of rounds of boosting."},
    {"sum_by_cells", py_sum_by_cells, METH_VARARGS, "Sums of two numbers of rows by their cells."},
    {"add_trees", py_add_trees, METH_VARARGS, "Tables that trees add up to."},
    {"roofline", py_roofline, METH_VARARGS, "Bits counted from cache."},
    {NULL, NULL, 0, NULL},
};

/* Version of the interface: gnbayes rejects a module that was built from other sources. */
#define INTERFACE 12

static int start(PyObject *module) {
    level = best_level();
    return PyModule_AddIntConstant(module, "INTERFACE", INTERFACE);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_native", .m_doc = "Kernels in C.", .m_methods = methods, .m_slots = slots};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
