/* Rows with unknown features: the mean of P(y | x) over the possible values of the unknown features, given the known ones.

   The features and the class have a joint distribution along a tree. Messages from the leaves to the root give, for each
   feature, class and value, how probable the known features below it are. From the root down, the unknown features are then
   drawn one after the other, or gone through in all combinations where these are few. */
#include "kernels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const CompletedTree *tree;
    const CompletedSum *sum;
    int64_t n_classes, n_columns;
    const uint32_t *codes;  /* of the row */
    int32_t *known;         /* code in the tree of each feature, -1 where it is unknown */
    double *up;             /* messages that reached each feature, (value, class) */
    double *posterior;      /* of the classes, up to a factor */
    int64_t *unknown;       /* unknown features in the order of the tree */
    int64_t n_unknown;
    double *reached;        /* cumulated shares of each unknown feature, (value of the mother, class, value) */
    uint8_t *is_reached;    /* which of them were computed, (value of the mother, class) */
    int64_t *reached_start, *flag_start;
    uint32_t *filled;       /* codes of the row with unknown ones filled in */
    int32_t *drawn;         /* codes in the tree, unknown ones filled in */
    int64_t *touched;       /* terms with an unknown feature */
    int64_t n_touched;
    double *base, *scores, *out;
    double *paths;          /* weight of each class, for every depth of an enumeration */
} Row;

/* Messages from the leaves to the root; the largest entry of each is 1, so that nothing vanishes. */
static void send_up(Row *row) {
    const CompletedTree *tree = row->tree;
    const int64_t k = row->n_classes;
    for (int64_t at = 0; at < tree->n_order; at++) {
        const CompletedNode *node = tree->nodes + tree->order[at];
        double *up = row->up + node->up_start;
        for (int64_t i = 0; i < node->n_values * k; i++)
            up[i] = 1.0;
    }
    for (int64_t y = 0; y < k; y++)
        row->posterior[y] = 1.0;
    for (int64_t at = tree->n_order - 1; at >= 0; at--) {
        const int64_t j = tree->order[at];
        const CompletedNode *node = tree->nodes + j;
        const int has_mother = node->mother >= 0;
        const int64_t n_above = has_mother ? tree->nodes[node->mother].n_values : 1;
        const int32_t given = has_mother ? row->known[node->mother] : 0;
        double *above = has_mother ? row->up + tree->nodes[node->mother].up_start : row->posterior;
        const double *up = row->up + node->up_start;
        double largest = 0.0;
        for (int64_t a = given < 0 ? 0 : given; a < (given < 0 ? n_above : given + 1); a++) {
            const double *table = tree->tables + node->table_start + a * node->n_values * k;
            for (int64_t y = 0; y < k; y++) {
                double sum = 0.0;
                if (row->known[j] >= 0)
                    sum = table[row->known[j] * k + y] * up[row->known[j] * k + y];
                else
                    for (int64_t b = 0; b < node->n_values; b++)
                        sum += table[b * k + y] * up[b * k + y];
                above[a * k + y] *= sum;
                largest = above[a * k + y] > largest ? above[a * k + y] : largest;
            }
        }
        if (largest > 0.0)
            for (int64_t a = given < 0 ? 0 : given; a < (given < 0 ? n_above : given + 1); a++)
                for (int64_t y = 0; y < k; y++)
                    above[a * k + y] /= largest;
    }
    double total = 0.0;
    for (int64_t y = 0; y < k; y++) {
        row->posterior[y] = tree->prior[y] * pow(row->posterior[y], tree->tempering);
        total += row->posterior[y];
    }
    for (int64_t y = 0; y < k; y++)
        row->posterior[y] = total > 0.0 ? row->posterior[y] / total : tree->prior[y];
}

/* Cumulated shares of the values of an unknown feature for a class and a value of the mother; the last one is their sum. */
static const double *cumulated(Row *row, int64_t at, int64_t above, int64_t y) {
    const CompletedNode *node = row->tree->nodes + row->unknown[at];
    const int64_t k = row->n_classes, v = node->n_values;
    double *reached = row->reached + row->reached_start[at] + (above * k + y) * v;
    uint8_t *flag = row->is_reached + row->flag_start[at] + above * k + y;
    if (!*flag) {
        const double *table = row->tree->tables + node->table_start + above * v * k;
        const double *up = row->up + node->up_start;
        double sum = 0.0;
        for (int64_t b = 0; b < v; b++)
            reached[b] = sum += table[b * k + y] * up[b * k + y];
        if (!(sum > 0.0))
            for (int64_t b = 0; b < v; b++)
                reached[b] = (double)(b + 1);
        *flag = 1;
    }
    return reached;
}

static int64_t value_above(const Row *row, int64_t at) {
    const int64_t mother = row->tree->nodes[row->unknown[at]].mother;
    return mother >= 0 ? row->drawn[mother] : 0;
}

/* Probabilities of the classes of the filled row, added to out with a weight. */
static void add_probabilities(Row *row, double weight) {
    const CompletedSum *sum = row->sum;
    const int64_t k = row->n_classes;
    memcpy(row->scores, row->base, (size_t)k * sizeof(double));
    for (int64_t t = 0; t < row->n_touched; t++) {
        const SumTerm *term = sum->terms + row->touched[t];
        int64_t cell = 0;
        for (const Axis *axis = term->axes; axis < term->axes + term->n_axes; axis++)
            cell += sum->offsets[axis->start + row->filled[axis->feature]];
        const double *table = sum->tables + term->start + cell * k;
        for (int64_t y = 0; y < k; y++)
            row->scores[y] += table[y];
    }
    double top = row->scores[0], total = 0.0;
    for (int64_t y = 1; y < k; y++)
        top = row->scores[y] > top ? row->scores[y] : top;
    for (int64_t y = 0; y < k; y++)
        total += row->scores[y] = exp(row->scores[y] - top);
    for (int64_t y = 0; y < k; y++)
        row->out[y] += weight * row->scores[y] / total;
}

/* One completion for each point: the class, then the unknown features, each by the place of one number from 0 to 1. */
static void draw_all(Row *row, const double *points, const int64_t *point_rows, int64_t n_points) {
    const CompletedTree *tree = row->tree;
    const int64_t k = row->n_classes;
    for (int64_t m = 0; m < n_points; m++) {
        int64_t y = 0;
        double at_class = points[m], sum = row->posterior[0];
        while (y < k - 1 && at_class >= sum)
            sum += row->posterior[++y];
        for (int64_t at = 0; at < row->n_unknown; at++) {
            const int64_t j = row->unknown[at];
            const CompletedNode *node = tree->nodes + j;
            const double *reached = cumulated(row, at, value_above(row, at), y);
            const double place = points[point_rows[j] * n_points + m] * reached[node->n_values - 1];
            int64_t b = 0;
            while (b < node->n_values - 1 && place >= reached[b])
                b++;
            row->drawn[j] = (int32_t)b;
            /* The position of the number within the range of the value determines the finer code. */
            const double below = b ? reached[b - 1] : 0.0, width = reached[b] - below;
            const double rest = width > 0.0 ? (place - below) / width : 0.5;
            const int32_t *members = tree->members + node->member_start;
            const int32_t first = members[b], last = members[b + 1];
            const double *within = tree->within + node->within_start;
            const int32_t *codes = tree->member_codes + node->code_start;
            double inside = 0.0;
            int32_t i = first;
            for (; i < last - 1; i++) {
                inside += within[codes[i] * k + y];
                if (rest < inside)
                    break;
            }
            row->filled[j] = (uint32_t)codes[i];
        }
        add_probabilities(row, 1.0 / (double)n_points);
    }
}

/* All combinations of the unknown features, each with its probability. */
static void go_through(Row *row, int64_t at) {
    const int64_t k = row->n_classes;
    const double *path = row->paths + at * k;
    if (at == row->n_unknown) {
        double weight = 0.0;
        for (int64_t y = 0; y < k; y++)
            weight += path[y];
        if (weight > 0.0)
            add_probabilities(row, weight);
        return;
    }
    const CompletedTree *tree = row->tree;
    const int64_t j = row->unknown[at], above = value_above(row, at);
    const CompletedNode *node = tree->nodes + j;
    double *next = row->paths + (at + 1) * k;
    for (int64_t b = 0; b < node->n_values; b++) {
        row->drawn[j] = (int32_t)b;
        for (int32_t i = tree->members[node->member_start + b]; i < tree->members[node->member_start + b + 1]; i++) {
            const int32_t code = tree->member_codes[node->code_start + i];
            for (int64_t y = 0; y < k; y++) {
                const double *reached = cumulated(row, at, above, y);
                const double share = (reached[b] - (b ? reached[b - 1] : 0.0)) / reached[node->n_values - 1];
                next[y] = path[y] * share * tree->within[node->within_start + code * k + y];
            }
            row->filled[j] = (uint32_t)code;
            go_through(row, at + 1);
        }
    }
}

/* Known codes, unknown features, and the part of the sum that does not depend on these. */
static double prepare(Row *row) {
    const CompletedTree *tree = row->tree;
    const CompletedSum *sum = row->sum;
    const int64_t k = row->n_classes;
    double n_combinations = 1.0;
    int64_t n_reached = 0, n_flags = 0;
    row->n_unknown = row->n_touched = 0;
    for (int64_t at = 0; at < tree->n_order; at++) {
        const int64_t j = tree->order[at];
        const CompletedNode *node = tree->nodes + j;
        row->filled[j] = row->codes[j];
        if (row->codes[j] < (uint32_t)node->n_codes) {
            row->known[j] = row->drawn[j] = tree->codes[node->code_start + (int64_t)row->codes[j]];
            continue;
        }
        row->known[j] = -1;
        const int64_t n_above = node->mother >= 0 ? tree->nodes[node->mother].n_values : 1;
        row->reached_start[row->n_unknown] = n_reached;
        row->flag_start[row->n_unknown] = n_flags;
        row->unknown[row->n_unknown++] = j;
        n_reached += n_above * node->n_values * k;
        n_flags += n_above * k;
        n_combinations *= (double)node->n_codes;
    }
    memset(row->is_reached, 0, (size_t)n_flags);
    memcpy(row->base, sum->start, (size_t)k * sizeof(double));
    for (int64_t t = 0; t < sum->n_terms; t++) {
        const SumTerm *term = sum->terms + t;
        int64_t cell = 0;
        int is_touched = 0;
        for (const Axis *axis = term->axes; axis < term->axes + term->n_axes; axis++) {
            is_touched |= row->codes[axis->feature] >= (uint32_t)axis->n_known;
            cell += is_touched ? 0 : sum->offsets[axis->start + row->codes[axis->feature]];
        }
        if (is_touched)
            row->touched[row->n_touched++] = t;
        else
            for (int64_t y = 0; y < k; y++)
                row->base[y] += sum->tables[term->start + cell * k + y];
    }
    return n_combinations;
}

static void *part(char **memory, int64_t n, size_t size) {
    void *start = *memory;
    *memory += ((size_t)n * size + 15) / 16 * 16;
    return start;
}

int average_completions(const uint32_t *codes, int64_t first, int64_t stop, int64_t n_columns,
                        const CompletedTree *tree, const CompletedSum *sum, int64_t n_classes, const double *points,
                        const int64_t *point_rows, int64_t n_points, double *out) {
    const int64_t k = n_classes, d = n_columns;
    int64_t n_up = 0, n_reached = 0, n_flags = 0;
    for (int64_t j = 0; j < d; j++) {
        const CompletedNode *node = tree->nodes + j;
        const int64_t n_above = node->mother >= 0 ? tree->nodes[node->mother].n_values : 1;
        n_up += node->n_values * k;
        n_reached += n_above * node->n_values * k;
        n_flags += n_above * k;
    }
    const size_t n_doubles = (size_t)(n_up + n_reached + (d + 5) * k);
    const size_t n_bytes = n_doubles * 8 + (size_t)n_flags + (size_t)d * 40 + (size_t)sum->n_terms * 8 + 16 * 20;
    char *memory = malloc(n_bytes), *at = memory;
    if (!memory)
        return -1;
    Row row = {.tree = tree, .sum = sum, .n_classes = k, .n_columns = d};
    row.up = part(&at, n_up, 8);
    row.reached = part(&at, n_reached, 8);
    row.paths = part(&at, (d + 1) * k, 8);
    row.posterior = part(&at, k, 8);
    row.base = part(&at, k, 8);
    row.scores = part(&at, k, 8);
    row.unknown = part(&at, d, 8);
    row.reached_start = part(&at, d, 8);
    row.flag_start = part(&at, d, 8);
    row.touched = part(&at, sum->n_terms, 8);
    row.known = part(&at, d, 4);
    row.drawn = part(&at, d, 4);
    row.filled = part(&at, d, 4);
    row.is_reached = part(&at, n_flags, 1);
    for (int64_t i = first; i < stop; i++) {
        row.codes = codes + i * d;
        row.out = out + i * k;
        for (int64_t y = 0; y < k; y++)
            row.out[y] = 0.0;
        const double n_combinations = prepare(&row);
        send_up(&row);
        if (n_combinations <= (double)n_points) {
            memcpy(row.paths, row.posterior, (size_t)k * sizeof(double));
            go_through(&row, 0);
        } else {
            draw_all(&row, points, point_rows, n_points);
        }
    }
    free(memory);
    return 0;
}
