/* Boosting: rounds of small trees over codes of one byte, a tree for each column of scores.
 *
 * First and second derivatives of rows are integer multiples of a unit. So sums over rows are exact, and the trees are the
 * same as those that NumPy grows in gnbayes/model/boosting/trees.py.
 */
#include <stdlib.h>
#include <string.h>

#include "boosting.h"

/* The best split found so far. */
typedef struct {
    double gain;
    int64_t feature;
    Sum left;
    uint8_t is_left[TREE_CODES];
} Split;

/* Sums on both sides of each cut of a feature, and what the cuts gain. */
typedef struct {
    double left_first[TREE_CODES], left_second[TREE_CODES], right_first[TREE_CODES], right_second[TREE_CODES];
    double gains[TREE_CODES];
} Sides;

/* Memory of rounds. */
typedef struct {
    uint64_t *derivatives; /* (c, n): both of a row in one word */
    PairCodes *pairs;      /* of each resolution */
    int32_t *drawn;        /* (n,): rows that the round looks at */
    int32_t *rows, *others;
    int32_t *features;   /* (TREE_INNER, d): those that may split the root, then those for the children of each node */
    int64_t *starts;     /* (d,): position of the sums of a feature among those of a node */
    uint8_t *is_allowed; /* (d,) */
    Sum *sums;           /* of each inner node, by feature and code */
    double *block;       /* (workers, c + 2, BLOCK) */
    NodeShares shares;   /* of workers in the sums of a node */
    int64_t n_drawn, n_sums;
} Work;

static double score(double first, double second, double ridge) { return first * first / (second + ridge); }

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

/* The gains of all cuts, in vectors; 0 where a side is too small. */
ALWAYS_INLINE void find_gains(const Growth *how, Sides *sides, int n, double parent) {
    const double ridge = how->ridge, least = how->least_curvature;
    for (int at = 0; at < n; at++) {
        const double left = sides->left_second[at], right = sides->right_second[at];
        const double gain = score(sides->left_first[at], left, ridge) + score(sides->right_first[at], right, ridge) - parent;
        sides->gains[at] = (left < least) | (right < least) ? 0.0 : gain;
    }
}

ALWAYS_INLINE void try_feature(const TreeCodes *codes, const Growth *how, const Sum *sums, int64_t feature, Sum total,
                               double parent, Split *best) {
    int order[TREE_CODES];
    Sides sides;
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
            sides.left_first[at] = (double)left.first * how->unit;
            sides.left_second[at] = (double)left.second * how->unit;
            sides.right_first[at] = (double)(total.first - left.first) * how->unit;
            sides.right_second[at] = (double)(total.second - left.second) * how->unit;
        }
        find_gains(how, &sides, stop, parent);
        for (int at = 0; at < stop; at++)
            if (sides.gains[at] > best->gain) {
                best->gain = sides.gains[at];
                found = at;
            }
        if (found < 0)
            continue;
        best->feature = feature;
        best->left = way ? missing : none;
        memset(best->is_left, 0, TREE_CODES);
        for (int at = 0; at <= found; at++) {
            best->left.first += sums[order[at]].first;
            best->left.second += sums[order[at]].second;
            best->is_left[order[at]] = 1;
        }
        if (has_missing)
            best->is_left[n_values] = (uint8_t)way;
    }
}

/* Features that may follow those of a path: all at the root and where there are no terms to keep to, else those of a term
 * that holds the whole path. */
static SummedFeatures find_allowed(const TreeCodes *codes, const int64_t *path, int n_path, const Work *work, int32_t *out) {
    uint8_t *is_allowed = work->is_allowed;
    memset(is_allowed, !n_path || codes->n_terms < 0, (size_t)codes->d);
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
    SummedFeatures found = {out, 0, work->starts};
    for (int64_t feature = 0; feature < codes->d; feature++)
        if (is_allowed[feature] && codes->sizes[feature] > 1)
            out[found.n++] = (int32_t)feature;
    return found;
}

/* Sums of the rows of a node that are not in a part of it. */
static void subtract(const TreeCodes *codes, const SummedFeatures *which, const Sum *all, const Sum *some, Sum *out) {
    for (int64_t at = 0; at < which->n; at++) {
        const int64_t start = which->starts[which->features[at]], stop = start + codes->sizes[which->features[at]];
        for (int64_t i = start; i < stop; i++) {
            out[i].first = all[i].first - some[i].first;
            out[i].second = all[i].second - some[i].second;
        }
    }
}

ALWAYS_INLINE void find_split(const TreeCodes *codes, const Growth *how, const SummedFeatures *which, const Sum *sums, Sum total,
                              Split *best) {
    const double parent = score((double)total.first * how->unit, (double)total.second * how->unit, how->ridge);
    best->gain = 0.0;
    best->feature = -1;
    for (int64_t at = 0; at < which->n; at++) {
        const int32_t feature = which->features[at];
        try_feature(codes, how, sums + which->starts[feature], feature, total, parent, best);
    }
}

#if HAS_X86_VECTORS
static TARGET_AVX2 void find_split_avx2(const TreeCodes *codes, const Growth *how, const SummedFeatures *which, const Sum *sums,
                                        Sum total, Split *best) {
    find_split(codes, how, which, sums, total, best);
}
#endif

static void split_of_sums(const TreeCodes *codes, const Growth *how, const SummedFeatures *which, const Sum *sums, Sum total,
                          Split *best) {
#if HAS_X86_VECTORS
    if (level != PORTABLE) {
        find_split_avx2(codes, how, which, sums, total, best);
        return;
    }
#endif
    find_split(codes, how, which, sums, total, best);
}

/* Put rows that go left before those that go right, in their order; return how many go left. */
static int64_t part(const uint8_t *column, const uint8_t *is_left, int32_t *rows, int64_t n_rows, int32_t *others) {
    int64_t n_left = 0, n_right = 0;
    for (int64_t i = 0; i < n_rows; i++) {
        const int32_t row = rows[i];
        const int goes_left = is_left[column[row]];
        rows[n_left] = row;
        others[n_right] = row;
        n_left += goes_left;
        n_right += !goes_left;
    }
    memcpy(rows + n_left, others, sizeof(int32_t) * (size_t)n_right);
    return n_left;
}

/* A node of a growing tree: its rows, and the features on the path to it. */
typedef struct {
    int is_there, n_path;
    int64_t path[3], first, stop;
    SummedFeatures features; /* those that may split it, once they are known */
    Sum total;
} Node;

/* Whether both sides of a split may be large enough; the bound has a margin, because products are rounded. */
static int may_split(const Growth *how, Sum total) {
    return (double)total.second * how->unit >= 1.9 * how->least_curvature;
}

/* Make two children; leaves need no rows of their own, as their sums are known. */
static void split_node(const TreeCodes *codes, const Split *split, int are_leaves, Node *nodes, int at, int32_t *rows, Work *work) {
    const Node *node = &nodes[at];
    const uint8_t *column = codes->codes + split->feature * codes->n;
    const int64_t n_rows = are_leaves ? 0 : node->stop - node->first;
    const int64_t n_left = part(column, split->is_left, rows + node->first, n_rows, work->others);
    int is_new = 1;
    for (int i = 0; i < node->n_path; i++)
        is_new &= node->path[i] != split->feature;
    for (int side = 0; side < 2; side++) {
        Node *child = &nodes[2 * at + 1 + side];
        *child = *node;
        child->first += side ? n_left : 0;
        child->stop = side ? node->stop : node->first + n_left;
        child->total.first = side ? node->total.first - split->left.first : split->left.first;
        child->total.second = side ? node->total.second - split->left.second : split->left.second;
        if (is_new)
            child->path[child->n_path++] = split->feature;
    }
}

/* Sums of the two children of a node: that of the smaller one is computed, that of the other is the difference. */
static void add_up_children(const TreeCodes *codes, const PairCodes *pairs, const Growth *how, const uint64_t *derivatives,
                            Node *nodes, int at, const int32_t *rows, Work *work) {
    Node *left = &nodes[2 * at + 1], *right = left + 1;
    if (!may_split(how, left->total) && !may_split(how, right->total))
        return;
    const int is_left_smaller = left->stop - left->first < right->stop - right->first;
    const Node *smaller = is_left_smaller ? left : right;
    Sum *of_left = work->sums + (2 * at + 1) * work->n_sums, *of_right = of_left + work->n_sums;
    Sum *of_smaller = is_left_smaller ? of_left : of_right, *of_larger = is_left_smaller ? of_right : of_left;
    left->features = find_allowed(codes, left->path, left->n_path, work, work->features + (at + 1) * codes->d);
    right->features = left->features;
    add_up(codes, pairs, &left->features, rows + smaller->first, smaller->stop - smaller->first, derivatives, &work->shares,
           of_smaller);
    subtract(codes, &left->features, work->sums + at * work->n_sums, of_smaller, of_larger);
}

/* The root: all rows, their sums by the codes of all features, and the sum of these. */
static void make_root(const TreeCodes *codes, const PairCodes *pairs, const int32_t *rows, int64_t n_rows,
                      const uint64_t *derivatives, Work *work, Node *root) {
    *root = (Node){.is_there = 1, .stop = n_rows, .features = find_allowed(codes, NULL, 0, work, work->features)};
    add_up(codes, pairs, &root->features, rows, n_rows, derivatives, &work->shares, work->sums);
    if (!root->features.n) {
        for (int64_t i = 0; i < n_rows; i++)
            add_word(&root->total, derivatives[rows[i]]);
        return;
    }
    const int32_t any = root->features.features[0];
    const Sum *sums = work->sums + work->starts[any];
    for (int code = 0; code < codes->sizes[any]; code++) {
        root->total.first += sums[code].first;
        root->total.second += sums[code].second;
    }
}

/* Changes the order of the rows. */
static void grow_tree(const TreeCodes *codes, const PairCodes *pairs, const Growth *how, int32_t *rows, int64_t n_rows,
                      const uint64_t *derivatives, Work *work, Trees *tree, Node *nodes) {
    const int n_inner = (1 << how->depth) - 1, n_nodes = 2 * n_inner + 1;
    memset(nodes, 0, sizeof(Node) * TREE_NODES);
    make_root(codes, pairs, rows, n_rows, derivatives, work, &nodes[0]);
    Split split;
    for (int at = 0; at < n_nodes; at++) {
        const Node *node = &nodes[at];
        if (!node->is_there)
            continue;
        const Sum total = node->total;
        tree->values[at] = -how->rate * ((double)total.first * how->unit) / ((double)total.second * how->unit + how->ridge);
        if (at >= n_inner || !may_split(how, total))
            continue;
        split_of_sums(codes, how, &node->features, work->sums + at * work->n_sums, total, &split);
        if (split.feature < 0)
            continue;
        tree->features[at] = (int32_t)split.feature;
        tree->gains[at] = split.gain;
        memcpy(tree->is_left + at * TREE_CODES, split.is_left, TREE_CODES);
        const int are_leaves = 2 * at + 1 >= n_inner;
        split_node(codes, &split, are_leaves, nodes, at, rows, work);
        if (!are_leaves)
            add_up_children(codes, pairs, how, derivatives, nodes, at, rows, work);
    }
}

/* Where the sums of each feature stand; returns how many there are. */
static int64_t find_starts(const TreeCodes *codes, int64_t *starts) {
    int64_t n_sums = 0;
    for (int64_t feature = 0; feature < codes->d; feature++) {
        starts[feature] = n_sums;
        n_sums += codes->sizes[feature];
    }
    return n_sums;
}

static int make_work(const Boosting *boosting, Work *work) {
    const size_t n = (size_t)boosting->n, c = (size_t)boosting->n_columns, workers = (size_t)n_workers(boosting->team);
    size_t d = 0, n_sums = 0;
    for (int at = 0; at < boosting->n_resolutions; at++)
        d = (size_t)boosting->codes[at].d > d ? (size_t)boosting->codes[at].d : d;
    *work = (Work){.derivatives = malloc(sizeof(uint64_t) * n * c + 1),
                   .drawn = malloc(sizeof(int32_t) * (n + 1)),
                   .rows = malloc(c > 1 ? sizeof(int32_t) * n + 1 : 1),
                   .others = malloc(sizeof(int32_t) * n + 1),
                   .features = malloc(sizeof(int32_t) * d * TREE_INNER + 1),
                   .pairs = calloc((size_t)boosting->n_resolutions + 1, sizeof(PairCodes)),
                   .starts = malloc(sizeof(int64_t) * d + 1),
                   .is_allowed = malloc(d + 1),
                   .block = malloc(sizeof(double) * workers * (c + 2) * BLOCK)};
    if (!work->derivatives || !work->drawn || !work->rows || !work->others || !work->features || !work->starts ||
        !work->is_allowed || !work->block || !work->pairs)
        return -1;
    int has_failed = 0;
    for (int at = 0; at < boosting->n_resolutions; at++) {
        const size_t own = (size_t)find_starts(&boosting->codes[at], work->starts);
        n_sums = own > n_sums ? own : n_sums;
        has_failed |= make_pairs(&boosting->codes[at], &work->pairs[at]);
    }
    work->sums = malloc(sizeof(Sum) * n_sums * TREE_INNER + 1);
    work->shares = (NodeShares){boosting->team, malloc(sizeof(Sum) * n_sums * workers + 1), calloc(workers, 1), (int64_t)n_sums};
    return work->sums && work->shares.sums && work->shares.have_some ? has_failed : -1;
}

static void free_work(Work *work, int n_resolutions) {
    for (int at = 0; work->pairs && at < n_resolutions; at++)
        free_pairs(&work->pairs[at]);
    void *all[] = {work->derivatives, work->drawn, work->rows, work->others, work->features,    work->starts,
                   work->is_allowed,  work->block, work->sums, work->pairs,  work->shares.sums, work->shares.have_some};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* One round with the drawn rows and the codes of one resolution. */
static void boost_round(const TreeCodes *codes, const PairCodes *pairs, const Growth *how, const Boosting *boosting,
                        double *scores, Work *work, const Trees *trees) {
    Node nodes[TREE_NODES];
    const int64_t c = boosting->n_columns;
    work->n_sums = find_starts(codes, work->starts);
    find_derivatives(&(Derivatives){codes->n, c, work->drawn, boosting->labels, boosting->weights, scores, how->unit, work->block,
                                    work->derivatives},
                     work->n_drawn, boosting->team);
    for (int64_t j = 0; j < c; j++) {
        Trees tree = {trees->features + j * TREE_INNER, trees->is_left + j * TREE_INNER * TREE_CODES,
                      trees->gains + j * TREE_INNER, trees->values + j * TREE_NODES};
        /* The last tree may change the order of the drawn rows themselves. */
        int32_t *rows = j + 1 < c ? work->rows : work->drawn;
        if (j + 1 < c)
            memcpy(rows, work->drawn, sizeof(int32_t) * (size_t)work->n_drawn);
        grow_tree(codes, pairs, how, rows, work->n_drawn, work->derivatives + j * codes->n, work, &tree, nodes);
        add_tree(codes, &tree, how->depth, c, boosting->team, scores + j);
    }
}

int boost_rounds(const Boosting *boosting, const int32_t *turns, const uint8_t *drawn, int64_t n_rounds, double *scores,
                 const Trees *trees) {
    Work work;
    WeightBits bits;
    const int64_t c = boosting->n_columns;
    const int has_failed = make_work(boosting, &work) | make_weight_bits(boosting->weights, boosting->n, &bits);
    for (int64_t round = 0; !has_failed && round < n_rounds; round++) {
        Growth how = boosting->growths[turns[round]];
        const uint8_t *own_drawn = drawn + round * ((boosting->n + 7) / 8);
        const double largest = find_drawn(&bits, own_drawn, work.drawn, &work.n_drawn);
        how.unit = largest / boosting->units;
        how.n_columns = c;
        if (how.unit == 0.0)
            continue;
        const int64_t first = round * c;
        const Trees own = {trees->features + first * TREE_INNER, trees->is_left + first * TREE_INNER * TREE_CODES,
                           trees->gains + first * TREE_INNER, trees->values + first * TREE_NODES};
        boost_round(&boosting->codes[turns[round]], &work.pairs[turns[round]], &how, boosting, scores, &work, &own);
    }
    free_work(&work, boosting->n_resolutions);
    free_weight_bits(&bits);
    return has_failed;
}
