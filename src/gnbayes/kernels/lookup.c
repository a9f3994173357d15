/* From tables to rows and back: entries of the cells of rows, and sums over the rows of cells. */
#include "kernels.h"

/* Terms that are looked up together. */
#define TERMS_AT_ONCE 4
/* Rows whose scores stay in cache while all terms are added. */
#define BLOCK_ROWS 512

ALWAYS_INLINE int64_t cell_at(const int size, const void *column, int64_t i) {
    return size == 1 ? ((const uint8_t *)column)[i] : size == 2 ? ((const uint16_t *)column)[i] : ((const uint32_t *)column)[i];
}

#if defined(__GNUC__) || defined(__clang__)
/* Two and four numbers at once, at any address. */
typedef double Double2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double Double4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t Whole2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t Whole4 __attribute__((vector_size(32), aligned(8), may_alias));
#define HAS_VECTOR_TYPES 1
#else
#define HAS_VECTOR_TYPES 0
#endif

#if HAS_X86_VECTORS
/* Keeps compilers from gathering numbers of several rows into vectors, which takes longer than one after the other. */
#define ONE_BY_ONE(x) __asm__("" : "+x"(x))
#else
#define ONE_BY_ONE(x)
#endif
#define AS_IT_IS(x)

/* Entries of `terms` tables of each row, as many columns from q on as a TYPE has, added up in a register. */
#define GATHER_COLUMNS(TYPE, HINT)                                                                                     \
    for (int64_t t = 0; t < n_rows; t++) {                                                                             \
        TYPE sum = *(const TYPE *)(const void *)(scores + t * m + q);                                                  \
        for (int j = 0; j < terms; j++)                                                                                \
            sum += *(const TYPE *)(const void *)(table[j] + cell_at(size, column[j], t) * m + q);                      \
        HINT(sum);                                                                                                     \
        *(TYPE *)(void *)(scores + t * m + q) = sum;                                                                   \
    }

/* Add the entries of `terms` tables to the scores (n_rows, m); columns of cells lie column_step bytes apart. */
ALWAYS_INLINE void gather(const int size, const int terms, const int64_t m, const char *cells, int64_t column_step,
                          const int64_t *starts, const double *restrict tables, int64_t n_rows,
                          double *restrict scores) {
    const double *table[TERMS_AT_ONCE];
    const void *column[TERMS_AT_ONCE];
    for (int j = 0; j < terms; j++) {
        table[j] = tables + starts[j] * m;
        column[j] = cells + j * column_step;
    }
    int64_t q = 0;
#if HAS_VECTOR_TYPES
    for (; q + 4 <= m; q += 4)
        GATHER_COLUMNS(Double4, AS_IT_IS)
    for (; q + 2 <= m; q += 2)
        GATHER_COLUMNS(Double2, AS_IT_IS)
#endif
    for (; q < m; q++)
        GATHER_COLUMNS(double, ONE_BY_ONE)
}

#define SCATTER_COLUMNS(TYPE)                                                                                          \
    for (int64_t t = 0; t < n_rows; t++) {                                                                             \
        const TYPE value = *(const TYPE *)(const void *)(whole + t * m + q);                                           \
        for (int j = 0; j < terms; j++)                                                                                \
            *(TYPE *)(void *)(table[j] + cell_at(size, column[j], t) * m + q) += value;                                \
    }

/* The reverse: add the values of rows to their cells. */
ALWAYS_INLINE void scatter(const int size, const int terms, const int64_t m, const char *cells, int64_t column_step,
                           const int64_t *starts, int64_t *restrict sums, int64_t n_rows,
                           const int64_t *restrict whole) {
    int64_t *table[TERMS_AT_ONCE];
    const void *column[TERMS_AT_ONCE];
    for (int j = 0; j < terms; j++) {
        table[j] = sums + starts[j] * m;
        column[j] = cells + j * column_step;
    }
    int64_t q = 0;
#if HAS_VECTOR_TYPES
    for (; q + 4 <= m; q += 4)
        SCATTER_COLUMNS(Whole4)
    for (; q + 2 <= m; q += 2)
        SCATTER_COLUMNS(Whole2)
#endif
    for (; q < m; q++)
        SCATTER_COLUMNS(int64_t)
}

/* One of the two, for as many columns as are known at compile time. */
#define OF_COLUMNS(DO, SIZE, TERMS, ...)                                                                               \
    switch (m) {                                                                                                       \
    case 1: DO(SIZE, TERMS, 1, __VA_ARGS__); break;                                                                    \
    case 2: DO(SIZE, TERMS, 2, __VA_ARGS__); break;                                                                    \
    case 4: DO(SIZE, TERMS, 4, __VA_ARGS__); break;                                                                    \
    default: DO(SIZE, TERMS, m, __VA_ARGS__); break;                                                                   \
    }

/* For all terms of cells of one size, from row `first` on; starts moves on to the next term. */
#define OF_TERMS(DO, SIZE, INDEX, TABLES, ROWS)                                                                        \
    do {                                                                                                               \
        const int64_t column_step = cells->n * (SIZE);                                                                 \
        const char *column = (const char *)cells->columns[INDEX] + first * (SIZE);                                     \
        int64_t left = cells->n_columns[INDEX];                                                                        \
        for (; left >= TERMS_AT_ONCE; left -= TERMS_AT_ONCE) {                                                         \
            OF_COLUMNS(DO, SIZE, TERMS_AT_ONCE, column, column_step, starts, TABLES, n_rows, ROWS)                     \
            column += TERMS_AT_ONCE * column_step;                                                                     \
            starts += TERMS_AT_ONCE;                                                                                   \
        }                                                                                                              \
        for (; left > 0; left--) {                                                                                     \
            OF_COLUMNS(DO, SIZE, 1, column, column_step, starts, TABLES, n_rows, ROWS)                                 \
            column += column_step;                                                                                     \
            starts++;                                                                                                  \
        }                                                                                                              \
    } while (0)

void gather_cells(const Cells *cells, const double *tables, const double *base, int64_t m, int64_t first, int64_t n_rows,
                  double *scores) {
    const int64_t *starts = cells->starts;
    for (int64_t t = 0; t < n_rows; t++)
        for (int64_t q = 0; q < m; q++)
            scores[t * m + q] = base[q];
    OF_TERMS(gather, 1, 0, tables, scores);
    OF_TERMS(gather, 2, 1, tables, scores);
    OF_TERMS(gather, 4, 2, tables, scores);
}

void scatter_cells(const Cells *cells, int64_t *sums, int64_t m, int64_t first, int64_t n_rows, const int64_t *whole) {
    const int64_t *starts = cells->starts;
    OF_TERMS(scatter, 1, 0, sums, whole);
    OF_TERMS(scatter, 2, 1, sums, whole);
    OF_TERMS(scatter, 4, 2, sums, whole);
    for (int64_t t = 0; t < n_rows; t++)
        for (int64_t q = 0; q < m; q++)
            sums[cells->n_cells * m + q] += whole[t * m + q];
}

void row_scores(const Cells *cells, const double *tables, const double *base, int64_t m, int64_t first, int64_t stop,
                double *out) {
    for (; first < stop; first += BLOCK_ROWS) {
        const int64_t n_rows = stop - first < BLOCK_ROWS ? stop - first : BLOCK_ROWS;
        gather_cells(cells, tables, base, m, first, n_rows, out + first * m);
    }
}
