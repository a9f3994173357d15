/* From tables to rows and back: entries of the cells of rows, and sums over the rows of cells. */
#include "kernels.h"

/* Terms that are looked up together. */
#define TERMS_AT_ONCE 4
/* Scores that stay in cache while all terms are added; the more there are, the more often a table is used while it is in a
 * nearer cache. */
#define BLOCK_NUMBERS 16384

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
/* Keeps compilers from adding up the parts of an address again for each row. */
#define IN_REGISTER(x) __asm__("" : "+r"(x))
#else
#define ONE_BY_ONE(x)
#define IN_REGISTER(x)
#endif
#define AS_IT_IS(x)

/* A few terms of some rows, whose cells lie column_step bytes apart. */
typedef struct {
    const char *cells;
    int64_t column_step;
    const int64_t *starts;
    int64_t n_rows;
} Terms;

/* What is looked up, with m columns: entries of tables for scores of rows, or whole numbers of rows for sums of cells. */
typedef struct {
    const double *tables;
    double *scores;
    const int64_t *whole;
    int64_t *sums;
} Numbers;

/* Entries of `terms` tables of row t, as many columns from q on as a TYPE has, added up in a register. */
#define GATHER(TYPE, q, HINT)                                                                                          \
    do {                                                                                                               \
        TYPE sum = *(const TYPE *)(const void *)(scores + t * m + (q));                                                \
        for (int j = 0; j < terms; j++)                                                                                \
            sum += *(const TYPE *)(const void *)(from[j] + (q));                                                       \
        HINT(sum);                                                                                                     \
        *(TYPE *)(void *)(scores + t * m + (q)) = sum;                                                                 \
    } while (0)

/* Add the entries of `terms` tables to the scores (n_rows, m), in `width` columns from `first` on. */
ALWAYS_INLINE void gather(const int size, const int terms, const int width, const int64_t m, const Terms *of,
                          const double *restrict all, double *restrict scores) {
    const double *table[TERMS_AT_ONCE], *from[TERMS_AT_ONCE];
    const void *cells[TERMS_AT_ONCE];
    for (int j = 0; j < terms; j++) {
        table[j] = all + of->starts[j] * m;
        cells[j] = of->cells + j * of->column_step;
        IN_REGISTER(table[j]);
        IN_REGISTER(cells[j]);
    }
    for (int64_t t = 0; t < of->n_rows; t++) {
        for (int j = 0; j < terms; j++)
            from[j] = table[j] + cell_at(size, cells[j], t) * m;
#if HAS_VECTOR_TYPES
        if (width == 4)
            GATHER(Double4, 0, AS_IT_IS);
        if (width == 2 || width == 3)
            GATHER(Double2, 0, AS_IT_IS);
        if (width == 1 || width == 3)
            GATHER(double, width - 1, ONE_BY_ONE);
#else
        for (int q = 0; q < width; q++)
            GATHER(double, q, AS_IT_IS);
#endif
    }
}

/* Add as many numbers of row t to a cell as a TYPE has. */
#define SCATTER(TYPE, q) *(TYPE *)(void *)(to + (q)) += *(const TYPE *)(const void *)(whole + t * m + (q))

/* The reverse: add the numbers of rows, whole (n_rows, m), to their cells. */
ALWAYS_INLINE void scatter(const int size, const int terms, const int width, const int64_t m, const Terms *of,
                           int64_t *restrict all, const int64_t *restrict whole) {
    int64_t *sums[TERMS_AT_ONCE];
    const void *cells[TERMS_AT_ONCE];
    for (int j = 0; j < terms; j++) {
        sums[j] = all + of->starts[j] * m;
        cells[j] = of->cells + j * of->column_step;
        IN_REGISTER(sums[j]);
        IN_REGISTER(cells[j]);
    }
    for (int64_t t = 0; t < of->n_rows; t++)
        for (int j = 0; j < terms; j++) {
            int64_t *to = sums[j] + cell_at(size, cells[j], t) * m;
            IN_REGISTER(to);
#if HAS_VECTOR_TYPES
            if (width == 4)
                SCATTER(Whole4, 0);
            if (width == 2 || width == 3)
                SCATTER(Whole2, 0);
            if (width == 1 || width == 3)
                SCATTER(int64_t, width - 1);
#else
            for (int q = 0; q < width; q++)
                SCATTER(int64_t, q);
#endif
        }
}

/* One of the two, for `width` columns from `first` on. */
ALWAYS_INLINE void some_columns(const int is_back, const int size, const int terms, const int width, const int64_t m,
                                const Terms *of, const Numbers *numbers, int64_t first) {
    if (is_back)
        scatter(size, terms, width, m, of, numbers->sums + first, numbers->whole + first);
    else
        gather(size, terms, width, m, of, numbers->tables + first, numbers->scores + first);
}

/* All columns; their number is known at compile time if there are few. */
ALWAYS_INLINE void all_columns(const int is_back, const int size, const int terms, int64_t m, const Terms *of,
                               const Numbers *numbers) {
    int64_t first = 0;
    switch (m) {
    case 1: some_columns(is_back, size, terms, 1, 1, of, numbers, 0); return;
    case 2: some_columns(is_back, size, terms, 2, 2, of, numbers, 0); return;
    case 3: some_columns(is_back, size, terms, 3, 3, of, numbers, 0); return;
    default: break;
    }
    for (; first + 4 <= m; first += 4)
        some_columns(is_back, size, terms, 4, m, of, numbers, first);
    switch (m - first) {
    case 1: some_columns(is_back, size, terms, 1, m, of, numbers, first); break;
    case 2: some_columns(is_back, size, terms, 2, m, of, numbers, first); break;
    case 3: some_columns(is_back, size, terms, 3, m, of, numbers, first); break;
    default: break;
    }
}

/* All terms with cells of one size, from row `first` on. Returns the starts of the terms after them. */
ALWAYS_INLINE const int64_t *terms_of_size(const int is_back, const int size, const Cells *cells, const int64_t *starts,
                                           int64_t m, int64_t first, int64_t n_rows, const Numbers *numbers) {
    const int index = size / 2;
    Terms of = {(const char *)cells->columns[index] + first * size, cells->n * size, starts, n_rows};
    int64_t left = cells->n_columns[index];
    for (; left >= TERMS_AT_ONCE; left -= TERMS_AT_ONCE) {
        all_columns(is_back, size, TERMS_AT_ONCE, m, &of, numbers);
        of.cells += TERMS_AT_ONCE * of.column_step;
        of.starts += TERMS_AT_ONCE;
    }
    for (; left > 0; left--) {
        all_columns(is_back, size, 1, m, &of, numbers);
        of.cells += of.column_step;
        of.starts++;
    }
    return of.starts;
}

ALWAYS_INLINE void all_terms(const int is_back, const Cells *cells, int64_t m, int64_t first, int64_t n_rows,
                             const Numbers *numbers) {
    const int64_t *starts = cells->starts;
    starts = terms_of_size(is_back, 1, cells, starts, m, first, n_rows, numbers);
    starts = terms_of_size(is_back, 2, cells, starts, m, first, n_rows, numbers);
    terms_of_size(is_back, 4, cells, starts, m, first, n_rows, numbers);
}

#define ARGUMENTS const int is_back, const Cells *cells, int64_t m, int64_t first, int64_t n_rows, const Numbers *numbers
#define BOTH_WAYS                                                                                                      \
    if (is_back)                                                                                                       \
        all_terms(1, cells, m, first, n_rows, numbers);                                                                \
    else                                                                                                               \
        all_terms(0, cells, m, first, n_rows, numbers);

static void look_up_portable(ARGUMENTS) { BOTH_WAYS }
#if HAS_X86_VECTORS
static TARGET_AVX2 void look_up_avx2(ARGUMENTS) { BOTH_WAYS }
#endif

static void look_up(ARGUMENTS) {
#if HAS_X86_VECTORS
    if (level != PORTABLE) {
        look_up_avx2(is_back, cells, m, first, n_rows, numbers);
        return;
    }
#endif
    look_up_portable(is_back, cells, m, first, n_rows, numbers);
}

void gather_cells(const Cells *cells, const double *tables, const double *base, int64_t m, int64_t first, int64_t n_rows,
                  double *scores) {
    if (m == 1)
        for (int64_t t = 0; t < n_rows; t++)
            scores[t] = base[0];
    else
        for (int64_t t = 0; t < n_rows; t++)
            for (int64_t q = 0; q < m; q++)
                scores[t * m + q] = base[q];
    const Numbers numbers = {.tables = tables, .scores = scores};
    look_up(0, cells, m, first, n_rows, &numbers);
}

void scatter_cells(const Cells *cells, int64_t *sums, int64_t m, int64_t first, int64_t n_rows, const int64_t *whole) {
    const Numbers numbers = {.whole = whole, .sums = sums};
    look_up(1, cells, m, first, n_rows, &numbers);
    /* Column by column, as a sum in memory would wait for itself. */
    for (int64_t q = 0; q < m; q++) {
        int64_t total = 0;
        for (int64_t t = 0; t < n_rows; t++)
            total += whole[t * m + q];
        sums[cells->n_cells * m + q] += total;
    }
}

void row_scores(const Cells *cells, const double *tables, const double *base, int64_t m, int64_t first, int64_t stop,
                double *out) {
    const int64_t block_rows = m < BLOCK_NUMBERS ? BLOCK_NUMBERS / m : 1;
    for (; first < stop; first += block_rows) {
        const int64_t n_rows = stop - first < block_rows ? stop - first : block_rows;
        gather_cells(cells, tables, base, m, first, n_rows, out + first * m);
    }
}
