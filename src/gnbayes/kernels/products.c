/* Products of small matrices along one axis of tables, in a fixed order of additions. */
#include "kernels.h"

/* `tile` rows of the result, of `width` columns: sums stay in registers. */
ALWAYS_INLINE void some_rows(const int tile, const int width, const double *transposed, int64_t n_out, int64_t n_in,
                             const double *in, double *out, int64_t post) {
    double sum[32] = {0.0};
    for (int64_t j = 0; j < n_in; j++)
        for (int i = 0; i < tile; i++)
            for (int q = 0; q < width; q++)
                sum[i * width + q] += transposed[j * n_out + i] * in[j * post + q];
    for (int i = 0; i < tile; i++)
        for (int q = 0; q < width; q++)
            out[i * post + q] = sum[i * width + q];
}

/* As many rows of this number as are left. */
#define ROWS_BY(TILE)                                                                                                  \
    for (; (TILE) <= most && first + (TILE) <= n_out; first += (TILE))                                                 \
        some_rows(TILE, width, transposed + first, n_out, n_in, in, out + first * post, post);

/* One table (n_in, post) of which `width` columns are multiplied: out = sum over j, in order, of matrix[., j] in[j, .].
 * At most so many rows at once; transposed is the matrix by columns, (n_in, n_out). */
ALWAYS_INLINE void some_columns(const int most, const int width, const double *transposed, int64_t n_out, int64_t n_in,
                                const double *in, double *out, int64_t post) {
    int64_t first = 0;
    ROWS_BY(32)
    ROWS_BY(16)
    ROWS_BY(8)
    ROWS_BY(4)
    ROWS_BY(2)
    ROWS_BY(1)
}

ALWAYS_INLINE void all_tables(const AxisProduct *product, const double *in, double *out) {
    const int64_t n_out = product->n_out, n_in = product->n_in, post = product->post;
    for (int64_t t = 0; t < product->pre; t++, in += n_in * post, out += n_out * post) {
        int64_t q = 0;
        for (; q + 8 <= post; q += 8)
            some_columns(4, 8, product->transposed, n_out, n_in, in + q, out + q, post);
        for (; q + 4 <= post; q += 4)
            some_columns(4, 4, product->transposed, n_out, n_in, in + q, out + q, post);
        for (; q + 2 <= post; q += 2)
            some_columns(4, 2, product->transposed, n_out, n_in, in + q, out + q, post);
        for (; q < post; q++)
            some_columns(32, 1, product->transposed, n_out, n_in, in + q, out + q, post);
    }
}

static void all_tables_portable(const AxisProduct *product, const double *in, double *out) {
    all_tables(product, in, out);
}

#if HAS_X86_VECTORS

static TARGET_AVX2 void all_tables_avx2(const AxisProduct *product, const double *in, double *out) {
    all_tables(product, in, out);
}

static TARGET_AVX512 void all_tables_avx512(const AxisProduct *product, const double *in, double *out) {
    all_tables(product, in, out);
}

#endif

void axis_product(const AxisProduct *product, const double *in, double *out) {
#if HAS_X86_VECTORS
    if (level == AVX512)
        all_tables_avx512(product, in, out);
    else if (level == AVX2)
        all_tables_avx2(product, in, out);
    else
#endif
        all_tables_portable(product, in, out);
}
