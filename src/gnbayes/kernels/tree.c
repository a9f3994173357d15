/* Prim's algorithm on rows of information, and the best pair to begin with. */
#include <math.h>

#include "kernels.h"

#define STEP_ARGUMENTS                                                                                                 \
    const double *restrict row, const double *restrict prefer, int64_t n, int64_t feature, double tie,                 \
        double *restrict best, int64_t *restrict best_mother, double *restrict shared

/* The row of a feature that came in may be better than the best so far of those outside; returns the best of all. Inside,
 * `prefer` and `best` are -infinity. */
ALWAYS_INLINE double step_inline(STEP_ARGUMENTS) {
    double top = -INFINITY;
    for (int64_t j = 0; j < n; j++) {
        const double score = prefer[j] + row[j];
        const int is_better = score > best[j] + (best_mother[j] > feature ? -tie : tie);
        best_mother[j] = is_better ? feature : best_mother[j];
        shared[j] = is_better ? row[j] : shared[j];
        best[j] = score > best[j] ? score : best[j];
        top = best[j] > top ? best[j] : top;
    }
    return top;
}

static double step_portable(STEP_ARGUMENTS) { return step_inline(row, prefer, n, feature, tie, best, best_mother, shared); }

#if HAS_X86_VECTORS
static TARGET_AVX2 double step_avx2(STEP_ARGUMENTS) {
    return step_inline(row, prefer, n, feature, tie, best, best_mother, shared);
}

static TARGET_AVX512_BASE double step_avx512(STEP_ARGUMENTS) {
    __m512d top = _mm512_set1_pd(-INFINITY);
    for (int64_t j = 0; j < n; j += LANES) {
        const __mmask8 here = (__mmask8)(n - j < LANES ? (1 << (n - j)) - 1 : 0xff);
        const __m512d shares = _mm512_maskz_loadu_pd(here, row + j);
        const __m512d score = _mm512_add_pd(_mm512_maskz_loadu_pd(here, prefer + j), shares);
        const __m512d so_far = _mm512_mask_loadu_pd(top, here, best + j);
        const __m512i mother = _mm512_maskz_loadu_epi64(here, best_mother + j);
        const __mmask8 is_later = _mm512_cmpgt_epi64_mask(mother, _mm512_set1_epi64(feature));
        const __m512d margin = _mm512_mask_blend_pd(is_later, _mm512_set1_pd(tie), _mm512_set1_pd(-tie));
        const __mmask8 is_better =
            _mm512_mask_cmp_pd_mask(here, score, _mm512_add_pd(so_far, margin), _CMP_GT_OQ);
        _mm512_mask_storeu_epi64(best_mother + j, is_better, _mm512_set1_epi64(feature));
        _mm512_mask_storeu_pd(shared + j, is_better, shares);
        const __m512d now = _mm512_max_pd(score, so_far);
        _mm512_mask_storeu_pd(best + j, here, now);
        top = _mm512_mask_max_pd(top, here, top, now);
    }
    return _mm512_reduce_max_pd(top);
}
#endif

static double step(STEP_ARGUMENTS) {
#if HAS_X86_VECTORS
    if (level >= AVX512_BASE)
        return step_avx512(row, prefer, n, feature, tie, best, best_mother, shared);
    if (level >= AVX2)
        return step_avx2(row, prefer, n, feature, tie, best, best_mother, shared);
#endif
    return step_portable(row, prefer, n, feature, tie, best, best_mother, shared);
}

int64_t grow(const double *rows, int64_t row_step, int64_t n, int64_t feature, int64_t n_steps, double tie,
             const Frontier *frontier, int64_t *order) {
    for (int64_t s = 0; s < n_steps; s++) {
        order[s] = feature;
        frontier->prefer[feature] = frontier->best[feature] = -INFINITY;
        const double top = step(rows + feature * row_step, frontier->prefer, n, feature, tie, frontier->best,
                                frontier->best_mother, frontier->shared);
        feature = 0;
        while (feature < n - 1 && frontier->best[feature] < top - tie)
            feature++;
    }
    return feature;
}

/* The largest with_class[i] + with_class[j] + row[j], and the largest row[j], over j > i. */
void best_partner(const double *row, const double *with_class, int64_t n, int64_t i, double *best_cherry,
                  double *best_given) {
    double cherry = -INFINITY, given = 0.0;
    for (int64_t j = i + 1; j < n; j++) {
        const double content = with_class[i] + with_class[j] + row[j];
        cherry = content > cherry ? content : cherry;
        given = row[j] > given ? row[j] : given;
    }
    *best_cherry = cherry;
    *best_given = given;
}
