/* test_hadara_shown.c -- what clients ask Hadara's own code, to show people more than
 * the rules need: where a track comes from, what somebody cannot afford. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "tests/support/hadara_position.h"

static const struct rules *const R = &hadara_rules;
static struct hd p;
static int32_t from[SOURCES][TRACKS];

/* Asks for the sources of SEAT; they add up to its tracks. */
static void ask(int seat)
{
    const struct hadara_player *q = &hd_of(&p)->player[seat];

    memset(from, 0x55, sizeof(from));
    hadara_sources(hd_of(&p), q, from);
    for (int track = 0; track < TRACKS; track++) {
        int32_t sum = 0;
        for (int s = 0; s < SOURCES; s++)
            sum += from[s][track];
        HD_IS(sum, hd_track(&p, seat, (enum hadara_track)track));
    }
}

#define FROM(source, i, m, c, f) \
    do { \
        HD_IS(from[source][TRACK_INCOME], i); \
        HD_IS(from[source][TRACK_MILITARY], m); \
        HD_IS(from[source][TRACK_CULTURE], c); \
        HD_IS(from[source][TRACK_FOOD], f); \
    } while (0)

static void have(const char *cards, const char *colonies, const char *statues)
{
    hd_start_last(&p, &(struct hd_player){.cards = cards,
                                          .colonies = colonies,
                                          .statues = statues});
    ask(0);
}

/* A track comes from the setup card, cards, integrated colonies, tiles, and effects
 * that count cards of a colour: each is told by itself. */
Test(hadara_shown, sources)
{
    have("", "", "");
    FROM(FROM_SETUP, 2, 1, 3, 4);
    for (int s = FROM_CARDS; s < SOURCES; s++)
        FROM(s, 0, 0, 0, 0);
    have("red-1-01 blue-1-01", "", "");
    FROM(FROM_SETUP, 2, 1, 3, 4);
    FROM(FROM_CARDS, 0, 3, 3, 0);
    have("purple-1-11 blue-1-01 blue-1-02", "", "");
    FROM(FROM_EFFECTS, 0, 0, 2, 0);
    have("purple-1-12 yellow-1-01 yellow-1-09", "", "");
    FROM(FROM_EFFECTS, 2, 0, 0, 0);
    have("purple-1-13 green-1-03", "", "");
    FROM(FROM_EFFECTS, 0, 0, 0, 1);
    have("purple-1-14 red-1-01", "", "");
    FROM(FROM_EFFECTS, 0, 1, 0, 0);
}

/* A plundered colony feeds no track, an integrated one does by its back; a statue's
 * tile does as many steps as the statue says. */
Test(hadara_shown, sources_of_colonies_and_statues)
{
    have("", "1 2", "");
    FROM(FROM_COLONIES, 0, 0, 0, 0);
    have("", "2/4", "");
    const uint8_t *back = hadara_tables(hd_of(&p))->back[1][3].value;
    FROM(FROM_COLONIES, back[0], back[1], back[2], back[3]);
    cr_assert(back[0] + back[1] + back[2] + back[3] > 0);
    have("", "", "2income");
    FROM(FROM_TILES, 3, 0, 0, 0);
    have("", "", "2income!");
    FROM(FROM_TILES, 0, 0, 0, 0);
}

/* Before anybody has a side there is nothing that a track could come from. */
Test(hadara_shown, sources_at_the_beginning)
{
    hd_new(&p, 2, true);
    memset(from, 0x55, sizeof(from));
    hadara_sources(hd_of(&p), &hd_of(&p)->player[0], from);
    for (int s = 0; s < SOURCES; s++)
        FROM(s, 0, 0, 0, 0);
}

/* ---- what one cannot afford --------------------------------------------------- */

/* Who may take a card, or choose, is shown what they lack coins for, in order; who
 * can pay all of it, or is to do something else, nothing. */
Test(hadara_shown, dear)
{
    struct rules_move dear[HUES];
    struct hd_table t = {
        .stage = STAGE_TAKE,
        .epoch = 1,
        .piles = "yellow-1-02 red-1-02 blue-1-02 green-1-02 purple-1-02",
        .player = {{.coins = 99}},
    };

    hd_start(&p, &t);
    HD_IS(hadara_dear(&p.any.state, 0, dear), 0);
    t.player[0].coins = 0;
    hd_start(&p, &t);
    HD_IS(hadara_dear(&p.any.state, 0, dear), HUES);
    for (int color = 0; color < HUES; color++) {
        HD_IS(dear[color].verb, TAKE);
        HD_IS(dear[color].arg[0], color);
        HD_IS(dear[color].arg[1], KEEP_BUY);
        HD_IS(dear[color].arg[2], RULES_NONE);
    }
    hd_of(&p)->piles[1] = 0;
    HD_IS(hadara_dear(&p.any.state, 0, dear), HUES - 1);
    HD_IS(dear[1].arg[0], 2);
    t.stage = STAGE_WHEEL;
    hd_start(&p, &t);
    HD_IS(hadara_dear(&p.any.state, 0, dear), 0);
    hd_want(&p, "yellow-1-01 yellow-1-02");
    hd_do(&p, 0, "set_wheel offset=0");
    hd_of(&p)->player[0].coins = 0;
    HD_IS(hadara_dear(&p.any.state, 0, dear), 2);
    HD_IS(dear[0].verb, CHOOSE);
    HD_IS(dear[0].arg[0], hd_card("yellow-1-01"));
    HD_IS(dear[1].arg[0], hd_card("yellow-1-02"));
    memset(hd_of(&p)->player[0].drawn, HADARA_NOTHING, 2); /* as others see */
    HD_IS(hadara_dear(&p.any.state, 0, dear), 0);
}

/* ---- whole tables ------------------------------------------------------------- */

/* Who is shown the numbers that a game is played by is shown those it names. */
Test(hadara_shown, spelled_out)
{
    const struct hadara_tables *named;

    hd_new(&p, 2, false);
    named = hadara_tables(hd_of(&p));
    cr_assert_neq(named, &hd_of(&p)->own);
    R->spell_out(&p.any.state);
    cr_assert_eq(hadara_tables(hd_of(&p)), &hd_of(&p)->own);
    cr_assert_eq(memcmp(named, &hd_of(&p)->own, sizeof(*named)), 0);
}
