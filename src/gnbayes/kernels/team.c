/* A team of threads: one leads and does one job after the other, and others follow and help with each of them.
 *
 * A job consists of parts. Each thread has its share of them, the same in every job, so that what it reads is what it wrote
 * before, in its own cache; whoever is done takes what is left of the shares of others. The leader waits for nobody who has
 * not begun a part, so followers that come late, or not at all, cost no time.
 */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdlib.h>

#include "kernels.h"

/* Parts for each thread, so that all end at about the same time. Rows of which parts are multiples. */
#define PARTS_OF_THREAD 3
#define ROWS_OF_PART 512

#if defined(__STDC_NO_ATOMICS__) || (defined(_MSC_VER) && !defined(__clang__))
/* Every leader works alone. */
struct Team {
    int64_t n_followers, next_part, n_parts;
};

int64_t join_team(Team *team) {
    (void)team;
    return -1;
}

int follow(Team *team, int64_t worker) {
    (void)team, (void)worker;
    return 0;
}

void end_team(Team *team) { (void)team; }

int64_t take_part(Team *team, int64_t worker) {
    (void)worker;
    return team->next_part < team->n_parts ? team->next_part++ : -1;
}

void do_together(Team *team, Job job, void *of_job, int64_t n_parts) {
    Team alone = {0, 0, n_parts};
    (void)team;
    job(of_job, &alone, 0);
}

Team *new_team(int64_t n_followers) {
    Team *team = calloc(1, sizeof(Team));
    if (team)
        team->n_followers = n_followers;
    return team;
}

void free_team(Team *team) { free(team); }
#else
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* How often followers look for a job before they let others run, and before they sleep for a while. */
#define LOOKS 5000
#define LONG_LOOKS 5100
#define SLEEP_NANOSECONDS 50000
/* How long they follow before they see to whatever else their thread has to do, and how often they look at the clock. */
#define MILLISECONDS 50
#define LOOKS_AT_CLOCK 64

struct Team {
    int64_t n_followers, n_parts;
    Job job;
    void *of_job;
    atomic_int n_joined, n_inside, is_open, is_over;
    atomic_llong *next; /* (workers,): the next part in the share of each */
};

void end_team(Team *team) { atomic_store(&team->is_over, 1); }

/* Where the share of a worker begins. */
static int64_t share_start(const Team *team, int64_t worker) { return team->n_parts * worker / (team->n_followers + 1); }

int64_t take_part(Team *team, int64_t worker) {
    const int64_t n = team->n_followers + 1;
    for (int64_t i = 0; i < n; i++) {
        const int64_t owner = (worker + i) % n, part = atomic_fetch_add(&team->next[owner], 1);
        if (part < share_start(team, owner + 1))
            return part;
    }
    return -1;
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

int64_t join_team(Team *team) {
    const int64_t worker = 1 + atomic_fetch_add(&team->n_joined, 1);
    return worker <= team->n_followers ? worker : -1;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int follow(Team *team, int64_t worker) {
    const int64_t stop = milliseconds() + MILLISECONDS;
    for (int64_t n_looks = 0; !atomic_load(&team->is_over); n_looks++) {
        if (n_looks % LOOKS_AT_CLOCK == 0 && milliseconds() > stop)
            return 1;
        if (!atomic_load(&team->is_open)) {
            rest(n_looks);
            continue;
        }
        /* Whoever is inside is waited for; so a job that was closed in between is not entered. */
        atomic_fetch_add(&team->n_inside, 1);
        if (atomic_load(&team->is_open)) {
            team->job(team->of_job, team, worker);
            n_looks = -1;
        }
        atomic_fetch_sub(&team->n_inside, 1);
    }
    return 0;
}

static void deal(Team *team, int64_t n_parts) {
    team->n_parts = n_parts;
    for (int64_t worker = 0; worker <= team->n_followers; worker++)
        atomic_store(&team->next[worker], share_start(team, worker));
}

void do_together(Team *team, Job job, void *of_job, int64_t n_parts) {
    if (!team || n_parts < 2) {
        atomic_llong next;
        Team alone = {.next = &next};
        deal(&alone, n_parts);
        job(of_job, &alone, 0);
        return;
    }
    deal(team, n_parts);
    team->job = job;
    team->of_job = of_job;
    atomic_store(&team->is_open, 1);
    job(of_job, team, 0);
    atomic_store(&team->is_open, 0);
    for (int64_t n_looks = 0; atomic_load(&team->n_inside); n_looks++)
        rest(n_looks < LONG_LOOKS ? n_looks : LOOKS);
}

Team *new_team(int64_t n_followers) {
    Team *team = calloc(1, sizeof(Team));
    atomic_llong *next = calloc((size_t)n_followers + 1, sizeof(atomic_llong));
    if (!team || !next) {
        free(team);
        free(next);
        return NULL;
    }
    team->n_followers = n_followers;
    team->next = next;
    return team;
}

void free_team(Team *team) {
    if (team)
        free(team->next);
    free(team);
}
#endif

int64_t n_workers(const Team *team) { return team ? team->n_followers + 1 : 1; }

Parts divide_rows(const Team *team, int64_t n) {
    const int64_t n_parts = team ? PARTS_OF_THREAD * n_workers(team) : 1, rows = (n + n_parts - 1) / n_parts;
    const int64_t size = (rows + ROWS_OF_PART - 1) / ROWS_OF_PART * ROWS_OF_PART;
    return (Parts){n, size, size ? (n + size - 1) / size : 0};
}

int take_rows(Team *team, int64_t worker, const Parts *parts, int64_t *first, int64_t *stop) {
    const int64_t part = take_part(team, worker);
    if (part < 0)
        return 0;
    *first = part * parts->size;
    *stop = parts->n - *first < parts->size ? parts->n : *first + parts->size;
    return 1;
}
