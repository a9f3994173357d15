/* Similarity of rows by tables: matrices between rows, from those between the cells of each table. */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* Similarity of all rows to any row of one cell, `own`. */
#define OF_CELL(TYPE)                                                                                                  \
    for (int64_t j = 0; j < n; j++) {                                                                                  \
        const TYPE other = ((const TYPE *)cells)[j];                                                                   \
        out[j] = between ? factor * between[other] : (int64_t)other == own ? factor : 0.0;                             \
    }

ALWAYS_INLINE void of_cell(const void *cells, int itemsize, int64_t n, int64_t own, const double *between,
                           double factor, double *restrict out) {
    switch (itemsize) {
    case 1: OF_CELL(uint8_t) break;
    case 2: OF_CELL(uint16_t) break;
    default: OF_CELL(uint32_t) break;
    }
}

ALWAYS_INLINE int64_t cell_of(const void *cells, int itemsize, int64_t i) {
    return itemsize == 1   ? ((const uint8_t *)cells)[i]
           : itemsize == 2 ? ((const uint16_t *)cells)[i]
                           : ((const uint32_t *)cells)[i];
}

/* Tables whose similarities are added together, so that those so far are read and written once for all of them. */
#define TABLES_AT_ONCE 4

/* What one table adds. */
typedef struct {
    const void *cells;
    const double *between;
    int64_t n_cells;
    double factor;
    double *common;  /* of each cell that rows have, to all rows */
    int32_t *slots; /* (n_cells,): where that of a cell is */
} Added;

/* Rows of the same cell have the same similarity to all others, which is looked up once. */
ALWAYS_INLINE void find_common(const Added *table, int itemsize, int64_t n) {
    int32_t n_slots = 0;
    for (int64_t c = 0; c < table->n_cells; c++)
        table->slots[c] = -1;
    for (int64_t i = 0; i < n; i++) {
        const int64_t own = cell_of(table->cells, itemsize, i);
        if (table->slots[own] >= 0)
            continue;
        table->slots[own] = n_slots++;
        of_cell(table->cells, itemsize, n, own, table->between ? table->between + own * table->n_cells : NULL,
                table->factor, table->common + table->slots[own] * n);
    }
}

ALWAYS_INLINE const double *added_to(const Added *table, int itemsize, int64_t n, int64_t i) {
    return table->common + table->slots[cell_of(table->cells, itemsize, i)] * n;
}

/* Tables are added one after the other, whether at once or not. */
ALWAYS_INLINE void add_tables(const Added *tables, int n_tables, int itemsize, int64_t n, double *restrict out) {
    for (int t = 0; t < n_tables; t++)
        find_common(&tables[t], itemsize, n);
    for (int64_t i = 0; i < n; i++) {
        double *restrict row = out + i * n;
        if (n_tables == TABLES_AT_ONCE) {
            const double *restrict first = added_to(&tables[0], itemsize, n, i);
            const double *restrict second = added_to(&tables[1], itemsize, n, i);
            const double *restrict third = added_to(&tables[2], itemsize, n, i);
            const double *restrict fourth = added_to(&tables[3], itemsize, n, i);
            for (int64_t j = 0; j <= i; j++)
                row[j] = (((row[j] + first[j]) + second[j]) + third[j]) + fourth[j];
            continue;
        }
        for (int t = 0; t < n_tables; t++) {
            const double *restrict added = added_to(&tables[t], itemsize, n, i);
            for (int64_t j = 0; j <= i; j++)
                row[j] += added[j];
        }
    }
}

#define ARGUMENTS const Added *tables, int n_tables, int itemsize, int64_t n, double *out
static void add_portable(ARGUMENTS) { add_tables(tables, n_tables, itemsize, n, out); }
#if HAS_X86_VECTORS
static TARGET_AVX2 void add_avx2(ARGUMENTS) { add_tables(tables, n_tables, itemsize, n, out); }
static TARGET_AVX512_BASE void add_avx512(ARGUMENTS) { add_tables(tables, n_tables, itemsize, n, out); }
#endif

static void add(ARGUMENTS) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        add_avx512(tables, n_tables, itemsize, n, out);
    else if (level == AVX2)
        add_avx2(tables, n_tables, itemsize, n, out);
    else
#endif
        add_portable(tables, n_tables, itemsize, n, out);
}

int add_similarity(const Similarity *tables, double *out) {
    const int64_t n = tables->n;
    int64_t most = 1;
    for (int64_t t = 0; t < tables->n_tables; t++)
        most = tables->sizes[t] > most ? tables->sizes[t] : most;
    const int64_t size = (most < n ? most : n) * n;
    double *common = malloc((size_t)(TABLES_AT_ONCE * size + 1) * sizeof(double));
    int32_t *slots = malloc((size_t)(TABLES_AT_ONCE * most) * sizeof(int32_t));
    for (int64_t t = 0; common && slots && t < tables->n_tables;) {
        Added some[TABLES_AT_ONCE];
        const int64_t place = tables->places[t];
        int n_some = 0;
        for (; n_some < TABLES_AT_ONCE && t < tables->n_tables && tables->places[t] == place; n_some++, t++)
            some[n_some] = (Added){.cells = (const char *)tables->cells + t * n * tables->itemsize,
                                   .between = tables->between,
                                   .n_cells = tables->sizes[t],
                                   .factor = tables->factors[t],
                                   .common = common + n_some * size,
                                   .slots = slots + n_some * most};
        add(some, n_some, tables->itemsize, n, out + place * n * n);
    }
    const int has_failed = !common || !slots;
    free(common);
    free(slots);
    return has_failed;
}
