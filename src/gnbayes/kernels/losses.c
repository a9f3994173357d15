/* Scores of rows by sums of tables, their log-loss, and sums of its derivatives over the rows of every cell.
 *
 * Rows go by in blocks that stay in cache: scores are gathered term by term, turned into probabilities, and scattered
 * into the cells again. What is summed over rows is a whole number in fixed point, so that neither the order of rows nor
 * threads nor instructions change a bit of it. Several problems that differ in the weights of the rows go side by side.
 */
#include <math.h>
#include <stdlib.h>

#include "elementary.h"
#include "kernels.h"

/* Numbers of a block, and the least and the most rows of one. Blocks are as large as the second cache allows: each reads all
 * tables, of which one at a time is to be in the first cache. */
#define BLOCK_NUMBERS 16384
#define LEAST_ROWS 16
#define MOST_ROWS 16384
/* A larger log-loss of one row counts as this. */
#define LARGEST_LOSS 4096.0
/* Denominator of the fractions in which losses are summed, next to whole units. */
#define LOSS_PARTS 0x1p30

/* Add losses (n_rows, b), in units of fixed point, to wholes (b,) and to the parts of wholes that come after them. */
ALWAYS_INLINE void add_losses(int64_t n_rows, int64_t b, const double *weighted, int64_t *losses) {
    for (int64_t p = 0; p < b; p++) {
        int64_t wholes = 0, parts = 0;
        for (int64_t t = p; t < n_rows * b; t += b) {
            const double whole = (weighted[t] + ROUNDING) - ROUNDING;
            wholes += to_whole(weighted[t]);
            parts += to_whole((weighted[t] - whole) * LOSS_PARTS);
        }
        losses[p] += wholes;
        losses[b + p] += parts;
    }
}

/* The same for as many problems as are known at compile time. */
ALWAYS_INLINE void add_losses_of(int64_t n_rows, int64_t b, const double *weighted, int64_t *losses) {
    switch (b) {
    case 1: add_losses(n_rows, 1, weighted, losses); break;
    case 2: add_losses(n_rows, 2, weighted, losses); break;
    case 4: add_losses(n_rows, 4, weighted, losses); break;
    default: add_losses(n_rows, b, weighted, losses); break;
    }
}

/* Two classes, one column per problem: scores (n_rows, b) become probabilities of the second class, and losses are added.
 * is_second (n_rows, b) holds 0 or 1. */
ALWAYS_INLINE void of_two_classes(const Problems *problems, int64_t n_rows, const double *is_second,
                                  const double *weights, double *scores, double *weighted, int64_t *losses) {
    const int64_t b = problems->n_problems;
    for (int64_t t = 0; t < n_rows * b; t++) {
        const double score = scores[t], size = fabs(score);
        const double small = exp_negative(-size), total = 1.0 + small;
        const double loss = ((score > 0.0 ? score : 0.0) + log_above_1(total)) - score * is_second[t];
        scores[t] = (score > 0.0 ? 1.0 : small) / total;
        weighted[t] = (loss < LARGEST_LOSS ? loss : LARGEST_LOSS) * (weights[t] * problems->loss_unit);
    }
    add_losses_of(n_rows, b, weighted, losses);
}

/* A column for each of c classes: scores (n_rows, b, c) become probabilities, and losses are added. */
ALWAYS_INLINE void of_many_classes(const Problems *problems, int64_t n_rows, const int64_t *labels,
                                   const double *weights, double *scores, double *totals, int64_t *losses) {
    const int64_t b = problems->n_problems, c = problems->n_columns;
    double *own = totals + n_rows * b;
    for (int64_t t = 0; t < n_rows * b; t++) {
        double *score = scores + t * c;
        double top = score[0];
        for (int64_t q = 1; q < c; q++)
            top = score[q] > top ? score[q] : top;
        own[t] = top - score[labels[t / b]];
        for (int64_t q = 0; q < c; q++)
            score[q] -= top;
    }
    for (int64_t t = 0; t < n_rows * b * c; t++)
        scores[t] = exp_negative(scores[t]);
    for (int64_t t = 0; t < n_rows * b; t++) {
        double *score = scores + t * c;
        double total = score[0];
        for (int64_t q = 1; q < c; q++)
            total += score[q];
        for (int64_t q = 0; q < c; q++)
            score[q] /= total;
        totals[t] = total;
    }
    for (int64_t t = 0; t < n_rows * b; t++) {
        const double loss = log_above_1(totals[t]) + own[t];
        totals[t] = (loss < LARGEST_LOSS ? loss : LARGEST_LOSS) * (weights[t] * problems->loss_unit);
    }
    add_losses_of(n_rows, b, totals, losses);
}

/* What is summed of every row, from its probabilities: w (p - own) or w p (1 - p), in fixed point. */
ALWAYS_INLINE void to_wholes(const Problems *problems, int64_t n_rows, const int64_t *labels, const double *is_second,
                             const double *weights, const double *proba, int64_t *whole) {
    const int64_t b = problems->n_problems, c = problems->n_columns, size = n_rows * b;
    const int is_gradient = problems->kind == GRADIENT;
    if (c == 1 && is_gradient) {
        for (int64_t t = 0; t < size; t++)
            whole[t] = to_whole((proba[t] - is_second[t]) * weights[t]);
    } else if (c == 1) {
        for (int64_t t = 0; t < size; t++)
            whole[t] = to_whole((proba[t] * (1.0 - proba[t])) * weights[t]);
    } else {
        for (int64_t t = 0; t < size; t++) {
            const int64_t own = labels[t / b];
            for (int64_t q = 0; q < c; q++) {
                const double p = proba[t * c + q];
                whole[t * c + q] = to_whole((is_gradient ? p - (q == own ? 1.0 : 0.0) : p * (1.0 - p)) * weights[t]);
            }
        }
    }
}

ALWAYS_INLINE void sum_block(const Cells *cells, const Problems *problems, int64_t first, int64_t n_rows, const BlockSpace *space,
                             int64_t *sums, int64_t *losses) {
    const int64_t b = problems->n_problems, c = problems->n_columns, m = b * c;
    const double *weights = problems->weights + first * b;
    const int64_t *labels = problems->labels + first;
    if (problems->kind == TOTALS) {
        for (int64_t t = 0; t < n_rows * b; t++)
            for (int64_t q = 0; q < c; q++)
                space->whole[t * c + q] = to_whole(weights[t]);
        scatter_cells(cells, sums, m, first, n_rows, space->whole);
        return;
    }
    gather_cells(cells, problems->tables, problems->base, m, first, n_rows, space->scores);
    if (c == 1) {
        for (int64_t t = 0; t < n_rows; t++)
            for (int64_t p = 0; p < b; p++)
                space->other[t * b + p] = (double)labels[t];
        of_two_classes(problems, n_rows, space->other, weights, space->scores, space->other + n_rows * b, losses);
    } else {
        of_many_classes(problems, n_rows, labels, weights, space->scores, space->other, losses);
    }
    if (problems->kind == LOSSES)
        return;
    to_wholes(problems, n_rows, labels, space->other, weights, space->scores, space->whole);
    scatter_cells(cells, sums, m, first, n_rows, space->whole);
}

ALWAYS_INLINE void sum_blocks(const Cells *cells, const Problems *problems, int64_t first, int64_t stop,
                              const BlockSpace *space, int64_t *sums, int64_t *losses) {
    const int64_t most = space->n_rows;
    for (; first < stop; first += most)
        sum_block(cells, problems, first, stop - first < most ? stop - first : most, space, sums, losses);
}

static void sum_blocks_portable(const Cells *cells, const Problems *problems, int64_t first, int64_t stop,
                                const BlockSpace *space, int64_t *sums, int64_t *losses) {
    sum_blocks(cells, problems, first, stop, space, sums, losses);
}

#if HAS_X86_VECTORS

static TARGET_AVX2 void sum_blocks_avx2(const Cells *cells, const Problems *problems, int64_t first, int64_t stop,
                                        const BlockSpace *space, int64_t *sums, int64_t *losses) {
    sum_blocks(cells, problems, first, stop, space, sums, losses);
}

static TARGET_AVX512_BASE void sum_blocks_avx512(const Cells *cells, const Problems *problems, int64_t first, int64_t stop,
                                            const BlockSpace *space, int64_t *sums, int64_t *losses) {
    sum_blocks(cells, problems, first, stop, space, sums, losses);
}

#endif

int make_block_space(int64_t n_problems, int64_t n_columns, BlockSpace *space) {
    const int64_t m = n_problems * n_columns, rows = BLOCK_NUMBERS / m;
    space->n_rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    const size_t n = (size_t)(space->n_rows * m), n_other = (size_t)(2 * space->n_rows * n_problems);
    space->scores = malloc((n + n_other) * sizeof(double));
    space->whole = malloc(n * sizeof(int64_t));
    if (space->scores && space->whole) {
        space->other = space->scores + n;
        return 0;
    }
    free_block_space(space);
    return 1;
}

void free_block_space(BlockSpace *space) {
    free(space->scores);
    free(space->whole);
    *space = (BlockSpace){.n_rows = 0};
}

void sum_rows(const Cells *cells, const Problems *problems, int64_t first, int64_t stop, const BlockSpace *space,
              int64_t *sums, int64_t *losses) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        sum_blocks_avx512(cells, problems, first, stop, space, sums, losses);
    else if (level >= AVX2)
        sum_blocks_avx2(cells, problems, first, stop, space, sums, losses);
    else
#endif
        sum_blocks_portable(cells, problems, first, stop, space, sums, losses);
}

int sum_over_rows(const Cells *cells, const Problems *problems, int64_t first, int64_t stop, int64_t *sums,
                  int64_t *losses) {
    BlockSpace space;
    if (make_block_space(problems->n_problems, problems->n_columns, &space))
        return 1;
    sum_rows(cells, problems, first, stop, &space, sums, losses);
    free_block_space(&space);
    return 0;
}
