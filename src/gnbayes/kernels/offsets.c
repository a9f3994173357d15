/* Cells of rows in the table of a term: the sum of the offsets of its codes. A code that is not known counts like some code
 * that is, and its row is marked. */
#include <string.h>

#include "kernels.h"

ALWAYS_INLINE uint32_t largest_offset(const int32_t *offsets, int64_t n) {
    uint32_t most = 0;
    for (int64_t t = 0; t < n; t++)
        most = (uint32_t)offsets[t] > most ? (uint32_t)offsets[t] : most;
    return most;
}

#if HAS_X86_VECTORS
static TARGET_AVX512_BASE uint32_t largest_offset_avx512(const int32_t *offsets, int64_t n) {
    __m512i most = _mm512_setzero_si512();
    for (int64_t t = 0; t < n; t += 16) {
        const __mmask16 are_here = (__mmask16)(n - t < 16 ? (1 << (n - t)) - 1 : 0xffff);
        most = _mm512_max_epu32(most, _mm512_maskz_loadu_epi32(are_here, offsets + t));
    }
    return _mm512_reduce_max_epu32(most);
}
#endif

uint32_t furthest_offset(const int32_t *offsets, int64_t n) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        return largest_offset_avx512(offsets, n);
#endif
    return largest_offset(offsets, n);
}

#define OFFSETS(TYPE)                                                                                                  \
    do {                                                                                                               \
        const TYPE *own = (const TYPE *)codes + axis->feature * n + first;                                             \
        TYPE most = 0;                                                                                                 \
        for (int64_t t = 0; t < n_rows; t++)                                                                           \
            most = own[t] > most ? own[t] : most;                                                                      \
        if (most < n_known) {                                                                                          \
            for (int64_t t = 0; t < n_rows; t++)                                                                       \
                cells[t] = (is_first ? 0 : cells[t]) + offsets[own[t]];                                                \
            return;                                                                                                    \
        }                                                                                                              \
        for (int64_t t = 0; t < n_rows; t++) {                                                                         \
            const uint32_t is_absent = own[t] >= n_known;                                                              \
            cells[t] = (is_first ? 0 : cells[t]) + offsets[is_absent ? 0 : own[t]];                                    \
            is_incomplete[t] |= (uint8_t)is_absent;                                                                    \
        }                                                                                                              \
    } while (0)

ALWAYS_INLINE void add_offsets(const void *codes, int itemsize, int64_t n, const Axis *axis, const int32_t *offsets,
                               int64_t first, int64_t n_rows, const int is_first, int32_t *restrict cells,
                               uint8_t *restrict is_incomplete) {
    const uint32_t n_known = (uint32_t)axis->n_known;
    switch (itemsize) {
    case 1: OFFSETS(uint8_t); break;
    case 2: OFFSETS(uint16_t); break;
    default: OFFSETS(uint32_t); break;
    }
}

static void first_offsets(const void *codes, int itemsize, int64_t n, const Axis *axis, const int32_t *offsets,
                          int64_t first, int64_t n_rows, int32_t *cells, uint8_t *is_incomplete) {
    add_offsets(codes, itemsize, n, axis, offsets, first, n_rows, 1, cells, is_incomplete);
}

static void more_offsets(const void *codes, int itemsize, int64_t n, const Axis *axis, const int32_t *offsets,
                         int64_t first, int64_t n_rows, int32_t *cells, uint8_t *is_incomplete) {
    add_offsets(codes, itemsize, n, axis, offsets, first, n_rows, 0, cells, is_incomplete);
}

#if HAS_X86_VECTORS
/* Codes of one byte are looked up many at a time. An instruction looks up one of 16 bytes, so offsets are split into their
 * low and their high bytes, and codes into chunks of 16; a code beyond all chunks finds 0. */
#define CHUNK 16
/* Added to the place of a code in a chunk, it sets the sign of what does not lie in the chunk, and so finds 0. */
#define BEYOND 0x70
typedef struct {
    int64_t n_chunks;
    uint8_t low[TREE_CODES], high[TREE_CODES];
} ByteOffsets;

/* Mark rows whose code has no offset, if the largest codes say that there are some; n_known is at most 256. */
static void mark_unknown(const uint8_t *codes, int64_t n_rows, int64_t n_known, const uint8_t most[64],
                         uint8_t *is_incomplete) {
    uint8_t largest = 0;
    for (int i = 0; i < 64; i++)
        largest = most[i] > largest ? most[i] : largest;
    if (largest < n_known)
        return;
    for (int64_t t = 0; t < n_rows; t++)
        is_incomplete[t] |= (uint8_t)(codes[t] >= n_known);
}

/* Split n offsets; returns the largest one. */
static TARGET_AVX2 int64_t split_avx2(const int32_t *offsets, int64_t n, ByteOffsets *out) {
    const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), bytes = _mm256_set1_epi32(255);
    __m256i most = _mm256_setzero_si256();
    int32_t each[8], largest = 0;
    out->n_chunks = (n + CHUNK - 1) / CHUNK;
    for (int64_t t = 0; t < n; t += CHUNK) {
        const __m256i left = _mm256_set1_epi32((int)(n - t)), far_places = _mm256_add_epi32(places, _mm256_set1_epi32(8));
        const __m256i near = _mm256_maskload_epi32(offsets + t, _mm256_cmpgt_epi32(left, places));
        /* Nothing is read where the mask is empty, but an address beyond the array is not to be made. */
        const __m256i far = n - t > 8 ? _mm256_maskload_epi32(offsets + t + 8, _mm256_cmpgt_epi32(left, far_places))
                                      : _mm256_setzero_si256();
        most = _mm256_max_epi32(most, _mm256_max_epi32(near, far));
        const __m256i lows = _mm256_packus_epi32(_mm256_and_si256(near, bytes), _mm256_and_si256(far, bytes));
        const __m256i highs = _mm256_packus_epi32(_mm256_srli_epi32(near, 8), _mm256_srli_epi32(far, 8));
        /* In each half: four low bytes of the near ones, four of the far ones, then the same of high ones. */
        const __m256i both = _mm256_packus_epi16(lows, highs);
        const __m256i sorted = _mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        _mm_storeu_si128((__m128i *)(void *)(out->low + t), _mm256_castsi256_si128(sorted));
        _mm_storeu_si128((__m128i *)(void *)(out->high + t), _mm256_extracti128_si256(sorted, 1));
    }
    _mm256_storeu_si256((__m256i *)(void *)each, most);
    for (int i = 0; i < 8; i++)
        largest = each[i] > largest ? each[i] : largest;
    return largest;
}

static TARGET_AVX512_BASE int64_t split_avx512(const int32_t *offsets, int64_t n, ByteOffsets *out) {
    __m512i most = _mm512_setzero_si512();
    out->n_chunks = (n + CHUNK - 1) / CHUNK;
    for (int64_t t = 0; t < n; t += CHUNK) {
        const __mmask16 are_here = (__mmask16)(n - t < CHUNK ? (1 << (n - t)) - 1 : 0xffff);
        const __m512i own = _mm512_maskz_loadu_epi32(are_here, offsets + t);
        most = _mm512_max_epi32(most, own);
        _mm_storeu_si128((__m128i *)(void *)(out->low + t), _mm512_cvtepi32_epi8(own));
        _mm_storeu_si128((__m128i *)(void *)(out->high + t), _mm512_cvtepi32_epi8(_mm512_srli_epi32(own, 8)));
    }
    return _mm512_reduce_max_epi32(most);
}

/* What is looked up stays in its 16 bytes of a vector: fours of codes change places first, so that unpacking twice brings
 * rows into their order. */
ALWAYS_INLINE TARGET_AVX2 void cells_of_32(const uint8_t *const *codes, const ByteOffsets *offsets, int64_t n_axes,
                                           int64_t t, const int has_high, __m256i *most, int32_t *cells) {
    const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7), beyond = _mm256_set1_epi8(BEYOND);
    const __m256i zero = _mm256_setzero_si256();
    __m256i first = zero, second = zero;
    for (int64_t a = 0; a < n_axes; a++) {
        __m256i own = _mm256_loadu_si256((const __m256i *)(const void *)(codes[a] + t)), low = zero, high = zero;
        most[a] = _mm256_max_epu8(most[a], own);
        own = _mm256_permutevar8x32_epi32(own, order);
        for (int64_t c = 0; c < offsets[a].n_chunks; c++) {
            const __m256i place = _mm256_adds_epu8(_mm256_xor_si256(own, _mm256_set1_epi8((char)(CHUNK * c))), beyond);
            const __m128i *lows = (const __m128i *)(const void *)offsets[a].low + c;
            const __m128i *highs = (const __m128i *)(const void *)offsets[a].high + c;
            low = _mm256_or_si256(low, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(lows)), place));
            if (has_high)
                high = _mm256_or_si256(high,
                                       _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(highs)), place));
        }
        first = _mm256_add_epi16(first, _mm256_unpacklo_epi8(low, high));
        second = _mm256_add_epi16(second, _mm256_unpackhi_epi8(low, high));
    }
    __m256i *out = (__m256i *)(void *)cells;
    _mm256_storeu_si256(out, _mm256_unpacklo_epi16(first, zero));
    _mm256_storeu_si256(out + 1, _mm256_unpackhi_epi16(first, zero));
    _mm256_storeu_si256(out + 2, _mm256_unpacklo_epi16(second, zero));
    _mm256_storeu_si256(out + 3, _mm256_unpackhi_epi16(second, zero));
}

ALWAYS_INLINE TARGET_AVX512_BASE void cells_of_64(const uint8_t *const *codes, const ByteOffsets *offsets, int64_t n_axes,
                                                  int64_t t, const int has_high, __m512i *most, int32_t *cells) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i zero = _mm512_setzero_si512(), beyond = _mm512_set1_epi8(BEYOND);
    __m512i first = zero, second = zero;
    for (int64_t a = 0; a < n_axes; a++) {
        __m512i own = _mm512_loadu_si512(codes[a] + t), low = zero, high = zero;
        most[a] = _mm512_max_epu8(most[a], own);
        own = _mm512_permutexvar_epi32(order, own);
        for (int64_t c = 0; c < offsets[a].n_chunks; c++) {
            const __m512i place = _mm512_adds_epu8(_mm512_xor_si512(own, _mm512_set1_epi8((char)(CHUNK * c))), beyond);
            const __m128i *lows = (const __m128i *)(const void *)offsets[a].low + c;
            const __m128i *highs = (const __m128i *)(const void *)offsets[a].high + c;
            low = _mm512_or_si512(low, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(lows)), place));
            if (has_high)
                high = _mm512_or_si512(high, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(highs)), place));
        }
        first = _mm512_add_epi16(first, _mm512_unpacklo_epi8(low, high));
        second = _mm512_add_epi16(second, _mm512_unpackhi_epi8(low, high));
    }
    _mm512_storeu_si512(cells, _mm512_unpacklo_epi16(first, zero));
    _mm512_storeu_si512(cells + 16, _mm512_unpackhi_epi16(first, zero));
    _mm512_storeu_si512(cells + 32, _mm512_unpacklo_epi16(second, zero));
    _mm512_storeu_si512(cells + 48, _mm512_unpackhi_epi16(second, zero));
}

/* All rows, as many at a time as a vector holds; `most` (n_axes, SIZE) becomes the largest codes. */
#define ALL_CELLS(VECTOR, OF_VECTOR)                                                                                   \
    do {                                                                                                               \
        enum { SIZE = sizeof(VECTOR) };                                                                                \
        VECTOR largest[MOST_AXES];                                                                                     \
        memset(largest, 0, sizeof largest);                                                                            \
        int64_t t = 0;                                                                                                 \
        for (; t <= n_rows - SIZE; t += SIZE)                                                                          \
            OF_VECTOR(codes, offsets, n_axes, t, has_high, largest, cells + t);                                        \
        if (t < n_rows) {                                                                                              \
            uint8_t last[MOST_AXES][SIZE] = {{0}};                                                                     \
            const uint8_t *last_codes[MOST_AXES];                                                                      \
            int32_t found[SIZE];                                                                                       \
            for (int64_t a = 0; a < n_axes; a++)                                                                       \
                last_codes[a] = memcpy(last[a], codes[a] + t, (size_t)(n_rows - t));                                   \
            OF_VECTOR(last_codes, offsets, n_axes, 0, has_high, largest, found);                                       \
            memcpy(cells + t, found, (size_t)(n_rows - t) * sizeof(int32_t));                                          \
        }                                                                                                              \
        for (int64_t a = 0; a < n_axes; a++)                                                                           \
            memcpy(most[a], &largest[a], SIZE);                                                                        \
    } while (0)
#define ALL_CELLS_ARGUMENTS                                                                                            \
    const uint8_t *const *codes, const ByteOffsets *offsets, int64_t n_axes, int64_t n_rows, int32_t *cells,           \
        uint8_t most[MOST_AXES][64]

static TARGET_AVX2 void all_cells_avx2(ALL_CELLS_ARGUMENTS, int is_wide) {
    if (is_wide) {
        const int has_high = 1;
        ALL_CELLS(__m256i, cells_of_32);
    } else {
        const int has_high = 0;
        ALL_CELLS(__m256i, cells_of_32);
    }
}

static TARGET_AVX512_BASE void all_cells_avx512(ALL_CELLS_ARGUMENTS, int is_wide) {
    if (is_wide) {
        const int has_high = 1;
        ALL_CELLS(__m512i, cells_of_64);
    } else {
        const int has_high = 0;
        ALL_CELLS(__m512i, cells_of_64);
    }
}

static int64_t byte_cells(const uint8_t *codes, int64_t n, const SumTerm *term, const int32_t *offsets, int64_t n_rows,
                          int32_t *cells, uint8_t *is_incomplete) {
    ByteOffsets split[MOST_AXES];
    const uint8_t *own[MOST_AXES];
    uint8_t most[MOST_AXES][64] = {{0}};
    int64_t last = 0;
    for (int64_t a = 0; a < term->n_axes; a++) {
        const Axis *axis = term->axes + a;
        if (axis->n_known > TREE_CODES)
            return -1;
        own[a] = codes + axis->feature * n;
        last += (level >= AVX512_BASE ? split_avx512 : split_avx2)(offsets + axis->start, axis->n_known, &split[a]);
    }
    if (last > UINT16_MAX)
        return -1;
    (level >= AVX512_BASE ? all_cells_avx512 : all_cells_avx2)(own, split, term->n_axes, n_rows, cells, most,
                                                               last > UINT8_MAX);
    for (int64_t a = 0; a < term->n_axes; a++)
        mark_unknown(own[a], n_rows, term->axes[a].n_known, most[a], is_incomplete);
    return last;
}
#endif

int64_t term_cells(const void *codes, int itemsize, int64_t n, const SumTerm *term, const int32_t *offsets, int64_t first,
                   int64_t n_rows, int32_t *cells, uint8_t *is_incomplete) {
#if HAS_X86_VECTORS
    if (level >= AVX2 && itemsize == 1) {
        const int64_t last =
            byte_cells((const uint8_t *)codes + first, n, term, offsets, n_rows, cells, is_incomplete);
        if (last >= 0)
            return last;
    }
#endif
    for (int64_t a = 0; a < term->n_axes; a++)
        (a ? more_offsets : first_offsets)(codes, itemsize, n, &term->axes[a], offsets + term->axes[a].start, first, n_rows,
                                           cells, is_incomplete);
    return -1;
}
