/* Shared by the files that grow trees: sums of derivatives over rows. */
#ifndef GNBAYES_BOOSTING_H
#define GNBAYES_BOOSTING_H

#include "kernels.h"

/* Both in units. In the order in which the halves of a word lie in memory. */
typedef struct {
    int64_t second, first;
} Sum;

/* Both derivatives in one word, the first in the upper half; the second is never negative. */
ALWAYS_INLINE uint64_t to_word(int64_t first, int64_t second) { return ((uint64_t)first << 32) + (uint64_t)second; }

ALWAYS_INLINE void add_word(Sum *sum, uint64_t word) {
    sum->second += (int64_t)(word & 0xffffffffu);
    sum->first += (int32_t)(uint32_t)(word >> 32);
}

/* node_sums.c: neighbouring features, the codes of which are one code together where that fits into a byte: one addition
 * then adds a row to the sums of both. */
typedef struct {
    uint8_t *codes;    /* (n, ) for each such pair */
    uint8_t **columns; /* (d / 2,): those of features 2 i and 2 i + 1, NULL where they do not fit */
} PairCodes;
/* Returns 0, or -1 without memory; free_pairs follows in both cases. */
int make_pairs(const TreeCodes *codes, PairCodes *pairs);
void free_pairs(PairCodes *pairs);

/* Features in increasing order, and where the sums of each stand among those of a node. */
typedef struct {
    const int32_t *features;
    int64_t n;
    const int64_t *starts; /* (d,) */
} SummedFeatures;

/* What the workers of a team add up, next to the leader. */
typedef struct {
    Team *team; /* or NULL */
    Sum *sums;  /* (workers, n_sums) */
    uint8_t *have_some;
    int64_t n_sums; /* of a node, at most */
} NodeShares;

/* Sums of rows by the codes of some features. */
void add_up(const TreeCodes *codes, const PairCodes *pairs, const SummedFeatures *which, const int32_t *rows, int64_t n_rows,
            const uint64_t *derivatives, const NodeShares *shares, Sum *sums);

/* derivatives.c: first and second derivatives of the log-loss of rows, as integers. */
#define BLOCK 64
typedef struct {
    int64_t n, n_columns;  /* of the scores of all rows */
    const int32_t *rows;   /* those to look at */
    const int64_t *labels; /* (n,) */
    const double *weights; /* (n,) */
    const double *scores;  /* (n, n_columns) */
    double unit;
    double *space; /* (workers, n_columns + 2, BLOCK) */
    uint64_t *out; /* (n_columns, n): both of a row in one word */
} Derivatives;
void find_derivatives(const Derivatives *of, int64_t n_rows, Team *team);

#endif
