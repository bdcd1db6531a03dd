/* test_hacienda_secrets.c -- Hacienda, What each viewer may see, and [H25]. */

#include <criterion/criterion.h>
#include <string.h>

#include "core/base.h"
#include "core/games/hacienda/parts.h"
#include "tests/support/doc.h"
#include "tests/support/hacienda_position.h"

static const struct rules *const R = &hacienda_rules;

static struct position p;

static const struct hacienda *view(int viewer)
{
    static union rules_any room[RULES_ALL + 1];
    rules_view(R, &p.any.state, viewer, &room[viewer].state);
    return (const struct hacienda *)&room[viewer];
}

/* A position in which everything has happened that can be seen. */
static void start(void)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f . $\n . . . . .\n. . . . .",
                           .seats = 3,
                           .hand = {"forest*4 swamp*4 pig*4",
                                    "mountain*8 sheep*4", "rocks*8 horse*4"},
                           .display = "forest meadow pampas swamp "
                                      "pig cattle sheep horse",
                       });
    position_put(&p, 0, "forest A1, pig B1");
    position_next(&p, "mountain");
    position_do(&p, 0, "buy_land_display card=forest");
    position_turn(&p, 1);
    position_next(&p, "cattle");
    position_do(&p, 1, "buy_animal_display card=pig");
    position_next(&p, "pampas");
    position_do(&p, 1, "buy_land_supply");
}

/* Cards dealt or drawn from a supply are known to their owner only: everybody
 * else sees how many there are. */
Test(hacienda_secrets, hidden_cards)
{
    start();
    for (int viewer = 0; viewer <= 3; viewer++) {
        const struct hacienda *v = view(viewer == 3 ? RULES_WATCHER : viewer);
        for (int seat = 0; seat < 3; seat++)
            for (int card = 0; card < CARDS; card++)
                EXPECT_NUMBER(v->player[seat].unknown[card],
                              viewer == seat
                                  ? position_of(&p)->player[seat].unknown[card]
                                  : FIELDS_NULL_U8);
    }
    EXPECT_NUMBER(view(1)->player[1].unknown[CARD_PAMPAS], 1);
    EXPECT_NUMBER(view(1)->player[1].unknown[CARD_MOUNTAIN], 8);
}

/* Public: the face of every card a player took from a display until it is
 * played, and everything that is not a hidden card. */
Test(hacienda_secrets, the_rest_is_public)
{
    static union rules_any copy;
    start();
    for (int viewer = 0; viewer <= 3; viewer++) {
        const struct hacienda *v = view(viewer == 3 ? RULES_WATCHER : viewer);
        EXPECT_NUMBER(v->player[0].known[CARD_FOREST], 1);
        EXPECT_NUMBER(v->player[1].known[CARD_PIG], 1);
        /* The view with all hidden cards put back is the true state. */
        memcpy(&copy, v, sizeof(*v));
        copy.state.viewer = RULES_ALL;
        for (int seat = 0; seat < 3; seat++)
            memcpy(((struct hacienda *)&copy)->player[seat].unknown,
                   position_of(&p)->player[seat].unknown, CARDS);
        cr_assert_eq(rules_hash(R, &copy.state), rules_hash(R, &p.any.state));
    }
}

/* Whether DOC's root has a member of that name, "a.b" within "a". */
static bool has(const struct doc *doc, int at, const char *path)
{
    size_t len = strcspn(path, ".");
    for (int i = doc->node[at].first; i >= 0; i = doc->node[i].next)
        if (strlen(doc->node[i].name) == len &&
            strncmp(doc->node[i].name, path, len) == 0)
            return path[len] == '\0' || has(doc, i, path + len + 1);
    return false;
}

/* Public, as it is told to a spectator: the board, display, discards, sizes of
 * all stacks, the active one, what is left of haciendas, chips and waters,
 * actions and once-per-turn moves done, whether a scoring is due; nothing of
 * the order of stacks or the removed cards. */
Test(hacienda_secrets, what_a_spectator_is_told)
{
    static const char *const there[] = {
        "ground",
        "tiles",
        "owners",
        "waters",
        "haciendas",
        "chips",
        "display",
        "discards.pig",
        "supply.land",
        "supply.animals",
        "animals_aside",
        "animals_removed",
        "half",
        "left.haciendas",
        "left.chips",
        "left.waters.single",
        "left.waters.double",
        "left.waters.triangle",
        "left.waters.line",
        "actions",
        "bought_hacienda",
        "bought_water",
        "harvested",
        "scoring_due",
        "unseen.pig",
        "turn",
        "round",
        "players",
    };
    static const char *const player[] = {"money", "known.pig",
                                         "hidden_cards.land",
                                         "hidden_cards.animals", "points"};
    struct doc doc = doc_new();
    start();
    doc_show(&doc, R, &view(RULES_WATCHER)->base);
    for (size_t i = 0; i < COUNT_OF(there); i++)
        cr_assert(has(&doc, 0, there[i]), "%s", there[i]);
    int players = doc.node[0].first;
    while (strcmp(doc.node[players].name, "players") != 0)
        players = doc.node[players].next;
    for (size_t i = 0; i < COUNT_OF(player); i++)
        cr_assert(has(&doc, doc.node[players].first, player[i]), "%s",
                  player[i]);
    /* Spectators have no hand: every hidden card is null to them. */
    for (int i = 0; i < doc.used; i++)
        if (strcmp(doc.node[i].name, "hidden") == 0)
            for (int c = doc.node[i].first; c >= 0; c = doc.node[c].next)
                EXPECT_NUMBER(doc.node[c].type, FIELDS_NULL);
    doc_free(&doc);
}

/* Per kind the number that could still be in the stacks: all of the kind -
 * display - discards - own hand - others' known cards. */
Test(hacienda_secrets, unseen_cards)
{
    start();
    const struct hacienda *h = position_of(&p);
    for (int viewer = 0; viewer <= 3; viewer++) {
        const struct hacienda *v = view(viewer == 3 ? RULES_WATCHER : viewer);
        int all = 0;
        for (int card = 0; card < CARDS; card++) {
            int n = card == CARD_PAMPAS ? 10 : card < LAND_CARDS ? 14 : 18;
            for (int slot = 0; slot < 4; slot++)
                n -= h->display[card_stack(card)][slot] == card;
            n -= h->discard[card];
            for (int seat = 0; seat < 3; seat++)
                n -= h->player[seat].known[card];
            if (viewer < 3)
                n -= h->player[viewer].unknown[card];
            EXPECT_NUMBER(hacienda_unseen(v, card), n);
            all += n;
        }
        /* That is supply, set-aside, removed, others' hidden cards. */
        int rest = h->supply[0] + h->supply[1] + h->aside + h->removed;
        for (int seat = 0; seat < 3; seat++)
            for (int s = 0; s < STACKS && seat != viewer; s++)
                rest += h->player[seat].secrets[s];
        EXPECT_NUMBER(all, rest);
    }
    /* One forest was bought, one played; 8 of 14 mountains in one hand. */
    EXPECT_NUMBER(hacienda_unseen(view(1), CARD_MOUNTAIN), 14 - 8 - 1);
    EXPECT_NUMBER(hacienda_unseen(view(0), CARD_MOUNTAIN), 14 - 1);
    EXPECT_NUMBER(hacienda_unseen(view(RULES_WATCHER), CARD_FOREST), 12);
}

/* Chance: a card is drawn from the multiset of those unseen, weighted by
 * count, removed cards and others' stacks included. */
Test(hacienda_secrets, draws_are_even)
{
    static const uint8_t seed[RNG_SEED_SIZE] = "draws";
    int drawn[CARDS] = {0}, left[CARDS], all = 0;
    struct rules_move move;
    struct rng rng;

    start();
    move = RULES_MOVE(BUY_ANIMAL_SUPPLY, RULES_NONE, RULES_NONE, RULES_NONE);
    for (int card = CARD_CATTLE; card < CARDS; card++) {
        left[card] = hacienda_unseen(position_of(&p), card);
        all += left[card];
    }
    rules_apply(R, &p.any.state, 1, &move, &p.events);
    for (uint64_t i = 0; i < 8000; i++) {
        rng_init(&rng, seed, i);
        rules_chance(R, &p.any.state, &rng, &move);
        EXPECT_NUMBER(move.verb, NATURE_DEAL);
        drawn[move.arg[1]]++;
    }
    for (int card = CARD_CATTLE; card < CARDS; card++) {
        int wanted = 8000 * left[card] / all;
        cr_assert(drawn[card] > wanted * 85 / 100 &&
                      drawn[card] < wanted * 115 / 100,
                  "%d not %d", drawn[card], wanted);
    }
}

/* [H25] When a player holds known and hidden cards of a kind, a known one is
 * played first; then hidden ones. */
Test(hacienda_secrets, known_cards_first)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f . $\n . . . . .",
                           .hand = {"forest*2 pig*4"},
                           .display = "forest*2",
                       });
    const struct hacienda_player *hand = &position_of(&p)->player[0];
    position_do(&p, 0, "buy_land_display card=forest");
    EXPECT_NUMBER(hand->known[CARD_FOREST], 1);
    position_put(&p, 0, "forest A1");
    EXPECT_NUMBER(hand->known[CARD_FOREST], 0);
    EXPECT_NUMBER(hand->unknown[CARD_FOREST], 2);
    EXPECT_NUMBER(hand->secrets[STACK_LAND], 8);
    position_put(&p, 0, "forest A2");
    EXPECT_NUMBER(hand->unknown[CARD_FOREST], 1);
    EXPECT_NUMBER(hand->secrets[STACK_LAND], 7);
    EXPECT_NUMBER(view(1)->player[0].secrets[STACK_LAND], 7);
}

/* [H25] ... which tells nothing about the hidden ones: two tables that seat 1
 * cannot tell apart stay so when the known card is played. */
Test(hacienda_secrets, playing_a_known_card_tells_nothing)
{
    static struct position other;
    struct position *both[] = {&p, &other};
    uint64_t seen[2];
    for (int i = 0; i < 2; i++) {
        position_start(both[i], &(struct position_table){
                                    .board = "f f f . $\n . . . . .",
                                    .hand = {i ? "forest*8" : "swamp*8",
                                             "mountain*8 cattle*4"},
                                    .display = "forest*2 meadow*2 pig*4",
                                });
        position_next(both[i], "meadow");
        position_do(both[i], 0, "buy_land_display card=forest");
        position_do(both[i], 0, "play_land card=forest hex=A2");
        static union rules_any room;
        rules_view(R, &both[i]->any.state, 1, &room.state);
        memset(((struct hacienda *)&room)->player[1].unknown, 0, CARDS);
        seen[i] = rules_hash(R, &room.state);
    }
    cr_assert_eq(seen[0], seen[1]);
}

/* Hidden: what is drawn is told to its owner only, as a move and as an event;
 * a card from the display is told to all. */
Test(hacienda_secrets, draws_are_told_to_the_owner)
{
    struct rules_move deal = RULES_MOVE(NATURE_DEAL, 1, CARD_PIG, RULES_NONE);
    struct rules_move up = RULES_MOVE(NATURE_TURN_UP, CARD_PIG, RULES_NONE,
                                      RULES_NONE);
    struct rules_move redacted;

    start();
    for (int viewer = 0; viewer <= 3; viewer++) {
        int who = viewer == 3 ? RULES_WATCHER : viewer;
        rules_redact_move(R, &p.any.state, RULES_NATURE, &deal, who,
                          &redacted);
        EXPECT_NUMBER(redacted.arg[1], viewer == 1 ? CARD_PIG : RULES_HIDDEN);
        EXPECT_NUMBER(redacted.arg[0], 1);
        rules_redact_move(R, &p.any.state, RULES_NATURE, &up, who, &redacted);
        EXPECT_NUMBER(redacted.arg[0], CARD_PIG);
    }
    position_next(&p, "sheep");
    position_do(&p, 1, "buy_animal_supply");
    for (size_t i = 0; i < 2; i++) {
        const struct rules_event *e = position_event(&p.events, EV_DREW, i);
        bool owner = e->arg[1] == CARD_SHEEP;
        EXPECT_NUMBER(e->seen_by, owner ? RULES_BIT(1) : RULES_BUT(1));
        if (!owner)
            EXPECT_NUMBER(e->arg[1], RULES_HIDDEN);
    }
    for (size_t i = 0; i < p.action.count; i++)
        EXPECT_NUMBER(p.action.at[i].seen_by, RULES_EVERYONE);
}

/* Hidden: a played card is public, and so is every other move. */
Test(hacienda_secrets, moves_are_public)
{
    struct rules_move move, redacted;
    start();
    position_read(&p, "play_animal card=pig hex=B2", &move);
    rules_redact_move(R, &p.any.state, 1, &move, RULES_WATCHER, &redacted);
    cr_assert_arr_eq(&redacted, &move, sizeof(move));
}

/* Crucible: the two pampas cards of each player are known to all. */
Test(hacienda_secrets, crucible_pampas)
{
    position_start(&p, &(struct position_table){.crucible = true});
    EXPECT_NUMBER(view(RULES_WATCHER)->player[0].known[CARD_PAMPAS], 2);
    EXPECT_NUMBER(view(0)->player[1].known[CARD_PAMPAS], 2);
    EXPECT_NUMBER(view(0)->player[1].secrets[STACK_LAND], 2);
}

/* `score now` is public at all times: the same in every view. */
Test(hacienda_secrets, score_is_public)
{
    struct rules_score whole, seen;
    start();
    rules_score(R, &p.any.state, &whole);
    for (int viewer = 0; viewer <= 3; viewer++) {
        rules_score(R, &view(viewer == 3 ? RULES_WATCHER : viewer)->base,
                    &seen);
        cr_assert_arr_eq(&seen, &whole, sizeof(seen));
    }
}

/* After the land discards were shuffled [H6] they could be in the stack again,
 * as far as the numbers shown go. */
Test(hacienda_secrets, unseen_after_shuffling)
{
    position_start(&p, &(struct position_table){
                           .board = "f f f . $\n . . . . .",
                           .hand = {"forest*8", "swamp*8"},
                           .display = "swamp*2 meadow*2",
                       });
    position_put(&p, 0, "forest A1, forest A2");
    EXPECT_NUMBER(hacienda_unseen(view(0), CARD_FOREST), 14 - 8);
    position_empty(&p, 1, STACK_LAND);
    EXPECT_NUMBER(hacienda_unseen(view(0), CARD_FOREST), 0);
    position_do(&p, 0, "buy_land_supply");
    EXPECT_NUMBER(hacienda_unseen(view(0), CARD_FOREST), 1);
    EXPECT_NUMBER(hacienda_unseen(view(1), CARD_FOREST), 8);
}
