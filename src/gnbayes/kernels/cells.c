/* Cells of rows in a table: what the codes of one to three features add to the number of the cell; and their counts. */
#include "kernels.h"

#define CODE(SIZE, axis, i)                                                                                            \
    (SIZE == 1 ? ((const uint8_t *)columns[axis])[i]                                                                   \
               : SIZE == 2 ? ((const uint16_t *)columns[axis])[i] : ((const uint32_t *)columns[axis])[i])

/* All sizes are constants where this is inlined. */
ALWAYS_INLINE void sum_steps(const int size, const int n_axes, const int out_size, const void *const *columns,
                             const uint32_t *const *steps, int64_t n, void *out) {
    for (int64_t i = 0; i < n; i++) {
        uint32_t cell = steps[0][CODE(size, 0, i)];
        if (n_axes > 1)
            cell += steps[1][CODE(size, 1, i)];
        if (n_axes > 2)
            cell += steps[2][CODE(size, 2, i)];
        if (out_size == 1)
            ((uint8_t *)out)[i] = (uint8_t)cell;
        else if (out_size == 2)
            ((uint16_t *)out)[i] = (uint16_t)cell;
        else
            ((uint32_t *)out)[i] = cell;
    }
}

#define BY_OUT(SIZE, AXES)                                                                                             \
    (out_size == 1   ? sum_steps(SIZE, AXES, 1, columns, steps, n, out)                                                \
     : out_size == 2 ? sum_steps(SIZE, AXES, 2, columns, steps, n, out)                                                \
                     : sum_steps(SIZE, AXES, 4, columns, steps, n, out))
#define BY_AXES(SIZE) (n_axes == 1 ? BY_OUT(SIZE, 1) : n_axes == 2 ? BY_OUT(SIZE, 2) : BY_OUT(SIZE, 3))

void cells_of_rows(const void *const *columns, int size, const uint32_t *const *steps, int n_axes, int64_t n, void *out,
                   int out_size) {
    size == 1 ? BY_AXES(1) : size == 2 ? BY_AXES(2) : BY_AXES(4);
}

/* Two at a time, in two sets of counts: equal cells one after the other would wait for each other. */
#define COUNT(TYPE)                                                                                                    \
    do {                                                                                                               \
        const TYPE *own = cells;                                                                                       \
        for (; i + 1 < n; i += 2) {                                                                                    \
            const int64_t first = own[i], second = own[i + 1];                                                         \
            if (first >= n_cells || second >= n_cells)                                                                 \
                return -1;                                                                                             \
            counts[first]++;                                                                                           \
            others[second]++;                                                                                          \
        }                                                                                                              \
        if (i < n && own[i] >= n_cells)                                                                                \
            return -1;                                                                                                 \
        if (i < n)                                                                                                     \
            counts[own[i]]++;                                                                                          \
    } while (0)

int count_cells(const void *cells, int size, int64_t n, int64_t n_cells, int64_t *counts, int64_t *others) {
    int64_t i = 0;
    if (size == 1)
        COUNT(uint8_t);
    else if (size == 2)
        COUNT(uint16_t);
    else
        COUNT(uint32_t);
    for (int64_t cell = 0; cell < n_cells; cell++)
        counts[cell] += others[cell];
    return 0;
}
