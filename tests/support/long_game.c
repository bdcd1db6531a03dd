#include "long_game.h"

#include <stdio.h>

#include "core/base.h"
#include "server/hub/inner.h"

void long_game_start(struct test_client *d, const char *game, int turns,
                     const peer_id *peers, int seats, char table[16])
{
    json_t *options = json_object();

    if (turns > 0)
        json_object_set_new(options, "turns", json_integer(turns));
    json_t *made = test_client_ask(d, peers[0], "table.create",
                                   "{s:s,s:i,s:o}", "game", game, "seats",
                                   seats, "options", options);
    ASSERT(test_client_reason(made)[0] == '\0');
    snprintf(table, 16, "%s", test_client_text(made, "table"));
    for (int i = 1; i < seats; i++) {
        json_t *joined = test_client_ask(d, peers[i], "table.join", "{s:s}",
                                         "table", table);
        ASSERT(test_client_reason(joined)[0] == '\0');
    }
    test_client_settle(d);
}

static struct rules_move choose(const struct table *t, int seat,
                                struct rng *rng)
{
    static struct rules_choice choices[RULES_MOVES_MAX];
    size_t n = rules_legal(t->rules, t->rules_state, seat, -1, choices,
                           RULES_MOVES_MAX);

    ASSERT(n > 0);
    return choices[rng_below(rng, (uint32_t)n)].move;
}

size_t long_game_play(struct test_client *d, const char *table, size_t plies)
{
    static const uint8_t seed[RNG_SEED_SIZE] = {7};
    struct hub *hub = d->world.hub;
    struct rng rng;
    id_num id;

    bool is_id = id_read(table, &id);
    struct table *t = table_find(hub, id);
    ASSERT(is_id && t != NULL && t->rules_state != NULL);
    rng_init(&rng, seed, t->log.count);
    while (t->state == TABLE_PLAYING && t->log.count < plies) {
        int seat = __builtin_ctz(t->rules_state->acting);
        struct rules_move move = choose(t, seat, &rng);
        struct change *c = change_begin(hub, NULL, t);
        change_add(c, &(struct entry){
                          .kind = ENTRY_MOVE,
                          .seat = (uint16_t)seat,
                          .u.move = move,
                      });
        change_submit(c, NULL);
        test_client_settle(d);
    }
    return t->log.count;
}
