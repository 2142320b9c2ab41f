// What the compiled engine needs of its computer, and the functions that the page calls.
//
// Numba passes an array as seven arguments and returns results through a pointer. The page passes
// an address and a length; the functions below translate.

typedef unsigned long long u64;
typedef long long i64;

// Memory: a call of the engine gives back nothing, so everything is given back after the call.

extern unsigned char __heap_base;
static u64 top; // the first free byte
static const u64 PAGE = 65536;

/// The address of `size` new bytes; 0 if there is no more memory.
u64 allocate(u64 size) {
  if (top == 0) top = (u64)&__heap_base;
  u64 begin = (top + 63) / 64 * 64;
  u64 pages = (begin + size + PAGE - 1) / PAGE;
  u64 have = __builtin_wasm_memory_size(0);
  if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (u64)-1) return 0;
  top = begin + size;
  return begin;
}

/// Give back everything from `address` on.
void release(u64 address) { top = address; }

typedef struct {
  u64 references;
  void *destructor, *destructor_info;
  void *data;
  u64 size;
  void *allocator;
} MemInfo;

MemInfo *NRT_MemInfo_alloc_aligned(u64 size, unsigned align) {
  (void)align; // at most 64
  MemInfo *info = (MemInfo *)allocate(sizeof(MemInfo));
  void *data = (void *)allocate(size);
  if (!info || !data) return 0;
  *info = (MemInfo){1, 0, 0, data, size, 0};
  return info;
}

void NRT_MemInfo_call_dtor(MemInfo *info) { (void)info; }

// The product of two whole numbers of 128 bits, from products of 32 bits: WebAssembly has no wider
// ones. Without HIDE the compiler would recognise what this is, and call the function itself.

typedef struct {
  u64 low, high;
} Wide;

#define HIDE(number) __asm__("" : "+r"(number))

void __multi3(Wide *product, u64 low, u64 high, u64 other_low, u64 other_high) {
  const u64 mask = 0xffffffff;
  u64 a = low >> 32, b = low & mask, c = other_low >> 32, d = other_low & mask;
  HIDE(a);
  HIDE(b);
  HIDE(c);
  HIDE(d);
  u64 middle = a * d + (b * d >> 32);
  u64 other_middle = b * c + (middle & mask);
  product->low = low * other_low;
  product->high =
      a * c + (middle >> 32) + (other_middle >> 32) + low * other_high + high * other_low;
}

// The engine's functions, as compile_engine.py names them

#define ARRAY void *, void *, i64, i64, void *, i64, i64
#define GIVEN(address, length, size) 0, 0, length, size, address, length, size
#define BITS(address, length) GIVEN(address, length, 8)
#define TABLE void *, void *, i64, i64, void *, i64, i64, i64, i64
#define GIVEN_ROW(address, length, size) \
  0, 0, length, size, address, 1, length, (length) * size, size

extern int engine_search(i64 *, void **, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, i64, i64, int, double,
                         ARRAY, ARRAY, ARRAY, ARRAY, i64, int);
extern int engine_list_moves(i64 *, void **, ARRAY, ARRAY, ARRAY);
extern int engine_make_move(i64 *, void **, ARRAY, ARRAY, i64);
extern int engine_find_outcome(i64 *, void **, ARRAY, ARRAY);
extern int engine_read_stones(i64 *, void **, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY);
extern int engine_draw_move(i64 *, void **, ARRAY, ARRAY, ARRAY, ARRAY);
#define RULE double, double, int
#define WALKS TABLE, ARRAY, TABLE, ARRAY, ARRAY, TABLE, TABLE, TABLE
extern int engine_walk_to_leaf(i64 *, void **, ARRAY, ARRAY, ARRAY, RULE, WALKS, i64, ARRAY, TABLE);
extern int engine_judge_leaf(i64 *, void **, ARRAY, ARRAY, WALKS, ARRAY, double, ARRAY);
extern double evaluate(const void *net, const float *planes, float *logits); // in net.c

/// The result of a call; -1 if it failed. The memory that it took is free again.
#define CALL(call)                                      \
  i64 result = 0;                                       \
  void *error = 0;                                      \
  u64 before = allocate(0);                             \
  int status = call;                                    \
  top = before;                                         \
  return status ? -1 : result

#define POSITION BITS(start, START_LENGTH), BITS(words, WORDS_LENGTH)

i64 search(void *nodes, i64 capacity, void *counters, void *start, void *words, void *random_state,
           i64 chunk, i64 limit, int adds_all, double c, void *bonuses, void *factors,
           i64 table_length, void *filled, void *classes, i64 num_classes, i64 num_rollouts,
           int may_grow) {
  CALL(engine_search(&result, &error, GIVEN(nodes, capacity, NODE_SIZE), BITS(counters, NUM_COUNTERS),
                     POSITION, BITS(random_state, 4), chunk, limit, adds_all, c,
                     BITS(bonuses, table_length), BITS(factors, table_length), BITS(filled, 1),
                     BITS(classes, num_classes), num_rollouts, may_grow));
}

i64 list_moves(void *start, void *words, void *moves) {
  CALL(engine_list_moves(&result, &error, POSITION, BITS(moves, MOST_MOVES)));
}

i64 make_move(void *start, void *words, i64 move) {
  CALL(engine_make_move(&result, &error, POSITION, move));
}

i64 find_outcome(void *start, void *words) {
  CALL(engine_find_outcome(&result, &error, POSITION));
}

i64 read_stones(void *start, void *words, void *squares, i64 num_bits, float *own, float *opponent,
                i64 num_squares) {
  CALL(engine_read_stones(&result, &error, POSITION, BITS(squares, num_bits),
                          GIVEN(own, num_squares, 4), GIVEN(opponent, num_squares, 4)));
}

i64 draw_move(void *start, void *words, void *classes, i64 num_classes, void *random_state) {
  CALL(engine_draw_move(&result, &error, POSITION, BITS(classes, num_classes),
                        BITS(random_state, 4)));
}

// The search by PUCT, in which a net evaluates each leaf. The walk's arrays are those of `Walks` in
// mctslab/fast/nodes.py.

static int path[MAX_DEPTH + 1];
static double statistics_before[MAX_DEPTH + 1], values[2];
static i64 depth, twin, num_moves, leaf_position[START_LENGTH], leaf_words[WORDS_LENGTH + 1];
static float planes[NUM_PLANES * NUM_SQUARES], logits[MOST_MOVES];

#define THE_WALK                                                                              \
  GIVEN_ROW(path, MAX_DEPTH + 1, 4), BITS(&depth, 1),                                         \
      GIVEN_ROW(statistics_before, MAX_DEPTH + 1, 8), BITS(&twin, 1), BITS(&num_moves, 1),    \
      GIVEN_ROW(values, 2, 8), GIVEN_ROW(leaf_position, START_LENGTH, 8),                     \
      GIVEN_ROW(leaf_words, WORDS_LENGTH, 8)

static i64 walk_to_leaf(void *nodes, i64 capacity, void *start, void *words, double c,
                        i64 last_square, void *squares, i64 num_bits) {
  CALL(engine_walk_to_leaf(&result, &error, GIVEN(nodes, capacity, GUIDED_NODE_SIZE), POSITION, c, 0,
                           0, THE_WALK, last_square, BITS(squares, num_bits), 0, 0,
                           NUM_PLANES * NUM_SQUARES, 4, planes, NUM_PLANES, NUM_SQUARES,
                           4 * NUM_SQUARES, 4));
}

static i64 judge_leaf(void *nodes, i64 capacity, void *counters, double value, void *actions,
                      i64 num_bits) {
  CALL(engine_judge_leaf(&result, &error, GIVEN(nodes, capacity, GUIDED_NODE_SIZE),
                         BITS(counters, NUM_COUNTERS), THE_WALK, GIVEN(logits, MOST_MOVES, 4), value,
                         BITS(actions, num_bits)));
}

/// Run `number` simulations; how many records the tree has then. `squares` and `actions` have a
/// number for each move.
i64 search_by_net(void *nodes, i64 capacity, void *counters, void *start, void *words, double c,
                  const void *net, i64 last_square, void *squares, void *actions, i64 num_bits,
                  i64 number) {
  i64 used = 0;
  for (; number > 0 && used >= 0; number--) {
    i64 moves = walk_to_leaf(nodes, capacity, start, words, c, last_square, squares, num_bits);
    if (moves < 0) return -1;
    double value = moves ? evaluate(net, planes, logits) : 0;
    used = judge_leaf(nodes, capacity, counters, value, actions, num_bits);
  }
  return used;
}
