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
    for (int byte = 0; byte < 256; byte++)
        for (int place = 0, n_set = 0; place < 8; place++)
            if (byte >> place & 1) {
                bits->places[byte] |= (uint64_t)place << (8 * n_set++);
                bits->n_places[byte] = (uint8_t)n_set;
            }
    for (int64_t first = 0; first < n; first += 8) {
        const int n_left = (int)(n - first < 8 ? n - first : 8);
        unsigned is_positive = 0, is_largest = 0;
        for (int place = 0; place < n_left; place++) {
            is_positive |= (unsigned)(weights[first + place] > 0.0) << place;
            is_largest |= (unsigned)(weights[first + place] == bits->largest) << place;
        }
        bits->is_positive[first >> 3] = (uint8_t)is_positive;
        bits->is_largest[first >> 3] = (uint8_t)is_largest;
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

/* Add the rows from `first` to `stop` that are used to a list of n_found; returns its new length. */
static int64_t add_drawn(const WeightBits *bits, const uint8_t *drawn, int64_t first, int64_t stop, int64_t n_found,
                         int32_t *rows) {
    for (int64_t row = first; row < stop; row++) {
        rows[n_found] = (int32_t)row;
        n_found += (drawn[row >> 3] & bits->is_positive[row >> 3]) >> (row & 7) & 1;
    }
    return n_found;
}

#if HAS_X86_VECTORS
/* The same from the first row on, 16 rows at a time; returns how many rows were looked at. */
static TARGET_AVX512_BASE int64_t add_drawn_avx512(const WeightBits *bits, const uint8_t *drawn, int64_t *n_found, int32_t *rows) {
    const int64_t stop = bits->n - bits->n % 16;
    __m512i own = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int64_t first = 0; first < stop; first += 16) {
        const int64_t at = first >> 3;
        const unsigned low = drawn[at] & bits->is_positive[at], high = drawn[at + 1] & bits->is_positive[at + 1];
        const unsigned used = low | high << 8;
        _mm512_storeu_si512(rows + *n_found, _mm512_maskz_compress_epi32((__mmask16)used, own));
        *n_found += __builtin_popcount(used);
        own = _mm512_add_epi32(own, _mm512_set1_epi32(16));
    }
    return stop;
}

/* The same, 8 rows at a time, with the places of the bits of a byte from a table. */
static TARGET_AVX2 int64_t add_drawn_avx2(const WeightBits *bits, const uint8_t *drawn, int64_t *n_found, int32_t *rows) {
    const int64_t n_bytes = bits->n / 8;
    for (int64_t at = 0; at < n_bytes; at++) {
        const unsigned used = drawn[at] & bits->is_positive[at];
        const __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(bits->places + used)));
        const __m256i own = _mm256_add_epi32(places, _mm256_set1_epi32((int)(8 * at)));
        _mm256_storeu_si256((__m256i *)(rows + *n_found), own);
        *n_found += bits->n_places[used];
    }
    return 8 * n_bytes;
}
#endif

double find_drawn(const WeightBits *bits, const uint8_t *drawn, int32_t *rows, int64_t *n_rows) {
    int64_t first = 0, n_found = 0;
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        first = add_drawn_avx512(bits, drawn, &n_found, rows);
    else if (level >= AVX2)
        first = add_drawn_avx2(bits, drawn, &n_found, rows);
#endif
    *n_rows = add_drawn(bits, drawn, first, bits->n, n_found, rows);
    return largest_weight(bits, drawn, rows, *n_rows);
}
