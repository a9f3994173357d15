/* Tables of one feature or of a pair, by one pass over the rows: for many values, and for weights. */
#include <string.h>

#include "kernels.h"

/* Rows whose codes are widened at a time. */
#define PIECE_ROWS 2048

#define LARGEST(TYPE)                                                                                                  \
    do {                                                                                                               \
        const TYPE *column = (const TYPE *)rows->codes + j * rows->n;                                                  \
        TYPE most = 0;                                                                                                 \
        for (int64_t i = 0; i < rows->n; i++)                                                                          \
            most = column[i] > most ? column[i] : most;                                                                \
        return (uint32_t)most;                                                                                         \
    } while (0)

uint32_t largest_code(const Rows *rows, int64_t j) {
    switch (rows->itemsize) {
    case 1: LARGEST(uint8_t);
    case 2: LARGEST(uint16_t);
    default: LARGEST(uint32_t);
    }
}

#define ADD_CODES(TYPE)                                                                                                \
    do {                                                                                                               \
        const TYPE *column = (const TYPE *)rows->codes + j * rows->n + first;                                          \
        for (int64_t t = 0; t < n_rows; t++)                                                                           \
            cells[t] += step * column[t];                                                                              \
    } while (0)

/* Add step * code of j, of rows first..first + n_rows - 1. */
static void add_codes(const Rows *rows, int64_t j, int64_t step, int64_t first, int64_t n_rows, int64_t *cells) {
    switch (rows->itemsize) {
    case 1: ADD_CODES(uint8_t); break;
    case 2: ADD_CODES(uint16_t); break;
    default: ADD_CODES(uint32_t); break;
    }
}

/* Number of the cell of each row. */
static void number_cells(const Rows *rows, int64_t i, int64_t j, const Place *place, int64_t first, int64_t n_rows,
                         int64_t *cells) {
    for (int64_t t = 0; t < n_rows; t++)
        cells[t] = place->start + place->class_step * rows->labels[first + t];
    add_codes(rows, i, place->value_step, first, n_rows, cells);
    if (j >= 0)
        add_codes(rows, j, place->other_step, first, n_rows, cells);
}

void histogram(const Rows *rows, int64_t i, int64_t j, const Place *place, void *table) {
    int64_t cells[PIECE_ROWS];
    for (int64_t first = 0; first < rows->n; first += PIECE_ROWS) {
        const int64_t n_rows = rows->n - first < PIECE_ROWS ? rows->n - first : PIECE_ROWS;
        number_cells(rows, i, j, place, first, n_rows, cells);
        if (rows->weights) {
            double *sums = table;
            for (int64_t t = 0; t < n_rows; t++)
                sums[cells[t]] += rows->weights[first + t];
        } else {
            int64_t *counts = table;
            for (int64_t t = 0; t < n_rows; t++)
                counts[cells[t]]++;
        }
    }
}

int64_t histogram_terms(const Rows *rows, int64_t i, int64_t j, const int64_t *terms, uint32_t *table) {
    const int64_t k = rows->n_classes, n_cells = rows->cardinalities[i] * rows->cardinalities[j] * k;
    const Place place = {0, rows->cardinalities[j] * k, k, 1};
    int64_t total = 0, cells[PIECE_ROWS];
    for (int64_t first = 0; first < rows->n; first += PIECE_ROWS) {
        const int64_t n_rows = rows->n - first < PIECE_ROWS ? rows->n - first : PIECE_ROWS;
        number_cells(rows, i, j, &place, first, n_rows, cells);
        for (int64_t t = 0; t < n_rows; t++)
            table[cells[t]]++;
    }
    if (n_cells <= rows->n) {
        for (int64_t t = 0; t < n_cells; t++)
            total += terms[table[t]];
        memset(table, 0, (size_t)n_cells * sizeof(uint32_t));
        return total;
    }
    /* A large table is mostly empty: look only where rows are. */
    for (int64_t first = 0; first < rows->n; first += PIECE_ROWS) {
        const int64_t n_rows = rows->n - first < PIECE_ROWS ? rows->n - first : PIECE_ROWS;
        number_cells(rows, i, j, &place, first, n_rows, cells);
        for (int64_t t = 0; t < n_rows; t++) {
            total += terms[table[cells[t]]];
            table[cells[t]] = 0;
        }
    }
    return total;
}
