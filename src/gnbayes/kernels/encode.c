/* Convert columns of numbers to bytes, and bytes to codes. */
#include <math.h>
#include <string.h>

#include "kernels.h"

const int64_t item_sizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

/* Rows and columns that are transposed at a time. */
#define PIECE_ROWS 128
#define PIECE_COLUMNS 128

/* A piece of whole numbers, row by row as they lie; `seen` collects their bits. */
#define READ_WHOLE(TYPE)                                                                                               \
    do {                                                                                                               \
        for (int64_t t = 0; t < n_rows; t++) {                                                                         \
            const char *row = matrix->data + (first + t) * matrix->row_step + column * matrix->column_step;            \
            if (matrix->column_step == (int64_t)sizeof(TYPE)) {                                                        \
                const TYPE *values = (const TYPE *)(const void *)row;                                                  \
                for (int64_t s = 0; s < n_columns; s++) {                                                              \
                    piece[t][s] = (uint8_t)values[s];                                                                  \
                    seen[s] |= (uint64_t)(int64_t)values[s];                                                           \
                }                                                                                                      \
            } else {                                                                                                   \
                for (int64_t s = 0; s < n_columns; s++) {                                                              \
                    const TYPE value = *(const TYPE *)(const void *)(row + s * matrix->column_step);                   \
                    piece[t][s] = (uint8_t)value;                                                                      \
                    seen[s] |= (uint64_t)(int64_t)value;                                                               \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        for (int64_t s = 0; s < n_columns; s++)                                                                        \
            if (seen[s] >= MISSING_BYTE)                                                                               \
                is_small[column + s] &= (uint8_t)has_no_large(piece, n_rows, s, seen[s]);                              \
    } while (0)

/* Numbers, some of which may have a fraction or be missing. */
#define READ_FRACTIONS(TYPE)                                                                                           \
    do {                                                                                                               \
        for (int64_t t = 0; t < n_rows; t++) {                                                                         \
            const char *row = matrix->data + (first + t) * matrix->row_step + column * matrix->column_step;            \
            for (int64_t s = 0; s < n_columns; s++) {                                                                  \
                const TYPE value = *(const TYPE *)(const void *)(row + s * matrix->column_step);                       \
                const int is_missing = value != value;                                                                 \
                const int is_in_range = value >= 0 && value < MISSING_BYTE;                                            \
                const uint8_t byte = is_in_range ? (uint8_t)value : MISSING_BYTE;                                      \
                piece[t][s] = byte;                                                                                    \
                is_small[column + s] &= (uint8_t)(is_missing | (is_in_range & ((TYPE)byte == value)));                 \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

/* The bits of all values together reach 255, which may still come of values below it. */
static int has_no_large(uint8_t piece[PIECE_ROWS][PIECE_COLUMNS], int64_t n_rows, int64_t s, uint64_t seen) {
    if (seen > MISSING_BYTE)
        return 0;
    for (int64_t t = 0; t < n_rows; t++)
        if (piece[t][s] == MISSING_BYTE)
            return 0;
    return 1;
}

static void read_piece(const Matrix *matrix, int64_t first, int64_t n_rows, int64_t column, int64_t n_columns,
                      uint8_t piece[PIECE_ROWS][PIECE_COLUMNS], uint8_t *is_small) {
    uint64_t seen[PIECE_COLUMNS] = {0};
    switch (matrix->kind) {
    case INT8: READ_WHOLE(int8_t); break;
    case INT16: READ_WHOLE(int16_t); break;
    case INT32: READ_WHOLE(int32_t); break;
    case INT64: READ_WHOLE(int64_t); break;
    case UINT8: READ_WHOLE(uint8_t); break;
    case UINT16: READ_WHOLE(uint16_t); break;
    case UINT32: READ_WHOLE(uint32_t); break;
    case UINT64: READ_WHOLE(uint64_t); break;
    case FLOAT32: READ_FRACTIONS(float); break;
    default: READ_FRACTIONS(double); break;
    }
}

/* Transpose 16 x 16 bytes: rows `from_step` apart become columns `to_step` apart. */
#if defined(__SSE2__)
#define SQUARE 16
static void turn_square(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step) {
    __m128i x[SQUARE], y[SQUARE];
    for (int t = 0; t < SQUARE; t++)
        x[t] = _mm_loadu_si128((const __m128i *)(const void *)(from + t * from_step));
    /* Rows t and t + 8 are interleaved four times; then row t holds column t. */
    for (int round = 0; round < 4; round++) {
        for (int t = 0; t < SQUARE / 2; t++) {
            y[2 * t] = _mm_unpacklo_epi8(x[t], x[t + SQUARE / 2]);
            y[2 * t + 1] = _mm_unpackhi_epi8(x[t], x[t + SQUARE / 2]);
        }
        memcpy(x, y, sizeof x);
    }
    for (int t = 0; t < SQUARE; t++)
        _mm_storeu_si128((__m128i *)(void *)(to + t * to_step), x[t]);
}
#endif

/* A piece, row by row, into columns `to_step` apart. */
static void turn_piece(uint8_t piece[PIECE_ROWS][PIECE_COLUMNS], int64_t n_rows, int64_t n_columns, uint8_t *to,
                       int64_t to_step) {
    int64_t rows = 0, columns = 0;
#if defined(__SSE2__)
    rows = n_rows / SQUARE * SQUARE;
    columns = n_columns / SQUARE * SQUARE;
    for (int64_t s = 0; s < columns; s += SQUARE)
        for (int64_t t = 0; t < rows; t += SQUARE)
            turn_square(&piece[t][s], PIECE_COLUMNS, to + s * to_step + t, to_step);
#endif
    for (int64_t s = 0; s < n_columns; s++)
        for (int64_t t = s < columns ? rows : 0; t < n_rows; t++)
            to[s * to_step + t] = piece[t][s];
}

/* Contiguous columns are read directly. */
#define READ_WHOLE_COLUMN(TYPE)                                                                                        \
    do {                                                                                                               \
        const TYPE *values = (const TYPE *)(const void *)data;                                                         \
        uint64_t seen = 0;                                                                                             \
        for (int64_t t = 0; t < n_rows; t++) {                                                                         \
            to[t] = (uint8_t)values[t];                                                                                \
            seen |= (uint64_t)(int64_t)values[t];                                                                      \
        }                                                                                                              \
        return seen < MISSING_BYTE || (seen == MISSING_BYTE && !memchr(to, MISSING_BYTE, (size_t)n_rows));             \
    } while (0)

#define READ_COLUMN_OF_FRACTIONS(TYPE)                                                                                 \
    do {                                                                                                               \
        const TYPE *values = (const TYPE *)(const void *)data;                                                         \
        int is_small = 1;                                                                                              \
        for (int64_t t = 0; t < n_rows; t++) {                                                                         \
            const TYPE value = values[t];                                                                              \
            const int is_in_range = value >= 0 && value < MISSING_BYTE;                                                \
            to[t] = is_in_range ? (uint8_t)value : MISSING_BYTE;                                                       \
            is_small &= (value != value) | (is_in_range & ((TYPE)to[t] == value));                                     \
        }                                                                                                              \
        return is_small;                                                                                               \
    } while (0)

/* One column; whether it is small. */
static int read_column(Kind kind, const char *data, int64_t n_rows, uint8_t *to) {
    switch (kind) {
    case INT8: READ_WHOLE_COLUMN(int8_t);
    case INT16: READ_WHOLE_COLUMN(int16_t);
    case INT32: READ_WHOLE_COLUMN(int32_t);
    case INT64: READ_WHOLE_COLUMN(int64_t);
    case UINT8: READ_WHOLE_COLUMN(uint8_t);
    case UINT16: READ_WHOLE_COLUMN(uint16_t);
    case UINT32: READ_WHOLE_COLUMN(uint32_t);
    case UINT64: READ_WHOLE_COLUMN(uint64_t);
    case FLOAT32: READ_COLUMN_OF_FRACTIONS(float);
    default: READ_COLUMN_OF_FRACTIONS(double);
    }
}

void to_bytes(const Matrix *matrix, int64_t first, int64_t stop, uint8_t *out, uint8_t *is_small) {
    uint8_t piece[PIECE_ROWS][PIECE_COLUMNS];
    if (matrix->row_step == item_sizes[matrix->kind]) {
        for (int64_t j = 0; j < matrix->n_columns; j++)
            is_small[j] &= (uint8_t)read_column(matrix->kind,
                                                matrix->data + j * matrix->column_step + first * matrix->row_step,
                                                stop - first, out + j * matrix->n_rows + first);
        return;
    }
    for (; first < stop; first += PIECE_ROWS) {
        const int64_t n_rows = stop - first < PIECE_ROWS ? stop - first : PIECE_ROWS;
        for (int64_t column = 0; column < matrix->n_columns; column += PIECE_COLUMNS) {
            const int64_t rest = matrix->n_columns - column;
            const int64_t n_columns = rest < PIECE_COLUMNS ? rest : PIECE_COLUMNS;
            read_piece(matrix, first, n_rows, column, n_columns, piece, is_small);
            turn_piece(piece, n_rows, n_columns, out + column * matrix->n_rows + first, matrix->n_rows);
        }
    }
}

void bytes_seen(const uint8_t *bytes, int64_t n, uint8_t *seen) {
    enum { PIECE = 512 };
    /* All of 0..known - 1 have been seen: a piece of such bytes brings nothing new. Missing values count as -1. */
    int known = 0;
    for (int64_t first = 0; first < n; first += PIECE) {
        const int64_t stop = n - first < PIECE ? n : first + PIECE;
        uint8_t most = 0, least = 255;
        for (int64_t i = first; i < stop; i++) {
            const uint8_t next = (uint8_t)(bytes[i] + 1);
            most = next > most ? next : most;
            least = next < least ? next : least;
        }
        if (most <= known && (least > 0 || seen[MISSING_BYTE]))
            continue;
        for (int64_t i = first; i < stop; i++)
            seen[bytes[i]] = 1;
        while (known < MISSING_BYTE && seen[known])
            known++;
    }
}

void replace_bytes(uint8_t *bytes, int64_t n, const uint8_t *replacement) {
    for (int64_t i = 0; i < n; i++)
        bytes[i] = replacement[bytes[i]];
}

/* Values that are looked up together. */
#define PIECE_VALUES 512

/* Cuts that values reach, by halves: as many are looked at as 2^steps - 1 has digits; NaN stands for no cut. */
ALWAYS_INLINE void search_cuts(const double *values, int64_t n, const double *cuts, int32_t half, uint8_t missing,
                               uint8_t *out) {
    int32_t reached[PIECE_VALUES];
    for (int64_t first = 0; first < n; first += PIECE_VALUES) {
        const int64_t n_values = n - first < PIECE_VALUES ? n - first : PIECE_VALUES;
        const double *piece = values + first;
        for (int64_t i = 0; i < n_values; i++)
            reached[i] = 0;
        for (int32_t step = half; step > 0; step /= 2)
            for (int64_t i = 0; i < n_values; i++)
                reached[i] += piece[i] >= cuts[reached[i] + step - 1] ? step : 0;
        for (int64_t i = 0; i < n_values; i++)
            out[first + i] = piece[i] != piece[i] ? missing : (uint8_t)reached[i];
    }
}

static void search_cuts_portable(const double *values, int64_t n, const double *cuts, int32_t half, uint8_t missing,
                                 uint8_t *out) {
    search_cuts(values, n, cuts, half, missing, out);
}

#if HAS_X86_VECTORS
static TARGET_AVX512 void search_cuts_avx512(const double *values, int64_t n, const double *cuts, int32_t half,
                                             uint8_t missing, uint8_t *out) {
    search_cuts(values, n, cuts, half, missing, out);
}

/* Up to FEW_CUTS cuts stay in registers, in the order in which halving reaches them: bit b of `way` says whether the cut
 * of step b was reached, and the bits so far are the place of the next cut among those of its step. */
#define FEW_CUTS 63
#define MOST_STEPS 6
/* Of missing values: the sign of a byte. */
#define NO_WAY 0x80
typedef struct {
    __m512d of_step[4], fifth[2], sixth[4];
} CutsByStep;

/* Cuts reached by each way of six steps: its bits, the first of which counts most; half of that for five steps. */
static const uint8_t reached_by_way[1 << MOST_STEPS] = {
    0, 32, 16, 48, 8, 40, 24, 56, 4, 36, 20, 52, 12, 44, 28, 60, 2, 34, 18, 50, 10, 42, 26, 58, 6, 38, 22, 54, 14, 46, 30, 62,
    1, 33, 17, 49, 9, 41, 25, 57, 5, 37, 21, 53, 13, 45, 29, 61, 3, 35, 19, 51, 11, 43, 27, 59, 7, 39, 23, 55, 15, 47, 31, 63};

ALWAYS_INLINE TARGET_AVX512 void order_cuts(const double *cuts, const int n_steps, CutsByStep *out) {
    double places[MOST_STEPS][1 << (MOST_STEPS - 1)];
    for (int step = 0; step < n_steps; step++)
        for (int way = 0; way < 1 << step; way++)
            places[step][way] = cuts[(reached_by_way[way] >> (MOST_STEPS - n_steps)) + (1 << (n_steps - 1 - step)) - 1];
    for (int step = 0; step < 4; step++)
        out->of_step[step] = _mm512_maskz_loadu_pd((__mmask8)((1 << (1 << step)) - 1), places[step]);
    for (int half = 0; half < 2; half++)
        out->fifth[half] = _mm512_loadu_pd(places[4] + LANES * half);
    for (int quarter = 0; quarter < 4 && n_steps > 5; quarter++)
        out->sixth[quarter] = _mm512_loadu_pd(places[5] + LANES * quarter);
}

/* The ways of LANES values. */
ALWAYS_INLINE TARGET_AVX512 __m512i ways_of(__m512d value, const CutsByStep *cuts, const int n_steps) {
    __m512i way = _mm512_setzero_si512();
    for (int step = 0; step < n_steps; step++) {
        __m512d cut;
        if (step < 4)
            cut = _mm512_permutexvar_pd(way, cuts->of_step[step]);
        else if (step == 4)
            cut = _mm512_permutex2var_pd(cuts->fifth[0], way, cuts->fifth[1]);
        else
            cut = _mm512_mask_blend_pd(_mm512_test_epi64_mask(way, _mm512_set1_epi64(16)),
                                       _mm512_permutex2var_pd(cuts->sixth[0], way, cuts->sixth[1]),
                                       _mm512_permutex2var_pd(cuts->sixth[2], way, cuts->sixth[3]));
        way = _mm512_mask_or_epi64(way, _mm512_cmp_pd_mask(value, cut, _CMP_GE_OQ), way, _mm512_set1_epi64(1 << step));
    }
    return way;
}

ALWAYS_INLINE TARGET_AVX512 void search_few_cuts(const double *values, int64_t n, const double *cuts, uint8_t missing,
                                                 uint8_t *out, const int n_steps) {
    enum { PIECE = 64 };
    CutsByStep by_step;
    const __m512i all_missing = _mm512_set1_epi8((char)missing), six_steps = _mm512_loadu_si512(reached_by_way);
    const __m512i no_way = _mm512_set1_epi64(NO_WAY);
    /* No bit of a byte falls into another: what is halved is even where a way of five steps looks. */
    const __m512i reached_by = n_steps == MOST_STEPS ? six_steps : _mm512_srli_epi16(six_steps, 1);
    order_cuts(cuts, n_steps, &by_step);
    for (int64_t i = 0; i < n; i += LANES) {
        const __mmask8 are_here = (__mmask8)(n - i < LANES ? (1 << (n - i)) - 1 : 0xff);
        const __m512d value = _mm512_maskz_loadu_pd(are_here, values + i);
        const __mmask8 is_missing = _mm512_cmp_pd_mask(value, value, _CMP_UNORD_Q);
        const __m512i way = _mm512_mask_mov_epi64(ways_of(value, &by_step, n_steps), is_missing, no_way);
        _mm512_mask_cvtepi64_storeu_epi8(out + i, are_here, way);
    }
    /* In a loop of its own: a vector cannot be loaded before the parts that were just stored have arrived. */
    for (int64_t i = 0; i < n; i += PIECE) {
        const __mmask64 are_here = n - i < PIECE ? ((__mmask64)1 << (n - i)) - 1 : ~(__mmask64)0;
        const __m512i way = _mm512_maskz_loadu_epi8(are_here, out + i);
        const __m512i reached = _mm512_permutexvar_epi8(way, reached_by);
        _mm512_mask_storeu_epi8(out + i, are_here, _mm512_mask_mov_epi8(reached, _mm512_movepi8_mask(way), all_missing));
    }
}

static TARGET_AVX512 void search_31_cuts_avx512(const double *values, int64_t n, const double *cuts, uint8_t missing,
                                                uint8_t *out) {
    search_few_cuts(values, n, cuts, missing, out, 5);
}

static TARGET_AVX512 void search_63_cuts_avx512(const double *values, int64_t n, const double *cuts, uint8_t missing,
                                                uint8_t *out) {
    search_few_cuts(values, n, cuts, missing, out, 6);
}
#endif

void count_cuts(const double *values, int64_t n, const double *cuts, int64_t n_cuts, uint8_t missing, uint8_t *out) {
    double padded[MOST_CUTS + 1];
    int32_t half = 1;
    while (2 * half - 1 < n_cuts)
        half *= 2;
#if HAS_X86_VECTORS
    const int are_few = level == AVX512 && n_cuts <= FEW_CUTS;
    half = are_few && half < 16 ? 16 : half;
#endif
    for (int64_t t = 0; t < 2 * half - 1; t++)
        padded[t] = t < n_cuts ? cuts[t] : NAN;
#if HAS_X86_VECTORS
    if (are_few) {
        (half == 16 ? search_31_cuts_avx512 : search_63_cuts_avx512)(values, n, padded, missing, out);
        return;
    }
    if (level == AVX512) {
        search_cuts_avx512(values, n, padded, half, missing, out);
        return;
    }
#endif
    search_cuts_portable(values, n, padded, half, missing, out);
}

/* Numbers of one column, from row `first` on. */
#define GATHER_NUMBERS(TYPE)                                                                                           \
    for (int64_t t = 0; t < n_rows; t++)                                                                               \
        out[t] = (double)*(const TYPE *)(const void *)(from + t * matrix->row_step);                                   \
    break

static void read_numbers(const Matrix *matrix, int64_t first, int64_t n_rows, int64_t column, double *out) {
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

/* Columns that are read together: a row of them is a line of cache. They lie a little more than a power of two apart, as
 * lines at the same place of many pages push each other out of the cache. */
#define COLUMNS_AT_ONCE 8
#define COLUMN_ROOM (PIECE_VALUES + LANES)

#if HAS_X86_VECTORS
/* LANES rows of as many doubles, column by column. */
static TARGET_AVX512 void turn_lanes(const char *from, int64_t row_step, double *out) {
    __m512d x[LANES], y[LANES];
    for (int t = 0; t < LANES; t++)
        x[t] = _mm512_loadu_pd((const void *)(from + t * row_step));
    /* Numbers, then pairs of them, then fours change places with those of other rows. */
    for (int t = 0; t < LANES; t += 2) {
        y[t] = _mm512_unpacklo_pd(x[t], x[t + 1]);
        y[t + 1] = _mm512_unpackhi_pd(x[t], x[t + 1]);
    }
    for (int t = 0; t < LANES / 2; t++) {
        const int at = 4 * (t / 2) + t % 2;
        x[t] = _mm512_shuffle_f64x2(y[at], y[at + 2], 0x88);
        x[t + 4] = _mm512_shuffle_f64x2(y[at], y[at + 2], 0xdd);
    }
    /* x[0], x[1]: columns 0, 4 and 1, 5 of rows 0 to 3; x[2], x[3]: those of rows 4 to 7; then columns 2, 6 and 3, 7. */
    for (int t = 0; t < 2; t++) {
        _mm512_storeu_pd(out + t * COLUMN_ROOM, _mm512_shuffle_f64x2(x[t], x[t + 2], 0x88));
        _mm512_storeu_pd(out + (t + 4) * COLUMN_ROOM, _mm512_shuffle_f64x2(x[t], x[t + 2], 0xdd));
        _mm512_storeu_pd(out + (t + 2) * COLUMN_ROOM, _mm512_shuffle_f64x2(x[t + 4], x[t + 6], 0x88));
        _mm512_storeu_pd(out + (t + 6) * COLUMN_ROOM, _mm512_shuffle_f64x2(x[t + 4], x[t + 6], 0xdd));
    }
}
#endif

/* Adjacent doubles of rows, column by column. */
static void turn_doubles(const Matrix *matrix, int64_t first, int64_t n_rows, int64_t column,
                         double out[COLUMNS_AT_ONCE][COLUMN_ROOM]) {
    const char *from = matrix->data + first * matrix->row_step + column * matrix->column_step;
    int64_t t = 0;
#if HAS_X86_VECTORS
    for (; level == AVX512 && t <= n_rows - LANES; t += LANES)
        turn_lanes(from + t * matrix->row_step, matrix->row_step, &out[0][t]);
#endif
    for (; t < n_rows; t++) {
        const double *row = (const double *)(const void *)(from + t * matrix->row_step);
        for (int s = 0; s < COLUMNS_AT_ONCE; s++)
            out[s][t] = row[s];
    }
}

static void read_columns(const Matrix *matrix, int64_t first, int64_t n_rows, const int64_t *columns, int64_t n_columns,
                         double out[COLUMNS_AT_ONCE][COLUMN_ROOM]) {
    int are_rows = matrix->kind == FLOAT64 && matrix->column_step == (int64_t)sizeof(double);
    for (int64_t s = 1; s < n_columns; s++)
        are_rows &= columns[s] == columns[0] + s;
    if (are_rows && n_columns == COLUMNS_AT_ONCE)
        turn_doubles(matrix, first, n_rows, columns[0], out);
    else
        for (int64_t s = 0; s < n_columns; s++)
            read_numbers(matrix, first, n_rows, columns[s], out[s]);
}

void count_matrix_cuts(const Matrix *matrix, int64_t first, int64_t stop, const ColumnCuts *columns, uint8_t *out) {
    double numbers[COLUMNS_AT_ONCE][COLUMN_ROOM];
    /* Rows in the outer loop: adjacent columns share cache lines. */
    for (; first < stop; first += PIECE_VALUES) {
        const int64_t n_rows = stop - first < PIECE_VALUES ? stop - first : PIECE_VALUES;
        for (int64_t done = 0; done < columns->n; done += COLUMNS_AT_ONCE) {
            const int64_t n_some = columns->n - done < COLUMNS_AT_ONCE ? columns->n - done : COLUMNS_AT_ONCE;
            read_columns(matrix, first, n_rows, columns->columns + done, n_some, numbers);
            for (int64_t q = done; q < done + n_some; q++) {
                const int64_t start = columns->starts[q];
                count_cuts(numbers[q - done], n_rows, columns->cuts + start, columns->starts[q + 1] - start,
                           columns->missing[q], out + columns->columns[q] * matrix->n_rows + first);
            }
        }
    }
}
