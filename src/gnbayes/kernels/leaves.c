/* What a tree adds to the scores of all rows.
 *
 * Rows go by in blocks, and all nodes of a level are asked about all rows of a block: columns are read in their order and
 * compared in vectors, which is quicker than to lead every row on its own way from the root to a leaf.
 */
#include <string.h>

#include "kernels.h"

#define ROWS 512
#define MOST_LEVELS 3

/* Which codes of a feature go to the right. */
typedef struct {
    const uint8_t *column;  /* (n,); NULL if all go to the left */
    const uint8_t *is_left; /* of categories, which have no order; else NULL */
    uint8_t cut, exempt;    /* those above the cut, but for one */
} Question;

/* A tree whose leaves are all on one level: a node that is not split leads to the left, with the value that it has. */
typedef struct {
    Question questions[TREE_INNER];
    double values[1 << MOST_LEVELS];
} WholeTree;

static Question question_of(const TreeCodes *codes, int32_t feature, const uint8_t *is_left) {
    Question question = {.column = codes->codes + feature * codes->n, .is_left = is_left};
    if (!codes->is_ordered[feature])
        return question;
    question.is_left = NULL;
    const int last = codes->sizes[feature] - 1;
    int cut = 0;
    while (cut < last - 1 && is_left[cut + 1])
        cut++;
    question.cut = (uint8_t)cut;
    /* A missing value, the last one, may go to the left. */
    question.exempt = (uint8_t)(is_left[last] ? last : cut);
    return question;
}

static void make_whole(const TreeCodes *codes, const Trees *tree, int depth, WholeTree *out) {
    const int n_inner = (1 << depth) - 1;
    double values[TREE_NODES];
    uint8_t is_there[TREE_NODES] = {1};
    values[0] = tree->values[0];
    for (int at = 0; at < n_inner; at++) {
        const int is_split = is_there[at] && tree->features[at] >= 0;
        if (is_split)
            out->questions[at] = question_of(codes, tree->features[at], tree->is_left + at * TREE_CODES);
        else
            out->questions[at].column = NULL;
        for (int child = 2 * at + 1; child <= 2 * at + 2; child++) {
            is_there[child] = (uint8_t)is_split;
            values[child] = is_split ? tree->values[child] : values[at];
        }
    }
    memcpy(out->values, values + n_inner, sizeof(double) * (size_t)(n_inner + 1));
}

/* All bits of rows that go to the right. */
ALWAYS_INLINE void ask(const Question *question, int64_t first, int64_t n, uint8_t *restrict right) {
    if (!question->column) {
        memset(right, 0, (size_t)n);
        return;
    }
    const uint8_t *restrict codes = question->column + first;
    if (question->is_left) {
        for (int64_t i = 0; i < n; i++)
            right[i] = (uint8_t)(question->is_left[codes[i]] - 1);
        return;
    }
    const uint8_t cut = question->cut, exempt = question->exempt;
    for (int64_t i = 0; i < n; i++)
        right[i] = (uint8_t) - ((codes[i] > cut) & (codes[i] != exempt));
}

ALWAYS_INLINE void choose(const uint8_t *restrict which, const uint8_t *restrict other, int64_t n, uint8_t *restrict out) {
    for (int64_t i = 0; i < n; i++)
        out[i] = (uint8_t)((out[i] & (uint8_t)~which[i]) | (other[i] & which[i]));
}

/* The leaf of every row of a block, from left to right. */
ALWAYS_INLINE void find_leaves(const WholeTree *tree, int depth, int64_t first, int64_t n, uint8_t *restrict leaves) {
    uint8_t levels[MOST_LEVELS][ROWS], other[ROWS], second[ROWS];
    const Question *questions = tree->questions;
    ask(&questions[0], first, n, levels[0]);
    if (depth > 1) {
        ask(&questions[1], first, n, levels[1]);
        ask(&questions[2], first, n, other);
        choose(levels[0], other, n, levels[1]);
    }
    if (depth > 2) {
        ask(&questions[3], first, n, levels[2]);
        ask(&questions[4], first, n, other);
        choose(levels[1], other, n, levels[2]);
        ask(&questions[5], first, n, second);
        ask(&questions[6], first, n, other);
        choose(levels[1], other, n, second);
        choose(levels[0], second, n, levels[2]);
    }
    memset(leaves, 0, (size_t)n);
    for (int at = 0; at < depth; at++)
        for (int64_t i = 0; i < n; i++)
            leaves[i] = (uint8_t)(2 * leaves[i] + (levels[at][i] & 1));
}

/* Rows that get what a tree adds, of which every n_columns-th number is meant. */
typedef struct {
    const WholeTree *tree;
    int depth;
    Parts parts;
    int64_t n_columns;
    double *scores;
} Addition;

ALWAYS_INLINE void add_leaves(const Addition *of, int64_t first, int64_t stop) {
    uint8_t leaves[ROWS];
    for (; first < stop; first += ROWS) {
        const int64_t n_rows = stop - first < ROWS ? stop - first : ROWS;
        double *restrict own = of->scores + first * of->n_columns;
        find_leaves(of->tree, of->depth, first, n_rows, leaves);
        for (int64_t i = 0; i < n_rows; i++)
            own[i * of->n_columns] += of->tree->values[leaves[i]];
    }
}

static void add_leaves_portable(const Addition *of, int64_t first, int64_t stop) { add_leaves(of, first, stop); }

#if HAS_X86_VECTORS
static TARGET_AVX512_BASE void add_leaves_avx512(const Addition *of, int64_t first, int64_t stop) { add_leaves(of, first, stop); }

static TARGET_AVX2 void add_leaves_avx2(const Addition *of, int64_t first, int64_t stop) { add_leaves(of, first, stop); }
#endif

static void add_to_parts(void *of_job, Team *team, int64_t worker) {
    const Addition *of = of_job;
    void (*add)(const Addition *, int64_t, int64_t) = add_leaves_portable;
#if HAS_X86_VECTORS
    if (level >= AVX2)
        add = level >= AVX512_BASE ? add_leaves_avx512 : add_leaves_avx2;
#endif
    for (int64_t first, stop; take_rows(team, worker, &of->parts, &first, &stop);)
        add(of, first, stop);
}

void add_tree(const TreeCodes *codes, const Trees *tree, int depth, int64_t n_columns, Team *team, double *scores) {
    WholeTree whole;
    make_whole(codes, tree, depth, &whole);
    Addition of = {&whole, depth, divide_rows(team, codes->n), n_columns, scores};
    do_together(team, add_to_parts, &of, of.parts.n_parts);
}
