/* Sums of first and second derivatives by the cells of many small tables of the same rows. */
#include "kernels.h"

/* All sizes are constants where this is inlined. */
ALWAYS_INLINE void add_to_cells(const int n_axes, const int32_t *const *columns, const int32_t *sizes, int64_t n,
                                const double *first, const double *second, double *sums, double *others) {
    for (int64_t i = 0; i < n; i++) {
        int64_t cell = columns[0][i];
        if (n_axes > 1)
            cell = cell * sizes[1] + columns[1][i];
        if (n_axes > 2)
            cell = cell * sizes[2] + columns[2][i];
        sums[cell] += first[i];
        others[cell] += second[i];
    }
}

void sum_by_cells(const TermCodes *codes, const int32_t *terms, int64_t n_terms, const double *first, const double *second,
                  double *sums, double *others) {
    for (int64_t at = 0; at < n_terms; at++, terms += 3) {
        const int32_t *columns[3] = {NULL, NULL, NULL};
        int32_t sizes[3] = {1, 1, 1};
        int n_axes = 0;
        int64_t n_cells = 1;
        for (; n_axes < 3 && terms[n_axes] >= 0; n_axes++) {
            columns[n_axes] = codes->codes + terms[n_axes] * codes->n;
            sizes[n_axes] = codes->sizes[terms[n_axes]];
            n_cells *= sizes[n_axes];
        }
        if (n_axes == 1)
            add_to_cells(1, columns, sizes, codes->n, first, second, sums, others);
        else if (n_axes == 2)
            add_to_cells(2, columns, sizes, codes->n, first, second, sums, others);
        else
            add_to_cells(3, columns, sizes, codes->n, first, second, sums, others);
        sums += n_cells;
        others += n_cells;
    }
}
