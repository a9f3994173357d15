/* Boosting: one round of small trees over codes of one byte, a tree for each column of scores.
 *
 * First and second derivatives of rows are whole numbers of a unit. So sums over rows are exact, and the trees are those
 * that NumPy grows in gnbayes/model/boosting/twin.py.
 */
#include <stdlib.h>
#include <string.h>

#include "elementary.h"

typedef struct {
    int64_t first, second;
} Sum;

/* The best split found so far. */
typedef struct {
    double gain;
    int64_t feature;
    uint8_t is_left[TREE_CODES];
} Split;

/* Memory of a round. */
typedef struct {
    int32_t *derivatives; /* (c, n, 2) */
    int32_t *rows, *others;
    uint8_t *is_allowed;
    Sum sums[TREE_CODES];
} Work;

static double score(double first, double second, double ridge) { return first * first / (second + ridge); }

static void find_derivatives(const TreeCodes *codes, const Growth *how, const int32_t *rows, int64_t n_rows,
                             const int64_t *labels, const double *weights, const double *scores, int32_t *out) {
    const int64_t c = how->n_columns;
    for (int64_t i = 0; i < n_rows; i++) {
        const int64_t row = rows[i];
        const double *own = scores + row * c, weight = weights[row] / how->unit;
        if (c == 1) {
            const double e = exp_negative(own[0] < 0 ? own[0] : -own[0]), p = (own[0] < 0 ? e : 1.0) / (1.0 + e);
            out[2 * row] = (int32_t)to_whole(weight * (p - (double)(labels[row] == 1)));
            out[2 * row + 1] = (int32_t)to_whole(weight * (p * (1.0 - p)));
            continue;
        }
        double largest = own[0], total = 0.0;
        for (int64_t j = 1; j < c; j++)
            largest = own[j] > largest ? own[j] : largest;
        for (int64_t j = 0; j < c; j++)
            total += exp_negative(own[j] - largest);
        for (int64_t j = 0; j < c; j++) {
            const double p = exp_negative(own[j] - largest) / total;
            int32_t *of_row = out + 2 * (j * codes->n + row);
            of_row[0] = (int32_t)to_whole(weight * (p - (double)(labels[row] == j)));
            of_row[1] = (int32_t)to_whole(weight * (p * (1.0 - p)));
        }
    }
}

/* The values in the order in which they are cut: ordered ones as they are, categories by their ratio of sums, times a
 * sign, which turns with the order of the classes. */
static int sort_values(const Sum *sums, int n_values, int is_ordered, const Growth *how, double sign, int *order) {
    double key[TREE_CODES];
    int n = 0;
    for (int value = 0; value < n_values; value++) {
        if (is_ordered) {
            order[n++] = value;
            continue;
        }
        if (!sums[value].second)
            continue;
        key[value] = sign * ((double)sums[value].first * how->unit) / ((double)sums[value].second * how->unit + how->category_ridge);
        int at = n++;
        for (; at > 0 && key[order[at - 1]] > key[value]; at--)
            order[at] = order[at - 1];
        order[at] = value;
    }
    return n;
}

static void try_feature(const TreeCodes *codes, const Growth *how, const Sum *sums, int64_t feature, Sum total,
                        double parent, Split *best) {
    int order[TREE_CODES];
    const int is_ordered = codes->is_ordered[feature], has_missing = is_ordered && codes->has_missing[feature];
    const double sign = total.first < 0 ? -1.0 : 1.0;
    const int n_values = codes->sizes[feature] - has_missing;
    const int n = sort_values(sums, n_values, is_ordered, how, sign, order);
    const Sum none = {0, 0}, missing = has_missing ? sums[n_values] : none;
    const int n_ways = missing.second ? 2 : 1;
    for (int way = 0; way < n_ways; way++) {
        Sum left = way ? missing : none;
        int found = -1;
        /* With missing values on the other side, all others may be on one side. */
        const int stop = n_ways == 2 && !way ? n : n - 1;
        for (int at = 0; at < stop; at++) {
            left.first += sums[order[at]].first;
            left.second += sums[order[at]].second;
            const double left_first = (double)left.first * how->unit, left_second = (double)left.second * how->unit;
            const double right_first = (double)(total.first - left.first) * how->unit;
            const double right_second = (double)(total.second - left.second) * how->unit;
            if (left_second < how->least_curvature || right_second < how->least_curvature)
                continue;
            const double gain = score(left_first, left_second, how->ridge) + score(right_first, right_second, how->ridge) - parent;
            if (gain > best->gain) {
                best->gain = gain;
                found = at;
            }
        }
        if (found < 0)
            continue;
        best->feature = feature;
        memset(best->is_left, 0, TREE_CODES);
        for (int at = 0; at <= found; at++)
            best->is_left[order[at]] = 1;
        if (has_missing)
            best->is_left[n_values] = (uint8_t)way;
    }
}

/* Features that may follow those of a path: all at the root, else those of a term that holds the whole path. */
static void find_allowed(const TreeCodes *codes, const int64_t *path, int n_path, uint8_t *is_allowed) {
    memset(is_allowed, !n_path, (size_t)codes->d);
    for (int i = 0; i < n_path; i++)
        is_allowed[path[i]] = 1;
    for (int64_t t = 0; n_path && t < codes->n_terms; t++) {
        const int32_t *term = codes->terms + 3 * t;
        int n_found = 0;
        for (int i = 0; i < n_path; i++)
            n_found += term[0] == path[i] || term[1] == path[i] || term[2] == path[i];
        for (int i = 0; n_found == n_path && i < 3; i++)
            if (term[i] >= 0)
                is_allowed[term[i]] = 1;
    }
}

static void find_split(const TreeCodes *codes, const Growth *how, const int32_t *rows, int64_t n_rows,
                       const int32_t *derivatives, Sum total, Work *work, Split *best) {
    const double parent = score((double)total.first * how->unit, (double)total.second * how->unit, how->ridge);
    best->gain = 0.0;
    best->feature = -1;
    for (int64_t feature = 0; feature < codes->d; feature++) {
        if (!work->is_allowed[feature] || codes->sizes[feature] < 2)
            continue;
        const uint8_t *column = codes->codes + feature * codes->n;
        memset(work->sums, 0, sizeof(Sum) * (size_t)codes->sizes[feature]);
        for (int64_t i = 0; i < n_rows; i++) {
            Sum *sum = &work->sums[column[rows[i]]];
            sum->first += derivatives[2 * (int64_t)rows[i]];
            sum->second += derivatives[2 * (int64_t)rows[i] + 1];
        }
        try_feature(codes, how, work->sums, feature, total, parent, best);
    }
}

/* Rows that go left before those that go right, in their order; how many go left. */
static int64_t part(const uint8_t *column, const uint8_t *is_left, int32_t *rows, int64_t n_rows, int32_t *others) {
    int64_t n_left = 0, n_right = 0;
    for (int64_t i = 0; i < n_rows; i++)
        if (is_left[column[rows[i]]])
            rows[n_left++] = rows[i];
        else
            others[n_right++] = rows[i];
    memcpy(rows + n_left, others, sizeof(int32_t) * (size_t)n_right);
    return n_left;
}

static void grow_tree(const TreeCodes *codes, const Growth *how, int64_t n_rows, const int32_t *derivatives, Work *work,
                      Trees *tree) {
    int64_t first[TREE_NODES] = {0}, stop[TREE_NODES] = {n_rows}, paths[TREE_NODES][3];
    int n_path[TREE_NODES] = {0}, is_there[TREE_NODES] = {1};
    const int n_inner = (1 << how->depth) - 1, n_nodes = 2 * n_inner + 1;
    Split split;
    for (int node = 0; node < n_nodes; node++) {
        if (!is_there[node])
            continue;
        int32_t *rows = work->rows + first[node];
        const int64_t n = stop[node] - first[node];
        Sum total = {0, 0};
        for (int64_t i = 0; i < n; i++) {
            total.first += derivatives[2 * (int64_t)rows[i]];
            total.second += derivatives[2 * (int64_t)rows[i] + 1];
        }
        tree->values[node] = -how->rate * ((double)total.first * how->unit) / ((double)total.second * how->unit + how->ridge);
        if (node >= n_inner)
            continue;
        find_allowed(codes, paths[node], n_path[node], work->is_allowed);
        find_split(codes, how, rows, n, derivatives, total, work, &split);
        if (split.feature < 0)
            continue;
        tree->features[node] = (int32_t)split.feature;
        tree->gains[node] = split.gain;
        memcpy(tree->is_left + node * TREE_CODES, split.is_left, TREE_CODES);
        const int64_t n_left = part(codes->codes + split.feature * codes->n, split.is_left, rows, n, work->others);
        int is_new = 1;
        for (int i = 0; i < n_path[node]; i++)
            is_new &= paths[node][i] != split.feature;
        for (int side = 0; side < 2; side++) {
            const int child = 2 * node + 1 + side;
            is_there[child] = 1;
            first[child] = first[node] + (side ? n_left : 0);
            stop[child] = side ? stop[node] : first[node] + n_left;
            memcpy(paths[child], paths[node], sizeof paths[node]);
            n_path[child] = n_path[node] + is_new;
            if (is_new)
                paths[child][n_path[node]] = split.feature;
        }
    }
}

static void add_tree(const TreeCodes *codes, const Trees *tree, int64_t n_columns, double *scores) {
    for (int64_t row = 0; row < codes->n; row++) {
        int node = 0;
        while (node < TREE_INNER && tree->features[node] >= 0)
            node = 2 * node + 2 - tree->is_left[node * TREE_CODES + codes->codes[tree->features[node] * codes->n + row]];
        scores[row * n_columns] += tree->values[node];
    }
}

int boost_round(const TreeCodes *codes, const Growth *how, const int32_t *rows, int64_t n_rows, const int64_t *labels,
                const double *weights, double *scores, Trees *trees) {
    const size_t n = (size_t)codes->n, c = (size_t)how->n_columns;
    Work work = {.derivatives = malloc(sizeof(int32_t) * 2 * n * c + 1),
                 .rows = malloc(sizeof(int32_t) * n + 1),
                 .others = malloc(sizeof(int32_t) * n + 1),
                 .is_allowed = malloc((size_t)codes->d + 1)};
    const int has_failed = !work.derivatives || !work.rows || !work.others || !work.is_allowed;
    if (!has_failed) {
        find_derivatives(codes, how, rows, n_rows, labels, weights, scores, work.derivatives);
        for (size_t j = 0; j < c; j++) {
            Trees tree = {trees->features + j * TREE_INNER, trees->is_left + j * TREE_INNER * TREE_CODES,
                          trees->gains + j * TREE_INNER, trees->values + j * TREE_NODES};
            memcpy(work.rows, rows, sizeof(int32_t) * (size_t)n_rows);
            grow_tree(codes, how, n_rows, work.derivatives + 2 * j * n, &work, &tree);
            add_tree(codes, &tree, how->n_columns, scores + j);
        }
    }
    free(work.derivatives);
    free(work.rows);
    free(work.others);
    free(work.is_allowed);
    return has_failed;
}
