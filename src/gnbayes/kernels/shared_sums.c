/* Sums over rows by a team. Sums are whole numbers, so it does not matter who adds what. */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* What one thread adds up; the leader needs space only. */
struct Share {
    BlockSpace space;
    int64_t *sums;
    int has_some;
};

/* A pass over all rows. */
typedef struct {
    const Cells *cells;
    const Problems *problems;
    const SharedSums *shared;
    Parts parts;
    int64_t *sums, *losses; /* of the leader, and in the end of all */
} Pass;

int make_shared_sums(Team *team, int64_t n_sums, int64_t n_problems, int64_t n_columns, SharedSums *shared) {
    const int64_t n = n_workers(team);
    *shared = (SharedSums){.team = team, .n_sums = n_sums, .n_all = n_sums + 2 * n_problems,
                           .shares = calloc((size_t)n, sizeof(Share))};
    int has_failed = !shared->shares;
    for (int64_t worker = 0; !has_failed && worker < n; worker++) {
        Share *share = &shared->shares[worker];
        share->sums = worker ? calloc((size_t)shared->n_all, sizeof(int64_t)) : NULL;
        has_failed = (worker && !share->sums) || make_block_space(n_problems, n_columns, &share->space);
    }
    return has_failed;
}

void free_shared_sums(SharedSums *shared) {
    for (int64_t worker = 0; shared->shares && worker < n_workers(shared->team); worker++) {
        free(shared->shares[worker].sums);
        free_block_space(&shared->shares[worker].space);
    }
    free(shared->shares);
}

static void sum_parts(void *of_job, Team *team, int64_t worker) {
    const Pass *pass = of_job;
    Share *share = &pass->shared->shares[worker];
    int64_t *sums = worker ? share->sums : pass->sums;
    int64_t *losses = worker ? sums + pass->shared->n_sums : pass->losses;
    for (int64_t first, stop; take_rows(team, worker, &pass->parts, &first, &stop);) {
        if (worker && !share->has_some)
            memset(sums, 0, (size_t)pass->shared->n_all * sizeof(int64_t));
        share->has_some = 1;
        sum_rows(pass->cells, pass->problems, first, stop, &share->space, sums, losses);
    }
}

void sum_all_rows(const SharedSums *shared, const Cells *cells, const Problems *problems, int64_t *sums, int64_t *losses) {
    Pass pass = {cells, problems, shared, divide_rows(shared->team, cells->n), sums, losses};
    do_together(shared->team, sum_parts, &pass, pass.parts.n_parts);
    for (int64_t worker = 1; worker < n_workers(shared->team); worker++) {
        Share *share = &shared->shares[worker];
        if (!share->has_some)
            continue;
        for (int64_t i = 0; i < shared->n_sums; i++)
            sums[i] += share->sums[i];
        for (int64_t i = shared->n_sums; i < shared->n_all; i++)
            losses[i - shared->n_sums] += share->sums[i];
        share->has_some = 0;
    }
}
