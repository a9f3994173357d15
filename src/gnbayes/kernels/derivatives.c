/* First and second derivatives of the log-loss of rows by their scores, as integer multiples of a unit. */
#include <string.h>

#include "boosting.h"
#include "elementary.h"

/* Rows are divided among the workers of a team. */
typedef struct {
    const Derivatives *of;
    Parts parts;
} Task;

/* Probabilities of a block of rows in place of their scores, for two classes. */
ALWAYS_INLINE void probabilities_of_two(double *restrict p) {
    for (int i = 0; i < BLOCK; i++) {
        const double x = p[i], e = exp_negative(x < 0 ? x : -x);
        p[i] = (x < 0 ? e : 1.0) / (1.0 + e);
    }
}

/* The same for c classes, (c, BLOCK). */
ALWAYS_INLINE void probabilities_of_many(double *restrict p, int64_t c, double *restrict largest, double *restrict total) {
    memcpy(largest, p, sizeof(double) * BLOCK);
    for (int64_t j = 1; j < c; j++)
        for (int i = 0; i < BLOCK; i++)
            largest[i] = p[j * BLOCK + i] > largest[i] ? p[j * BLOCK + i] : largest[i];
    memset(total, 0, sizeof(double) * BLOCK);
    for (int64_t j = 0; j < c; j++)
        for (int i = 0; i < BLOCK; i++) {
            p[j * BLOCK + i] = exp_negative(p[j * BLOCK + i] - largest[i]);
            total[i] += p[j * BLOCK + i];
        }
    for (int64_t j = 0; j < c; j++)
        for (int i = 0; i < BLOCK; i++)
            p[j * BLOCK + i] /= total[i];
}

/* First and second derivatives as integers, alternating. */
ALWAYS_INLINE void derivatives_of(const double *restrict p, const double *restrict weights, const double *restrict is_class,
                                  double unit, int32_t *restrict out) {
    for (int i = 0; i < BLOCK; i++) {
        const double weight = weights[i] / unit;
        out[i] = (int32_t)to_whole(weight * (p[i] - is_class[i]));
        out[BLOCK + i] = (int32_t)to_whole(weight * (p[i] * (1.0 - p[i])));
    }
}

/* Of the rows first..stop-1 among those to look at; p is space. */
ALWAYS_INLINE void of_some_rows(const Derivatives *of, int64_t first, int64_t stop, double *p) {
    const int64_t c = of->n_columns;
    double *largest = p + c * BLOCK, *total = largest + BLOCK;
    double of_rows[BLOCK] = {0}, is_class[BLOCK] = {0};
    int32_t found[2 * BLOCK];
    memset(p, 0, sizeof(double) * (size_t)(c * BLOCK));
    for (; first < stop; first += BLOCK) {
        const int n = (int)(stop - first < BLOCK ? stop - first : BLOCK);
        const int32_t *own = of->rows + first;
        for (int i = 0; i < n; i++)
            of_rows[i] = of->weights[own[i]];
        for (int64_t j = 0; j < c; j++)
            for (int i = 0; i < n; i++)
                p[j * BLOCK + i] = of->scores[own[i] * c + j];
        if (c == 1)
            probabilities_of_two(p);
        else
            probabilities_of_many(p, c, largest, total);
        for (int64_t j = 0; j < c; j++) {
            uint64_t *out = of->out + j * of->n;
            for (int i = 0; i < n; i++)
                is_class[i] = of->labels[own[i]] == (c == 1 ? 1 : j);
            derivatives_of(p + j * BLOCK, of_rows, is_class, of->unit, found);
            for (int i = 0; i < n; i++)
                out[own[i]] = to_word(found[i], found[BLOCK + i]);
        }
    }
}

static void of_some_rows_portable(const Derivatives *of, int64_t first, int64_t stop, double *space) {
    of_some_rows(of, first, stop, space);
}

#if HAS_X86_VECTORS
static TARGET_AVX512_BASE void of_some_rows_avx512(const Derivatives *of, int64_t first, int64_t stop, double *space) {
    of_some_rows(of, first, stop, space);
}

static TARGET_AVX2 void of_some_rows_avx2(const Derivatives *of, int64_t first, int64_t stop, double *space) {
    of_some_rows(of, first, stop, space);
}
#endif

static void take_part_in(void *of_job, Team *team, int64_t worker) {
    const Task *task = of_job;
    double *space = task->of->space + worker * (task->of->n_columns + 2) * BLOCK;
    void (*find)(const Derivatives *, int64_t, int64_t, double *) = of_some_rows_portable;
#if HAS_X86_VECTORS
    if (level >= AVX2)
        find = level >= AVX512_BASE ? of_some_rows_avx512 : of_some_rows_avx2;
#endif
    for (int64_t first, stop; take_rows(team, worker, &task->parts, &first, &stop);)
        find(task->of, first, stop, space);
}

void find_derivatives(const Derivatives *of, int64_t n_rows, Team *team) {
    Task task = {of, divide_rows(team, n_rows)};
    do_together(team, take_part_in, &task, task.parts.n_parts);
}
