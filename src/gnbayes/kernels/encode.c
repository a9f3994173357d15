/* Columns of numbers become bytes, and bytes become codes. */
#include <string.h>

#include "kernels.h"

/* Rows and columns that are turned around at a time. */
#define PIECE_ROWS 128
#define PIECE_COLUMNS 64

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

/* Numbers of which some may have a fraction or be missing. */
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

static int read_piece(const Matrix *matrix, int64_t first, int64_t n_rows, int64_t column, int64_t n_columns,
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
    case FLOAT64: READ_FRACTIONS(double); break;
    default: return -1;
    }
    return 0;
}

int to_bytes(const Matrix *matrix, int64_t first, int64_t stop, uint8_t *out, uint8_t *is_small) {
    uint8_t piece[PIECE_ROWS][PIECE_COLUMNS];
    for (; first < stop; first += PIECE_ROWS) {
        const int64_t n_rows = stop - first < PIECE_ROWS ? stop - first : PIECE_ROWS;
        for (int64_t column = 0; column < matrix->n_columns; column += PIECE_COLUMNS) {
            const int64_t rest = matrix->n_columns - column;
            const int64_t n_columns = rest < PIECE_COLUMNS ? rest : PIECE_COLUMNS;
            if (read_piece(matrix, first, n_rows, column, n_columns, piece, is_small))
                return -1;
            for (int64_t s = 0; s < n_columns; s++) {
                uint8_t *to = out + (column + s) * matrix->n_rows + first;
                for (int64_t t = 0; t < n_rows; t++)
                    to[t] = piece[t][s];
            }
        }
    }
    return 0;
}

void bytes_seen(const uint8_t *bytes, int64_t n, uint8_t *seen) {
    for (int64_t i = 0; i < n; i++)
        seen[bytes[i]] = 1;
}

void replace_bytes(uint8_t *bytes, int64_t n, const uint8_t *replacement) {
    for (int64_t i = 0; i < n; i++)
        bytes[i] = replacement[bytes[i]];
}

void count_cuts(const double *values, int64_t n, const double *cuts, int64_t n_cuts, uint8_t missing, uint8_t *out) {
    enum { PIECE = 512 };
    for (int64_t first = 0; first < n; first += PIECE) {
        const int64_t n_rows = n - first < PIECE ? n - first : PIECE;
        uint8_t *codes = out + first;
        memset(codes, 0, (size_t)n_rows);
        for (int64_t t = 0; t < n_cuts; t++)
            for (int64_t i = 0; i < n_rows; i++)
                codes[i] = (uint8_t)(codes[i] + (values[first + i] >= cuts[t]));
        for (int64_t i = 0; i < n_rows; i++)
            codes[i] = values[first + i] != values[first + i] ? missing : codes[i];
    }
}
