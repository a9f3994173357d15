/* Trees as tables: every leaf is a box, and adds its value to the cells of a table over the features of its path.
 *
 * Cells are added to in the order of trees and leaves, as by NumPy in gnbayes/model/boosting/tables.py.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* Features on the path to a node, and the codes of each that lead to it. */
typedef struct {
    int is_there, n;
    int32_t features[3];
    uint8_t inside[3][TREE_CODES];
} Box;

static void narrow(const Box *box, int32_t feature, const uint8_t *is_left, int is_right, Box *out) {
    *out = *box;
    int at = 0;
    while (at < box->n && box->features[at] != feature)
        at++;
    if (at == box->n) {
        out->features[out->n++] = feature;
        memset(out->inside[at], 1, TREE_CODES);
    }
    for (int code = 0; code < TREE_CODES; code++)
        out->inside[at][code] &= (uint8_t)(is_left[code] ^ is_right);
}

/* The term of the features of a box; -1 where there is none. */
static int64_t term_of(const TreeTables *tables, const Box *box) {
    if (box->n == 1)
        return box->features[0];
    int32_t path[3] = {box->features[0], box->features[1], box->n == 3 ? box->features[2] : (int32_t)tables->d};
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && path[j - 1] > path[j]; j--) {
            const int32_t other = path[j];
            path[j] = path[j - 1];
            path[j - 1] = other;
        }
    const int64_t key = ((int64_t)path[0] * tables->d + path[1]) * (tables->d + 1) + path[2];
    int64_t low = 0, high = tables->n_keys;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (tables->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tables->n_keys && tables->keys[low] == key ? tables->term_of[low] : -1;
}

/* Codes of a feature in a table that are inside of the box; all where it is not on the path. Returns how many. */
static int64_t codes_inside(const TreeTables *tables, const Box *box, int order, int32_t feature, int32_t turn, int32_t *out) {
    const int64_t place = order * tables->d + feature;
    const uint8_t *coarser = tables->coarser + turn * tables->n_codes + tables->starts[place];
    int at = 0;
    while (at < box->n && box->features[at] != feature)
        at++;
    int64_t n = 0;
    for (int32_t code = 0; code < tables->sizes[place]; code++) {
        out[n] = code;
        n += at == box->n || box->inside[at][coarser[code]];
    }
    return n;
}

static int add_box(const TreeTables *tables, const Box *box, int32_t turn, double value, int64_t column, int32_t **codes,
                   double *out, uint8_t *is_used) {
    const int64_t t = term_of(tables, box), c = tables->n_columns;
    if (t < 0)
        return -1;
    const int32_t *term = tables->terms + 3 * t;
    const int n_axes = term[1] < 0 ? 1 : term[2] < 0 ? 2 : 3;
    int64_t n[3] = {1, 1, 1}, sizes[3] = {1, 1, 1};
    for (int axis = 0; axis < 3; axis++) {
        codes[axis][0] = 0;
        if (axis < n_axes) {
            n[axis] = codes_inside(tables, box, n_axes - 1, term[axis], turn, codes[axis]);
            sizes[axis] = tables->sizes[(n_axes - 1) * tables->d + term[axis]];
        }
    }
    is_used[t] = 1;
    for (int64_t i = 0; i < n[0]; i++)
        for (int64_t j = 0; j < n[1]; j++)
            for (int64_t k = 0; k < n[2]; k++) {
                const int64_t cell = (codes[0][i] * sizes[1] + codes[1][j]) * sizes[2] + codes[2][k];
                out[(tables->offsets[t] + cell) * c + column] += value;
            }
    return 0;
}

/* Add the leaves of one tree, that of a column. */
static int add_leaves(const TreeTables *tables, int32_t turn, const Trees *tree, int64_t column, int32_t **codes,
                      double *intercept, double *out, uint8_t *is_used) {
    Box boxes[TREE_NODES];
    for (int node = 0; node < TREE_NODES; node++)
        boxes[node].is_there = !node;
    boxes[0].n = 0;
    int is_unknown = 0;
    for (int node = 0; node < TREE_NODES && !is_unknown; node++) {
        const Box *box = &boxes[node];
        if (!box->is_there)
            continue;
        if (node < TREE_INNER && tree->features[node] >= 0) {
            for (int side = 0; side < 2; side++)
                narrow(box, tree->features[node], tree->is_left + node * TREE_CODES, side, &boxes[2 * node + 1 + side]);
        } else if (!box->n) {
            intercept[column] += tree->values[node];
        } else {
            is_unknown = add_box(tables, box, turn, tree->values[node], column, codes, out, is_used);
        }
    }
    return is_unknown;
}

int add_trees(const TreeTables *tables, const int32_t *turns, int64_t n_rounds, const Trees *trees, double *intercept,
              double *out, uint8_t *is_used) {
    const int64_t c = tables->n_columns;
    int64_t largest = 0;
    for (int64_t place = 0; place < 3 * tables->d; place++)
        largest = tables->sizes[place] > largest ? tables->sizes[place] : largest;
    int32_t *space = malloc(sizeof(int32_t) * 3 * (size_t)(largest + 1));
    int32_t *codes[3] = {space, space + largest + 1, space + 2 * (largest + 1)};
    int has_failed = !space;
    for (int64_t at = 0; at < n_rounds * c && !has_failed; at++) {
        const Trees tree = {trees->features + at * TREE_INNER, trees->is_left + at * TREE_INNER * TREE_CODES, NULL,
                            trees->values + at * TREE_NODES};
        has_failed = add_leaves(tables, turns[at / c], &tree, at % c, codes, intercept, out, is_used);
    }
    free(space);
    return has_failed;
}
