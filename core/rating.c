#include "rating.h"

#include "base.h"

/* Fractions are so many bits behind the point; what is rounded is rounded to the
 * nearest, halves away from zero, so that what one gains by a pair is what the
 * other would lose. */
#define ONE (INT64_C(1) << 30)

static int64_t shift(int64_t value, int bits)
{
    int64_t half = INT64_C(1) << (bits - 1);
    return value < 0 ? -((half - value) >> bits) : (half + value) >> bits;
}

static int64_t times(int64_t a, int64_t b)
{
    return shift(a * b, 30);
}

/* The root of VALUE, rounded down. */
static int64_t root(uint64_t value)
{
    uint64_t result = 0;

    for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 2) {
        if (value >= result + bit) {
            value -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return (int64_t)result;
}

/* exp(-X) for X >= 0, both of 30 bits: halved as often as X has ln 2 in it, and
 * what is left by its series. */
static int64_t exp_minus(int64_t x)
{
    const int64_t ln2 = 744261118;
    int64_t halvings = x / ln2, rest = x % ln2, sum = ONE;

    if (halvings > 30)
        return 0;
    for (int k = 14; k > 0; k--)
        sum = ONE - times(rest, sum) / k;
    return halvings > 0 ? shift(sum, (int)halvings) : sum;
}

/* The probability that who is DIFFERENCE points ahead wins, C as below. */
static int64_t expected(int64_t difference, int64_t c)
{
    int64_t far = difference < 0 ? -difference : difference;
    const int64_t far_max = INT64_C(1) << 22; /* 24 times c, at the least */

    if (far > far_max)
        far = far_max;
    /* 12 bits of c's, and then in two steps as 42 would be too many. */
    int64_t whole = (far << 40) / c;
    int64_t ahead = (ONE << 30) / (ONE + exp_minus(whole << 2));
    return difference < 0 ? ONE - ahead : ahead;
}

/* ---- a pair --------------------------------------------------------------- */

/* What comes of it for one of them. */
struct gain {
    int64_t mean;   /* thousandths, 20 bits behind the point */
    int64_t factor; /* what the variance loses of itself */
    int64_t weight;
};

static int64_t weight_of(uint32_t met)
{
    const int64_t eight = 8 * (int64_t)RATING_MET_ONE;
    return (eight << 30) / (eight + met);
}

static int64_t outcome(const struct rating_player *a,
                       const struct rating_player *b)
{
    if (a->place == b->place)
        return ONE / 2;
    return a->place < b->place ? ONE : 0;
}

/* Whether the result of A depends on that of B: who sat in the same seat did not
 * play against each other, and who took over is no rival. */
static bool compares(const struct rating_player *a,
                     const struct rating_player *b)
{
    return a->seat != b->seat && !b->substitute;
}

static void compare(const struct rating_player *a,
                    const struct rating_player *b, uint32_t met,
                    struct gain *gain)
{
    uint64_t spread = (uint64_t)(a->rating.variance + b->rating.variance +
                                 RATING_BETA2_TWICE);
    int64_t c = root(spread << 24); /* with 12 bits */
    int64_t p = expected(a->rating.mean - b->rating.mean, c);
    int64_t weight = weight_of(met);
    int64_t step = ((int64_t)a->rating.variance << 22) / c; /* with 10 bits */
    int64_t deviation = root((uint64_t)a->rating.variance << 24);
    int64_t share = (deviation << 30) / c;
    int64_t cube = times(times(share, share), share);

    gain->mean += shift(step * times(outcome(a, b) - p, weight), 20);
    gain->factor += times(times(cube, times(p, ONE - p)), weight);
    gain->weight += weight;
}

/* ---- a game ---------------------------------------------------------------- */

static struct rating moved(const struct rating_player *a,
                           const struct gain *gain)
{
    struct rating r = a->rating;
    int64_t mean = shift(gain->mean, 20);
    int64_t left = ONE - gain->factor;

    if (left < ONE / 10000)
        left = ONE / 10000;
    if (mean > 0 || !a->substitute)
        r.mean += mean;
    r.variance = shift(r.variance * shift(left, 6), 24);
    if (r.variance < RATING_VARIANCE_MIN)
        r.variance = RATING_VARIANCE_MIN;
    return r;
}

/* People change, so a rating gets a little less sure with each game: as much less
 * as it counts. */
static void drift(struct rating_player *a, const struct gain *gain, int rivals)
{
    a->rating.variance += times(RATING_DRIFT, gain->weight / rivals);
    if (a->rating.variance > RATING_VARIANCE)
        a->rating.variance = RATING_VARIANCE;
}

static int weigh(const struct rating_player *players, int count, int i,
                 const uint32_t *met, struct gain *gain)
{
    int rivals = 0;

    *gain = (struct gain){0};
    for (int k = 0; k < count; k++) {
        if (!compares(&players[i], &players[k]))
            continue;
        gain->weight += weight_of(met[i * count + k]);
        rivals++;
    }
    return rivals;
}

void rating_game(struct rating_player *players, int count, const uint32_t *met)
{
    struct rating after[RATING_PLAYERS_MAX];
    struct gain gain;

    ASSERT(count <= RATING_PLAYERS_MAX);
    for (int i = 0; i < count; i++) {
        int rivals = weigh(players, count, i, met, &gain);
        if (rivals > 0)
            drift(&players[i], &gain, rivals);
    }
    for (int i = 0; i < count; i++) {
        gain = (struct gain){0};
        for (int k = 0; k < count; k++)
            if (compares(&players[i], &players[k]))
                compare(&players[i], &players[k], met[i * count + k], &gain);
        after[i] = moved(&players[i], &gain);
    }
    for (int i = 0; i < count; i++)
        players[i].rating = after[i];
}

uint32_t rating_met(uint32_t met, int64_t elapsed_ms)
{
    int64_t halves = elapsed_ms / RATING_MET_HALF_MS;
    int64_t rest = elapsed_ms % RATING_MET_HALF_MS;

    if (elapsed_ms <= 0)
        return met;
    if (halves > 31)
        return 0;
    /* From one half to the next in a straight line. */
    return (uint32_t)((int64_t)(met >> halves) *
                      (2 * RATING_MET_HALF_MS - rest) /
                      (2 * RATING_MET_HALF_MS));
}

int64_t rating_points(const struct rating *r)
{
    return (r->mean + (r->mean < 0 ? -500 : 500)) / 1000;
}

int64_t rating_deviation(const struct rating *r)
{
    return (root((uint64_t)r->variance) + 500) / 1000;
}
