/* Bins of numbers: how many cuts each of them reaches.
 *
 * Cuts are searched by halves. Those that the first steps look at, or all of them, stay in registers, in the order in which
 * steps meet them: step s has 2^s cuts, from heap[2^s] on, and what was reached in the steps before is the place of the next
 * cut among them.
 */
#include <math.h>
#include <string.h>

#include "kernels.h"

/* Steps that look for one of 255 cuts, and the least number of steps that is worth a loop of its own. */
#define MOST_STEPS 8
#define LEAST_STEPS 5
#define HEAP (1 << MOST_STEPS)

/* NaN stands for no cut: no number reaches it. */
ALWAYS_INLINE void order_cuts(const double *cuts, int64_t n_cuts, const int n_steps, double *heap) {
    for (int step = 0; step < n_steps; step++)
        for (int at = 0; at < 1 << step; at++) {
            const int cut = ((2 * at + 1) << (n_steps - 1 - step)) - 1;
            heap[(1 << step) + at] = cut < n_cuts ? cuts[cut] : NAN;
        }
}

#define SEARCH_ARGUMENTS                                                                                               \
    const double *values, int64_t n, const double *cuts, int64_t n_cuts, uint8_t missing, uint8_t *out

/* One of the loops below, with its number of steps known to the compiler. */
#define BY_STEPS(SEARCH)                                                                                               \
    switch (n_steps) {                                                                                                 \
    case 5: SEARCH(values, n, cuts, n_cuts, missing, out, 5); break;                                                   \
    case 6: SEARCH(values, n, cuts, n_cuts, missing, out, 6); break;                                                   \
    case 7: SEARCH(values, n, cuts, n_cuts, missing, out, 7); break;                                                   \
    default: SEARCH(values, n, cuts, n_cuts, missing, out, 8); break;                                                  \
    }

ALWAYS_INLINE void search(SEARCH_ARGUMENTS, const int n_steps) {
    double heap[HEAP];
    order_cuts(cuts, n_cuts, n_steps, heap);
    for (int64_t i = 0; i < n; i++) {
        const double value = values[i];
        int place = 1;
        for (int step = 0; step < n_steps; step++)
            place = 2 * place + (value >= heap[place]);
        out[i] = value != value ? missing : (uint8_t)(place - (1 << n_steps));
    }
}

static void search_portable(SEARCH_ARGUMENTS, int n_steps) { BY_STEPS(search) }

#if HAS_X86_VECTORS

/* One of twice as many numbers: of the first or of the second half of a table, as a bit of the place says. */
#define TWICE(NAME, TARGET, VECTOR, INDEX, HALF, N_HALF, CHOOSE)                                                       \
    ALWAYS_INLINE TARGET VECTOR NAME(const VECTOR *table, INDEX place) {                                               \
        const VECTOR first = HALF(table, place), second = HALF(table + (N_HALF), place);                               \
        return CHOOSE;                                                                                                 \
    }

/* With AVX2, values are searched as floats, of which a vector holds eight. Rounding keeps the order: where value and cut
 * differ when both are rounded, they did so before, and in the same direction. Where they are equal, a second look is needed.
 */
#define FLOATS 8

ALWAYS_INLINE TARGET_AVX2 __m256 float_of_8(const __m256 *table, __m256i place) {
    return _mm256_permutevar8x32_ps(table[0], place);
}
/* The sign of what is shifted is the bit that tells which half is meant. */
#define FLOAT_OF(N, HALF, SHIFT)                                                                                       \
    TWICE(float_of_##N, TARGET_AVX2, __m256, __m256i, float_of_##HALF, HALF / FLOATS,                                  \
          _mm256_blendv_ps(first, second, _mm256_castsi256_ps(_mm256_slli_epi32(place, SHIFT))))
FLOAT_OF(16, 8, 28)
FLOAT_OF(32, 16, 27)
FLOAT_OF(64, 32, 26)
FLOAT_OF(128, 64, 25)

/* The last step looks at every second cut, the step before at every second one of the others, and so on; the vector that is
 * left has those of the first three steps. */
ALWAYS_INLINE TARGET_AVX2 void order_floats(const double *cuts, int64_t n_cuts, const int n_steps, __m256 *tables) {
    double padded[HEAP];
    __m256 left[HEAP / FLOATS];
    for (int at = 0; at < 1 << n_steps; at++)
        padded[at] = at < n_cuts ? cuts[at] : NAN;
    for (int v = 0; v < (1 << n_steps) / FLOATS; v++)
        left[v] = _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(padded + FLOATS * v + 4)),
                                  _mm256_cvtpd_ps(_mm256_loadu_pd(padded + FLOATS * v)));
    for (int n_half = (1 << n_steps) / FLOATS / 2; n_half > 0; n_half /= 2)
        for (int v = 0; v < n_half; v++) {
            const __m256d evens = _mm256_castps_pd(_mm256_shuffle_ps(left[2 * v], left[2 * v + 1], 0x88));
            const __m256d odds = _mm256_castps_pd(_mm256_shuffle_ps(left[2 * v], left[2 * v + 1], 0xdd));
            tables[n_half + v] = _mm256_castpd_ps(_mm256_permute4x64_pd(evens, 0xd8));
            left[v] = _mm256_castpd_ps(_mm256_permute4x64_pd(odds, 0xd8));
        }
    tables[0] = _mm256_permutevar8x32_ps(left[0], _mm256_setr_epi32(7, 3, 1, 5, 0, 2, 4, 6));
}

/* Exactly what values reach, from where they are at least. */
static void look_again(const double *values, const double *cuts, uint8_t missing, unsigned are_odd, uint8_t *out) {
    for (; are_odd; are_odd &= are_odd - 1) {
        const int i = __builtin_ctz(are_odd);
        while (out[i] > 0 && !(values[i] >= cuts[out[i] - 1]))
            out[i]--;
        out[i] = values[i] != values[i] ? missing : out[i];
    }
}

#define FLOAT_STEP(STEP, CUT)                                                                                          \
    if (n_steps > (STEP)) {                                                                                            \
        const __m256 cut = CUT;                                                                                        \
        is_odd = _mm256_or_ps(is_odd, _mm256_cmp_ps(value, cut, _CMP_EQ_OQ));                                          \
        const __m256i is_reached = _mm256_castps_si256(_mm256_cmp_ps(value, cut, _CMP_GE_OQ));                         \
        place = _mm256_sub_epi32(_mm256_add_epi32(place, place), is_reached);                                          \
    }

/* Eight values; tables are the cuts in their order, of which a place of all is the index. */
ALWAYS_INLINE TARGET_AVX2 void search_floats(const double *values, const double *cuts, uint8_t missing, uint8_t *out,
                                             const __m256 *tables, const int n_steps) {
    const __m128 lower = _mm256_cvtpd_ps(_mm256_loadu_pd(values)), upper = _mm256_cvtpd_ps(_mm256_loadu_pd(values + 4));
    const __m256 value = _mm256_set_m128(upper, lower);
    __m256 is_odd = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
    __m256i place = _mm256_set1_epi32(1);
    FLOAT_STEP(0, float_of_8(tables, place))
    FLOAT_STEP(1, float_of_8(tables, place))
    FLOAT_STEP(2, float_of_8(tables, place))
    FLOAT_STEP(3, float_of_8(tables + 1, place))
    FLOAT_STEP(4, float_of_16(tables + 2, place))
    FLOAT_STEP(5, float_of_32(tables + 4, place))
    FLOAT_STEP(6, float_of_64(tables + 8, place))
    FLOAT_STEP(7, float_of_128(tables + 16, place))
    place = _mm256_and_si256(place, _mm256_set1_epi32((1 << n_steps) - 1));
    const __m128i narrow = _mm_packus_epi32(_mm256_castsi256_si128(place), _mm256_extracti128_si256(place, 1));
    _mm_storel_epi64((__m128i *)(void *)out, _mm_packus_epi16(narrow, narrow));
    const unsigned are_odd = (unsigned)_mm256_movemask_ps(is_odd);
    if (are_odd)
        look_again(values, cuts, missing, are_odd, out);
}

ALWAYS_INLINE TARGET_AVX2 void search_in_floats(SEARCH_ARGUMENTS, const int n_steps) {
    double last[FLOATS] = {0.0};
    uint8_t last_out[FLOATS];
    __m256 tables[HEAP / FLOATS];
    order_floats(cuts, n_cuts, n_steps, tables);
    int64_t i = 0;
    for (; i <= n - FLOATS; i += FLOATS)
        search_floats(values + i, cuts, missing, out + i, tables, n_steps);
    if (i == n)
        return;
    memcpy(last, values + i, (size_t)(n - i) * sizeof(double));
    search_floats(last, cuts, missing, last_out, tables, n_steps);
    memcpy(out + i, last_out, (size_t)(n - i));
}

static TARGET_AVX2 void search_avx2(SEARCH_ARGUMENTS, int n_steps) { BY_STEPS(search_in_floats) }

ALWAYS_INLINE TARGET_AVX512_BASE __m512d double_of_16(const __m512d *table, __m512i place) {
    return _mm512_permutex2var_pd(table[0], place, table[1]);
}
#define DOUBLE_OF(N, HALF)                                                                                             \
    TWICE(double_of_##N, TARGET_AVX512_BASE, __m512d, __m512i, double_of_##HALF, HALF / LANES,                         \
          _mm512_mask_blend_pd(_mm512_test_epi64_mask(place, _mm512_set1_epi64(HALF)), first, second))
DOUBLE_OF(32, 16)
DOUBLE_OF(64, 32)
DOUBLE_OF(128, 64)

/* As with floats; first_cuts are those of the first two steps. */
ALWAYS_INLINE TARGET_AVX512_BASE void order_doubles(const double *cuts, int64_t n_cuts, const int n_steps,
                                                    __m512d *first_cuts, __m512d *tables) {
    const __m512i evens = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), odds = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const __m512d none = _mm512_set1_pd(NAN);
    __m512d left[HEAP / LANES];
    for (int v = 0; v < (1 << n_steps) / LANES; v++) {
        const int64_t n_left = n_cuts - LANES * v;
        const __mmask8 are_here = (__mmask8)(n_left >= LANES ? 0xff : n_left > 0 ? (1 << n_left) - 1 : 0);
        left[v] = n_left > 0 ? _mm512_mask_loadu_pd(none, are_here, cuts + LANES * v) : none;
    }
    for (int n_half = (1 << n_steps) / LANES / 2; n_half > 0; n_half /= 2)
        for (int v = 0; v < n_half; v++) {
            tables[n_half + v] = _mm512_permutex2var_pd(left[2 * v], evens, left[2 * v + 1]);
            left[v] = _mm512_permutex2var_pd(left[2 * v], odds, left[2 * v + 1]);
        }
    tables[0] = _mm512_permutexvar_pd(evens, left[0]);
    first_cuts[1] = _mm512_permutexvar_pd(_mm512_set1_epi64(3), left[0]);
    first_cuts[2] = _mm512_permutexvar_pd(_mm512_set1_epi64(1), left[0]);
    first_cuts[3] = _mm512_permutexvar_pd(_mm512_set1_epi64(5), left[0]);
}

#define DOUBLE_STEP(STEP, CUT)                                                                                         \
    if (n_steps > (STEP)) {                                                                                            \
        const __mmask8 is_reached = _mm512_cmp_pd_mask(value, CUT, _CMP_GE_OQ);                                        \
        place = _mm512_add_epi64(place, place);                                                                        \
        place = _mm512_mask_or_epi64(place, is_reached, place, one);                                                   \
    }

/* Eight values; the first two steps need no look-up. */
ALWAYS_INLINE TARGET_AVX512_BASE __m512i reached_by(__m512d value, const __m512d *first_cuts, const __m512d *tables,
                                                    const int n_steps) {
    const __m512i one = _mm512_set1_epi64(1);
    const __mmask8 is_upper = _mm512_cmp_pd_mask(value, first_cuts[1], _CMP_GE_OQ);
    const __m512d cut = _mm512_mask_blend_pd(is_upper, first_cuts[2], first_cuts[3]);
    __m512i place = _mm512_maskz_set1_epi64(is_upper, 2);
    place = _mm512_mask_or_epi64(place, _mm512_cmp_pd_mask(value, cut, _CMP_GE_OQ), place, one);
    DOUBLE_STEP(2, _mm512_permutexvar_pd(place, tables[0]))
    DOUBLE_STEP(3, _mm512_permutexvar_pd(place, tables[1]))
    DOUBLE_STEP(4, double_of_16(tables + 2, place))
    DOUBLE_STEP(5, double_of_32(tables + 4, place))
    DOUBLE_STEP(6, double_of_64(tables + 8, place))
    DOUBLE_STEP(7, double_of_128(tables + 16, place))
    return place;
}

static TARGET_AVX512_BASE void mark_missing(const double *values, int64_t n, uint8_t missing, uint8_t *out) {
    const __m512i all_missing = _mm512_set1_epi64(missing);
    for (int64_t i = 0; i < n; i += LANES) {
        const __mmask8 are_here = (__mmask8)(n - i < LANES ? (1 << (n - i)) - 1 : 0xff);
        const __m512d value = _mm512_maskz_loadu_pd(are_here, values + i);
        const __mmask8 are_missing = _mm512_cmp_pd_mask(value, value, _CMP_UNORD_Q);
        if (are_missing)
            _mm512_mask_cvtepi64_storeu_epi8(out + i, are_missing, all_missing);
    }
}

ALWAYS_INLINE TARGET_AVX512_BASE void search_in_doubles(SEARCH_ARGUMENTS, const int n_steps) {
    __m512d first_cuts[4], tables[HEAP / LANES];
    order_doubles(cuts, n_cuts, n_steps, first_cuts, tables);
    /* What is not finite makes NaN of it. */
    __m512d odd = _mm512_setzero_pd();
    int64_t i = 0;
    for (; i <= n - LANES; i += LANES) {
        const __m512d value = _mm512_loadu_pd(values + i);
        odd = _mm512_add_pd(odd, _mm512_sub_pd(value, value));
        const __m512i place = reached_by(value, first_cuts, tables, n_steps);
        _mm_storel_epi64((__m128i *)(void *)(out + i), _mm512_cvtepi64_epi8(place));
    }
    if (i < n) {
        const __mmask8 are_here = (__mmask8)((1 << (n - i)) - 1);
        const __m512d value = _mm512_maskz_loadu_pd(are_here, values + i);
        odd = _mm512_add_pd(odd, _mm512_sub_pd(value, value));
        const __m512i place = reached_by(value, first_cuts, tables, n_steps);
        _mm512_mask_cvtepi64_storeu_epi8(out + i, are_here, place);
    }
    if (_mm512_cmp_pd_mask(odd, odd, _CMP_UNORD_Q))
        mark_missing(values, n, missing, out);
}

static TARGET_AVX512_BASE void search_avx512(SEARCH_ARGUMENTS, int n_steps) { BY_STEPS(search_in_doubles) }
#endif

void count_cuts(const double *values, int64_t n, const double *cuts, int64_t n_cuts, uint8_t missing, uint8_t *out) {
    int n_steps = LEAST_STEPS;
    while ((1 << n_steps) <= n_cuts)
        n_steps++;
#if HAS_X86_VECTORS
    if (level >= AVX2) {
        (level >= AVX512_BASE ? search_avx512 : search_avx2)(values, n, cuts, n_cuts, missing, out, n_steps);
        return;
    }
#endif
    search_portable(values, n, cuts, n_cuts, missing, out, n_steps);
}
