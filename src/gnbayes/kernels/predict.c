/* Scores of complete rows: entries of tables, added up one term after the other. */
#include "kernels.h"

/* Rows whose sums stay in cache. */
#define PIECE_ROWS 1024

/* Cells of rows in the table of one term, 0 where a code has no entry, which is marked. */
#define CELLS(TYPE)                                                                                                    \
    do {                                                                                                               \
        const TYPE *own = (const TYPE *)codes + term->feature * n + first;                                             \
        if (term->mother < 0) {                                                                                        \
            for (int64_t t = 0; t < n_rows; t++) {                                                                     \
                const uint32_t is_absent = own[t] >= cardinality;                                                      \
                cells[t] = is_absent ? 0 : own[t];                                                                     \
                is_incomplete[t] |= (uint8_t)is_absent;                                                                \
            }                                                                                                          \
        } else {                                                                                                       \
            const TYPE *mother = (const TYPE *)codes + term->mother * n + first;                                       \
            for (int64_t t = 0; t < n_rows; t++) {                                                                     \
                const uint32_t is_absent = (own[t] >= cardinality) | (mother[t] >= mother_cardinality);                \
                cells[t] = is_absent ? 0 : mother[t] * cardinality + own[t];                                           \
                is_incomplete[t] |= (uint8_t)is_absent;                                                                \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

static void find_cells(const void *codes, int itemsize, int64_t n, const Term *term, int64_t first, int64_t n_rows,
                       uint32_t *cells, uint8_t *is_incomplete) {
    const uint32_t cardinality = (uint32_t)term->cardinality, mother_cardinality = (uint32_t)term->mother_cardinality;
    switch (itemsize) {
    case 1: CELLS(uint8_t); break;
    case 2: CELLS(uint16_t); break;
    default: CELLS(uint32_t); break;
    }
}

void log_joint(const void *codes, int itemsize, int64_t n, const Term *terms, int64_t n_terms, const double *tables,
               const double *start, int64_t n_classes, int64_t first, int64_t stop, double *out,
               uint8_t *is_incomplete) {
    uint32_t cells[PIECE_ROWS];
    for (; first < stop; first += PIECE_ROWS) {
        const int64_t n_rows = stop - first < PIECE_ROWS ? stop - first : PIECE_ROWS;
        double *sums = out + first * n_classes;
        for (int64_t t = 0; t < n_rows; t++)
            for (int64_t c = 0; c < n_classes; c++)
                sums[t * n_classes + c] = start[c];
        for (const Term *term = terms; term < terms + n_terms; term++) {
            const double *table = tables + term->start;
            find_cells(codes, itemsize, n, term, first, n_rows, cells, is_incomplete + first);
            if (n_classes == 2) {
                for (int64_t t = 0; t < n_rows; t++) {
                    sums[2 * t] += table[2 * (int64_t)cells[t]];
                    sums[2 * t + 1] += table[2 * (int64_t)cells[t] + 1];
                }
            } else {
                for (int64_t t = 0; t < n_rows; t++)
                    for (int64_t c = 0; c < n_classes; c++)
                        sums[t * n_classes + c] += table[(int64_t)cells[t] * n_classes + c];
            }
        }
    }
}

/* Terms whose entries are added up together, so that sums stay in registers meanwhile. */
#define TERMS_AT_ONCE 4

#if defined(__GNUC__) || defined(__clang__)
typedef double Both __attribute__((vector_size(16), aligned(8), may_alias));
#define BOTH_CLASSES(TERMS)                                                                                            \
    for (int64_t t = 0; t < n_rows; t++) {                                                                             \
        Both sum = *(const Both *)(const void *)(sums + 2 * t);                                                        \
        for (int64_t m = 0; m < (TERMS); m++)                                                                          \
            sum += *(const Both *)(const void *)(tables[m] + 2 * (int64_t)cells[m][t]);                                \
        *(Both *)(void *)(sums + 2 * t) = sum;                                                                         \
    }
#else
#define BOTH_CLASSES(TERMS)                                                                                            \
    for (int64_t t = 0; t < n_rows; t++)                                                                               \
        for (int64_t m = 0; m < (TERMS); m++) {                                                                        \
            sums[2 * t] += tables[m][2 * (int64_t)cells[m][t]];                                                        \
            sums[2 * t + 1] += tables[m][2 * (int64_t)cells[m][t] + 1];                                                \
        }
#endif

/* One class: rows one after the other, as sums of terms do not depend on each other. */
#define ONE_CLASS(TERMS)                                                                                               \
    for (int64_t t = 0; t < n_rows; t++) {                                                                             \
        double sum = sums[t];                                                                                          \
        for (int64_t m = 0; m < (TERMS); m++)                                                                          \
            sum += tables[m][cells[m][t]];                                                                             \
        sums[t] = sum;                                                                                                 \
    }

/* Add the entries of some terms, one term after the other, to the sums of rows. */
static void add_entries(int32_t cells[TERMS_AT_ONCE][PIECE_ROWS], const double *const *tables, int64_t n_terms,
                        int64_t n_rows, int64_t n_classes, double *restrict sums) {
    if (n_classes == 1 && n_terms == TERMS_AT_ONCE) {
        ONE_CLASS(TERMS_AT_ONCE)
    } else if (n_classes == 1) {
        ONE_CLASS(n_terms)
    } else if (n_classes == 2 && n_terms == TERMS_AT_ONCE) {
        BOTH_CLASSES(TERMS_AT_ONCE)
    } else if (n_classes == 2) {
        BOTH_CLASSES(n_terms)
    } else {
        for (int64_t m = 0; m < n_terms; m++)
            for (int64_t t = 0; t < n_rows; t++)
                for (int64_t c = 0; c < n_classes; c++)
                    sums[t * n_classes + c] += tables[m][(int64_t)cells[m][t] * n_classes + c];
    }
}

#if HAS_X86_VECTORS
/* Entries of a table that stay in registers. */
#define FEW 64

/* Add to the sums of rows the entries of their cells in a table of at most 16 * n_pairs cells. */
ALWAYS_INLINE TARGET_AVX512_BASE void add_few(const int32_t *cells, int64_t n_rows, const double *table, int64_t n_cells,
                                              double *sums, const int n_pairs) {
    const uint64_t are_cells = n_cells < FEW ? (UINT64_C(1) << n_cells) - 1 : UINT64_MAX;
    const __m512i sixteen = _mm512_set1_epi64(16), two_and_thirty = _mm512_set1_epi64(32);
    __m512d entries[FEW / LANES];
    for (int v = 0; v < 2 * n_pairs; v++)
        entries[v] = _mm512_maskz_loadu_pd((__mmask8)(are_cells >> (LANES * v)), table + LANES * v);
    for (int64_t t = 0; t < n_rows; t += LANES) {
        const __mmask8 are_here = (__mmask8)(n_rows - t < LANES ? (1 << (n_rows - t)) - 1 : 0xff);
        const __m512i cell = _mm512_cvtepi32_epi64(_mm256_maskz_loadu_epi32(are_here, cells + t));
        __m512d found = _mm512_permutex2var_pd(entries[0], cell, entries[1]);
        if (n_pairs > 1)
            found = _mm512_mask_blend_pd(_mm512_test_epi64_mask(cell, sixteen), found,
                                         _mm512_permutex2var_pd(entries[2], cell, entries[3]));
        if (n_pairs > 2) {
            __m512d beyond = _mm512_permutex2var_pd(entries[4], cell, entries[5]);
            if (n_pairs > 3)
                beyond = _mm512_mask_blend_pd(_mm512_test_epi64_mask(cell, sixteen), beyond,
                                              _mm512_permutex2var_pd(entries[6], cell, entries[7]));
            found = _mm512_mask_blend_pd(_mm512_test_epi64_mask(cell, two_and_thirty), found, beyond);
        }
        const __m512d sum = _mm512_maskz_loadu_pd(are_here, sums + t);
        _mm512_mask_storeu_pd(sums + t, are_here, _mm512_add_pd(sum, found));
    }
}

static TARGET_AVX512_BASE void add_few_entries(const int32_t *cells, int64_t n_rows, const double *table, int64_t n_cells,
                                               double *sums) {
    switch ((n_cells - 1) / 16) {
    case 0: add_few(cells, n_rows, table, n_cells, sums, 1); break;
    case 1: add_few(cells, n_rows, table, n_cells, sums, 2); break;
    case 2: add_few(cells, n_rows, table, n_cells, sums, 3); break;
    default: add_few(cells, n_rows, table, n_cells, sums, 4); break;
    }
}
#endif

/* Whether a table, whose last cell that a row can fall into is known, stays in registers; if so its entries are added. */
static int have_been_added(const int32_t *cells, int64_t last, int64_t n_rows, const double *table, int64_t n_classes,
                           double *sums) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE && n_classes == 1 && last >= 0 && last < FEW) {
        add_few_entries(cells, n_rows, table, last + 1, sums);
        return 1;
    }
#endif
    (void)cells, (void)last, (void)n_rows, (void)table, (void)n_classes, (void)sums;
    return 0;
}

void score_terms(const void *codes, int itemsize, int64_t n, const SumTerm *terms, int64_t n_terms,
                 const int32_t *offsets, const double *tables, const double *start, int64_t n_classes, int64_t first,
                 int64_t stop, double *out, uint8_t *is_incomplete) {
    int32_t cells[TERMS_AT_ONCE][PIECE_ROWS];
    const double *own_tables[TERMS_AT_ONCE];
    for (; first < stop; first += PIECE_ROWS) {
        const int64_t n_rows = stop - first < PIECE_ROWS ? stop - first : PIECE_ROWS;
        double *sums = out + first * n_classes;
        int64_t n_some = 0;
        for (int64_t t = 0; t < n_rows; t++)
            for (int64_t c = 0; c < n_classes; c++)
                sums[t * n_classes + c] = start[c];
        for (const SumTerm *term = terms; term < terms + n_terms; term++) {
            const double *table = tables + term->start;
            const int64_t last = term_cells(codes, itemsize, n, term, offsets, first, n_rows, cells[n_some],
                                            is_incomplete + first);
            /* Terms are added in their order: none may wait before one that does not. */
            if (n_some == 0 && have_been_added(cells[0], last, n_rows, table, n_classes, sums))
                continue;
            own_tables[n_some++] = table;
            if (n_some == TERMS_AT_ONCE || term == terms + n_terms - 1) {
                add_entries(cells, own_tables, n_some, n_rows, n_classes, sums);
                n_some = 0;
            }
        }
    }
}
