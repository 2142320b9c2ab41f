// The natural logarithm, rounded correctly: it is computed with numbers that are sums of two.

typedef unsigned long long u64;
typedef long long i64;

typedef struct {
  double high, low;
} Sum;

static Sum plus(double a, double b) {
  double sum = a + b, part = sum - a;
  return (Sum){sum, (a - (sum - part)) + (b - part)};
}

static Sum times(double a, double b) {
  const double splitter = 134217729; // 2^27 + 1
  double x = splitter * a, y = splitter * b;
  double a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
  double product = a * b;
  return (Sum){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static Sum add(Sum a, Sum b) {
  Sum sum = plus(a.high, b.high);
  return plus(sum.high, sum.low + a.low + b.low);
}

static Sum multiply(Sum a, Sum b) {
  Sum product = times(a.high, b.high);
  return plus(product.high, product.low + a.high * b.low + a.low * b.high);
}

static Sum divide(Sum a, Sum b) {
  double quotient = a.high / b.high;
  Sum back = multiply((Sum){quotient, 0}, b);
  Sum rest = add(a, (Sum){-back.high, -back.low});
  return plus(quotient, rest.high / b.high);
}

static Sum inverses[16]; // of the odd numbers

static double log_of(double number) {
  union {
    double value;
    u64 bits;
  } x = {number};
  i64 exponent = (i64)(x.bits >> 52) - 1023;
  x.bits = (x.bits & 0xfffffffffffff) | 0x3ff0000000000000;
  if (x.value > 1.4142135623730951) {
    x.value /= 2;
    exponent += 1;
  }
  // log m = 2 (z + z^3 / 3 + z^5 / 5 + ...) with z = (m - 1) / (m + 1); one double is precise
  // enough for the terms that are tiny.
  Sum z = divide((Sum){x.value - 1, 0}, plus(x.value, 1));
  Sum square = multiply(z, z);
  double rest = 0;
  for (int n = 43; n > 15; n -= 2) rest = rest * square.high + 1.0 / n;
  Sum series = {rest, 0};
  for (int n = 15; n > 0; n -= 2) {
    if (inverses[n].high == 0) inverses[n] = divide((Sum){1, 0}, (Sum){n, 0});
    series = add(multiply(series, square), inverses[n]);
  }
  series = multiply(series, (Sum){2 * z.high, 2 * z.low});
  const Sum log_of_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  series = add(multiply((Sum){exponent, 0}, log_of_2), series);
  return series.high + series.low;
}

// The logarithm of the computer that builds the page is rounded differently for a few numbers, and
// one different bit would grow another tree. The build writes these numbers into corrections.h: twice
// the number, plus 1 where its logarithm there is the next smaller fraction, not the next larger one.

static const unsigned CORRECTIONS[] = {
#include "corrections.h"
};

double log(double number) {
  union {
    double value;
    u64 bits;
  } result = {log_of(number)};
  u64 low = 0, high = sizeof CORRECTIONS / sizeof *CORRECTIONS;
  while (low < high) {
    u64 place = (low + high) / 2;
    double at = CORRECTIONS[place] >> 1;
    if (at == number) {
      result.bits += CORRECTIONS[place] & 1 ? -1 : 1;
      break;
    }
    if (at < number) low = place + 1;
    else high = place;
  }
  return result.value;
}

/// Write the logarithms of 1 to `number` to `logs`.
void fill_logs(double *logs, u64 number) {
  for (u64 n = 1; n <= number; n++) logs[n - 1] = log((double)n);
}
