/* The bits that strings share: AND and popcount.
 *
 * One string on the left meets LANES strings at a time on the right, one in each lane of a vector, so that nothing is
 * ever summed across lanes. Four values on the left meet four on the right in registers.
 */
#include "kernels.h"

Level level = PORTABLE;

Level best_level(void) {
#if HAS_X86_VECTORS
    __builtin_cpu_init();
    const int has_base = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (has_base && __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2"))
        return AVX512;
    if (has_base)
        return AVX512_BASE;
    if (__builtin_cpu_supports("avx2"))
        return AVX2;
#endif
    return PORTABLE;
}

ALWAYS_INLINE uint64_t popcount(uint64_t x) {
#if defined(__aarch64__) && defined(__GNUC__)
    return (uint64_t)__builtin_popcountll(x); /* a vector instruction there */
#else
    x -= (x >> 1) & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (x * UINT64_C(0x0101010101010101)) >> 56;
#endif
}

static void shared_bits_portable(const uint64_t *left, int64_t left_step, int64_t n_left, const uint64_t *right,
                                 int64_t n_right, int64_t n_words, int64_t *sums) {
    for (int64_t w = 0; w < n_words; w++)
        for (int64_t a = 0; a < n_left; a++) {
            const uint64_t x = left[w * left_step + a * LANES];
            const uint64_t *y = right + w * n_right * LANES;
            int64_t *sum = sums + a * n_right * LANES;
            for (int64_t t = 0; t < n_right * LANES; t++)
                sum[t] += (int64_t)popcount(x & y[t]);
        }
}

#if HAS_X86_VECTORS

/* A x B values, A and B constants at compile time. */
ALWAYS_INLINE TARGET_AVX512 void block_avx512(const int A, const int B, const uint64_t *left, int64_t left_step,
                                              const uint64_t *right, int64_t right_step, int64_t n_words,
                                              int64_t *sums, int64_t sums_step) {
    __m512i sum[4][4];
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            sum[a][b] = _mm512_loadu_si512(sums + a * sums_step + b * LANES);
    for (int64_t w = 0; w < n_words; w++) {
        __m512i y[4];
        for (int b = 0; b < B; b++)
            y[b] = _mm512_loadu_si512(right + w * right_step + b * LANES);
        for (int a = 0; a < A; a++) {
            const __m512i x = _mm512_set1_epi64((long long)left[w * left_step + a * LANES]);
            for (int b = 0; b < B; b++)
                sum[a][b] = _mm512_add_epi64(sum[a][b], _mm512_popcnt_epi64(_mm512_and_si512(x, y[b])));
        }
    }
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            _mm512_storeu_si512(sums + a * sums_step + b * LANES, sum[a][b]);
}

/* Bytes are counted by look-up of half bytes, and summed in bytes for as long as they cannot overflow. */
#define WORDS_IN_BYTES 31

ALWAYS_INLINE TARGET_AVX2 __m256i byte_counts_avx2(__m256i x) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i high_half = _mm256_and_si256(_mm256_srli_epi16(x, 4), low);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, low)), _mm256_shuffle_epi8(table, high_half));
}

ALWAYS_INLINE TARGET_AVX2 void block_avx2(const int A, const int B, const uint64_t *left, int64_t left_step,
                                          const uint64_t *right, int64_t right_step, int64_t n_words, int64_t *sums,
                                          int64_t sums_step) {
    for (int half = 0; half < LANES; half += 4)
        for (int64_t first = 0; first < n_words; first += WORDS_IN_BYTES) {
            const int64_t stop = first + WORDS_IN_BYTES < n_words ? first + WORDS_IN_BYTES : n_words;
            __m256i bytes[2][2];
            for (int a = 0; a < A; a++)
                for (int b = 0; b < B; b++)
                    bytes[a][b] = _mm256_setzero_si256();
            for (int64_t w = first; w < stop; w++) {
                __m256i y[2];
                for (int b = 0; b < B; b++)
                    y[b] = _mm256_loadu_si256((const __m256i *)(const void *)(right + w * right_step + b * LANES + half));
                for (int a = 0; a < A; a++) {
                    const __m256i x = _mm256_set1_epi64x((long long)left[w * left_step + a * LANES]);
                    for (int b = 0; b < B; b++)
                        bytes[a][b] = _mm256_add_epi8(bytes[a][b], byte_counts_avx2(_mm256_and_si256(x, y[b])));
                }
            }
            for (int a = 0; a < A; a++)
                for (int b = 0; b < B; b++) {
                    __m256i *sum = (__m256i *)(void *)(sums + a * sums_step + b * LANES + half);
                    const __m256i more = _mm256_sad_epu8(bytes[a][b], _mm256_setzero_si256());
                    _mm256_storeu_si256(sum, _mm256_add_epi64(_mm256_loadu_si256(sum), more));
                }
        }
}

/* Most values of a right feature, less one, whose remaining counts are kept at hand. */
#define MOST_AT_HAND 15

ALWAYS_INLINE TARGET_AVX2 __m256i terms_of(const int64_t *terms, __m256i counts) {
    int64_t each[4];
    _mm256_storeu_si256((__m256i *)(void *)each, counts);
    return _mm256_setr_epi64x(terms[each[0]], terms[each[1]], terms[each[2]], terms[each[3]]);
}

static TARGET_AVX2 void short_terms_avx2(const ShortClass *of, const int64_t *terms, int64_t *out) {
    const int64_t left_step = of->left_step, right_step = of->n_right * LANES;
    for (int half = 0; half < LANES; half += 4) {
        __m256i below[MOST_AT_HAND], corner = _mm256_set1_epi64x(of->n);
        __m256i total = _mm256_loadu_si256((const __m256i *)(const void *)(out + half));
        for (int64_t b = 0; b < of->n_right; b++)
            below[b] = _mm256_loadu_si256((const __m256i *)(const void *)(of->right_singles + b * LANES + half));
        for (int64_t a = 0; a < of->n_left; a++) {
            __m256i rest = _mm256_set1_epi64x(of->left_singles[a * LANES]);
            corner = _mm256_sub_epi64(corner, rest);
            for (int64_t b = 0; b < of->n_right; b++) {
                __m256i bytes = _mm256_setzero_si256();
                for (int64_t w = 0; w < of->n_words; w++) {
                    const __m256i x = _mm256_set1_epi64x((long long)of->left[w * left_step + a * LANES]);
                    const uint64_t *own = of->right + w * right_step + b * LANES + half;
                    const __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)own);
                    bytes = _mm256_add_epi8(bytes, byte_counts_avx2(_mm256_and_si256(x, y)));
                }
                const __m256i cell = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                rest = _mm256_sub_epi64(rest, cell);
                below[b] = _mm256_sub_epi64(below[b], cell);
                total = _mm256_add_epi64(total, terms_of(terms, cell));
            }
            total = _mm256_add_epi64(total, terms_of(terms, rest));
        }
        for (int64_t b = 0; b < of->n_right; b++) {
            corner = _mm256_sub_epi64(corner, below[b]);
            total = _mm256_add_epi64(total, terms_of(terms, below[b]));
        }
        total = _mm256_add_epi64(total, terms_of(terms, corner));
        _mm256_storeu_si256((__m256i *)(void *)(out + half), total);
    }
}

/* Words of a class up to which its cells are not worth keeping. */
#define SHORT_WORDS 8
/* Terms of counts below 16, 32 or 64 are looked up in registers, 16 terms in each of so many pairs of them. */
#define MOST_PAIRS 4

ALWAYS_INLINE TARGET_AVX512 __m512i looked_up(const int PAIRS, const __m512i *terms, __m512i counts) {
    __m512i found[MOST_PAIRS];
    for (int p = 0; p < PAIRS; p++)
        found[p] = _mm512_permutex2var_epi64(terms[2 * p], counts, terms[2 * p + 1]);
    if (PAIRS > 1) {
        const __mmask8 is_upper = _mm512_test_epi64_mask(counts, _mm512_set1_epi64(16));
        for (int p = 0; p < PAIRS; p += 2)
            found[p] = _mm512_mask_mov_epi64(found[p], is_upper, found[p + 1]);
    }
    if (PAIRS > 2)
        found[0] = _mm512_mask_mov_epi64(found[0], _mm512_test_epi64_mask(counts, _mm512_set1_epi64(32)), found[2]);
    return found[0];
}

ALWAYS_INLINE TARGET_AVX512 void short_terms_of(const int PAIRS, const ShortClass *of, const int64_t *terms,
                                                int64_t most, int64_t *out) {
    const int64_t left_step = of->left_step, right_step = of->n_right * LANES;
    __m512i table[2 * MOST_PAIRS], below[MOST_AT_HAND], corner = _mm512_set1_epi64(of->n);
    for (int t = 0; t < 2 * PAIRS; t++) {
        /* There are no terms of more rows than the table has. */
        const int64_t n_left = most + 1 - 8 * t;
        const __mmask8 is_there = (__mmask8)(n_left >= 8 ? 255 : n_left > 0 ? (1 << n_left) - 1 : 0);
        table[t] = _mm512_maskz_loadu_epi64(is_there, terms + (n_left > 0 ? 8 * t : 0));
    }
    __m512i total = _mm512_loadu_si512(out);
    for (int64_t b = 0; b < of->n_right; b++)
        below[b] = _mm512_loadu_si512(of->right_singles + b * LANES);
    for (int64_t a = 0; a < of->n_left; a++) {
        __m512i rest = _mm512_set1_epi64(of->left_singles[a * LANES]);
        corner = _mm512_sub_epi64(corner, rest);
        for (int64_t b = 0; b < of->n_right; b++) {
            __m512i cell = _mm512_setzero_si512();
            for (int64_t w = 0; w < of->n_words; w++) {
                const __m512i x = _mm512_set1_epi64((long long)of->left[w * left_step + a * LANES]);
                const __m512i y = _mm512_loadu_si512(of->right + w * right_step + b * LANES);
                cell = _mm512_add_epi64(cell, _mm512_popcnt_epi64(_mm512_and_si512(x, y)));
            }
            rest = _mm512_sub_epi64(rest, cell);
            below[b] = _mm512_sub_epi64(below[b], cell);
            total = _mm512_add_epi64(total, looked_up(PAIRS, table, cell));
        }
        total = _mm512_add_epi64(total, looked_up(PAIRS, table, rest));
    }
    for (int64_t b = 0; b < of->n_right; b++) {
        corner = _mm512_sub_epi64(corner, below[b]);
        total = _mm512_add_epi64(total, looked_up(PAIRS, table, below[b]));
    }
    total = _mm512_add_epi64(total, looked_up(PAIRS, table, corner));
    _mm512_storeu_si512(out, total);
}

/* Largest number of rows of a value of the left feature: no cell has more. */
static int64_t most_rows(const ShortClass *of) {
    int64_t most = 0, last = of->n;
    for (int64_t a = 0; a < of->n_left; a++) {
        const int64_t rows = of->left_singles[a * LANES];
        most = rows > most ? rows : most;
        last -= rows;
    }
    return last > most ? last : most;
}

static TARGET_AVX512 int short_terms_avx512(const ShortClass *of, const int64_t *terms, int64_t *out) {
    const int64_t most = most_rows(of);
    if (most < 16)
        short_terms_of(1, of, terms, most, out);
    else if (most < 32)
        short_terms_of(2, of, terms, most, out);
    else if (most < 64)
        short_terms_of(4, of, terms, most, out);
    else
        return 0;
    return 1;
}

#define ARGUMENTS left + a * LANES, left_step, right + b * LANES, right_step, n_words, sum, sums_step

static TARGET_AVX512 void shared_bits_avx512(const uint64_t *left, int64_t left_step, int64_t n_left,
                                             const uint64_t *right, int64_t n_right, int64_t n_words, int64_t *sums) {
    const int64_t right_step = n_right * LANES, sums_step = n_right * LANES;
    for (int64_t a = 0; a < n_left; a += 4)
        for (int64_t b = 0; b < n_right; b += 4) {
            int64_t *sum = sums + a * sums_step + b * LANES;
            const int64_t A = n_left - a < 4 ? n_left - a : 4, B = n_right - b < 4 ? n_right - b : 4;
            switch (A * 4 + B) {
            case 5: block_avx512(1, 1, ARGUMENTS); break;
            case 6: block_avx512(1, 2, ARGUMENTS); break;
            case 7: block_avx512(1, 3, ARGUMENTS); break;
            case 8: block_avx512(1, 4, ARGUMENTS); break;
            case 9: block_avx512(2, 1, ARGUMENTS); break;
            case 10: block_avx512(2, 2, ARGUMENTS); break;
            case 11: block_avx512(2, 3, ARGUMENTS); break;
            case 12: block_avx512(2, 4, ARGUMENTS); break;
            case 13: block_avx512(3, 1, ARGUMENTS); break;
            case 14: block_avx512(3, 2, ARGUMENTS); break;
            case 15: block_avx512(3, 3, ARGUMENTS); break;
            case 16: block_avx512(3, 4, ARGUMENTS); break;
            case 17: block_avx512(4, 1, ARGUMENTS); break;
            case 18: block_avx512(4, 2, ARGUMENTS); break;
            case 19: block_avx512(4, 3, ARGUMENTS); break;
            default: block_avx512(4, 4, ARGUMENTS); break;
            }
        }
}

static TARGET_AVX2 void shared_bits_avx2(const uint64_t *left, int64_t left_step, int64_t n_left, const uint64_t *right,
                                         int64_t n_right, int64_t n_words, int64_t *sums) {
    const int64_t right_step = n_right * LANES, sums_step = n_right * LANES;
    for (int64_t a = 0; a < n_left; a += 2)
        for (int64_t b = 0; b < n_right; b += 2) {
            int64_t *sum = sums + a * sums_step + b * LANES;
            const int has_two_left = n_left - a > 1, has_two_right = n_right - b > 1;
            if (has_two_left && has_two_right)
                block_avx2(2, 2, ARGUMENTS);
            else if (has_two_left)
                block_avx2(2, 1, ARGUMENTS);
            else if (has_two_right)
                block_avx2(1, 2, ARGUMENTS);
            else
                block_avx2(1, 1, ARGUMENTS);
        }
}

static TARGET_AVX512 int64_t roofline_avx512(const uint64_t *words, int64_t n, int64_t repeats) {
    __m512i sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    __m512i x = _mm512_set1_epi64(-1);
    for (int64_t r = 0; r < repeats; r++) {
        for (int64_t w = 0; w + 4 * LANES <= n; w += 4 * LANES)
            for (int t = 0; t < 4; t++)
                sum[t] = _mm512_add_epi64(
                    sum[t], _mm512_popcnt_epi64(_mm512_and_si512(x, _mm512_loadu_si512(words + w + t * LANES))));
        x = _mm512_sub_epi64(x, _mm512_set1_epi64(1));
    }
    return _mm512_reduce_add_epi64(_mm512_add_epi64(_mm512_add_epi64(sum[0], sum[1]), _mm512_add_epi64(sum[2], sum[3])));
}

static TARGET_AVX2 int64_t roofline_avx2(const uint64_t *words, int64_t n, int64_t repeats) {
    __m256i sum = _mm256_setzero_si256();
    __m256i x = _mm256_set1_epi64x(-1);
    for (int64_t r = 0; r < repeats; r++) {
        for (int64_t first = 0; first < n / 4; first += WORDS_IN_BYTES) {
            const int64_t stop = first + WORDS_IN_BYTES < n / 4 ? first + WORDS_IN_BYTES : n / 4;
            __m256i bytes = _mm256_setzero_si256();
            for (int64_t w = first; w < stop; w++) {
                const __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(words + 4 * w));
                bytes = _mm256_add_epi8(bytes, byte_counts_avx2(_mm256_and_si256(x, y)));
            }
            sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
        }
        x = _mm256_sub_epi64(x, _mm256_set1_epi64x(1));
    }
    int64_t lanes[4];
    _mm256_storeu_si256((__m256i *)(void *)lanes, sum);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

#endif

void shared_bits(const uint64_t *left, int64_t left_step, int64_t n_left, const uint64_t *right, int64_t n_right,
                 int64_t n_words, int64_t *sums) {
#if HAS_X86_VECTORS
    if (level == AVX512) {
        shared_bits_avx512(left, left_step, n_left, right, n_right, n_words, sums);
        return;
    }
    if (level >= AVX2) {
        shared_bits_avx2(left, left_step, n_left, right, n_right, n_words, sums);
        return;
    }
#endif
    shared_bits_portable(left, left_step, n_left, right, n_right, n_words, sums);
}

int64_t roofline(const uint64_t *words, int64_t n, int64_t repeats) {
#if HAS_X86_VECTORS
    if (level == AVX512)
        return roofline_avx512(words, n, repeats);
    if (level >= AVX2)
        return roofline_avx2(words, n, repeats);
#endif
    int64_t sum = 0;
    uint64_t x = UINT64_MAX;
    for (int64_t r = 0; r < repeats; r++, x--)
        for (int64_t w = 0; w < n; w++)
            sum += (int64_t)popcount(x & words[w]);
    return sum;
}

int add_short_class(const ShortClass *of, const int64_t *terms, int64_t *out) {
#if HAS_X86_VECTORS
    if (level == AVX512)
        return of->n_words <= SHORT_WORDS && of->n_right <= MOST_AT_HAND && short_terms_avx512(of, terms, out);
    if (level >= AVX2 && of->n_words <= WORDS_IN_BYTES && of->n_right <= MOST_AT_HAND) {
        short_terms_avx2(of, terms, out);
        return 1;
    }
#endif
    (void)of;
    (void)terms;
    (void)out;
    return 0;
}
