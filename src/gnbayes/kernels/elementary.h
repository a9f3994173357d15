/* exp and log from additions, multiplications and one division, the same bits on every machine.
 *
 * Nothing here may be contracted to fused multiplications (setup.py turns that off), so that every level of instructions,
 * and NumPy in gnbayes/model/fitting/elementary.py, rounds the same way. exp is within two units in the last place, log within four.
 */
#ifndef GNBAYES_ELEMENTARY_H
#define GNBAYES_ELEMENTARY_H

#include <string.h>

#include "kernels.h"

/* Adding it rounds to an integer, which is then in the low bits; for absolute values up to 2^51. */
#define ROUNDING 0x1.8p52
#define ROUNDING_BITS INT64_C(0x4338000000000000)
/* Below this, exp stays at its value here, about 1e-308. */
#define LOWEST_EXPONENT -708.0

#define INVERSE_LN2 0x1.71547652b82fep+0
/* ln 2 in two parts; the first has enough zeros that integer multiples of it are exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define ROOT_HALF_BITS INT64_C(0x3fe6a09e667f3bcd)

ALWAYS_INLINE int64_t bits_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

ALWAYS_INLINE double from_bits(int64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The nearest whole number, for |x| up to 2^51. */
ALWAYS_INLINE int64_t to_whole(double x) { return bits_of(x + ROUNDING) - ROUNDING_BITS; }

/* e^x of x <= 0; a number for anything, also for NaN. */
ALWAYS_INLINE double exp_negative(double x) {
    x = x > LOWEST_EXPONENT ? x : LOWEST_EXPONENT;
    const double shifted = x * INVERSE_LN2 + ROUNDING, n = shifted - ROUNDING;
    const double r = (x - n * LN2_HIGH) - n * LN2_LOW;
    /* Even and odd powers side by side, as neither waits for the other. */
    const double s = r * r;
    double odd = 1.0 / 6227020800.0, even = 1.0 / 479001600.0;
    odd = odd * s + 1.0 / 39916800.0;
    even = even * s + 1.0 / 3628800.0;
    odd = odd * s + 1.0 / 362880.0;
    even = even * s + 1.0 / 40320.0;
    odd = odd * s + 1.0 / 5040.0;
    even = even * s + 1.0 / 720.0;
    odd = odd * s + 1.0 / 120.0;
    even = even * s + 1.0 / 24.0;
    odd = odd * s + 1.0 / 6.0;
    even = even * s + 0.5;
    odd = odd * s + 1.0;
    even = even * s + 1.0;
    const uint64_t exponent = (uint64_t)(bits_of(shifted) - ROUNDING_BITS + 1023);
    return (even + r * odd) * from_bits((int64_t)(exponent << 52));
}

/* Logarithm of x >= 1. */
ALWAYS_INLINE double log_above_1(double x) {
    const uint64_t bits = (uint64_t)bits_of(x), exponent = (bits - (uint64_t)ROOT_HALF_BITS) >> 52;
    const double m = from_bits((int64_t)(bits - (exponent << 52)));
    const double n = from_bits((int64_t)(exponent + (uint64_t)ROUNDING_BITS)) - ROUNDING;
    const double f = (m - 1.0) / (m + 1.0), s = f * f;
    const double q = s * s;
    double odd = 1.0 / 19.0, even = 1.0 / 21.0;
    odd = odd * q + 1.0 / 15.0;
    even = even * q + 1.0 / 17.0;
    odd = odd * q + 1.0 / 11.0;
    even = even * q + 1.0 / 13.0;
    odd = odd * q + 1.0 / 7.0;
    even = even * q + 1.0 / 9.0;
    odd = odd * q + 1.0 / 3.0;
    even = even * q + 1.0 / 5.0;
    even = even * q + 1.0;
    return n * LN2_HIGH + (n * LN2_LOW + 2.0 * f * (even + s * odd));
}

#endif
