/* Fine and coarse bins of columns of numbers, for the rule of NestedDiscretizer; comments there say why.
 *
 * The steps, and the order in which numbers are added, are those of the NumPy path, so that both round in the same way.
 * Logarithms are passed in as tables.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* Weights that differ by less than this part of a row count as equal. */
#define SLACK 0.125

/* One column: its m distinct values, increasing, and where bins begin among them. */
typedef struct {
    int64_t m, n_classes;
    double *values;   /* (m) */
    int64_t *counts;  /* (m) rows of each value */
    int64_t *reached; /* (m) rows up to each value */
    int64_t *below;   /* (m + 1, k) rows of each class before a value */
    int64_t *rest;    /* (m) rows up to each value, without values that have a bin of their own */
    double *interval; /* (m) */
    uint8_t *is_heavy, *is_start, *is_coarse, *is_change; /* (m) */
} Column;

static void read_values(const double *sorted, const uint8_t *labels, int64_t n, Column *of) {
    const int64_t k = of->n_classes;
    of->m = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            const int64_t m = of->m++;
            of->values[m] = sorted[i] + 0.0; /* no -0.0 */
            of->counts[m] = 0;
            if (m == 0)
                memset(of->below, 0, (size_t)k * sizeof(int64_t));
            memcpy(of->below + (m + 1) * k, of->below + m * k, (size_t)k * sizeof(int64_t));
        }
        of->counts[of->m - 1]++;
        of->below[of->m * k + labels[i]]++;
        of->reached[of->m - 1] = i + 1;
    }
}

/* Mark values that alone hold more than an equal share of the remaining rows; return their number. */
static int64_t find_heavy(const Column *of, int64_t n_bins) {
    int64_t n_heavy = 0, left = of->reached[of->m - 1];
    memset(of->is_heavy, 0, (size_t)of->m);
    for (;;) {
        const double most = ((double)left + SLACK) / (double)(n_bins - n_heavy);
        int64_t found = 0;
        for (int64_t i = 0; i < of->m; i++)
            found += of->is_heavy[i] || (double)of->counts[i] > most;
        if (found == n_heavy || found >= n_bins)
            return n_heavy;
        left = of->reached[of->m - 1];
        for (int64_t i = 0; i < of->m; i++) {
            of->is_heavy[i] = of->is_heavy[i] || (double)of->counts[i] > most;
            left -= of->is_heavy[i] ? of->counts[i] : 0;
        }
        n_heavy = found;
    }
}

/* Number of values whose rows are below a limit. */
static int64_t first_reaching(const int64_t *reached, int64_t m, double limit) {
    int64_t low = 0, high = m;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if ((double)reached[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Mark the first value of each of n_bins bins except the first, among values without a bin of their own. */
static void mark_steps(const Column *of, int64_t n_bins, uint8_t *is_start) {
    const int64_t last = of->m - 1;
    int64_t sum = 0;
    for (int64_t i = 0; i < of->m; i++)
        of->rest[i] = sum += of->is_heavy[i] ? 0 : of->counts[i];
    const double share = (double)sum / (double)n_bins, slack = SLACK / (double)n_bins;
    for (int64_t i = 0; i < of->m; i++) {
        const double own = of->is_heavy[i] ? 0.0 : (double)of->counts[i];
        of->interval[i] = floor(((double)of->rest[i] - own / 2 + slack) / share);
    }
    for (double step = of->interval[0] + 1; step < of->interval[last] + 1; step += 1) {
        const int64_t middle = first_reaching(of->rest, of->m, step * share - slack);
        int64_t found = -1;
        for (int64_t near = middle - 2; near < middle + 4 && found < 0; near++) {
            const int64_t at = near < 0 ? 0 : near > last ? last : near;
            if (of->interval[at] >= step)
                found = at;
        }
        if (found < 0)
            found = middle - 2 < 0 ? 0 : middle - 2 > last ? last : middle - 2;
        is_start[found] = 1;
    }
}

static void mark_quantiles(const Column *of, int64_t n_bins, uint8_t *is_start) {
    memset(is_start, 0, (size_t)of->m);
    if (of->m <= n_bins) {
        memset(is_start + 1, 1, (size_t)of->m - 1);
        return;
    }
    const int64_t n_heavy = find_heavy(of, n_bins);
    mark_steps(of, n_bins - n_heavy, is_start);
    for (int64_t i = 0; i < of->m; i++)
        if (of->is_heavy[i]) {
            is_start[i] |= i > 0;
            if (i < of->m - 1)
                is_start[i + 1] = 1;
        }
}

/* Entropy of the classes of some values, and the number of rows and of classes; `entropies` holds p log p. */
static double entropy_of(const Column *of, const BinTables *tables, int64_t start, int64_t stop, int64_t *rows,
                         int64_t *classes) {
    const int64_t k = of->n_classes;
    *rows = of->reached[stop - 1] - (start ? of->reached[start - 1] : 0);
    *classes = 0;
    double sum = 0.0;
    for (int64_t c = 0; c < k; c++) {
        const int64_t own = of->below[stop * k + c] - of->below[start * k + c];
        *classes += own > 0;
        sum += tables->entropies[own * (tables->n_rows + 1) + *rows];
    }
    return -sum;
}

/* The accepted cut of a range of values, or -1. */
static int64_t best_cut(const Column *of, const BinTables *tables, int64_t start, int64_t stop) {
    if (stop - start < 2)
        return -1;
    int64_t n, k, n_left, k_left, n_right, k_right, best = -1, best_k_left = 0, best_k_right = 0;
    double least = 0.0, saved_left = 0.0, saved_right = 0.0;
    const double whole = entropy_of(of, tables, start, stop, &n, &k);
    for (int64_t at = start + 1; at < stop; at++) {
        const double left = entropy_of(of, tables, start, at, &n_left, &k_left);
        const double right = entropy_of(of, tables, at, stop, &n_right, &k_right);
        const double after = ((double)n_left * left + (double)n_right * right) / (double)n;
        if (best < 0 || after < least) {
            best = at;
            least = after;
            saved_left = left;
            saved_right = right;
            best_k_left = k_left;
            best_k_right = k_right;
        }
    }
    const double saved = (double)k * whole - (double)best_k_left * saved_left - (double)best_k_right * saved_right;
    const double price = tables->row_prices[n] + tables->class_prices[k] - saved;
    return whole - least > price / (double)n ? best : -1;
}

/* Mark where the class distribution changes, in all parts of a range; return the number of marks. */
static int64_t mark_changes(const Column *of, const BinTables *tables, int64_t start, int64_t stop) {
    const int64_t at = best_cut(of, tables, start, stop);
    if (at < 0)
        return 0;
    of->is_change[at] = 1;
    return 1 + mark_changes(of, tables, start, at) + mark_changes(of, tables, at, stop);
}

/* Move the nearest fine start, in rows, to each change; starts at frequent values stay. */
static void move_starts(const Column *of, int64_t n_bins, uint8_t *is_removed) {
    const double most = ((double)of->reached[of->m - 1] + SLACK) / (2 * (double)n_bins);
    memset(is_removed, 0, (size_t)of->m);
    for (int64_t to = 1; to < of->m; to++) {
        if (!of->is_change[to])
            continue;
        int64_t nearest = -1, least = 0;
        for (int64_t start = 1; start < of->m; start++) {
            const int64_t distance = llabs(of->reached[start - 1] - of->reached[to - 1]);
            if (of->is_start[start] && (nearest < 0 || distance < least)) {
                nearest = start;
                least = distance;
            }
        }
        if (nearest >= 0 && !((double)of->counts[nearest] > most || (double)of->counts[nearest - 1] > most))
            is_removed[nearest] = 1;
    }
    for (int64_t i = 1; i < of->m; i++)
        of->is_start[i] = (of->is_start[i] && !is_removed[i]) || of->is_change[i];
}

/* Cuts, coarse codes and means of the bins of one column. */
static void write_bins(const Column *of, int64_t column, int64_t n, ColumnBins *out) {
    double largest = 0.0, sum = 0.0;
    int64_t bin = 0, rows = 0, n_coarse = 0;
    for (int64_t i = 0; i < of->m; i++)
        largest = fabs(of->values[i]) > largest ? fabs(of->values[i]) : largest;
    /* Numbers near the limit of floats are scaled down by a power of two, so that no sum overflows. */
    const double scale = largest > 1e200 ? 0x1p-100 : 1.0;
    double *cuts = out->cuts + column * n, *means = out->means + column * n;
    int64_t *coarse = out->coarse + column * n;
    coarse[0] = 0;
    for (int64_t i = 0; i < of->m; i++) {
        if (i > 0 && (of->is_start[i] || of->is_coarse[i])) {
            const double before = of->values[i - 1], after = of->values[i], middle = before / 2 + after / 2;
            n_coarse += of->is_coarse[i];
            means[bin] = sum / (double)rows / scale;
            cuts[bin++] = middle > before && middle <= after ? middle : after;
            coarse[bin] = n_coarse;
            sum = 0.0;
            rows = 0;
        }
        sum += (double)of->counts[i] * (of->values[i] * scale);
        rows += of->counts[i];
    }
    means[bin] = sum / (double)rows / scale;
    out->n_cuts[column] = bin;
}

int column_bins(const double *sorted, const uint8_t *labels, int64_t n_columns, const BinTables *tables,
                ColumnBins *out) {
    const int64_t n = tables->n_rows, k = tables->n_classes;
    const size_t size = (size_t)n;
    char *room = malloc(size * (2 * sizeof(double) + 3 * sizeof(int64_t) + 5) + (size + 1) * (size_t)k * sizeof(int64_t));
    if (!room)
        return -1;
    double *values = (double *)(void *)room;
    int64_t *counts = (int64_t *)(void *)(values + 2 * n), *below = counts + 3 * n;
    uint8_t *marks = (uint8_t *)(below + (n + 1) * k);
    Column of = {.n_classes = k, .values = values, .counts = counts, .reached = counts + n, .below = below,
                 .rest = counts + 2 * n, .interval = values + n, .is_heavy = marks, .is_start = marks + n,
                 .is_coarse = marks + 2 * n, .is_change = marks + 3 * n};
    for (int64_t j = 0; j < n_columns; j++) {
        read_values(sorted + j * n, labels + j * n, n, &of);
        out->n_cuts[j] = -1;
        if (of.m <= 2)
            continue;
        mark_quantiles(&of, tables->n_coarse, of.is_coarse);
        mark_quantiles(&of, tables->n_bins, of.is_start);
        memset(of.is_change, 0, (size_t)of.m);
        if (mark_changes(&of, tables, 0, of.m))
            move_starts(&of, tables->n_bins, marks + 4 * n);
        write_bins(&of, j, n, out);
    }
    free(room);
    return 0;
}

/* The body for one type of totals. A bin's values are added one after the other, as NumPy's bincount adds them. */
#define ADD_UP_BINS(TYPE)                                                                                              \
    {                                                                                                                  \
        const TYPE *own = totals;                                                                                      \
        int64_t at = 0;                                                                                                \
        for (int64_t bin = 0; bin < n_bins; bin++) {                                                                   \
            double weight = 0.0, sum = 0.0;                                                                            \
            for (; at < ends[bin]; at++) {                                                                             \
                weight += (double)own[at];                                                                             \
                sum += (double)own[at] * (values[at] * scale);                                                         \
            }                                                                                                          \
            out[bin] = weight;                                                                                         \
            out[n_bins + bin] = sum;                                                                                   \
        }                                                                                                              \
    }

void bin_sums(const double *values, const void *totals, int are_whole, const int64_t *ends, int64_t n_bins, double scale,
              double *out) {
    if (are_whole)
        ADD_UP_BINS(int64_t)
    else
        ADD_UP_BINS(double)
}
