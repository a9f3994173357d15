/* Products of small matrices along one axis of tables, in a fixed order of additions. */
#include "kernels.h"

#if defined(__GNUC__) || defined(__clang__)
#include <string.h>

/* Vectors are spelled out: gcc 12, which makes them of plain loops over a few rows and columns by itself, then also reads
 * rows that follow the last one. */
typedef double Two __attribute__((vector_size(16)));
typedef double Four __attribute__((vector_size(32)));
typedef double Eight __attribute__((vector_size(64)));

/* A few rows of the result, of as many columns as a vector has numbers: sums stay in registers. */
#define BY_COLUMNS(NAME, VECTOR)                                                                                       \
    ALWAYS_INLINE void NAME(const int n_rows, const double *transposed, int64_t n_out, int64_t n_in, const double *in, \
                            double *out, int64_t post) {                                                               \
        VECTOR sum[4] = {{0.0}}, row;                                                                                  \
        for (int64_t j = 0; j < n_in; j++) {                                                                           \
            memcpy(&row, in + j * post, sizeof row);                                                                   \
            for (int i = 0; i < n_rows; i++)                                                                           \
                sum[i] += transposed[j * n_out + i] * row;                                                             \
        }                                                                                                              \
        for (int i = 0; i < n_rows; i++)                                                                               \
            memcpy(out + i * post, &sum[i], sizeof row);                                                               \
    }
BY_COLUMNS(two_columns, Two)
BY_COLUMNS(four_columns, Four)
BY_COLUMNS(eight_columns, Eight)

/* One column of the result, of as many rows as some vectors have numbers. */
#define BY_ROWS(NAME, VECTOR)                                                                                          \
    ALWAYS_INLINE void NAME(const int n_vectors, const double *transposed, int64_t n_out, int64_t n_in,                \
                            const double *in, double *out, int64_t post) {                                             \
        enum { SIZE = sizeof(VECTOR) / sizeof(double) };                                                               \
        VECTOR sum[4] = {{0.0}}, some;                                                                                 \
        double each[SIZE];                                                                                             \
        for (int64_t j = 0; j < n_in; j++)                                                                             \
            for (int v = 0; v < n_vectors; v++) {                                                                      \
                memcpy(&some, transposed + j * n_out + SIZE * v, sizeof some);                                         \
                sum[v] += in[j * post] * some;                                                                         \
            }                                                                                                          \
        for (int v = 0; v < n_vectors; v++) {                                                                          \
            memcpy(each, &sum[v], sizeof each);                                                                        \
            for (int i = 0; i < SIZE; i++)                                                                             \
                out[(SIZE * v + i) * post] = each[i];                                                                  \
        }                                                                                                              \
    }
BY_ROWS(two_rows, Two)
BY_ROWS(four_rows, Four)
BY_ROWS(eight_rows, Eight)

ALWAYS_INLINE void one_row(const double *transposed, int64_t n_out, int64_t n_in, const double *in, double *out,
                           int64_t post) {
    double sum = 0.0;
    for (int64_t j = 0; j < n_in; j++)
        sum += transposed[j * n_out] * in[j * post];
    *out = sum;
}

/* `tile` rows of the result, of `width` columns. */
ALWAYS_INLINE void some_rows(const int tile, const int width, const double *transposed, int64_t n_out, int64_t n_in,
                             const double *in, double *out, int64_t post) {
    if (width == 8)
        eight_columns(tile, transposed, n_out, n_in, in, out, post);
    else if (width == 4)
        four_columns(tile, transposed, n_out, n_in, in, out, post);
    else if (width == 2)
        two_columns(tile, transposed, n_out, n_in, in, out, post);
    else if (tile >= 8)
        eight_rows(tile / 8, transposed, n_out, n_in, in, out, post);
    else if (tile == 4)
        four_rows(1, transposed, n_out, n_in, in, out, post);
    else if (tile == 2)
        two_rows(1, transposed, n_out, n_in, in, out, post);
    else
        one_row(transposed, n_out, n_in, in, out, post);
}
#else
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
#endif

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

static TARGET_AVX512_BASE void all_tables_avx512(const AxisProduct *product, const double *in, double *out) {
    all_tables(product, in, out);
}

#endif

void axis_product(const AxisProduct *product, const double *in, double *out) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        all_tables_avx512(product, in, out);
    else if (level >= AVX2)
        all_tables_avx2(product, in, out);
    else
#endif
        all_tables_portable(product, in, out);
}
