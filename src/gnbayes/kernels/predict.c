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
