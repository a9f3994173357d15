/* Kernels of gnbayes in plain C11: no Python, no NumPy, no threads in here.
 *
 * Every kernel works on part of its output, given by a range, so that threads can share the work, and gives the same
 * numbers as its NumPy counterpart.
 */
#ifndef GNBAYES_KERNELS_H
#define GNBAYES_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Features are packed in groups of as many as a vector has lanes of 64 bits. */
#define LANES 8
/* Values of a packed feature, less one, at most. */
#define MOST_KEPT 64

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define HAS_X86_VECTORS 1
#include <immintrin.h>
#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512vbmi,avx512vbmi2")))
#define TARGET_AVX512_BASE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define TARGET_AVX2 __attribute__((target("avx2")))
#else
#define HAS_X86_VECTORS 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* Which instructions are used; set once, when the module is loaded. Each level has those of the levels before it:
 * AVX512_BASE what all servers with AVX-512 have had since Skylake, AVX512 also what came with Ice Lake and Zen 4. */
typedef enum { PORTABLE = 0, AVX2 = 1, AVX512_BASE = 2, AVX512 = 3 } Level;
extern Level level;
Level best_level(void);

/* bits.c: rows, sorted by class, as strings of bits.
 *
 * The words of group g begin at words + starts[g]; word w of value b of the feature in lane l is at
 * (w * n_kept[g] + b) * LANES + l. The last value of a feature has no bits: it is what remains. The words of class c are
 * class_words[c] to class_words[c + 1] - 1.
 */
typedef struct {
    const uint64_t *words;
    const int64_t *starts;      /* (n_groups,) */
    const int64_t *n_kept;      /* (n_groups,): largest number of values in the group, less one */
    const int64_t *class_words; /* (n_classes + 1,) */
    const int64_t *class_rows;  /* (n_classes,) */
    const int64_t *singles;     /* per group (n_classes, n_kept[g], LANES), at single_starts[g] */
    const int64_t *single_starts;
    const int64_t *features;    /* (n_groups * LANES,): -1 where a lane is empty */
    const int64_t *cardinalities; /* (n_groups * LANES,) */
    int64_t n_groups;
    int64_t n_classes;
} Bits;

/* Pack one group. columns: LANES pointers to n codes, NULL for an empty lane; kept: the number of values of each that
 * have bits, at most n_kept. Returns 0, or -1 without memory. */
int pack_group(const uint8_t *const *columns, const int64_t *labels, int64_t n, int64_t n_classes,
               const int64_t *class_words, const int64_t *kept, int64_t n_kept, uint64_t *words, int64_t *singles);

/* pairs.c: cells of pairs of features, from bits. Work is divided into tiles, pairs of blocks of groups. */
int64_t count_tiles(int64_t n_groups);

/* Cells of all pairs of the tile: cells is (n_classes, n_values, n_values), of uint16_t, uint32_t or int64_t as size has 2, 4
 * or 8 bytes; offsets of features on both axes. */
int tile_cells(const Bits *bits, int64_t tile, const int64_t *offsets, int64_t n_values, void *cells, int size);

/* Counts whose terms are looked up in registers. */
#define SMALL_COUNTS 64
/* How sums of c log c become information. */
typedef struct {
    const int64_t *terms;  /* fixed-point c log c of c = 0, 1, ... */
    const int64_t *joint;  /* by feature: the sum over its cells by class */
    int64_t of_class;
    double unit; /* of fixed point: a power of two, so that multiplying by it is exact */
    double n;
    _Alignas(64) uint8_t planes[8][SMALL_COUNTS]; /* of terms, by byte: the terms of the first counts */
} Scale;
/* A sum over the cells of a pair as information: the same bits as in NumPy. */
double in_nats(const Scale *scale, int64_t i, int64_t j, int64_t sum);
/* Information of all pairs from their cells (n_classes, n_values, n_values), of as many bytes, which hold terms already
 * where scale->terms is NULL. Both halves of out are written. */
int cells_information(const void *cells, int size, const int64_t *offsets, int64_t n_features, int64_t n_classes,
                      const Scale *scale, double *out);

/* Information of all pairs of the tile: out is (n_features, n_features), both halves are written. */
int tile_information(const Bits *bits, int64_t tile, const Scale *scale, double *out, int64_t n_features);

/* Information of the feature at `place` (group * LANES + lane) and every feature of the groups first..stop-1. */
int row_information(const Bits *bits, int64_t place, int64_t first, int64_t stop, const Scale *scale, double *out);

/* terms.c: sums of c log c. */
/* Fill in scale->planes. */
void split_terms(Scale *scale);
/* One left feature and LANES right ones in the rows of one class, which are few words. */
typedef struct {
    const uint64_t *left, *right;                /* bits of values but the last: left ones LANES apart, right ones by lane */
    const int64_t *left_singles, *right_singles; /* rows of each of these values, in the same way */
    int64_t left_step, n_left, n_right, n_words; /* left_step: from word to word */
    int64_t n;                                   /* rows of the class */
} ShortClass;

/* Add the terms of all cells of a class to the sum of each lane, without keeping the cells; 0 where that does not pay. */
int add_short_class(const ShortClass *of, const int64_t *terms, int64_t *out);

/* Add the terms of n times LANES cells to the sum of each lane. */
void add_terms(const Scale *scale, const int64_t *cells, int64_t n, int64_t *out);

/* popcount.c: add to sums (n_left, n_right, LANES) the number of bits that word strings share. */
void shared_bits(const uint64_t *left, int64_t left_step, int64_t n_left, const uint64_t *right, int64_t n_right,
                 int64_t n_words, int64_t *sums);
/* Bits counted by AND and popcount of `n` words that stay in cache, `repeats` times: what the machine can do at most. */
int64_t roofline(const uint64_t *words, int64_t n, int64_t repeats);

/* histogram.c: tables of few features by one pass over the rows. */
typedef struct {
    const void *codes; /* column j begins j * n codes further */
    int itemsize;      /* 1, 2 or 4 bytes */
    int64_t n;
    const int64_t *labels;
    const double *weights; /* or NULL */
    const int64_t *cardinalities;
    int64_t n_classes;
} Rows;

/* Largest code of column j. */
uint32_t largest_code(const Rows *rows, int64_t j);
/* Where the cells of a table lie: one value, value and class further. */
typedef struct {
    int64_t start, value_step, other_step, class_step;
} Place;

/* Add to the cells of i and j, or of i alone where j < 0; int64 without weights, double with them. */
void histogram(const Rows *rows, int64_t i, int64_t j, const Place *place, void *cells);
/* Sum of terms over the cells of a pair; table is scratch of v_i * v_j * k zeros, and zeros again afterwards. */
int64_t histogram_terms(const Rows *rows, int64_t i, int64_t j, const int64_t *terms, uint32_t *table);

/* predict.c: sums of table entries of complete rows. */
typedef struct {
    int64_t feature, mother; /* mother -1: none */
    int64_t cardinality, mother_cardinality;
    int64_t start; /* of the table (v_mother, v, k) */
} Term;

/* A feature of a term of a sum: its codes below n_known have offsets, from `start` on. */
typedef struct {
    int64_t feature, n_known, start;
} Axis;

/* A term of a sum: where its table begins, and how codes of up to three features lead to a cell of it. */
#define MOST_AXES 3
typedef struct {
    int64_t start, n_axes;
    Axis axes[MOST_AXES];
} SumTerm;
#define SUM_TERM_NUMBERS ((int64_t)(sizeof(SumTerm) / sizeof(int64_t)))

/* offsets.c: the largest of some offsets, those below 0 as numbers beyond INT32_MAX. */
uint32_t furthest_offset(const int32_t *offsets, int64_t n);
/* Cells of the rows first..first + n_rows - 1 in the table of a term. Rows with a code that the term does not know are
 * marked, and have some cell. Returns the last cell that a row may fall into, or -1 where that is not known. */
int64_t term_cells(const void *codes, int itemsize, int64_t n, const SumTerm *term, const int32_t *offsets, int64_t first,
                   int64_t n_rows, int32_t *cells, uint8_t *is_incomplete);

/* Scores (n, n_classes) of the rows first..stop-1: start, and the cell of every term added to it. Rows with a code that a
   term does not know are marked, and their scores mean nothing. */
void score_terms(const void *codes, int itemsize, int64_t n, const SumTerm *terms, int64_t n_terms,
               const int32_t *offsets, const double *tables, const double *start, int64_t n_classes, int64_t first,
               int64_t stop, double *out, uint8_t *is_incomplete);

/* Adds up rows first..stop-1 of out (n, k). A row with a code that has no entry gets is_incomplete 1, and no sum. */
void log_joint(const void *codes, int itemsize, int64_t n, const Term *terms, int64_t n_terms, const double *tables,
               const double *start, int64_t n_classes, int64_t first, int64_t stop, double *out, uint8_t *is_incomplete);

/* completion.c: the mean of P(y | x) over what unknown features may be. */
typedef struct {
    int64_t mother; /* -1: none */
    int64_t n_values, n_codes; /* in the tree, and finer ones */
    int64_t table_start, up_start, code_start, member_start, within_start;
} CompletedNode;
#define NODE_NUMBERS ((int64_t)(sizeof(CompletedNode) / sizeof(int64_t)))

/* The joint distribution: P(value | value of the mother, class) in tables (v_mother, v, k), and P(code | value, class) in
   within (n_codes, k). codes: the value of each code; member_codes: the codes of each value, those of value b at
   members[b] .. members[b + 1] - 1. */
typedef struct {
    int64_t n_order;
    const int64_t *order;
    const CompletedNode *nodes;
    const double *tables, *prior, *within;
    double tempering;
    const int32_t *codes, *members, *member_codes;
} CompletedTree;

typedef struct {
    const SumTerm *terms;
    int64_t n_terms;
    const int32_t *offsets;
    const double *tables, *start;
} CompletedSum;

/* out (n, n_classes) of the rows first..stop-1 of codes (n, n_columns); points (1 + number of columns, n_points): first
   those of the class, then in row point_rows[j] those of feature j. Not 0 where memory ran out. */
int average_completions(const uint32_t *codes, int64_t first, int64_t stop, int64_t n_columns,
                        const CompletedTree *tree, const CompletedSum *sum, int64_t n_classes, const double *points,
                        const int64_t *point_rows, int64_t n_points, double *out);

/* encode.c: columns of numbers become bytes. */
typedef enum { INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT32, FLOAT64 } Kind;
typedef struct {
    const char *data;
    Kind kind;
    int64_t n_rows, n_columns;
    int64_t row_step, column_step; /* in bytes */
} Matrix;

extern const int64_t item_sizes[]; /* by kind */
#define MISSING_BYTE 255
/* Rows first..stop-1 as bytes, column by column, out[j * n_rows + i]: whole numbers from 0 to 254, 255 for NaN.
 * is_small[j] becomes 0 where a column holds anything else. */
void to_bytes(const Matrix *matrix, int64_t first, int64_t stop, uint8_t *out, uint8_t *is_small);
/* seen[v] becomes 1 for every byte v. */
void bytes_seen(const uint8_t *bytes, int64_t n, uint8_t *seen);
void replace_bytes(uint8_t *bytes, int64_t n, const uint8_t *replacement);
/* cuts.c: number of increasing cuts, at most MOST_CUTS, that each value reaches, or `missing` for NaN. */
#define MOST_CUTS 255
void count_cuts(const double *values, int64_t n, const double *cuts, int64_t n_cuts, uint8_t missing, uint8_t *out);
typedef struct {
    int64_t n;
    const int64_t *columns; /* (n,): of the matrix */
    const int64_t *starts;  /* (n + 1,): where the cuts of each begin */
    const double *cuts;
    const uint8_t *missing; /* (n,) */
} ColumnCuts;
/* matrix.c: the same for rows first..stop-1 of some columns of a matrix, to out[j * n_rows + i]. */
void count_matrix_cuts(const Matrix *matrix, int64_t first, int64_t stop, const ColumnCuts *columns, uint8_t *out);

/* The cells that rows fall into, in the tables of a sum of terms. */
typedef struct {
    const void *columns[3]; /* cells of 1, 2 and 4 bytes, column by column of n rows */
    int64_t n_columns[3];
    int64_t n;
    const int64_t *starts; /* of each column, those of 1 byte first: the first cell of its table */
    int64_t n_cells;
} Cells;

/* lookup.c: scores (n_rows, m) of the rows from `first` on are base (m,) plus entries of tables (n_cells, m), added up in
 * the order of columns. */
void gather_cells(const Cells *cells, const double *tables, const double *base, int64_t m, int64_t first, int64_t n_rows,
                  double *scores);
/* Add what stands in the rows, whole (n_rows, m), to sums (n_cells + 1, m) of their cells, and of all rows. */
void scatter_cells(const Cells *cells, int64_t *sums, int64_t m, int64_t first, int64_t n_rows, const int64_t *whole);
/* The scores of the rows first..stop-1, to out (n, m). */
void row_scores(const Cells *cells, const double *tables, const double *base, int64_t m, int64_t first, int64_t stop,
                double *out);

/* cells.c: cells of n rows, of out_size bytes each: the sum over one to three axes of steps[axis][code], for columns of
 * codes of `size` bytes. */
void cells_of_rows(const void *const *columns, int size, const uint32_t *const *steps, int n_axes, int64_t n, void *out,
                   int out_size);
/* Add up how many of n cells, of `size` bytes each, have each number; counts and others (n_cells,) are zeros, and the
 * latter are left as they come. Returns 0, or -1 if a number is n_cells or more. */
int count_cells(const void *cells, int size, int64_t n, int64_t n_cells, int64_t *counts, int64_t *others);

/* losses.c: sums over rows for fitting the tables. */
typedef enum { LOSSES, GRADIENT, CURVATURE, TOTALS } Sums;
typedef struct {
    Sums kind;
    const double *tables;  /* (n_cells, b, c) */
    const double *base;    /* (b, c): what scores start from */
    const int64_t *labels; /* (n,) */
    const double *weights; /* (n, b), in units of fixed point */
    int64_t n_problems;    /* b */
    int64_t n_columns;     /* c: 1 for two classes, otherwise one for each class */
    double loss_unit;      /* of losses, in those of weights */
} Problems;

/* Space for some rows that are looked at together. */
typedef struct {
    double *scores, *other;
    int64_t *whole;
    int64_t n_rows;
} BlockSpace;
/* Returns 0, or 1 without memory. */
int make_block_space(int64_t n_problems, int64_t n_columns, BlockSpace *space);
void free_block_space(BlockSpace *space);

/* Add to sums (n_cells + 1, b, c), the last for all rows, and to losses (2, b), wholes and parts of 2^-30 of them, what
 * the rows first..stop-1 say. Sums are of w (p - is own class), w p (1 - p) or w. */
void sum_rows(const Cells *cells, const Problems *problems, int64_t first, int64_t stop, const BlockSpace *space,
              int64_t *sums, int64_t *losses);
/* The same with space of its own. Returns 0, or 1 without memory. */
int sum_over_rows(const Cells *cells, const Problems *problems, int64_t first, int64_t stop, int64_t *sums,
                  int64_t *losses);

/* team.c: threads that share the parts of jobs. */
typedef struct Team Team;
#define MOST_FOLLOWERS 1023
/* A team of one that leads, and so many that may follow; NULL without memory. */
Team *new_team(int64_t n_followers);
/* The number of a thread that is to follow; -1 if the team has enough. */
int64_t join_team(Team *team);
/* Help with the jobs of the leader for a while. Returns 0 once the team is ended. */
int follow(Team *team, int64_t worker);
void end_team(Team *team);
void free_team(Team *team);
/* The leader and all who may follow; 1 where team is NULL. */
int64_t n_workers(const Team *team);
/* What each thread does for a job: it takes parts, and does them, until none is left. Worker 0 leads. */
typedef void (*Job)(void *of_job, Team *team, int64_t worker);
/* Do a job of so many parts, with all who follow; by the leader alone where team is NULL. */
void do_together(Team *team, Job job, void *of_job, int64_t n_parts);
/* A part that nobody has taken, from the worker's share of them if one is left there; -1 if there is none. */
int64_t take_part(Team *team, int64_t worker);
/* Rows in parts of about the same size. */
typedef struct {
    int64_t n, size, n_parts;
} Parts;
Parts divide_rows(const Team *team, int64_t n);
/* The rows first..stop-1 of such a part. Returns whether there is one. */
int take_rows(Team *team, int64_t worker, const Parts *parts, int64_t *first, int64_t *stop);

/* shared_sums.c: sum_rows of all rows by a team. */
typedef struct Share Share;
typedef struct {
    Team *team; /* or NULL */
    int64_t n_sums, n_all;
    Share *shares; /* of each worker */
} SharedSums;
/* For n_sums sums. Returns 0, or 1 without memory; free_shared_sums follows in both cases. */
int make_shared_sums(Team *team, int64_t n_sums, int64_t n_problems, int64_t n_columns, SharedSums *shared);
void free_shared_sums(SharedSums *shared);
void sum_all_rows(const SharedSums *shared, const Cells *cells, const Problems *problems, int64_t *sums, int64_t *losses);

/* products.c: products along one axis. */
typedef struct {
    const double *transposed; /* (n_in, n_out) */
    int64_t n_out, n_in;
    int64_t pre, post; /* numbers before and after the axis */
} AxisProduct;
/* out (pre, n_out, post) of in (pre, n_in, post); each number is a sum over the axis in its order. */
void axis_product(const AxisProduct *product, const double *in, double *out);

/* similarity.c: add to the lower triangles of out (number of places, n, n) what the rows have in common by tables. */
typedef struct {
    const void *cells; /* of 1, 2 or 4 bytes, table by table of n rows */
    int itemsize;
    int64_t n, n_tables;
    const double *between;  /* (size, size) for all tables: what two cells have in common; NULL: 1 with themselves, else 0 */
    const int64_t *sizes;   /* (n_tables,): number of cells */
    const double *factors;  /* (n_tables,) */
    const int64_t *places;  /* (n_tables,): the matrix that a table is added to */
} Similarity;
/* Returns 0, or 1 without memory. */
int add_similarity(const Similarity *tables, double *out);

/* lbfgs.c: vectors of several problems side by side, (n, b, c), and the two loops of L-BFGS. */
typedef struct {
    int64_t n, n_problems, n_columns; /* n, b, c */
} Shape;
typedef struct {
    const double *steps, *changes; /* (memory, n, b, c) */
    const double *inverses;        /* (memory, b): 1 / (step . change), or 0 for a pair that counts for nothing */
    const int64_t *order;          /* (n_pairs,): places of the pairs in memory, the oldest first */
    int64_t n_pairs;
} Memory;
/* Dot product of each problem, out (b,). Returns 0, or 1 without memory. */
int dot_products(const double *left, const double *right, const Shape *shape, double *out);
/* Direction: inverse curvature times gradient; short_steps (b,) scale it between the two loops. It may take the place of
 * the gradient, and then slope is NULL; otherwise that is the dot product of both, (b,). */
int two_loops(const Memory *memory, const double *short_steps, const Shape *shape, const double *gradient,
              double *direction, double *slope);

/* solver.c: the unknowns of tables that minimise the log-loss of rows plus ridge penalties. */
typedef struct {
    int64_t n_cells, n_unknowns;
    int64_t expand, project; /* where in the matrices those from unknowns to cells and back begin, (n_in, n_out) */
} TableAxis;
/* Tables next to each other with the same basis along up to three axes. */
typedef struct {
    int64_t n_tables, n_axes;
    TableAxis axes[MOST_AXES];
} TableGroup;
#define TABLE_GROUP_NUMBERS ((int64_t)(sizeof(TableGroup) / sizeof(int64_t)))
typedef struct {
    const Cells *cells;
    const TableGroup *groups; /* tables after them are free: their unknowns are their cells */
    int64_t n_groups;
    const double *matrices;
    const double *scale, *ridge; /* (n,): of the unknowns, that of the intercept first */
    const double *base;          /* (c,): what scores start from */
    const int64_t *labels;
    const double *weights; /* (n rows, b), in units of fixed point */
    double unit;
    Team *team; /* or NULL */
} TableProblem;
/* Minimise from point (n, b, c), in units of scale, to point. Returns the number of evaluations, or -1 without memory. */
int64_t solve_tables(const TableProblem *problem, const Shape *shape, int64_t max_iterations, double tolerance,
                     double *point);

/* bins.c: fine and coarse bins of columns of numbers without missing values, by the rule of NestedDiscretizer. */
typedef struct {
    int64_t n_rows, n_classes, n_bins, n_coarse;
    const double *entropies;    /* (n + 1, n + 1): p log2 p of so many rows among so many */
    const double *row_prices;   /* (n + 1): log2 of one row less */
    const double *class_prices; /* (k + 1): log2(3^k - 2) */
} BinTables;

typedef struct {
    int64_t *n_cuts;      /* (columns): -1 for up to two values */
    double *cuts, *means; /* (columns, n) */
    int64_t *coarse;      /* (columns, n): coarse code of each bin */
} ColumnBins;

/* sorted, labels (columns, n): numbers of each column, increasing, and the classes of their rows. */
int column_bins(const double *sorted, const uint8_t *labels, int64_t n_columns, const BinTables *tables,
                ColumnBins *out);

/* Weight of the values of each bin, and their weighted sum times a scale, out (2, n_bins). totals are int64_t or double;
 * ends: position after the last value of each bin. */
void bin_sums(const double *values, const void *totals, int are_whole, const int64_t *ends, int64_t n_bins, double scale,
              double *out);

/* tree.c: Prim's algorithm, and the best pair to begin with. */
typedef struct {
    double *prefer;       /* what a feature adds to its score; -infinity once it is inside */
    double *best;         /* the best score of each feature outside, -infinity inside */
    int64_t *best_mother; /* and whose daughter it would be, or is */
    double *shared;       /* what it shares with that mother */
} Frontier;
/* Bring in `feature`, and then the best of those outside, n_steps in all; the first of those within `tie` of the best
 * comes next, and is returned. The row of feature j begins at rows + j * row_step. order: of the n_steps features. */
int64_t grow(const double *rows, int64_t row_step, int64_t n, int64_t feature, int64_t n_steps, double tie,
             const Frontier *frontier, int64_t *order);
void best_partner(const double *row, const double *with_class, int64_t n, int64_t i, double *best_cherry,
                  double *best_given);

/* boosting.c: rounds of boosting by small trees. */
#define TREE_CODES 256
#define TREE_INNER 7
#define TREE_NODES 15

/* Rows by codes, and what trees may be made of. */
typedef struct {
    const uint8_t *codes;                    /* (d, n) */
    const int32_t *sizes;                    /* (d,): number of codes, a missing value among them */
    const uint8_t *is_ordered, *has_missing; /* (d,) */
    const int32_t *terms;                    /* (n_terms, 3): features that may stand on one path, -1 for none */
    int64_t n, d, n_terms;                   /* n_terms is -1 where all features may stand together */
} TreeCodes;

typedef struct {
    int depth;         /* at most 3 */
    int64_t n_columns; /* 1 for two classes */
    double rate, ridge, category_ridge, least_curvature, unit;
} Growth;

/* A tree for each column. The children of node i are 2 i + 1, to the left, and 2 i + 2. */
typedef struct {
    int32_t *features; /* (c, 7): -1 where there is no split */
    uint8_t *is_left;  /* (c, 7, 256): codes that go to the left */
    double *gains;     /* (c, 7) */
    double *values;    /* (c, 15) */
} Trees;

/* Rows to boost from, and how. */
typedef struct {
    const TreeCodes *codes; /* of each resolution */
    const Growth *growths;  /* the same; unit and n_columns are those of a round */
    int n_resolutions;
    int64_t n, n_columns;
    const int64_t *labels; /* (n,) */
    const double *weights; /* (n,) */
    double units;          /* whole numbers that the largest weight is cut into */
    Team *team;            /* or NULL */
} Boosting;

/* Rounds one after the other: turns (n_rounds,) tells the resolution of each, drawn (n_rounds, bytes) in bits which rows it
 * looks at; trees have one more axis, of n_rounds, before all others. */
int boost_rounds(const Boosting *boosting, const int32_t *turns, const uint8_t *drawn, int64_t n_rounds, double *scores,
                 const Trees *trees);

/* draws.c: which rows a round looks at. Bits are in the order of drawn. */
typedef struct {
    const double *weights; /* (n,) */
    int64_t n;
    uint8_t *is_positive; /* in bits: rows with a weight */
    uint8_t *is_largest;  /* in bits: rows with the largest weight of all */
    double largest;
    uint64_t places[256]; /* places of the bits that are set in a byte, the lowest first, in bytes */
    uint8_t n_places[256];
} WeightBits;
/* Returns 0, or -1 without memory; free_weight_bits follows in both cases. */
int make_weight_bits(const double *weights, int64_t n, WeightBits *bits);
void free_weight_bits(WeightBits *bits);
/* The rows that are drawn and have a weight, with space for n + 1 of them; returns the largest of their weights. In bytes
 * of bits, the first row is the lowest bit. */
double find_drawn(const WeightBits *bits, const uint8_t *drawn, int32_t *rows, int64_t *n_rows);

/* random.c: the rows of n that are drawn in some rounds, as bits, (n_rounds, bytes): those whose own random byte is less
 * than a bound of at most 256. Each round has a generator of its own, seeded by its number. */
void draw_rows(uint32_t seed, uint32_t first, int64_t n_rounds, int64_t n, uint32_t below, Team *team, uint8_t *out);

/* leaves.c: add the tree of one column to the scores of all rows, of which every n_columns-th number is meant. */
void add_tree(const TreeCodes *codes, const Trees *tree, int depth, int64_t n_columns, Team *team, double *scores);

/* gains.c: rows by codes of features. */
typedef struct {
    const int32_t *codes; /* (d, n) */
    const int32_t *sizes; /* (d,): number of codes */
    int64_t n, d;
} TermCodes;
/* Add two numbers of each row to its cells in tables, one after the other, of terms (n_terms, 3), with -1 where there are
 * fewer features. */
void sum_by_cells(const TermCodes *codes, const int32_t *terms, int64_t n_terms, const double *first, const double *second,
                  double *sums, double *others);

/* tables.c: trees as tables over the features of their paths. */
typedef struct {
    int64_t d, n_terms, n_columns;
    const int32_t *terms;    /* (n_terms, 3): increasing, -1 for none; the first d are the features by themselves */
    const int64_t *keys;     /* (n_keys,): increasing, (first * d + second) * (d + 1) + third of paths, d for none */
    const int32_t *term_of;  /* (n_keys,): the term of such a path */
    const int64_t *offsets;  /* (n_terms,): where a table begins, in cells */
    const int32_t *sizes;    /* (3, d): codes of each feature in terms of one, two and three features */
    const int64_t *starts;   /* (3, d): where the codes of each feature begin among all those */
    const uint8_t *coarser;  /* (n_turns, all of those): the code in trees of each turn */
    int64_t n_keys, n_codes; /* n_codes of each turn */
} TreeTables;

/* Add the leaves of all trees to their tables (cells, c), or to the intercept (c,), and note which terms have some. */
int add_trees(const TreeTables *tables, const int32_t *turns, int64_t n_rounds, const Trees *trees, double *intercept,
              double *out, uint8_t *is_used);

#endif
