/* How alike rows are by one table: a matrix between rows, from one between the cells of the table. */
#include "kernels.h"

#define ADD_ROWS(TYPE)                                                                                                 \
    for (int64_t i = first; i < stop; i++) {                                                                           \
        const TYPE *codes = (const TYPE *)cells;                                                                       \
        double *row = out + i * n;                                                                                     \
        if (between) {                                                                                                 \
            const double *of_cell = between + (int64_t)codes[i] * n_cells;                                             \
            for (int64_t j = 0; j <= i; j++)                                                                           \
                row[j] += factor * of_cell[codes[j]];                                                                  \
        } else {                                                                                                       \
            const TYPE own = codes[i];                                                                                 \
            for (int64_t j = 0; j <= i; j++)                                                                           \
                row[j] += codes[j] == own ? factor : 0.0;                                                              \
        }                                                                                                              \
    }

ALWAYS_INLINE void add_rows(const void *cells, int itemsize, int64_t n, const double *between, int64_t n_cells,
                            double factor, int64_t first, int64_t stop, double *restrict out) {
    switch (itemsize) {
    case 1: ADD_ROWS(uint8_t) break;
    case 2: ADD_ROWS(uint16_t) break;
    default: ADD_ROWS(uint32_t) break;
    }
}

static void add_rows_portable(const void *cells, int itemsize, int64_t n, const double *between, int64_t n_cells,
                              double factor, int64_t first, int64_t stop, double *out) {
    add_rows(cells, itemsize, n, between, n_cells, factor, first, stop, out);
}

#if HAS_X86_VECTORS
static TARGET_AVX512 void add_rows_avx512(const void *cells, int itemsize, int64_t n, const double *between,
                                          int64_t n_cells, double factor, int64_t first, int64_t stop, double *out) {
    add_rows(cells, itemsize, n, between, n_cells, factor, first, stop, out);
}
#endif

void add_similarity(const void *cells, int itemsize, int64_t n, const double *between, int64_t n_cells, double factor,
                    int64_t first, int64_t stop, double *out) {
#if HAS_X86_VECTORS
    if (level == AVX512) {
        add_rows_avx512(cells, itemsize, n, between, n_cells, factor, first, stop, out);
        return;
    }
#endif
    add_rows_portable(cells, itemsize, n, between, n_cells, factor, first, stop, out);
}
