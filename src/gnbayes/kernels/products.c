/* Products of small matrices along one axis of tables, in a fixed order of additions. */
#include "kernels.h"

/* One table (n_in, post) of which `width` columns are multiplied: out = sum over j, in order, of matrix[., j] in[j, .].
 * Sums of `tile` rows and of these columns stay in registers; transposed is the matrix by columns, (n_in, n_out). */
ALWAYS_INLINE void some_columns(const int tile, const int width, const double *transposed, int64_t n_out, int64_t n_in,
                                const double *in, double *out, int64_t post) {
    for (int64_t first = 0; first < n_out; first += tile) {
        double sum[32] = {0.0};
        const int64_t n = n_out - first;
        if (n >= tile) {
            for (int64_t j = 0; j < n_in; j++)
                for (int i = 0; i < tile; i++)
                    for (int q = 0; q < width; q++)
                        sum[i * width + q] += transposed[j * n_out + first + i] * in[j * post + q];
        } else {
            for (int64_t j = 0; j < n_in; j++)
                for (int i = 0; i < n; i++)
                    for (int q = 0; q < width; q++)
                        sum[i * width + q] += transposed[j * n_out + first + i] * in[j * post + q];
        }
        for (int i = 0; i < (n < tile ? n : tile); i++)
            for (int q = 0; q < width; q++)
                out[(first + i) * post + q] = sum[i * width + q];
    }
}

ALWAYS_INLINE void all_tables(const AxisProduct *product, const double *in, double *out) {
    const int64_t n_out = product->n_out, n_in = product->n_in, post = product->post;
    for (int64_t t = 0; t < product->pre; t++, in += n_in * post, out += n_out * post) {
        int64_t q = 0;
        for (; q + 8 <= post; q += 8)
            some_columns(4, 8, product->transposed, n_out, n_in, in + q, out + q, post);
        for (; q + 4 <= post; q += 4)
            some_columns(8, 4, product->transposed, n_out, n_in, in + q, out + q, post);
        for (; q + 2 <= post; q += 2)
            some_columns(8, 2, product->transposed, n_out, n_in, in + q, out + q, post);
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
