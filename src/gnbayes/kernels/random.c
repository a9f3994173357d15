/* Random bits for the rounds of boosting: the same numbers as numpy.random.PCG64((seed, round)).random_raw, without the
 * time that it takes NumPy to make a generator for every round.
 *
 * NumPy promises that both parts keep their results: how a seed becomes a state (its SeedSequence, with a pool of four
 * words), and how a state becomes numbers (O'Neill's PCG XSL RR 128/64).
 */
#include "kernels.h"

/* A number of 128 bits. */
typedef struct {
    uint64_t high, low;
} Wide;

static Wide wide_sum(Wide a, Wide b) {
    const uint64_t low = a.low + b.low;
    return (Wide){a.high + b.high + (low < a.low), low};
}

static Wide wide_product(Wide a, Wide b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Whole;
    const Whole low = (Whole)a.low * b.low;
    const uint64_t carried = (uint64_t)(low >> 64);
#else
    const uint64_t a_low = a.low & 0xffffffffu, a_high = a.low >> 32, b_low = b.low & 0xffffffffu, b_high = b.low >> 32;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    const uint64_t other = a_low * b_high + (middle & 0xffffffffu);
    const uint64_t carried = a_high * b_high + (middle >> 32) + (other >> 32);
#endif
    return (Wide){a.high * b.low + a.low * b.high + carried, a.low * b.low};
}

typedef struct {
    Wide state, increment;
} Pcg;

static const Wide multiplier = {UINT64_C(2549297995355413924), UINT64_C(4865540595714422341)};

static void step(Pcg *pcg) { pcg->state = wide_sum(wide_product(pcg->state, multiplier), pcg->increment); }

static uint64_t next_word(Pcg *pcg) {
    step(pcg);
    const uint64_t word = pcg->state.high ^ pcg->state.low;
    const unsigned by = (unsigned)(pcg->state.high >> 58);
    return word >> by | word << (-by & 63);
}

/* Words of the pool of a seed. */
#define POOL 4

static uint32_t hashed(uint32_t value, uint32_t *constant, uint32_t factor) {
    value ^= *constant;
    *constant *= factor;
    value *= *constant;
    return value ^ value >> 16;
}

static uint32_t mixed(uint32_t a, uint32_t b) {
    const uint32_t value = 0xca01f9ddu * a - 0x4973f715u * b;
    return value ^ value >> 16;
}

/* The state of a generator from two words. */
static Pcg seeded(uint32_t first, uint32_t second) {
    const uint32_t given[POOL] = {first, second, 0, 0};
    uint32_t pool[POOL], constant = 0x43b0d7e5u;
    for (int i = 0; i < POOL; i++)
        pool[i] = hashed(given[i], &constant, 0x931e8875u);
    for (int from = 0; from < POOL; from++)
        for (int to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = mixed(pool[to], hashed(pool[from], &constant, 0x931e8875u));
    uint64_t words[POOL];
    constant = 0x8b51f9ddu;
    for (int i = 0; i < POOL; i++) {
        const uint32_t low = hashed(pool[2 * i % POOL], &constant, 0x58f38dedu);
        const uint32_t high = hashed(pool[(2 * i + 1) % POOL], &constant, 0x58f38dedu);
        words[i] = (uint64_t)high << 32 | low;
    }
    Pcg pcg = {{0, 0}, {words[2] << 1 | words[3] >> 63, words[3] << 1 | 1}};
    step(&pcg);
    pcg.state = wide_sum(pcg.state, (Wide){words[0], words[1]});
    step(&pcg);
    return pcg;
}

/* Every other byte, each in 16 bits. */
#define EVEN_BYTES UINT64_C(0x00ff00ff00ff00ff)
#define EVERY_16 UINT64_C(0x0001000100010001)

/* As bits: which of the 8 bytes of a word, the lowest first, are less than a bound, 0 to 256. */
static uint8_t bytes_below(uint64_t word, uint64_t bound) {
    const uint64_t add = (256 - bound) * EVERY_16;
    const uint64_t even = ~((word & EVEN_BYTES) + add) >> 8 & EVERY_16;
    const uint64_t odd = ~((word >> 8 & EVEN_BYTES) + add) >> 8 & EVERY_16;
    const uint64_t both = even | odd << 1;
    return (uint8_t)(both | both >> 14 | both >> 28 | both >> 42);
}

/* Rounds that are drawn. */
typedef struct {
    uint32_t seed, first, below;
    int64_t n;
    uint8_t *out;
} Draw;

static void draw_round(const Draw *draw, int64_t round) {
    const int64_t n = draw->n, n_bytes = (n + 7) / 8;
    uint8_t *out = draw->out + round * n_bytes;
    Pcg pcg = seeded(draw->seed, draw->first + (uint32_t)round);
    for (int64_t at = 0; at < n_bytes; at++)
        out[at] = bytes_below(next_word(&pcg), draw->below);
    if (n & 7)
        out[n_bytes - 1] &= (uint8_t)((1u << (n & 7)) - 1);
}

static void draw_some(void *of_job, Team *team, int64_t worker) {
    for (int64_t round; (round = take_part(team, worker)) >= 0;)
        draw_round(of_job, round);
}

void draw_rows(uint32_t seed, uint32_t first, int64_t n_rounds, int64_t n, uint32_t below, Team *team, uint8_t *out) {
    Draw draw = {seed, first, below, n, out};
    do_together(team, draw_some, &draw, n_rounds);
}
