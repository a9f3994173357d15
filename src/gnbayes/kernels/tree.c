/* Prim's algorithm, one step at a time, on rows of information. */
#include <math.h>

#include "kernels.h"

/* Bring `feature` in: its row may be better than the best so far of every feature outside. shared[j] is what j shares
 * with its best mother. outside: the features outside without `feature`, increasing. Returns the next feature, the first of
 * those within `tie` of the best; -1 where none is outside. */
int64_t grow_step(const double *row, const double *prefer, double *best, int64_t *best_mother, double *shared,
                  const int64_t *outside, int64_t n_outside, int64_t feature, double tie) {
    double top = -INFINITY;
    for (int64_t o = 0; o < n_outside; o++) {
        const int64_t j = outside[o];
        const double score = prefer[j] + row[j];
        if (score > best[j] + (best_mother[j] > feature ? -tie : tie)) {
            best_mother[j] = feature;
            shared[j] = row[j];
        }
        best[j] = score > best[j] ? score : best[j];
        top = best[j] > top ? best[j] : top;
    }
    for (int64_t o = 0; o < n_outside; o++)
        if (best[outside[o]] >= top - tie)
            return outside[o];
    return -1;
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
