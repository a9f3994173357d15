/* A team of threads for sums over rows: one leads, which solves a problem, and others follow, which take part in its passes.
 *
 * Rows are divided into parts, and each thread takes the next part that nobody has taken. Sums are whole numbers, so it
 * does not matter who adds what. The leader waits for nobody who has not begun a part, and followers that come late, or
 * not at all, cost no time.
 */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#if defined(__STDC_NO_ATOMICS__) || (defined(_MSC_VER) && !defined(__clang__))
/* Every leader works alone. */
struct Team {
    int is_empty;
};

Team *new_team(int64_t n_followers) {
    (void)n_followers;
    return calloc(1, sizeof(Team));
}
void follow(Team *team) { (void)team; }
void end_team(Team *team) { (void)team; }
void free_team(Team *team) { free(team); }

void team_sums(Team *team, const Cells *cells, const Problems *problems, const BlockSpace *space, int64_t *sums,
               int64_t *losses) {
    (void)team;
    sum_rows(cells, problems, 0, cells->n, space, sums, losses);
}
#else
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* Parts for each thread, so that all end at about the same time; each part reads all tables anew. Rows of which parts are
 * multiples. */
#define PARTS_OF_THREAD 3
#define ROWS_OF_PART 512
/* How often followers look for a pass before they let others run, and before they sleep for a while. */
#define LOOKS 2000
#define LONG_LOOKS 2100
#define SLEEP_NANOSECONDS 50000

/* What a follower has added up in a pass. */
typedef struct {
    BlockSpace space;
    int64_t *sums, *losses;
    int has_some;
} Share;

struct Team {
    const Cells *cells;
    const Problems *problems;
    int64_t n_followers, n_sums, rows_of_part;
    Share *shares; /* (n_followers,) */
    atomic_llong next_row;
    atomic_int n_joined, n_inside, is_open, is_over;
};

Team *new_team(int64_t n_followers) {
    Team *team = calloc(1, sizeof(Team));
    Share *shares = calloc((size_t)n_followers + 1, sizeof(Share));
    if (!team || !shares) {
        free(team);
        free(shares);
        return NULL;
    }
    team->n_followers = n_followers;
    team->shares = shares;
    return team;
}

void free_team(Team *team) {
    if (team)
        free(team->shares);
    free(team);
}

void end_team(Team *team) { atomic_store(&team->is_over, 1); }

static size_t bytes_of_sums(const Team *team) {
    return (size_t)(team->n_sums + 2 * team->problems->n_problems) * sizeof(int64_t);
}

/* Take parts until none is left. Returns whether there was one. */
static int take_parts(Team *team, const BlockSpace *space, int64_t *sums, int64_t *losses) {
    const int64_t n = team->cells->n;
    int has_some = 0;
    for (;;) {
        const int64_t first = atomic_fetch_add(&team->next_row, team->rows_of_part);
        if (first >= n)
            return has_some;
        const int64_t stop = n - first < team->rows_of_part ? n : first + team->rows_of_part;
        sum_rows(team->cells, team->problems, first, stop, space, sums, losses);
        has_some = 1;
    }
}

/* Memory for the passes of a problem, at the first of them. Returns 0, or 1 without memory. */
static int make_share(const Team *team, Share *share) {
    share->sums = malloc(bytes_of_sums(team));
    share->losses = share->sums ? share->sums + team->n_sums : NULL;
    return !share->sums || make_block_space(team->problems->n_problems, team->problems->n_columns, &share->space);
}

static void free_share(Share *share) {
    free(share->sums);
    free_block_space(&share->space);
    share->sums = NULL;
}

/* Take part in the pass that is open; without memory, the others do it. */
static void take_part(Team *team, Share *share) {
    if (atomic_load(&team->next_row) >= team->cells->n)
        return;
    if (!share->sums && make_share(team, share)) {
        free_share(share);
        return;
    }
    memset(share->sums, 0, bytes_of_sums(team));
    share->has_some = take_parts(team, &share->space, share->sums, share->losses);
}

static void rest(int64_t n_looks) {
    if (n_looks < LOOKS) {
#if HAS_X86_VECTORS
        _mm_pause();
#endif
    } else if (n_looks < LONG_LOOKS) {
        sched_yield();
    } else {
        const struct timespec a_while = {0, SLEEP_NANOSECONDS};
        nanosleep(&a_while, NULL);
    }
}

void follow(Team *team) {
    const int64_t number = atomic_fetch_add(&team->n_joined, 1);
    if (number >= team->n_followers)
        return;
    Share *share = &team->shares[number];
    for (int64_t n_looks = 0; !atomic_load(&team->is_over); n_looks++) {
        if (!atomic_load(&team->is_open)) {
            rest(n_looks);
            continue;
        }
        /* Whoever is inside is waited for; so a pass that was closed in between is not entered. */
        atomic_fetch_add(&team->n_inside, 1);
        if (atomic_load(&team->is_open)) {
            take_part(team, share);
            n_looks = 0;
        }
        atomic_fetch_sub(&team->n_inside, 1);
    }
    /* Nobody reads it any more: a team ends after its last pass. */
    free_share(share);
}

void team_sums(Team *team, const Cells *cells, const Problems *problems, const BlockSpace *space, int64_t *sums,
               int64_t *losses) {
    if (!team) {
        sum_rows(cells, problems, 0, cells->n, space, sums, losses);
        return;
    }
    const int64_t n_parts = PARTS_OF_THREAD * (team->n_followers + 1), rows = (cells->n + n_parts - 1) / n_parts;
    const int64_t m = problems->n_problems * problems->n_columns;
    team->cells = cells;
    team->problems = problems;
    team->n_sums = (cells->n_cells + 1) * m;
    team->rows_of_part = (rows + ROWS_OF_PART - 1) / ROWS_OF_PART * ROWS_OF_PART;
    atomic_store(&team->next_row, 0);
    atomic_store(&team->is_open, 1);
    take_parts(team, space, sums, losses);
    atomic_store(&team->is_open, 0);
    for (int64_t n_looks = 0; atomic_load(&team->n_inside); n_looks++)
        rest(n_looks < LONG_LOOKS ? n_looks : LOOKS);
    for (int64_t number = 0; number < team->n_followers; number++) {
        Share *share = &team->shares[number];
        if (!share->has_some)
            continue;
        for (int64_t i = 0; i < team->n_sums; i++)
            sums[i] += share->sums[i];
        for (int64_t i = 0; i < 2 * problems->n_problems; i++)
            losses[i] += share->losses[i];
        share->has_some = 0;
    }
}
#endif
