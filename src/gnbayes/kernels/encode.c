/* Convert columns of numbers to bytes. */
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
