/* Sums of c log c over cells, by look-up in a table of fixed-point terms.
 *
 * Cells come in rows of LANES; lane by lane their terms are added up. With AVX-512 the terms of small counts are looked up
 * in registers, 64 cells at a time: a vector of 64 bytes is a table that one instruction reads.
 */
#include <string.h>

#include "kernels.h"

void split_terms(Scale *scale) {
    memset(scale->planes, 0, sizeof scale->planes);
    for (int64_t c = 0; c < SMALL_COUNTS && c <= (int64_t)scale->n; c++)
        for (int p = 0; p < 8; p++)
            scale->planes[p][c] = (uint8_t)((uint64_t)scale->terms[c] >> (8 * p));
}

/* One look-up after the other in scalar registers: twice as fast as gathering them into vectors, which compilers would
 * do. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("no-tree-slp-vectorize", "no-tree-vectorize")))
#endif
static void add_terms_portable(const Scale *scale, const int64_t *cells, int64_t n, int64_t *out) {
    const int64_t *terms = scale->terms;
    int64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6 = 0, t7 = 0;
    for (const int64_t *end = cells + n * LANES; cells < end; cells += LANES) {
        t0 += terms[cells[0]];
        t1 += terms[cells[1]];
        t2 += terms[cells[2]];
        t3 += terms[cells[3]];
        t4 += terms[cells[4]];
        t5 += terms[cells[5]];
        t6 += terms[cells[6]];
        t7 += terms[cells[7]];
    }
    out[0] += t0;
    out[1] += t1;
    out[2] += t2;
    out[3] += t3;
    out[4] += t4;
    out[5] += t5;
    out[6] += t6;
    out[7] += t7;
}

#if HAS_X86_VECTORS

/* Cells of a lane that share a word, a byte each. */
#define CELLS_OF_WORD 8

static TARGET_AVX512 int are_small(const int64_t *cells, int64_t n) {
    __m512i all = _mm512_setzero_si512();
    for (int64_t t = 0; t < n; t++)
        all = _mm512_or_si512(all, _mm512_loadu_si512(cells + t * LANES));
    return !_mm512_cmpge_epu64_mask(all, _mm512_set1_epi64(SMALL_COUNTS));
}

/* Bytes of the terms of 64 counts, plane p of them, added up by lane. */
#define ADD_PLANE(p)                                                                                                   \
    sum##p = _mm512_add_epi64(                                                                                         \
        sum##p, _mm512_sad_epu8(_mm512_permutexvar_epi8(counts, _mm512_load_si512(scale->planes[p])), zero))

static TARGET_AVX512 void add_small_terms(const Scale *scale, const int64_t *cells, int64_t n, int64_t *out) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum0 = zero, sum1 = zero, sum2 = zero, sum3 = zero, sum4 = zero, sum5 = zero, sum6 = zero, sum7 = zero;
    while (n > 0) {
        const int64_t n_part = n < CELLS_OF_WORD ? n : CELLS_OF_WORD;
        __m512i counts = zero;
        for (int64_t t = n_part - 1; t >= 0; t--)
            counts = _mm512_shrdi_epi64(counts, _mm512_loadu_si512(cells + t * LANES), 8);
        ADD_PLANE(0);
        ADD_PLANE(1);
        ADD_PLANE(2);
        ADD_PLANE(3);
        ADD_PLANE(4);
        ADD_PLANE(5);
        ADD_PLANE(6);
        ADD_PLANE(7);
        cells += n_part * LANES;
        n -= n_part;
    }
    const __m512i low = _mm512_add_epi64(_mm512_add_epi64(sum0, _mm512_slli_epi64(sum1, 8)),
                                         _mm512_add_epi64(_mm512_slli_epi64(sum2, 16), _mm512_slli_epi64(sum3, 24)));
    const __m512i high = _mm512_add_epi64(_mm512_add_epi64(sum4, _mm512_slli_epi64(sum5, 8)),
                                          _mm512_add_epi64(_mm512_slli_epi64(sum6, 16), _mm512_slli_epi64(sum7, 24)));
    const __m512i total = _mm512_add_epi64(low, _mm512_slli_epi64(high, 32));
    _mm512_storeu_si512(out, _mm512_add_epi64(_mm512_loadu_si512(out), total));
}

#endif

void add_terms(const Scale *scale, const int64_t *cells, int64_t n, int64_t *out) {
#if HAS_X86_VECTORS
    if (level == AVX512 && are_small(cells, n)) {
        add_small_terms(scale, cells, n, out);
        return;
    }
#endif
    add_terms_portable(scale, cells, n, out);
}
