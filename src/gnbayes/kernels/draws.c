/* The rows used in a round of boosting: those that are drawn and have a weight.
 *
 * Draws are random, so a branch for each row would be mispredicted again and again: every row is written to the list, and
 * the end of the list moves on only if the row belongs there.
 */
#include <stdlib.h>

#include "kernels.h"

int make_weight_bits(const double *weights, int64_t n, WeightBits *bits) {
    const size_t n_bytes = (size_t)(n + 7) / 8;
    *bits = (WeightBits){.weights = weights, .n = n, .is_positive = calloc(n_bytes + 1, 1), .is_largest = calloc(n_bytes + 1, 1)};
    if (!bits->is_positive || !bits->is_largest)
        return -1;
    for (int64_t row = 0; row < n; row++)
        bits->largest = weights[row] > bits->largest ? weights[row] : bits->largest;
    for (int64_t row = 0; row < n; row++) {
        const int place = 7 - (int)(row & 7);
        bits->is_positive[row >> 3] |= (uint8_t)((weights[row] > 0.0) << place);
        bits->is_largest[row >> 3] |= (uint8_t)((weights[row] == bits->largest) << place);
    }
    return 0;
}

void free_weight_bits(WeightBits *bits) {
    free(bits->is_positive);
    free(bits->is_largest);
}

/* The largest weight of the rows used; usually one of them has the largest of all. */
static double largest_weight(const WeightBits *bits, const uint8_t *drawn, const int32_t *rows, int64_t n_rows) {
    for (int64_t at = 0; at < bits->n / 8; at++)
        if (drawn[at] & bits->is_largest[at])
            return bits->largest;
    double largest = 0.0;
    for (int64_t i = 0; i < n_rows; i++)
        largest = bits->weights[rows[i]] > largest ? bits->weights[rows[i]] : largest;
    return largest;
}

double find_drawn(const WeightBits *bits, const uint8_t *drawn, int32_t *rows, int64_t *n_rows) {
    int64_t n_found = 0;
    for (int64_t first = 0; first < bits->n; first += 8) {
        const unsigned own = drawn[first >> 3] & bits->is_positive[first >> 3];
        const int n = (int)(bits->n - first < 8 ? bits->n - first : 8);
        for (int i = 0; i < n; i++) {
            rows[n_found] = (int32_t)(first + i);
            n_found += own >> (7 - i) & 1;
        }
    }
    *n_rows = n_found;
    return largest_weight(bits, drawn, rows, n_found);
}
