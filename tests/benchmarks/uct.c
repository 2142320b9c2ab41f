// UCT on three games, written for speed alone; search_speed.py compares the compiled search with it.
//
// The algorithm is that of the package: one node and one random rollout a simulation, UCB1, a linked
// list of children. Rules and random numbers are written for one kind of processor (AVX2, pdep), and
// every node keeps its position and its untried moves. A position is two bitboards: P of the player
// to move, O of the other one. A move is its bit.

#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;
typedef struct {
  u64 P, O;
} Board;

// splitmix64 (Steele, Lea and Flood, 2014)

static u64 seed;

static inline u64 below(u64 n) {
  u64 z = seed += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return ((z ^ z >> 31) >> 32) * n >> 32;
}

static inline u64 random_bit(u64 bits) {
  return _pdep_u64(1ull << below(_mm_popcnt_u64(bits)), bits);
}

// Tic-Tac-Toe: a row begins at bits 0, 3 and 6. For each game `legal` has the moves, 0 at its end.

static inline int three(u64 b) {
  u64 rows = b & b >> 1 & b >> 2 & 0111, columns = b & b >> 3 & b >> 6 & 7;
  return (rows | columns | ((b & 0421) == 0421) | ((b & 0124) == 0124)) != 0;
}

static inline u64 legal_tictactoe(Board b) { return three(b.O) ? 0 : 0777 & ~(b.P | b.O); }

static inline Board put(Board b, u64 move) { return (Board){b.O, b.P | move}; }

static inline int result_tictactoe(Board b) { return three(b.O) ? -1 : 0; }

// Connect Four: seven columns of six bits and one that stays empty

static const u64 BOTTOM = 0x40810204081, BOARD = 63 * 0x40810204081;

static inline int four_along(u64 b, int step) {
  u64 pairs = b & b >> step;
  return (pairs & pairs >> 2 * step) != 0;
}

static inline int four(u64 b) {
  return four_along(b, 7) || four_along(b, 6) || four_along(b, 8) || four_along(b, 1);
}

static inline u64 legal_connect_four(Board b) {
  return four(b.O) ? 0 : ((b.P | b.O) + BOTTOM) & BOARD;
}

static inline int result_connect_four(Board b) { return four(b.O) ? -1 : 0; }

// Reversi: the four axes at once

static const u64 INNER = 0x7e7e7e7e7e7e7e7e, PASS = 1ull << 27;

static inline u64 any_axis(__m256i v) {
  __m128i halves = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  return _mm_cvtsi128_si64(halves) | _mm_extract_epi64(halves, 1);
}

#define AND _mm256_and_si256
#define OR _mm256_or_si256
#define UP _mm256_sllv_epi64
#define DOWN _mm256_srlv_epi64

/// Runs of discs in O that begin beside those of `from`, upwards and downwards along each axis.
static inline void runs(u64 from, u64 O, __m256i *up, __m256i *down) {
  const __m256i step = _mm256_set_epi64x(7, 9, 8, 1), two = _mm256_set_epi64x(14, 18, 16, 2);
  __m256i begin = _mm256_set1_epi64x(from);
  __m256i through = AND(_mm256_set1_epi64x(O), _mm256_set_epi64x(INNER, INNER, -1, INNER));
  *up = AND(through, UP(begin, step)), *down = AND(through, DOWN(begin, step));
  *up = OR(*up, AND(through, UP(*up, step))), *down = OR(*down, AND(through, DOWN(*down, step)));
  __m256i pairs = AND(through, UP(through, step)), pairs_down = DOWN(pairs, step);
  for (int doubling = 0; doubling < 2; doubling++) {
    *up = OR(*up, AND(pairs, UP(*up, two)));
    *down = OR(*down, AND(pairs_down, DOWN(*down, two)));
  }
}

static inline u64 moves(Board b) {
  const __m256i step = _mm256_set_epi64x(7, 9, 8, 1);
  __m256i up, down;
  runs(b.P, b.O, &up, &down);
  return any_axis(OR(UP(up, step), DOWN(down, step))) & ~(b.P | b.O);
}

static inline u64 legal_reversi(Board b) {
  u64 found = moves(b);
  return found || !moves((Board){b.O, b.P}) ? found : PASS;
}

static inline Board flip(Board b, u64 move) {
  if (move == PASS) return (Board){b.O, b.P};
  const __m256i step = _mm256_set_epi64x(7, 9, 8, 1), zero = _mm256_setzero_si256();
  __m256i up, down, own = _mm256_set1_epi64x(b.P);
  runs(move, b.O, &up, &down);
  __m256i open_up = _mm256_cmpeq_epi64(AND(own, UP(up, step)), zero);
  __m256i open_down = _mm256_cmpeq_epi64(AND(own, DOWN(down, step)), zero);
  u64 flips = any_axis(OR(_mm256_andnot_si256(open_up, up), _mm256_andnot_si256(open_down, down)));
  return (Board){b.O & ~flips, b.P | flips | move};
}

static inline int result_reversi(Board b) {
  int lead = _mm_popcnt_u64(b.P) - _mm_popcnt_u64(b.O);
  return (lead > 0) - (lead < 0);
}

// The search

typedef struct {
  int32_t parent, first, last, next, visits;
  double total; // for the player who moved here
  Board board;
  u64 untried, move; // `move` led here
} Node;

enum { LOGARITHMS = 2000001 };
static double logarithms[LOGARITHMS];

/// Search the first position; how many nodes the tree has. `c` is for values from -1 to 1.
#define UCT(GAME, PLAY, FIRST)                                                                    \
  int uct_##GAME(int simulations, double c, u64 first_seed) {                                     \
    seed = first_seed;                                                                            \
    if (!logarithms[2])                                                                           \
      for (int n = 1; n < LOGARITHMS; n++) logarithms[n] = log(n);                                \
    Node *tree = malloc(sizeof(Node) * (simulations + 1));                                        \
    int used = 1;                                                                                 \
    tree[0] = (Node){-1, -1, -1, -1, 0, 0, FIRST, legal_##GAME((Board)FIRST), 0};                 \
    for (int simulation = 0; simulation < simulations; simulation++) {                            \
      int node = 0;                                                                               \
      while (!tree[node].untried && tree[node].first >= 0) { /* select */                         \
        double log_visits = logarithms[tree[node].visits], best_score = -1e300;                   \
        int best = -1;                                                                            \
        for (int child = tree[node].first; child >= 0; child = tree[child].next) {                \
          double score = tree[child].total / tree[child].visits +                                 \
                         c * sqrt(log_visits / tree[child].visits);                               \
          if (score > best_score) best_score = score, best = child;                               \
        }                                                                                         \
        node = best;                                                                              \
      }                                                                                           \
      if (tree[node].untried) { /* expand */                                                      \
        u64 move = random_bit(tree[node].untried);                                                \
        tree[node].untried ^= move;                                                               \
        Board board = PLAY(tree[node].board, move);                                               \
        tree[used] = (Node){node, -1, -1, -1, 0, 0, board, legal_##GAME(board), move};            \
        if (tree[node].last < 0) tree[node].first = used;                                         \
        else tree[tree[node].last].next = used;                                                   \
        tree[node].last = used;                                                                   \
        node = used++;                                                                            \
      }                                                                                           \
      Board board = tree[node].board;                                                             \
      int sign = -1; /* simulate */                                                               \
      for (u64 legal; (legal = legal_##GAME(board)); sign = -sign)                                \
        board = PLAY(board, random_bit(legal));                                                   \
      double value = sign * result_##GAME(board);                                                 \
      for (; node >= 0; node = tree[node].parent) { /* backpropagate */                           \
        tree[node].visits++;                                                                      \
        tree[node].total += value;                                                                \
        value = -value;                                                                           \
      }                                                                                           \
    }                                                                                             \
    free(tree);                                                                                   \
    return used;                                                                                  \
  }

UCT(tictactoe, put, ((Board){0, 0}))
UCT(connect_four, put, ((Board){0, 0}))
UCT(reversi, flip, ((Board){0x810000000, 0x1008000000}))
