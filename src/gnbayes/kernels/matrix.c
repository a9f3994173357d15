/* Columns of a matrix of numbers, read many rows at a time, and their bins. */
#include "kernels.h"

/* Values that are looked up together. */
#define PIECE_VALUES 512
/* Columns that are read together: a row of them is a line of cache. They lie a little more than a power of two apart, as
 * lines at the same place of many pages push each other out of the cache. */
#define COLUMNS_AT_ONCE 8
#define COLUMN_ROOM (PIECE_VALUES + LANES)

/* Numbers of one column, from row `first` on. */
#define GATHER_NUMBERS(TYPE)                                                                                           \
    if (matrix->row_step == (int64_t)sizeof(TYPE))                                                                     \
        for (int64_t t = 0; t < n_rows; t++)                                                                           \
            out[t] = (double)((const TYPE *)(const void *)from)[t];                                                    \
    else                                                                                                               \
        for (int64_t t = 0; t < n_rows; t++)                                                                           \
            out[t] = (double)*(const TYPE *)(const void *)(from + t * matrix->row_step);                               \
    break

static void read_numbers(const Matrix *matrix, int64_t first, int64_t n_rows, int64_t column, double *restrict out) {
    const char *from = matrix->data + first * matrix->row_step + column * matrix->column_step;
    switch (matrix->kind) {
    case INT8: GATHER_NUMBERS(int8_t);
    case INT16: GATHER_NUMBERS(int16_t);
    case INT32: GATHER_NUMBERS(int32_t);
    case INT64: GATHER_NUMBERS(int64_t);
    case UINT8: GATHER_NUMBERS(uint8_t);
    case UINT16: GATHER_NUMBERS(uint16_t);
    case UINT32: GATHER_NUMBERS(uint32_t);
    case UINT64: GATHER_NUMBERS(uint64_t);
    case FLOAT32: GATHER_NUMBERS(float);
    default: GATHER_NUMBERS(double);
    }
}

/* Rows of doubles, `row_step` bytes apart, become columns. */
ALWAYS_INLINE void turn_rows(const char *from, int64_t row_step, int64_t n_rows, double *out) {
    for (int64_t t = 0; t < n_rows; t++) {
        const double *row = (const double *)(const void *)(from + t * row_step);
        for (int s = 0; s < COLUMNS_AT_ONCE; s++)
            out[s * COLUMN_ROOM + t] = row[s];
    }
}

#if HAS_X86_VECTORS
/* Pairs of columns are put together from rows: first from those of even, then from those of odd number. */
ALWAYS_INLINE TARGET_AVX2 __m256d every_second_of_4(const char *from, int64_t row_step) {
    const __m256d first = _mm256_castpd128_pd256(_mm_loadu_pd((const void *)from));
    return _mm256_insertf128_pd(first, _mm_loadu_pd((const void *)(from + 2 * row_step)), 1);
}

static TARGET_AVX2 void turn_4_rows(const char *from, int64_t row_step, double *out) {
    for (int s = 0; s < COLUMNS_AT_ONCE; s += 2) {
        const char *own = from + s * (int64_t)sizeof(double);
        const __m256d even = every_second_of_4(own, row_step), odd = every_second_of_4(own + row_step, row_step);
        _mm256_storeu_pd(out + s * COLUMN_ROOM, _mm256_unpacklo_pd(even, odd));
        _mm256_storeu_pd(out + (s + 1) * COLUMN_ROOM, _mm256_unpackhi_pd(even, odd));
    }
}

static TARGET_AVX2 void turn_8_rows_avx2(const char *from, int64_t row_step, double *out) {
    turn_4_rows(from, row_step, out);
    turn_4_rows(from + 4 * row_step, row_step, out + 4);
}

ALWAYS_INLINE TARGET_AVX512_BASE __m512d every_second_of_8(const char *from, int64_t row_step) {
    __m512d out = _mm512_castpd128_pd512(_mm_loadu_pd((const void *)from));
    for (int t = 1; t < 4; t++)
        out = _mm512_mask_broadcast_f64x2(out, (__mmask8)(3 << (2 * t)), _mm_loadu_pd((const void *)(from + 2 * t * row_step)));
    return out;
}

static TARGET_AVX512_BASE void turn_8_rows_avx512(const char *from, int64_t row_step, double *out) {
    for (int s = 0; s < COLUMNS_AT_ONCE; s += 2) {
        const char *own = from + s * (int64_t)sizeof(double);
        const __m512d even = every_second_of_8(own, row_step), odd = every_second_of_8(own + row_step, row_step);
        _mm512_storeu_pd(out + s * COLUMN_ROOM, _mm512_unpacklo_pd(even, odd));
        _mm512_storeu_pd(out + (s + 1) * COLUMN_ROOM, _mm512_unpackhi_pd(even, odd));
    }
}

static void turn_8_rows(const char *from, int64_t row_step, double *out) {
    if (level >= AVX512_BASE)
        turn_8_rows_avx512(from, row_step, out);
    else if (level == AVX2)
        turn_8_rows_avx2(from, row_step, out);
    else
        turn_rows(from, row_step, LANES, out);
}
#else
static void turn_8_rows(const char *from, int64_t row_step, double *out) { turn_rows(from, row_step, LANES, out); }
#endif

/* Floats of a few rows as doubles. */
static void widen(const char *from, int64_t row_step, int64_t n_rows, double *out) {
    for (int64_t t = 0; t < n_rows; t++) {
        const float *row = (const float *)(const void *)(from + t * row_step);
        for (int s = 0; s < COLUMNS_AT_ONCE; s++)
            out[t * COLUMNS_AT_ONCE + s] = row[s];
    }
}

#if defined(__GNUC__) || defined(__clang__)
#define FETCH(ADDRESS) __builtin_prefetch(ADDRESS)
#else
#define FETCH(ADDRESS) (void)(ADDRESS)
#endif
/* What rows have next is fetched this many bytes ahead: rows lie on many pages, which machines do not follow by themselves. */
#define AHEAD 128

/* Adjacent doubles or floats of rows, column by column. */
static void turn_columns(const Matrix *matrix, int64_t first, int64_t n_rows, int64_t column,
                         double out[COLUMNS_AT_ONCE][COLUMN_ROOM]) {
    const char *from = matrix->data + first * matrix->row_step + column * matrix->column_step;
    double wide[LANES * COLUMNS_AT_ONCE];
    for (int64_t t = 0; t < n_rows; t += LANES) {
        const int64_t n_some = n_rows - t < LANES ? n_rows - t : LANES;
        const char *rows = from + t * matrix->row_step;
        int64_t row_step = matrix->row_step;
        for (int64_t q = 0; q < n_some; q++)
            FETCH(rows + q * row_step + AHEAD);
        if (matrix->kind == FLOAT32) {
            widen(rows, row_step, n_some, wide);
            rows = (const char *)wide;
            row_step = (int64_t)sizeof(double) * COLUMNS_AT_ONCE;
        }
        if (n_some == LANES)
            turn_8_rows(rows, row_step, &out[0][t]);
        else
            turn_rows(rows, row_step, n_some, &out[0][t]);
    }
}

static int are_adjacent(const Matrix *matrix, const int64_t *columns, int64_t n_columns) {
    const int are_fractions = matrix->kind == FLOAT64 || matrix->kind == FLOAT32;
    if (!are_fractions || n_columns < COLUMNS_AT_ONCE || matrix->column_step != item_sizes[matrix->kind])
        return 0;
    for (int64_t s = 1; s < n_columns; s++)
        if (columns[s] != columns[0] + s)
            return 0;
    return 1;
}

void count_matrix_cuts(const Matrix *matrix, int64_t first, int64_t stop, const ColumnCuts *columns, uint8_t *out) {
    double numbers[COLUMNS_AT_ONCE][COLUMN_ROOM];
    const int are_there = matrix->kind == FLOAT64 && matrix->row_step == (int64_t)sizeof(double);
    /* Rows in the outer loop: adjacent columns share cache lines. */
    for (; first < stop; first += PIECE_VALUES) {
        const int64_t n_rows = stop - first < PIECE_VALUES ? stop - first : PIECE_VALUES;
        for (int64_t done = 0; done < columns->n; done += COLUMNS_AT_ONCE) {
            const int64_t n_some = columns->n - done < COLUMNS_AT_ONCE ? columns->n - done : COLUMNS_AT_ONCE;
            const int64_t *own = columns->columns + done;
            const int are_turned = !are_there && are_adjacent(matrix, own, n_some);
            if (are_turned)
                turn_columns(matrix, first, n_rows, own[0], numbers);
            for (int64_t s = 0; s < n_some; s++) {
                const int64_t start = columns->starts[done + s], n_cuts = columns->starts[done + s + 1] - start;
                const double *values = numbers[s];
                if (are_there)
                    values = (const double *)(const void *)(matrix->data + own[s] * matrix->column_step) + first;
                else if (!are_turned)
                    read_numbers(matrix, first, n_rows, own[s], numbers[s]);
                count_cuts(values, n_rows, columns->cuts + start, n_cuts, columns->missing[done + s],
                           out + own[s] * matrix->n_rows + first);
            }
        }
    }
}
