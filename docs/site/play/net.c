// A net of mctslab, computed for one position: the layers of mctslab/net/model.py in evaluation.
//
// `net_file` in build.py writes a net: its sizes, then its weights in the order in which they are
// used here. A convolution's weights are ordered by tap, input and output.
//
// Features are [squares of the padded board][filters]. The padded board has a row of zeros above and
// below, and one column of zeros, to the left: the square to the right of a row's last one is the
// first of the next row. So the neighbours of a square are always at the same distances.

typedef unsigned long long u64;
typedef long long i64;
typedef float Four __attribute__((vector_size(16), aligned(4)));

void *allocate(u64 size); // until this call of the page is over

typedef struct {
  int rows, cols, num_planes, num_filters, num_blocks, num_hidden;
} Sizes;

enum { AT_ONCE = 2, WIDTH = 16 }; // squares and filters that are computed together

static i64 width_of(const Sizes *sizes) { return sizes->cols + 1; }
static i64 place_of(const Sizes *sizes, i64 row, i64 col) {
  return (row + 1) * width_of(sizes) + 1 + col;
}

static void clear(float *numbers, i64 length) {
  for (i64 n = 0; n < length; n++) numbers[n] = 0;
}

/// A convolution with `size` x `size` taps, and ReLU. `added` is added before; it may be `out`. The
/// weights are read from `*weights`, which afterwards points to what follows them.
static void convolve(const Sizes *sizes, int size, const float *in, i64 num_in,
                     const float **weights, const float *added, float *out) {
  i64 width = width_of(sizes), num_out = sizes->num_filters, num_taps = size * size;
  const float *biases = *weights + num_taps * num_in * num_out;
  i64 first = place_of(sizes, 0, 0), end = place_of(sizes, sizes->rows - 1, sizes->cols);
  for (i64 place = first; place < end; place += AT_ONCE) {
    for (i64 filter = 0; filter < num_out; filter += WIDTH) {
      Four sums[AT_ONCE][WIDTH / 4];
      for (int at = 0; at < AT_ONCE; at++)
        for (int four = 0; four < WIDTH / 4; four++)
          sums[at][four] = *(const Four *)(biases + filter + 4 * four);
      const float *row = *weights + filter;
      for (i64 tap = 0; tap < num_taps; tap++) {
        i64 distance = (tap / size - size / 2) * width + tap % size - size / 2;
        const float *seen = in + (place + distance) * num_in;
        for (i64 n = 0; n < num_in; n++, row += num_out)
          for (int at = 0; at < AT_ONCE; at++)
            for (int four = 0; four < WIDTH / 4; four++)
              sums[at][four] += seen[at * num_in + n] * *(const Four *)(row + 4 * four);
      }
      for (int at = 0; at < AT_ONCE; at++)
        for (int four = 0; four < WIDTH / 4; four++) {
          i64 index = (place + at) * num_out + filter + 4 * four;
          Four sum = sums[at][four];
          if (added) sum += *(const Four *)(added + index);
          for (int n = 0; n < 4; n++) sum[n] = sum[n] > 0 ? sum[n] : 0;
          *(Four *)(out + index) = sum;
        }
    }
  }
  // What was computed for the column of zeros
  for (i64 row = 1; row <= sizes->rows + 1; row++) clear(out + row * width * num_out, num_out);
  *weights = biases + num_out;
}

/// One output of a linear layer; its weights, and then its bias, are read from `*weights`.
static float weigh(const float *in, i64 num_in, const float **weights) {
  float sum = 0;
  for (i64 n = 0; n < num_in; n++) sum += in[n] * (*weights)[n];
  *weights += num_in + 1;
  return sum + (*weights)[-1];
}

/// Write a logit for every square, and return the number whose tanh is the value for the player to
/// move.
/// `planes` has the squares of a plane side by side.
double evaluate(const void *net, const float *planes, float *logits) {
  const Sizes *sizes = net;
  const float *weights = (const float *)(sizes + 1);
  i64 num_filters = sizes->num_filters, num_planes = sizes->num_planes;
  i64 num_squares = (i64)sizes->rows * sizes->cols;
  i64 num_places = place_of(sizes, sizes->rows + 1, 0) + AT_ONCE;
  float *input = allocate(4 * num_places * num_planes);
  float *features = allocate(4 * num_places * num_filters);
  float *inner = allocate(4 * num_places * num_filters);
  float *pooled = allocate(4 * 2 * num_filters);
  float *hidden = allocate(4 * sizes->num_hidden);
  clear(input, num_places * num_planes);
  clear(features, num_places * num_filters);
  clear(inner, num_places * num_filters);
  for (i64 row = 0; row < sizes->rows; row++)
    for (i64 col = 0; col < sizes->cols; col++)
      for (i64 plane = 0; plane < num_planes; plane++)
        input[place_of(sizes, row, col) * num_planes + plane] =
            planes[plane * num_squares + row * sizes->cols + col];

  convolve(sizes, 3, input, num_planes, &weights, 0, features);
  for (int block = 0; block < sizes->num_blocks; block++) {
    convolve(sizes, 3, features, num_filters, &weights, 0, inner);
    convolve(sizes, 3, inner, num_filters, &weights, features, features);
  }

  convolve(sizes, 1, features, num_filters, &weights, 0, inner);
  const float *of_squares = weights;
  for (i64 row = 0; row < sizes->rows; row++)
    for (i64 col = 0; col < sizes->cols; col++) {
      weights = of_squares; // the same for all squares
      float *seen = inner + place_of(sizes, row, col) * num_filters;
      logits[row * sizes->cols + col] = weigh(seen, num_filters, &weights);
    }

  convolve(sizes, 1, features, num_filters, &weights, 0, inner);
  clear(pooled, 2 * num_filters); // no feature is less than 0
  for (i64 place = 0; place < num_places; place++)
    for (i64 filter = 0; filter < num_filters; filter++) {
      float feature = inner[place * num_filters + filter];
      pooled[filter] += feature / num_squares;
      if (feature > pooled[num_filters + filter]) pooled[num_filters + filter] = feature;
    }
  for (int n = 0; n < sizes->num_hidden; n++) {
    hidden[n] = weigh(pooled, 2 * num_filters, &weights);
    if (hidden[n] < 0) hidden[n] = 0;
  }
  return weigh(hidden, sizes->num_hidden, &weights);
}
