/* Products of small matrices along one axis of tables, in a fixed order of additions.
 *
 * Each number of the result is a sum of its own over j, in order, from 0.0 on; which of them are computed side by side
 * changes nothing. Sums stay in registers: rows of the matrix by columns of the table. What does not fill the last vector is
 * covered by one that overlaps its neighbour, and so computes some numbers twice.
 */
#include "kernels.h"

#if defined(__GNUC__) || defined(__clang__)
/* Vectors are spelled out: gcc 12, which makes them of plain loops over a few rows and columns by itself, then also reads
 * rows that follow the last one. */
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

/* Rows of a tile, at most: with two vectors each, their sums take ten registers. */
#define MOST_TILE_ROWS 5

/* Many columns: a tile of the result has a few rows, and as many columns as one or two vectors have numbers. */
#define BY_COLUMNS(NAME, VECTOR)                                                                                       \
    ALWAYS_INLINE void NAME##_tile(const int n_rows, const int n_vectors, const AxisProduct *product,                  \
                                   const double *transposed, const double *in, double *out) {                          \
        enum { SIZE = sizeof(VECTOR) / sizeof(double) };                                                               \
        const int64_t n_in = product->n_in, n_out = product->n_out, post = product->post;                              \
        VECTOR sum[MOST_TILE_ROWS][2], row[2];                                                                         \
        for (int i = 0; i < n_rows; i++)                                                                               \
            for (int v = 0; v < n_vectors; v++)                                                                        \
                sum[i][v] = (VECTOR){0.0};                                                                             \
        for (int64_t j = 0; j < n_in; j++, in += post, transposed += n_out) {                                          \
            for (int v = 0; v < n_vectors; v++)                                                                        \
                row[v] = *(const VECTOR *)(const void *)(in + v * SIZE);                                                         \
            for (int i = 0; i < n_rows; i++)                                                                           \
                for (int v = 0; v < n_vectors; v++)                                                                    \
                    sum[i][v] += transposed[i] * row[v];                                                               \
        }                                                                                                              \
        for (int i = 0; i < n_rows; i++)                                                                               \
            for (int v = 0; v < n_vectors; v++)                                                                        \
                *(VECTOR *)(void *)(out + i * post + v * SIZE) = sum[i][v];                                       \
    }                                                                                                                  \
                                                                                                                       \
    /* All rows, in tiles of about the same size. */                                                                   \
    ALWAYS_INLINE void NAME##_rows(const int n_vectors, const AxisProduct *product, const double *in, double *out) {   \
        int64_t left = product->n_out;                                                                                 \
        const double *transposed = product->transposed;                                                                \
        for (int64_t n_tiles = (left + MOST_TILE_ROWS - 1) / MOST_TILE_ROWS; n_tiles > 0; n_tiles--) {                 \
            const int64_t n_rows = left / n_tiles;                                                                     \
            switch (n_rows) {                                                                                          \
            case 1: NAME##_tile(1, n_vectors, product, transposed, in, out); break;                                    \
            case 2: NAME##_tile(2, n_vectors, product, transposed, in, out); break;                                    \
            case 3: NAME##_tile(3, n_vectors, product, transposed, in, out); break;                                    \
            case 4: NAME##_tile(4, n_vectors, product, transposed, in, out); break;                                    \
            default: NAME##_tile(5, n_vectors, product, transposed, in, out); break;                                   \
            }                                                                                                          \
            left -= n_rows;                                                                                            \
            transposed += n_rows;                                                                                      \
            out += n_rows * product->post;                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* Tables with at least as many columns as a vector has numbers. */                                                \
    ALWAYS_INLINE void NAME(const AxisProduct *product, const double *in, double *out) {                               \
        enum { SIZE = sizeof(VECTOR) / sizeof(double) };                                                               \
        const int64_t post = product->post, in_step = product->n_in * post, out_step = product->n_out * post;          \
        for (int64_t t = 0; t < product->pre; t++, in += in_step, out += out_step) {                                   \
            int64_t q = 0;                                                                                             \
            for (; q + 2 * SIZE <= post; q += 2 * SIZE)                                                                \
                NAME##_rows(2, product, in + q, out + q);                                                              \
            for (; q < post; q += SIZE) {                                                                              \
                q = q + SIZE <= post ? q : post - SIZE;                                                                \
                NAME##_rows(1, product, in + q, out + q);                                                              \
            }                                                                                                          \
        }                                                                                                              \
    }

/* One column: a tile has as many rows as a few vectors have numbers, of one table or several. */
#define BY_ROWS(NAME, VECTOR)                                                                                          \
    ALWAYS_INLINE void NAME##_tile(const int n_vectors, const int n_tables, const AxisProduct *product,                \
                                   const double *transposed, int64_t last, const double *in, double *out) {            \
        enum { SIZE = sizeof(VECTOR) / sizeof(double) };                                                               \
        const int64_t n_in = product->n_in, n_out = product->n_out;                                                    \
        VECTOR sum[4][4], some[4];                                                                                     \
        for (int t = 0; t < n_tables; t++)                                                                             \
            for (int v = 0; v < n_vectors; v++)                                                                        \
                sum[t][v] = (VECTOR){0.0};                                                                             \
        for (int64_t j = 0; j < n_in; j++, transposed += n_out) {                                                      \
            for (int v = 0; v < n_vectors; v++)                                                                        \
                some[v] = *(const VECTOR *)(const void *)(transposed + (v < n_vectors - 1 ? v * SIZE : last));                  \
            for (int t = 0; t < n_tables; t++)                                                                         \
                for (int v = 0; v < n_vectors; v++)                                                                    \
                    sum[t][v] += in[t * n_in + j] * some[v];                                                           \
        }                                                                                                              \
        for (int t = 0; t < n_tables; t++)                                                                             \
            for (int v = 0; v < n_vectors; v++)                                                                        \
                *(VECTOR *)(void *)(out + t * n_out + (v < n_vectors - 1 ? v * SIZE : last)) = sum[t][v];         \
    }                                                                                                                  \
                                                                                                                       \
    /* All rows of some tables. */                                                                                     \
    ALWAYS_INLINE void NAME##_tables(const int n_tables, const AxisProduct *product, const double *in, double *out) {  \
        enum { SIZE = sizeof(VECTOR) / sizeof(double) };                                                               \
        const int most = n_tables == 4 ? 2 : 4;                                                                        \
        int64_t first = 0, left = (product->n_out + SIZE - 1) / SIZE;                                                  \
        while (left > 0) {                                                                                             \
            const int64_t n_vectors = left < most ? left : left == most + 1 ? most - 1 : most;                         \
            const int64_t last = (left == n_vectors ? product->n_out : first + n_vectors * SIZE) - SIZE - first;       \
            const double *transposed = product->transposed + first;                                                    \
            if (n_vectors == 4)                                                                                        \
                NAME##_tile(most, n_tables, product, transposed, last, in, out + first);                               \
            else if (n_vectors == 3)                                                                                   \
                NAME##_tile(most < 3 ? most : 3, n_tables, product, transposed, last, in, out + first);                \
            else if (n_vectors == 2)                                                                                   \
                NAME##_tile(2, n_tables, product, transposed, last, in, out + first);                                  \
            else                                                                                                       \
                NAME##_tile(1, n_tables, product, transposed, last, in, out + first);                                  \
            left -= n_vectors;                                                                                         \
            first += n_vectors * SIZE;                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* Tables with at least as many rows as a vector has numbers. */                                                   \
    ALWAYS_INLINE void NAME(const AxisProduct *product, const double *in, double *out) {                               \
        enum { SIZE = sizeof(VECTOR) / sizeof(double) };                                                               \
        const int64_t n_in = product->n_in, n_out = product->n_out;                                                    \
        int64_t t = 0;                                                                                                 \
        if (n_out <= 2 * SIZE)                                                                                         \
            for (; t + 4 <= product->pre; t += 4)                                                                      \
                NAME##_tables(4, product, in + t * n_in, out + t * n_out);                                             \
        for (; t + 2 <= product->pre; t += 2)                                                                          \
            NAME##_tables(2, product, in + t * n_in, out + t * n_out);                                                 \
        for (; t < product->pre; t++)                                                                                  \
            NAME##_tables(1, product, in + t * n_in, out + t * n_out);                                                 \
    }

BY_COLUMNS(columns_by_2, Two)
BY_COLUMNS(columns_by_4, Four)
BY_COLUMNS(columns_by_8, Eight)
BY_ROWS(rows_by_2, Two)
BY_ROWS(rows_by_4, Four)
BY_ROWS(rows_by_8, Eight)

/* One row and one column. */
ALWAYS_INLINE void single_numbers(const AxisProduct *product, const double *in, double *out) {
    for (int64_t t = 0; t < product->pre; t++, in += product->n_in) {
        double sum = 0.0;
        for (int64_t j = 0; j < product->n_in; j++)
            sum += product->transposed[j] * in[j];
        out[t] = sum;
    }
}

ALWAYS_INLINE void all_tables(const AxisProduct *product, const double *in, double *out) {
    if (product->post > 1)
        columns_by_2(product, in, out);
    else if (product->n_out > 1)
        rows_by_2(product, in, out);
    else
        single_numbers(product, in, out);
}
#else
ALWAYS_INLINE void all_tables(const AxisProduct *product, const double *in, double *out) {
    const int64_t n_out = product->n_out, n_in = product->n_in, post = product->post;
    for (int64_t t = 0; t < product->pre; t++, in += n_in * post, out += n_out * post)
        for (int64_t i = 0; i < n_out; i++) {
            for (int64_t q = 0; q < post; q++)
                out[i * post + q] = 0.0;
            for (int64_t j = 0; j < n_in; j++)
                for (int64_t q = 0; q < post; q++)
                    out[i * post + q] += product->transposed[j * n_out + i] * in[j * post + q];
        }
}
#endif

static void all_tables_portable(const AxisProduct *product, const double *in, double *out) {
    all_tables(product, in, out);
}

#if HAS_X86_VECTORS

#define INLINE_AVX2 static inline __attribute__((always_inline)) TARGET_AVX2

/* Two to four columns: four rows of them are two to four vectors. With two columns, rows of the matrix come twice,
 * {0 0 1 1} {2 2 3 3}, and those of the table follow each other, {a b a b}; with three columns, {0 0 0 1} {1 1 2 2}
 * {2 3 3 3} and {a b c a} {b c a b} {c a b c}; with four, {0 0 0 0} and so on, and the row of the table. */
INLINE_AVX2 void four_rows(const int post, const double *transposed, __m256d *out) {
    if (post == 4) {
        for (int v = 0; v < 4; v++)
            out[v] = _mm256_broadcast_sd(transposed + v);
        return;
    }
    const __m256d some = _mm256_loadu_pd(transposed);
    out[0] = post == 2 ? _mm256_permute4x64_pd(some, 0x50) : _mm256_permute4x64_pd(some, 0x40);
    out[1] = post == 2 ? _mm256_permute4x64_pd(some, 0xfa) : _mm256_permute4x64_pd(some, 0xa5);
    if (post == 3)
        out[2] = _mm256_permute4x64_pd(some, 0xfe);
}

INLINE_AVX2 void one_row(const int post, const double *in, __m256d *out) {
    if (post == 4) {
        out[0] = out[1] = out[2] = out[3] = _mm256_loadu_pd(in);
        return;
    }
    const __m128d first = _mm_loadu_pd(in);
    if (post == 2) {
        out[0] = out[1] = _mm256_set_m128d(first, first);
        return;
    }
    const __m128d next = _mm_loadu_pd(in + 1), ends = _mm_loadh_pd(_mm_load_sd(in + 2), in);
    out[0] = _mm256_set_m128d(ends, first);
    out[1] = _mm256_set_m128d(first, next);
    out[2] = _mm256_set_m128d(next, ends);
}

/* Four rows of some tables, by `post` columns. */
INLINE_AVX2 void few_columns_tile(const int post, const int n_tables, const AxisProduct *product,
                                  const double *transposed, const double *in, double *out) {
    const int64_t n_in = product->n_in, n_out = product->n_out;
    __m256d sum[4][4], some[4], row[4];
    for (int t = 0; t < n_tables; t++)
        for (int v = 0; v < post; v++)
            sum[t][v] = _mm256_setzero_pd();
    for (int64_t j = 0; j < n_in; j++, transposed += n_out) {
        four_rows(post, transposed, some);
        for (int t = 0; t < n_tables; t++) {
            one_row(post, in + (t * n_in + j) * post, row);
            for (int v = 0; v < post; v++)
                sum[t][v] = _mm256_add_pd(sum[t][v], _mm256_mul_pd(some[v], row[v]));
        }
    }
    for (int t = 0; t < n_tables; t++)
        for (int v = 0; v < post; v++)
            _mm256_storeu_pd(out + t * n_out * post + 4 * v, sum[t][v]);
}

INLINE_AVX2 void few_columns_tables(const int post, const int n_tables, const AxisProduct *product, const double *in,
                                    double *out) {
    const int64_t n_out = product->n_out;
    for (int64_t first = 0; first < n_out; first += 4) {
        first = first + 4 <= n_out ? first : n_out - 4;
        few_columns_tile(post, n_tables, product, product->transposed + first, in, out + first * post);
    }
}

/* Tables of at least four rows. */
INLINE_AVX2 void few_columns(const int post, const AxisProduct *product, const double *in, double *out) {
    const int64_t in_step = product->n_in * post, out_step = product->n_out * post;
    const int at_once = post == 2 ? 4 : 2;
    int64_t t = 0;
    for (; t + at_once <= product->pre; t += at_once)
        few_columns_tables(post, at_once, product, in + t * in_step, out + t * out_step);
    for (; t < product->pre; t++)
        few_columns_tables(post, 1, product, in + t * in_step, out + t * out_step);
}

static TARGET_AVX2 void all_tables_avx2(const AxisProduct *product, const double *in, double *out) {
    if (product->post > 4 || (product->post == 4 && product->n_out < 4))
        columns_by_4(product, in, out);
    else if (product->n_out < 4)
        all_tables(product, in, out);
    else if (product->post == 4)
        few_columns(4, product, in, out);
    else if (product->post == 3)
        few_columns(3, product, in, out);
    else if (product->post == 2)
        few_columns(2, product, in, out);
    else
        rows_by_4(product, in, out);
}

static TARGET_AVX512_BASE void all_tables_avx512(const AxisProduct *product, const double *in, double *out) {
    if (product->post > 7)
        columns_by_8(product, in, out);
    else if (product->post == 1 && product->n_out > 7)
        rows_by_8(product, in, out);
    else
        all_tables_avx2(product, in, out);
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
