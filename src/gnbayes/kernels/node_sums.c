/* Sums of the derivatives of the rows of a node, by the codes of features: most of the work of boosting.
 *
 * Every row adds to one sum of each feature. Sums are integers, so the order of additions does not matter, and two features
 * may share them: a row is added to a sum for the codes of both, from which those of each follow.
 */
#include <stdlib.h>
#include <string.h>

#include "boosting.h"

/* Columns that rows are added to at the same time: sums of one column wait for each other. */
#define TOGETHER 4

/* Codes of rows, and the sums that they are added to. */
typedef struct {
    const uint8_t *codes; /* (n,) */
    Sum *sums;
    int64_t pair; /* its first feature; -1 if these are the sums of one feature */
} Column;

static int64_t cells_of_pair(const TreeCodes *codes, int64_t feature) {
    const int64_t first = codes->sizes[feature], second = codes->sizes[feature + 1];
    return first > 1 && second > 1 && first * second <= TREE_CODES ? first * second : 0;
}

static void join_codes(const TreeCodes *codes, int64_t feature, uint8_t *restrict out) {
    const uint8_t *restrict first = codes->codes + feature * codes->n, *restrict second = first + codes->n;
    const uint8_t size = (uint8_t)codes->sizes[feature + 1];
    for (int64_t row = 0; row < codes->n; row++)
        out[row] = (uint8_t)(first[row] * size + second[row]);
}

int make_pairs(const TreeCodes *codes, PairCodes *pairs) {
    size_t n_found = 0, n_pairs = (size_t)codes->d / 2;
    for (size_t i = 0; i < n_pairs; i++)
        n_found += cells_of_pair(codes, 2 * (int64_t)i) > 0;
    *pairs = (PairCodes){.codes = malloc(n_found * (size_t)codes->n + 1), .columns = calloc(n_pairs + 1, sizeof(uint8_t *))};
    if (!pairs->codes || !pairs->columns)
        return -1;
    uint8_t *next = pairs->codes;
    for (size_t i = 0; i < n_pairs; i++)
        if (cells_of_pair(codes, 2 * (int64_t)i)) {
            join_codes(codes, 2 * (int64_t)i, next);
            pairs->columns[i] = next;
            next += codes->n;
        }
    return 0;
}

void free_pairs(PairCodes *pairs) {
    free(pairs->codes);
    free(pairs->columns);
}

/* Whether the next two features have sums together: only if there are more rows than such sums. */
static int is_pair(const TreeCodes *codes, const PairCodes *pairs, const int32_t *features, int64_t n_left, int64_t n_rows) {
    return n_left > 1 && !(features[0] & 1) && features[1] == features[0] + 1 && pairs->columns[features[0] / 2] &&
           n_rows > cells_of_pair(codes, features[0]);
}

ALWAYS_INLINE void add_rows(const Column *columns, int n_columns, const int32_t *rows, int64_t n_rows, const uint64_t *derivatives) {
    for (int64_t i = 0; i < n_rows; i++) {
        const int64_t row = rows[i];
        for (int at = 0; at < n_columns; at++)
            add_word(columns[at].sums + columns[at].codes[row], derivatives[row]);
    }
}

static void add_rows_of(const Column *columns, int n_columns, const int32_t *rows, int64_t n_rows, const uint64_t *derivatives) {
    int at = 0;
    for (; at + TOGETHER <= n_columns; at += TOGETHER)
        add_rows(columns + at, TOGETHER, rows, n_rows, derivatives);
    for (; at < n_columns; at++)
        add_rows(columns + at, 1, rows, n_rows, derivatives);
}

#if HAS_X86_VECTORS
/* Both halves of a word in one addition. */
TARGET_AVX2 ALWAYS_INLINE void add_both(Sum *sums, uint8_t code, __m128i both) {
    __m128i *sum = (__m128i *)(sums + code);
    _mm_storeu_si128(sum, _mm_add_epi64(_mm_loadu_si128(sum), both));
}

TARGET_AVX2 ALWAYS_INLINE __m128i halves(const uint64_t *word) {
    return _mm_cvtepi32_epi64(_mm_loadl_epi64((const __m128i *)word));
}

static TARGET_AVX2 void add_rows_to_four(const Column *columns, const int32_t *rows, int64_t n_rows, const uint64_t *derivatives) {
    const uint8_t *a = columns[0].codes, *b = columns[1].codes, *c = columns[2].codes, *d = columns[3].codes;
    Sum *of_a = columns[0].sums, *of_b = columns[1].sums, *of_c = columns[2].sums, *of_d = columns[3].sums;
    for (int64_t i = 0; i < n_rows; i++) {
        const int64_t row = rows[i];
        const __m128i both = halves(derivatives + row);
        add_both(of_a, a[row], both);
        add_both(of_b, b[row], both);
        add_both(of_c, c[row], both);
        add_both(of_d, d[row], both);
    }
}

static TARGET_AVX2 void add_rows_to_two(const Column *columns, const int32_t *rows, int64_t n_rows, const uint64_t *derivatives) {
    const uint8_t *a = columns[0].codes, *b = columns[1].codes;
    Sum *of_a = columns[0].sums, *of_b = columns[1].sums;
    for (int64_t i = 0; i < n_rows; i++) {
        const int64_t row = rows[i];
        const __m128i both = halves(derivatives + row);
        add_both(of_a, a[row], both);
        add_both(of_b, b[row], both);
    }
}

static TARGET_AVX2 void add_rows_of_avx2(const Column *columns, int n_columns, const int32_t *rows, int64_t n_rows,
                                         const uint64_t *derivatives) {
    int at = 0;
    for (; at + 4 <= n_columns; at += 4)
        add_rows_to_four(columns + at, rows, n_rows, derivatives);
    for (; at + 2 <= n_columns; at += 2)
        add_rows_to_two(columns + at, rows, n_rows, derivatives);
    for (; at < n_columns; at++)
        for (int64_t i = 0; i < n_rows; i++)
            add_both(columns[at].sums, columns[at].codes[rows[i]], halves(derivatives + rows[i]));
}
#endif

static void add_to_columns(const Column *columns, int n_columns, const int32_t *rows, int64_t n_rows, const uint64_t *derivatives) {
#if HAS_X86_VECTORS
    if (level != PORTABLE) {
        add_rows_of_avx2(columns, n_columns, rows, n_rows, derivatives);
        return;
    }
#endif
    add_rows_of(columns, n_columns, rows, n_rows, derivatives);
}

/* The sums of each of two features, from those of both together. */
static void take_apart(const Column *column, int64_t n_first, int64_t n_second, Sum *restrict first, Sum *restrict second) {
    for (int64_t i = 0; i < n_first; i++)
        for (int64_t j = 0; j < n_second; j++) {
            const Sum *own = column->sums + i * n_second + j;
            first[i].first += own->first;
            first[i].second += own->second;
            second[j].first += own->first;
            second[j].second += own->second;
        }
}

/* Rows that the workers of a team add up. */
typedef struct {
    const TreeCodes *codes;
    const PairCodes *pairs;
    const SummedFeatures *which;
    const int32_t *rows;
    const uint64_t *derivatives;
    const NodeShares *shares;
    Parts parts;
    Sum *sums; /* of the leader, and in the end of all */
} Task;

static void clear(const Task *task, Sum *sums) {
    for (int64_t at = 0; at < task->which->n; at++) {
        const int32_t feature = task->which->features[at];
        memset(sums + task->which->starts[feature], 0, sizeof(Sum) * (size_t)task->codes->sizes[feature]);
    }
}

static void add_some_rows(const Task *task, const int32_t *rows, int64_t n_rows, Sum *sums) {
    Sum of_pairs[TOGETHER][TREE_CODES];
    const TreeCodes *codes = task->codes;
    const SummedFeatures *which = task->which;
    for (int64_t at = 0; at < which->n;) {
        Column columns[TOGETHER];
        int n_columns = 0;
        for (; n_columns < TOGETHER && at < which->n; n_columns++) {
            const int32_t *features = which->features + at;
            const int is_joined = is_pair(codes, task->pairs, features, which->n - at, n_rows);
            if (is_joined) {
                memset(of_pairs[n_columns], 0, sizeof(Sum) * (size_t)cells_of_pair(codes, features[0]));
                columns[n_columns] = (Column){task->pairs->columns[features[0] / 2], of_pairs[n_columns], features[0]};
            } else
                columns[n_columns] = (Column){codes->codes + features[0] * codes->n, sums + which->starts[features[0]], -1};
            at += 1 + is_joined;
        }
        add_to_columns(columns, n_columns, rows, n_rows, task->derivatives);
        for (int i = 0; i < n_columns; i++) {
            const int64_t feature = columns[i].pair;
            if (feature >= 0)
                take_apart(&columns[i], codes->sizes[feature], codes->sizes[feature + 1], sums + which->starts[feature],
                           sums + which->starts[feature + 1]);
        }
    }
}

static void add_parts(void *of_job, Team *team, int64_t worker) {
    const Task *task = of_job;
    Sum *sums = worker ? task->shares->sums + worker * task->shares->n_sums : task->sums;
    for (int64_t first, stop; take_rows(team, worker, &task->parts, &first, &stop);) {
        if (worker && !task->shares->have_some[worker])
            clear(task, sums);
        task->shares->have_some[worker] = 1;
        add_some_rows(task, task->rows + first, stop - first, sums);
    }
}

/* Add what a worker has added up to the sums of the leader. */
static void take_over(const Task *task, const Sum *from) {
    for (int64_t at = 0; at < task->which->n; at++) {
        const int64_t start = task->which->starts[task->which->features[at]];
        const int64_t stop = start + task->codes->sizes[task->which->features[at]];
        for (int64_t i = start; i < stop; i++) {
            task->sums[i].first += from[i].first;
            task->sums[i].second += from[i].second;
        }
    }
}

void add_up(const TreeCodes *codes, const PairCodes *pairs, const SummedFeatures *which, const int32_t *rows, int64_t n_rows,
            const uint64_t *derivatives, const NodeShares *shares, Sum *sums) {
    Task task = {codes, pairs, which, rows, derivatives, shares, divide_rows(shares->team, n_rows), sums};
    clear(&task, sums);
    do_together(shares->team, add_parts, &task, task.parts.n_parts);
    for (int64_t worker = 1; worker < n_workers(shares->team); worker++)
        if (shares->have_some[worker]) {
            take_over(&task, shares->sums + worker * shares->n_sums);
            shares->have_some[worker] = 0;
        }
}
