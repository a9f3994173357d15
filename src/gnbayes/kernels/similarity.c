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

/* One table: rows of the same cell have the same similarity to all others, which is looked up once. */
ALWAYS_INLINE void add_table(const void *cells, int itemsize, int64_t n, const double *between, int64_t n_cells,
                             double factor, double *common, int32_t *slots, double *restrict out) {
    int32_t n_slots = 0;
    for (int64_t c = 0; c < n_cells; c++)
        slots[c] = -1;
    for (int64_t i = 0; i < n; i++) {
        const int64_t own = cell_of(cells, itemsize, i);
        if (slots[own] < 0) {
            slots[own] = n_slots++;
            of_cell(cells, itemsize, n, own, between ? between + own * n_cells : NULL, factor, common + slots[own] * n);
        }
        const double *restrict added = common + slots[own] * n;
        double *restrict row = out + i * n;
        for (int64_t j = 0; j <= i; j++)
            row[j] += added[j];
    }
}

static void add_table_portable(const void *cells, int itemsize, int64_t n, const double *between, int64_t n_cells,
                               double factor, double *common, int32_t *slots, double *out) {
    add_table(cells, itemsize, n, between, n_cells, factor, common, slots, out);
}

#if HAS_X86_VECTORS
static TARGET_AVX2 void add_table_avx2(const void *cells, int itemsize, int64_t n, const double *between,
                                       int64_t n_cells, double factor, double *common, int32_t *slots, double *out) {
    add_table(cells, itemsize, n, between, n_cells, factor, common, slots, out);
}

static TARGET_AVX512_BASE void add_table_avx512(const void *cells, int itemsize, int64_t n, const double *between,
                                           int64_t n_cells, double factor, double *common, int32_t *slots,
                                           double *out) {
    add_table(cells, itemsize, n, between, n_cells, factor, common, slots, out);
}
#endif

int add_similarity(const Similarity *tables, double *out) {
    const int64_t n = tables->n;
    int64_t most = 1;
    for (int64_t t = 0; t < tables->n_tables; t++)
        most = tables->sizes[t] > most ? tables->sizes[t] : most;
    const int64_t n_slots = most < n ? most : n;
    double *common = malloc((size_t)(n_slots * n + 1) * sizeof(double));
    int32_t *slots = malloc((size_t)most * sizeof(int32_t));
    for (int64_t t = 0; common && slots && t < tables->n_tables; t++) {
        const char *cells = (const char *)tables->cells + t * n * tables->itemsize;
        double *own = out + tables->places[t] * n * n;
#if HAS_X86_VECTORS
        if (level >= AVX2) {
            (level >= AVX512_BASE ? add_table_avx512 : add_table_avx2)(cells, tables->itemsize, n, tables->between,
                                                                       tables->sizes[t], tables->factors[t], common,
                                                                       slots, own);
            continue;
        }
#endif
        add_table_portable(cells, tables->itemsize, n, tables->between, tables->sizes[t], tables->factors[t], common,
                           slots, own);
    }
    const int has_failed = !common || !slots;
    free(common);
    free(slots);
    return has_failed;
}
