/* Pack codes into bits: rows sorted by class, one string of bits for every value of a feature except its last.
 *
 * Rows are read in their order. Each class has a short buffer of codes; as soon as it holds 64 rows, they become one word
 * of every value, for LANES features at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define WORD_ROWS 64
/* A byte that is not a code of any packed feature; it fills the buffer after the last row of a class. */
#define NO_CODE 255

/* Bit t is set where codes[t] == value. */
ALWAYS_INLINE uint64_t equal_bits(const uint8_t *codes, uint8_t value) {
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8((char)value);
    uint64_t word = 0;
    for (int t = 0; t < 4; t++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(codes + 16 * t));
        word |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(part, wanted)) << (16 * t);
    }
    return word;
#else
    uint64_t word = 0;
    for (int t = 0; t < WORD_ROWS; t++)
        word |= (uint64_t)(codes[t] == value) << t;
    return word;
#endif
}

/* One word of every value from 64 codes of each lane, of which the first `kept` values have bits. */
static void emit(uint8_t codes[LANES][WORD_ROWS], const int64_t *kept, int64_t n_kept, uint64_t *words) {
    for (int64_t b = 0; b < n_kept; b++)
        for (int l = 0; l < LANES; l++)
            words[b * LANES + l] = b < kept[l] ? equal_bits(codes[l], (uint8_t)b) : 0;
}

static int pack_rows(const uint8_t *const *columns, const int64_t *labels, int64_t n, int64_t n_classes,
                     const int64_t *class_words, const int64_t *kept, int64_t n_kept, uint64_t *words) {
    typedef uint8_t Buffer[LANES][WORD_ROWS];
    Buffer *buffers = malloc((size_t)n_classes * sizeof(Buffer));
    int64_t *filled = calloc((size_t)n_classes, sizeof(int64_t));
    int64_t *next = malloc((size_t)n_classes * sizeof(int64_t));
    if (buffers && filled && next) {
        memcpy(next, class_words, (size_t)n_classes * sizeof(int64_t));
        memset(buffers, NO_CODE, (size_t)n_classes * sizeof(Buffer));
        for (int64_t i = 0; i < n; i++) {
            const int64_t c = labels[i], t = filled[c];
            for (int l = 0; l < LANES; l++)
                if (columns[l])
                    buffers[c][l][t] = columns[l][i];
            filled[c] = t + 1;
            if (t + 1 == WORD_ROWS) {
                emit(buffers[c], kept, n_kept, words + next[c]++ * n_kept * LANES);
                filled[c] = 0;
            }
        }
        for (int64_t c = 0; c < n_classes; c++)
            if (filled[c]) {
                for (int l = 0; l < LANES; l++)
                    memset(buffers[c][l] + filled[c], NO_CODE, (size_t)(WORD_ROWS - filled[c]));
                emit(buffers[c], kept, n_kept, words + next[c] * n_kept * LANES);
            }
    }
    const int has_memory = buffers && filled && next;
    free(buffers);
    free(filled);
    free(next);
    return has_memory ? 0 : -1;
}

#if HAS_X86_VECTORS

/* Up to this many classes, picking the rows of each class out of 64 rows is faster than going row by row. */
#define FEW_CLASSES 8

static TARGET_AVX512 void emit_avx512(uint8_t codes[LANES][2 * WORD_ROWS], const int64_t *kept, int64_t n_kept,
                                      uint64_t *words) {
    __m512i part[LANES];
    for (int l = 0; l < LANES; l++)
        part[l] = _mm512_loadu_si512(codes[l]);
    for (int64_t b = 0; b < n_kept; b++) {
        const __m512i value = _mm512_set1_epi8((char)b);
        for (int l = 0; l < LANES; l++)
            words[b * LANES + l] = b < kept[l] ? _cvtmask64_u64(_mm512_cmpeq_epi8_mask(part[l], value)) : 0;
    }
}

static TARGET_AVX512 void pack_rows_avx512(const uint8_t *const *columns, const int64_t *labels, int64_t n,
                                           int64_t n_classes, const int64_t *class_words, const int64_t *kept,
                                           int64_t n_kept, uint64_t *words) {
    uint8_t buffers[FEW_CLASSES][LANES][2 * WORD_ROWS];
    int64_t filled[FEW_CLASSES] = {0}, next[FEW_CLASSES];
    memset(buffers, NO_CODE, sizeof buffers);
    for (int64_t c = 0; c < n_classes; c++)
        next[c] = class_words[c];
    for (int64_t first = 0; first < n; first += WORD_ROWS) {
        const int64_t n_rows = n - first < WORD_ROWS ? n - first : WORD_ROWS;
        const __mmask64 is_row = n_rows == WORD_ROWS ? ~UINT64_C(0) : (UINT64_C(1) << n_rows) - 1;
        __m512i part[LANES];
        for (int l = 0; l < LANES; l++)
            part[l] = columns[l] ? _mm512_maskz_loadu_epi8(is_row, columns[l] + first) : _mm512_set1_epi8((char)NO_CODE);
        uint64_t masks[FEW_CLASSES] = {0};
        for (int64_t t = 0; t < WORD_ROWS; t += LANES) {
            const __mmask8 is_label = (__mmask8)(is_row >> t);
            if (!is_label)
                break;
            const __m512i label = _mm512_maskz_loadu_epi64(is_label, labels + first + t);
            for (int64_t c = 0; c < n_classes; c++)
                masks[c] |= (uint64_t)_mm512_mask_cmpeq_epi64_mask(is_label, label, _mm512_set1_epi64(c)) << t;
        }
        for (int64_t c = 0; c < n_classes; c++) {
            for (int l = 0; l < LANES; l++)
                _mm512_storeu_si512(buffers[c][l] + filled[c], _mm512_maskz_compress_epi8(masks[c], part[l]));
            filled[c] += __builtin_popcountll(masks[c]);
            if (filled[c] >= WORD_ROWS) {
                emit_avx512(buffers[c], kept, n_kept, words + next[c]++ * n_kept * LANES);
                filled[c] -= WORD_ROWS;
                for (int l = 0; l < LANES; l++)
                    _mm512_storeu_si512(buffers[c][l], _mm512_loadu_si512(buffers[c][l] + WORD_ROWS));
            }
        }
    }
    for (int64_t c = 0; c < n_classes; c++)
        if (filled[c]) {
            for (int l = 0; l < LANES; l++)
                memset(buffers[c][l] + filled[c], NO_CODE, (size_t)(WORD_ROWS - filled[c]));
            emit_avx512(buffers[c], kept, n_kept, words + next[c] * n_kept * LANES);
        }
}

#endif

int pack_group(const uint8_t *const *columns, const int64_t *labels, int64_t n, int64_t n_classes,
               const int64_t *class_words, const int64_t *kept, int64_t n_kept, uint64_t *words, int64_t *singles) {
    static const uint64_t everything[1] = {UINT64_MAX};
    memset(singles, 0, (size_t)(n_classes * n_kept * LANES) * sizeof(int64_t));
    if (n_kept == 0)
        return 0;
#if HAS_X86_VECTORS
    if (level == AVX512 && n_classes <= FEW_CLASSES)
        pack_rows_avx512(columns, labels, n, n_classes, class_words, kept, n_kept, words);
    else
#endif
        if (pack_rows(columns, labels, n, n_classes, class_words, kept, n_kept, words))
        return -1;
    for (int64_t c = 0; c < n_classes; c++)
        shared_bits(everything, 0, 1, words + class_words[c] * n_kept * LANES, n_kept,
                    class_words[c + 1] - class_words[c], singles + c * n_kept * LANES);
    return 0;
}
