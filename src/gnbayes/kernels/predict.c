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

ALWAYS_INLINE uint32_t largest_offset(const int32_t *offsets, int64_t n) {
    uint32_t most = 0;
    for (int64_t t = 0; t < n; t++)
        most = (uint32_t)offsets[t] > most ? (uint32_t)offsets[t] : most;
    return most;
}

#if HAS_X86_VECTORS
static TARGET_AVX512 uint32_t largest_offset_avx512(const int32_t *offsets, int64_t n) {
    __m512i most = _mm512_setzero_si512();
    for (int64_t t = 0; t < n; t += 16) {
        const __mmask16 are_here = (__mmask16)(n - t < 16 ? (1 << (n - t)) - 1 : 0xffff);
        most = _mm512_max_epu32(most, _mm512_maskz_loadu_epi32(are_here, offsets + t));
    }
    return _mm512_reduce_max_epu32(most);
}
#endif

uint32_t furthest_offset(const int32_t *offsets, int64_t n) {
#if HAS_X86_VECTORS
    if (level == AVX512)
        return largest_offset_avx512(offsets, n);
#endif
    return largest_offset(offsets, n);
}

/* Cells of rows in the table of a term: the sum of the offsets of its codes; 0 where a code is not known, which is marked. */
#define OFFSETS(TYPE)                                                                                                  \
    do {                                                                                                               \
        const TYPE *own = (const TYPE *)codes + axis->feature * n + first;                                             \
        TYPE most = 0;                                                                                                 \
        for (int64_t t = 0; t < n_rows; t++)                                                                           \
            most = own[t] > most ? own[t] : most;                                                                      \
        if (most < n_known) {                                                                                          \
            for (int64_t t = 0; t < n_rows; t++)                                                                       \
                cells[t] = (is_first ? 0 : cells[t]) + offsets[own[t]];                                                \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t t = 0; t < n_rows; t++) {                                                                         \
            const uint32_t is_absent = own[t] >= n_known;                                                              \
            cells[t] = (is_first ? 0 : cells[t]) + offsets[is_absent ? 0 : own[t]];                                    \
            is_incomplete[t] |= (uint8_t)is_absent;                                                                    \
        }                                                                                                              \
    } while (0)

ALWAYS_INLINE void add_offsets(const void *codes, int itemsize, int64_t n, const Axis *axis, const int32_t *offsets,
                               int64_t first, int64_t n_rows, const int is_first, int32_t *restrict cells,
                               uint8_t *restrict is_incomplete) {
    const uint32_t n_known = (uint32_t)axis->n_known;
    switch (itemsize) {
    case 1: OFFSETS(uint8_t); break;
    case 2: OFFSETS(uint16_t); break;
    default: OFFSETS(uint32_t); break;
    }
}

static void first_offsets(const void *codes, int itemsize, int64_t n, const Axis *axis, const int32_t *offsets,
                          int64_t first, int64_t n_rows, int32_t *cells, uint8_t *is_incomplete) {
    add_offsets(codes, itemsize, n, axis, offsets, first, n_rows, 1, cells, is_incomplete);
}

static void more_offsets(const void *codes, int itemsize, int64_t n, const Axis *axis, const int32_t *offsets,
                         int64_t first, int64_t n_rows, int32_t *cells, uint8_t *is_incomplete) {
    add_offsets(codes, itemsize, n, axis, offsets, first, n_rows, 0, cells, is_incomplete);
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

/* Add the entries of some terms, one term after the other, to the sums of rows. */
static void add_entries(int32_t cells[TERMS_AT_ONCE][PIECE_ROWS], const double *const *tables, int64_t n_terms,
                        int64_t n_rows, int64_t n_classes, double *restrict sums) {
    if (n_classes == 2 && n_terms == TERMS_AT_ONCE) {
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
/* Rows whose codes fill a vector, and codes and cells of a term whose offsets and entries stay in registers. */
#define ROWS_AT_ONCE 64
#define FEW 64
#define N_PIECES (PIECE_ROWS / ROWS_AT_ONCE)

ALWAYS_INLINE __mmask64 first_of_64(int64_t n) {
    return n < 64 ? ((__mmask64)1 << n) - 1 : ~(__mmask64)0;
}

/* Offsets of an axis of at most FEW codes, as bytes; the largest one is added to `last`. */
static TARGET_AVX512 __m512i narrow_offsets(const int32_t *offsets, int64_t n_known, int64_t *last) {
    enum { WORDS = FEW / 4 };
    const __mmask64 are_known = first_of_64(n_known);
    __m512i most = _mm512_setzero_si512(), out = most;
    for (int part = 0; part < FEW / WORDS; part++) {
        const __m512i some = _mm512_maskz_loadu_epi32((__mmask16)(are_known >> (WORDS * part)), offsets + WORDS * part);
        most = _mm512_max_epi32(most, some);
        out = _mm512_mask_broadcast_i32x4(out, (__mmask16)(0xf << (4 * part)), _mm512_cvtepi32_epi8(some));
    }
    *last += _mm512_reduce_max_epi32(most);
    return out;
}

/* Cells of rows in the table of a term, as bytes, and marks of rows with a code that is not known. Returns the last cell
 * of the table, or -1 where codes or cells are not few. */
static TARGET_AVX512 int64_t few_cells(const uint8_t *codes, int64_t n, const SumTerm *term, const int32_t *offsets,
                                       int64_t n_rows, uint8_t *cells, uint64_t *is_incomplete) {
    __m512i of_axis[MOST_AXES];
    int64_t last = 0;
    for (int64_t a = 0; a < term->n_axes; a++) {
        if (term->axes[a].n_known > FEW)
            return -1;
        of_axis[a] = narrow_offsets(offsets + term->axes[a].start, term->axes[a].n_known, &last);
    }
    if (last >= FEW)
        return -1;
    for (int64_t t = 0; t < n_rows; t += ROWS_AT_ONCE) {
        const __mmask64 are_here = first_of_64(n_rows - t);
        __m512i sum = _mm512_setzero_si512();
        for (int64_t a = 0; a < term->n_axes; a++) {
            const __m512i own = _mm512_maskz_loadu_epi8(are_here, codes + term->axes[a].feature * n + t);
            sum = _mm512_add_epi8(sum, _mm512_permutexvar_epi8(own, of_axis[a]));
            is_incomplete[t / ROWS_AT_ONCE] |=
                _mm512_cmpge_epu8_mask(own, _mm512_set1_epi8((char)term->axes[a].n_known));
        }
        _mm512_storeu_si512(cells + t, sum);
    }
    return last;
}

/* Add to the sums of rows the entries of their cells in a table of at most 16 * n_pairs cells. */
ALWAYS_INLINE TARGET_AVX512 void add_few(const uint8_t *cells, int64_t n_rows, const double *table, int64_t n_cells,
                                         double *sums, const int n_pairs) {
    const __mmask64 are_cells = first_of_64(n_cells);
    const __m512i sixteen = _mm512_set1_epi64(16), two_and_thirty = _mm512_set1_epi64(32);
    __m512d entries[FEW / LANES];
    for (int v = 0; v < 2 * n_pairs; v++)
        entries[v] = _mm512_maskz_loadu_pd((__mmask8)(are_cells >> (LANES * v)), table + LANES * v);
    for (int64_t t = 0; t < n_rows; t += LANES) {
        const __mmask8 are_here = (__mmask8)first_of_64(n_rows - t);
        const __m512i cell = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)(cells + t)));
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

static TARGET_AVX512 void add_few_entries(const uint8_t *cells, int64_t n_rows, const double *table, int64_t n_cells,
                                          double *sums) {
    switch ((n_cells - 1) / 16) {
    case 0: add_few(cells, n_rows, table, n_cells, sums, 1); break;
    case 1: add_few(cells, n_rows, table, n_cells, sums, 2); break;
    case 2: add_few(cells, n_rows, table, n_cells, sums, 3); break;
    default: add_few(cells, n_rows, table, n_cells, sums, 4); break;
    }
}

/* One column of sums of up to PIECE_ROWS rows, with entries from registers where cells are few. */
static void score_piece(const uint8_t *codes, int64_t n, const SumTerm *terms, int64_t n_terms, const int32_t *offsets,
                        const double *tables, int64_t n_rows, double *sums, uint8_t *is_incomplete) {
    int32_t cells[TERMS_AT_ONCE][PIECE_ROWS];
    uint8_t few[PIECE_ROWS];
    uint64_t marks[N_PIECES] = {0};
    for (const SumTerm *term = terms; term < terms + n_terms; term++) {
        const double *table = tables + term->start;
        const int64_t last = few_cells(codes, n, term, offsets, n_rows, few, marks);
        if (last >= 0) {
            add_few_entries(few, n_rows, table, last + 1, sums);
            continue;
        }
        for (int64_t a = 0; a < term->n_axes; a++)
            (a ? more_offsets : first_offsets)(codes, 1, n, &term->axes[a], offsets + term->axes[a].start, 0, n_rows,
                                               cells[0], is_incomplete);
        add_entries(cells, &table, 1, n_rows, 1, sums);
    }
    for (int64_t t = 0; t < n_rows; t++)
        is_incomplete[t] |= (uint8_t)(marks[t / ROWS_AT_ONCE] >> (t % ROWS_AT_ONCE) & 1);
}
#endif

void score_terms(const void *codes, int itemsize, int64_t n, const SumTerm *terms, int64_t n_terms,
               const int32_t *offsets, const double *tables, const double *start, int64_t n_classes, int64_t first,
               int64_t stop, double *out, uint8_t *is_incomplete) {
    int32_t cells[TERMS_AT_ONCE][PIECE_ROWS];
    const double *own_tables[TERMS_AT_ONCE];
    for (; first < stop; first += PIECE_ROWS) {
        const int64_t n_rows = stop - first < PIECE_ROWS ? stop - first : PIECE_ROWS;
        double *sums = out + first * n_classes;
        for (int64_t t = 0; t < n_rows; t++)
            for (int64_t c = 0; c < n_classes; c++)
                sums[t * n_classes + c] = start[c];
#if HAS_X86_VECTORS
        if (level == AVX512 && itemsize == 1 && n_classes == 1) {
            score_piece((const uint8_t *)codes + first, n, terms, n_terms, offsets, tables, n_rows, sums,
                        is_incomplete + first);
            continue;
        }
#endif
        for (int64_t done = 0; done < n_terms; done += TERMS_AT_ONCE) {
            const int64_t n_some = n_terms - done < TERMS_AT_ONCE ? n_terms - done : TERMS_AT_ONCE;
            for (int64_t m = 0; m < n_some; m++) {
                const SumTerm *term = terms + done + m;
                own_tables[m] = tables + term->start;
                for (int64_t a = 0; a < term->n_axes; a++)
                    (a ? more_offsets : first_offsets)(codes, itemsize, n, &term->axes[a], offsets + term->axes[a].start,
                                                       first, n_rows, cells[m], is_incomplete + first);
            }
            add_entries(cells, own_tables, n_some, n_rows, n_classes, sums);
        }
    }
}
