/* Cells and information of pairs of features.
 *
 * A tile is a pair of blocks of groups. Its bits are read in pieces that stay in cache while every feature of the one
 * block meets every group of the other.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* Groups on each side of a tile, fewer where tables are large, and words of a piece. */
#define BLOCK_GROUPS 4
#define PIECE_WORDS 64

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Where the sums of one left feature and one right group lie: (values, values, LANES) without the last values, and then what
 * remains for those. */
typedef struct {
    int64_t left_group, right_group, lane;
    int64_t n_left; /* values of the left feature, less one */
    int64_t start;
} Meeting;

static int64_t feature_at(const Bits *bits, int64_t group, int64_t lane) { return bits->features[group * LANES + lane]; }

static int64_t block_count(int64_t n_groups) { return (n_groups + BLOCK_GROUPS - 1) / BLOCK_GROUPS; }

int64_t count_tiles(int64_t n_groups) {
    const int64_t n_blocks = block_count(n_groups);
    return n_blocks * (n_blocks + 1) / 2;
}

/* Blocks (row, column), row <= column, of a tile: tiles are numbered row by row, and those on the diagonal, which are half
 * the work, come last, so that threads end at about the same time. */
static void find_blocks(int64_t tile, int64_t n_blocks, int64_t *row, int64_t *column) {
    const int64_t n_above = n_blocks * (n_blocks - 1) / 2;
    if (tile >= n_above) {
        *row = *column = tile - n_above;
        return;
    }
    int64_t r = 0;
    while (tile >= n_blocks - 1 - r) {
        tile -= n_blocks - 1 - r;
        r++;
    }
    *row = r;
    *column = r + 1 + tile;
}

static int64_t list_meetings(const Bits *bits, int64_t tile, Meeting *meetings, int64_t *n_sums) {
    const int64_t n_blocks = block_count(bits->n_groups);
    int64_t row, column, n = 0, start = 0;
    find_blocks(tile, n_blocks, &row, &column);
    for (int64_t g = row * BLOCK_GROUPS; g < smaller((row + 1) * BLOCK_GROUPS, bits->n_groups); g++)
        for (int64_t h = column * BLOCK_GROUPS; h < smaller((column + 1) * BLOCK_GROUPS, bits->n_groups); h++)
            for (int64_t l = 0; l < LANES && h >= g; l++)
                if (feature_at(bits, g, l) >= 0) {
                    const int64_t n_left = bits->cardinalities[g * LANES + l] - 1;
                    meetings[n++] = (Meeting){g, h, l, n_left, start};
                    start += (n_left + 1) * (bits->n_kept[h] + 1) * LANES;
                }
    *n_sums = start;
    return n;
}

/* Sums of every meeting over the words of one class. */
static void add_class(const Bits *bits, int64_t c, const Meeting *meetings, int64_t n_meetings, int64_t *sums) {
    const int64_t end = bits->class_words[c + 1];
    for (int64_t w = bits->class_words[c]; w < end; w += PIECE_WORDS) {
        const int64_t n_words = smaller(PIECE_WORDS, end - w);
        for (int64_t m = 0; m < n_meetings; m++) {
            const int64_t g = meetings[m].left_group, h = meetings[m].right_group;
            const int64_t left_step = bits->n_kept[g] * LANES, right_step = bits->n_kept[h] * LANES;
            shared_bits(bits->words + bits->starts[g] + w * left_step + meetings[m].lane, left_step, meetings[m].n_left,
                        bits->words + bits->starts[h] + w * right_step, bits->n_kept[h], n_words,
                        sums + meetings[m].start);
        }
    }
}

static int64_t longest_class(const Bits *bits) {
    int64_t most = 0;
    for (int64_t c = 0; c < bits->n_classes; c++) {
        const int64_t n_words = bits->class_words[c + 1] - bits->class_words[c];
        most = n_words > most ? n_words : most;
    }
    return most;
}

static const int64_t *singles_of(const Bits *bits, int64_t group, int64_t c) {
    return bits->singles + bits->single_starts[group] + c * bits->n_kept[group] * LANES;
}

/* Write the cells of one left feature and the feature in one lane on the right, of class c. Cells have 2, 4 or 8 bytes: as
 * few as hold the number of rows. */
#define WRITE_CELLS(NAME, TYPE)                                                                                        \
    static void NAME(const Bits *bits, const Meeting *meeting, int64_t right_lane, int64_t c, const int64_t *sums,     \
                     const int64_t *offsets, int64_t n_values, TYPE *cells) {                                          \
        const int64_t g = meeting->left_group, h = meeting->right_group, n_right = bits->n_kept[h];                    \
        const int64_t i = feature_at(bits, g, meeting->lane), j = feature_at(bits, h, right_lane);                     \
        const int64_t v = meeting->n_left + 1, u = bits->cardinalities[h * LANES + right_lane];                        \
        const int64_t *left = singles_of(bits, g, c) + meeting->lane, *right = singles_of(bits, h, c) + right_lane;    \
        /* Only what lies above the diagonal is looked at: the smaller feature gives the row. */                       \
        const int64_t row_step = i < j ? n_values : 1, column_step = i < j ? 1 : n_values;                             \
        TYPE *out = cells + c * n_values * n_values + offsets[i] * row_step + offsets[j] * column_step;                \
        int64_t left_last = bits->class_rows[c];                                                                       \
        for (int64_t a = 0; a < v - 1; a++) {                                                                          \
            int64_t rest = left[a * LANES];                                                                            \
            left_last -= rest;                                                                                         \
            for (int64_t b = 0; b < u - 1; b++) {                                                                      \
                const int64_t cell = sums[meeting->start + (a * n_right + b) * LANES + right_lane];                    \
                out[a * row_step + b * column_step] = (TYPE)cell;                                                      \
                rest -= cell;                                                                                          \
            }                                                                                                          \
            out[a * row_step + (u - 1) * column_step] = (TYPE)rest;                                                    \
        }                                                                                                              \
        for (int64_t b = 0; b < u - 1; b++) {                                                                          \
            int64_t rest = right[b * LANES];                                                                           \
            for (int64_t a = 0; a < v - 1; a++)                                                                        \
                rest -= sums[meeting->start + (a * n_right + b) * LANES + right_lane];                                 \
            out[(v - 1) * row_step + b * column_step] = (TYPE)rest;                                                    \
            left_last -= rest;                                                                                         \
        }                                                                                                              \
        out[(v - 1) * row_step + (u - 1) * column_step] = (TYPE)left_last;                                             \
    }

WRITE_CELLS(write_cells_2, uint16_t)
WRITE_CELLS(write_cells_4, uint32_t)
WRITE_CELLS(write_cells_8, int64_t)

int tile_cells(const Bits *bits, int64_t tile, const int64_t *offsets, int64_t n_values, void *cells, int size) {
    Meeting meetings[BLOCK_GROUPS * BLOCK_GROUPS * LANES];
    int64_t n_sums;
    const int64_t n = list_meetings(bits, tile, meetings, &n_sums);
    int64_t *sums = malloc((size_t)(n_sums + 1) * sizeof(int64_t));
    if (!sums)
        return -1;
    for (int64_t c = 0; c < bits->n_classes; c++) {
        memset(sums, 0, (size_t)n_sums * sizeof(int64_t));
        add_class(bits, c, meetings, n, sums);
        for (int64_t m = 0; m < n; m++)
            for (int64_t l = 0; l < LANES; l++) {
                const int is_pair = meetings[m].left_group < meetings[m].right_group || meetings[m].lane < l;
                if (!is_pair || feature_at(bits, meetings[m].right_group, l) < 0)
                    continue;
                if (size == 2)
                    write_cells_2(bits, &meetings[m], l, c, sums, offsets, n_values, cells);
                else if (size == 4)
                    write_cells_4(bits, &meetings[m], l, c, sums, offsets, n_values, cells);
                else
                    write_cells_8(bits, &meetings[m], l, c, sums, offsets, n_values, cells);
            }
    }
    free(sums);
    return 0;
}

/* Cells of the last values of one left feature with LANES right features, of one class: what remains.
 *
 * left: counts of the left feature, LANES apart; right: counts of the right features (n_right, LANES); n: rows of the
 * class. Writes n_left + n_right + 1 times LANES cells. */
#define REMAINING_ARGUMENTS                                                                                            \
    const int64_t *sums, int64_t n_left, int64_t n_right, const int64_t *left, const int64_t *right, int64_t n,        \
        int64_t *restrict cells

ALWAYS_INLINE void remaining_inline(REMAINING_ARGUMENTS) {
    int64_t corner[LANES], rest[LANES];
    for (int l = 0; l < LANES; l++)
        corner[l] = n;
    for (int64_t a = 0; a < n_left; a++) {
        const int64_t count = left[a * LANES];
        for (int l = 0; l < LANES; l++) {
            rest[l] = count;
            corner[l] -= count;
        }
        for (int64_t b = 0; b < n_right; b++)
            for (int l = 0; l < LANES; l++)
                rest[l] -= sums[(a * n_right + b) * LANES + l];
        memcpy(cells + a * LANES, rest, sizeof rest);
    }
    for (int64_t b = 0; b < n_right; b++) {
        memcpy(rest, right + b * LANES, sizeof rest);
        for (int64_t a = 0; a < n_left; a++)
            for (int l = 0; l < LANES; l++)
                rest[l] -= sums[(a * n_right + b) * LANES + l];
        for (int l = 0; l < LANES; l++)
            corner[l] -= rest[l];
        memcpy(cells + (n_left + b) * LANES, rest, sizeof rest);
    }
    memcpy(cells + (n_left + n_right) * LANES, corner, sizeof corner);
}

static void remaining_portable(REMAINING_ARGUMENTS) { remaining_inline(sums, n_left, n_right, left, right, n, cells); }

#if HAS_X86_VECTORS
static TARGET_AVX2 void remaining_avx2(REMAINING_ARGUMENTS) {
    remaining_inline(sums, n_left, n_right, left, right, n, cells);
}

static TARGET_AVX512_BASE void remaining_avx512(REMAINING_ARGUMENTS) {
    __m512i corner = _mm512_set1_epi64(n);
    for (int64_t a = 0; a < n_left; a++) {
        __m512i rest = _mm512_set1_epi64(left[a * LANES]);
        corner = _mm512_sub_epi64(corner, rest);
        for (int64_t b = 0; b < n_right; b++)
            rest = _mm512_sub_epi64(rest, _mm512_loadu_si512(sums + (a * n_right + b) * LANES));
        _mm512_storeu_si512(cells + a * LANES, rest);
    }
    for (int64_t b = 0; b < n_right; b++) {
        __m512i rest = _mm512_loadu_si512(right + b * LANES);
        for (int64_t a = 0; a < n_left; a++)
            rest = _mm512_sub_epi64(rest, _mm512_loadu_si512(sums + (a * n_right + b) * LANES));
        corner = _mm512_sub_epi64(corner, rest);
        _mm512_storeu_si512(cells + (n_left + b) * LANES, rest);
    }
    _mm512_storeu_si512(cells + (n_left + n_right) * LANES, corner);
}
#endif

static void remaining_cells(REMAINING_ARGUMENTS) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE) {
        remaining_avx512(sums, n_left, n_right, left, right, n, cells);
        return;
    }
    if (level >= AVX2) {
        remaining_avx2(sums, n_left, n_right, left, right, n, cells);
        return;
    }
#endif
    remaining_portable(sums, n_left, n_right, left, right, n, cells);
}

/* Add the terms of one meeting's cells, of one class, whose sums are there. */
static void add_meeting(const Bits *bits, const Meeting *meeting, int64_t c, int64_t *sums, const Scale *scale,
                        int64_t *out) {
    const int64_t *left = singles_of(bits, meeting->left_group, c) + meeting->lane;
    const int64_t *right = singles_of(bits, meeting->right_group, c);
    const int64_t n_left = meeting->n_left, n_right = bits->n_kept[meeting->right_group];
    int64_t *cells = sums + meeting->start;
    remaining_cells(cells, n_left, n_right, left, right, bits->class_rows[c], cells + n_left * n_right * LANES);
    add_terms(scale, cells, (n_left + 1) * (n_right + 1), out);
}

double in_nats(const Scale *scale, int64_t i, int64_t j, int64_t sum) {
    const double nats = (double)(sum - scale->joint[i] - scale->joint[j] + scale->of_class) * scale->unit / scale->n;
    return nats > 0.0 ? nats : 0.0;
}

static ShortClass short_class(const Bits *bits, const Meeting *meeting, int64_t c) {
    const int64_t g = meeting->left_group, h = meeting->right_group, w = bits->class_words[c];
    const int64_t left_step = bits->n_kept[g] * LANES, right_step = bits->n_kept[h] * LANES;
    return (ShortClass){.left = bits->words + bits->starts[g] + w * left_step + meeting->lane,
                        .right = bits->words + bits->starts[h] + w * right_step,
                        .left_singles = singles_of(bits, g, c) + meeting->lane,
                        .right_singles = singles_of(bits, h, c),
                        .left_step = left_step,
                        .n_left = meeting->n_left,
                        .n_right = bits->n_kept[h],
                        .n_words = bits->class_words[c + 1] - w,
                        .n = bits->class_rows[c]};
}

/* Terms of one meeting's cells of all classes: where every class is one piece, its sums are still at hand. */
static void add_all_classes(const Bits *bits, Meeting meeting, int64_t *sums, const Scale *scale, int64_t *out) {
    meeting.start = 0;
    for (int64_t c = 0; c < bits->n_classes; c++) {
        const ShortClass of = short_class(bits, &meeting, c);
        if (add_short_class(&of, scale->terms, out))
            continue;
        memset(sums, 0, (size_t)(meeting.n_left * bits->n_kept[meeting.right_group] * LANES) * sizeof(int64_t));
        add_class(bits, c, &meeting, 1, sums);
        add_meeting(bits, &meeting, c, sums, scale, out);
    }
}

int tile_information(const Bits *bits, int64_t tile, const Scale *scale, double *out, int64_t n_features) {
    Meeting meetings[BLOCK_GROUPS * BLOCK_GROUPS * LANES];
    int64_t n_sums, totals[BLOCK_GROUPS * BLOCK_GROUPS * LANES][LANES];
    const int64_t n = list_meetings(bits, tile, meetings, &n_sums);
    int64_t *sums = malloc((size_t)(n_sums + 1) * sizeof(int64_t));
    if (!sums)
        return -1;
    memset(totals, 0, sizeof totals);
    if (longest_class(bits) <= PIECE_WORDS)
        for (int64_t m = 0; m < n; m++)
            add_all_classes(bits, meetings[m], sums, scale, totals[m]);
    else
        for (int64_t c = 0; c < bits->n_classes; c++) {
            memset(sums, 0, (size_t)n_sums * sizeof(int64_t));
            add_class(bits, c, meetings, n, sums);
            for (int64_t m = 0; m < n; m++)
                add_meeting(bits, &meetings[m], c, sums, scale, totals[m]);
        }
    for (int64_t m = 0; m < n; m++)
        for (int64_t l = 0; l < LANES; l++) {
            const int64_t i = feature_at(bits, meetings[m].left_group, meetings[m].lane);
            const int64_t j = feature_at(bits, meetings[m].right_group, l);
            if (j >= 0 && j != i)
                out[i * n_features + j] = out[j * n_features + i] = in_nats(scale, i, j, totals[m][l]);
        }
    free(sums);
    return 0;
}

int row_information(const Bits *bits, int64_t place, int64_t first, int64_t stop, const Scale *scale, double *out) {
    const int64_t g = place / LANES, i = bits->features[place], n_left = bits->cardinalities[place] - 1;
    int64_t most = 0;
    for (int64_t h = first; h < stop; h++)
        most = bits->n_kept[h] > most ? bits->n_kept[h] : most;
    int64_t *sums = malloc((size_t)((n_left + 1) * (most + 1) * LANES) * sizeof(int64_t));
    if (!sums)
        return -1;
    for (int64_t h = first; h < stop; h++) {
        int64_t totals[LANES] = {0};
        add_all_classes(bits, (Meeting){g, h, place % LANES, n_left, 0}, sums, scale, totals);
        for (int64_t l = 0; l < LANES; l++) {
            const int64_t j = feature_at(bits, h, l);
            if (j >= 0)
                out[j] = j == i ? 0.0 : in_nats(scale, i, j, totals[l]);
        }
    }
    free(sums);
    return 0;
}

/* Terms of one row of cells, added to the sums of the features from i + 1 on. */
#define ADD_ROW(NAME, TYPE)                                                                                            \
    static void NAME(const TYPE *row, const int64_t *offsets, int64_t i, int64_t n_features, const int64_t *terms,     \
                     int64_t *sums) {                                                                                  \
        for (int64_t j = i + 1; j < n_features; j++) {                                                                 \
            int64_t sum = 0;                                                                                           \
            for (int64_t b = offsets[j]; b < offsets[j + 1]; b++)                                                      \
                sum += terms ? terms[row[b]] : (int64_t)row[b];                                                        \
            sums[j] += sum;                                                                                            \
        }                                                                                                              \
    }

ADD_ROW(add_row_2, uint16_t)
ADD_ROW(add_row_4, uint32_t)
ADD_ROW(add_row_8, int64_t)

int cells_information(const void *cells, int size, const int64_t *offsets, int64_t n_features, int64_t n_classes,
                      const Scale *scale, double *out) {
    const int64_t n_values = offsets[n_features];
    int64_t *sums = malloc((size_t)n_features * sizeof(int64_t));
    if (!sums)
        return -1;
    for (int64_t i = 0; i < n_features; i++) {
        memset(sums, 0, (size_t)n_features * sizeof(int64_t));
        for (int64_t c = 0; c < n_classes; c++)
            for (int64_t a = offsets[i]; a < offsets[i + 1]; a++) {
                const int64_t first = (c * n_values + a) * n_values;
                if (size == 2)
                    add_row_2((const uint16_t *)cells + first, offsets, i, n_features, scale->terms, sums);
                else if (size == 4)
                    add_row_4((const uint32_t *)cells + first, offsets, i, n_features, scale->terms, sums);
                else
                    add_row_8((const int64_t *)cells + first, offsets, i, n_features, scale->terms, sums);
            }
        for (int64_t j = i + 1; j < n_features; j++)
            out[i * n_features + j] = out[j * n_features + i] = in_nats(scale, i, j, sums[j]);
    }
    free(sums);
    return 0;
}
