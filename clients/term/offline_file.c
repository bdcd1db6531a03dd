/* offline_file.c -- a game without a server, in a file: a script (script.c) whose
 * header says besides who plays, so that the game can go on where it was left. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/lang.h"
#include "lead.h"
#include "offline.h"
#include "protocol/game_json.h"

static void write_asset(struct json_out *o, const struct offline *game)
{
    const struct rules *r = game->table.rules;
    const struct rules_setup *setup = &game->setup;

    if (setup->asset_name == NULL && setup->asset == NULL)
        return;
    out_object(o, r->asset_kind->name);
    if (setup->asset_name != NULL)
        out_string(o, "builtin", setup->asset_name);
    else
        out_string_n(o, r->asset_kind->format, setup->asset, setup->asset_len);
    out_end(o);
}

/* What who is led has been told. */
static void write_told(struct json_out *o, const struct lead *lead)
{
    const struct guide_step *steps = lead->guide.steps;

    out_list(o, "told");
    for (int i = 0; steps != NULL && steps[i].name != NULL; i++)
        if (lead->told >> i & 1u)
            out_string(o, NULL, steps[i].name);
    out_end(o);
}

/* Counts of draws and thoughts are told, as those taken back count, too. */
static void write_header(struct json_out *o, const struct offline *game)
{
    const struct rules *r = game->table.rules;

    out_object(o, NULL);
    out_string(o, "game", r->name);
    out_int(o, "revision", game->table.any.state.revision);
    out_int(o, "seats", game->setup.seats);
    json_options(o, "options", r, game->options);
    write_asset(o, game);
    out_int(o, "seed", (int64_t)game->seed);
    out_int(o, "draws", (int64_t)game->draws);
    out_int(o, "thoughts", (int64_t)game->thoughts);
    out_string(o, "level", mind_level_words[game->level]);
    out_list(o, "players");
    for (int seat = 0; seat < game->setup.seats; seat++) {
        out_object(o, NULL);
        out_string(o, "name", game->table.names[seat]);
        out_bool(o, "bot", (game->table.bots & RULES_BIT(seat)) != 0);
        out_end(o);
    }
    out_end(o);
    if (game->lead != NULL)
        write_told(o, game->lead);
    out_end(o);
}

static void write_ply(struct json_out *o, const struct offline *game,
                      const struct offline_ply *p)
{
    out_object(o, NULL);
    json_seat(o, "seat", p->ply.seat);
    json_move(o, "move", game->table.rules, &game->table.any.state,
              &p->ply.move);
    out_end(o);
}

static bool put_line(FILE *to, struct json_out *o)
{
    bool good = fwrite(json_out_text(o), 1, o->len, to) == o->len &&
                fputc('\n', to) != EOF;
    json_out_reset(o);
    return good;
}

bool offline_keep(const struct offline *game)
{
    char path[4096];
    struct json_out o;

    if (game->file == NULL)
        return true;
    int n = snprintf(path, sizeof(path), "%s.new", game->file);
    FILE *to = n > 0 && (size_t)n < sizeof(path) ? fopen(path, "w") : NULL;
    if (to == NULL)
        return false;
    json_out_init(&o);
    write_header(&o, game);
    bool good = put_line(to, &o);
    for (size_t i = 0; good && i < game->count; i++) {
        write_ply(&o, game, &game->log[i]);
        good = put_line(to, &o);
    }
    json_out_done(&o);
    good = fclose(to) == 0 && good;
    /* The one before stands until this is whole. */
    return good && rename(path, game->file) == 0;
}

/* Who played, as the header has it. */
static bool read_players(struct offline *game, const json_t *header)
{
    const json_t *players = json_object_get(header, "players");
    const char *level = json_string_value(json_object_get(header, "level"));
    uint16_t bots = 0;

    for (int seat = 0; seat < game->setup.seats; seat++) {
        const json_t *one = json_array_get(players, (size_t)seat);
        const char *name = json_string_value(json_object_get(one, "name"));
        if (name == NULL || !offline_name(game, seat, name, strlen(name)))
            return complain(_("%s: who plays is not said"), game->file), false;
        if (json_is_true(json_object_get(one, "bot")))
            bots |= RULES_BIT(seat);
    }
    game->table.bots = bots;
    return level != NULL && level_read(level, &game->level);
}

static void read_told(struct lead *lead, const json_t *header)
{
    const json_t *told = json_object_get(header, "told");

    for (size_t i = 0; i < json_array_size(told); i++) {
        const json_t *name = json_array_get(told, i);
        if (json_is_string(name))
            lead_told_of(lead, json_string_value(name),
                         json_string_length(name));
    }
}

bool offline_resume(struct offline *game, const char *path)
{
    struct lead *lead = game->lead;
    json_t *header = NULL;

    if (!script_load(path, game, &header))
        return false;
    game->file = path;
    game->lead = lead;
    if (lead != NULL)
        read_told(lead, header);
    json_int_t draws = json_integer_value(json_object_get(header, "draws"));
    json_int_t thoughts = json_integer_value(
        json_object_get(header, "thoughts"));
    bool good = read_players(game, header);
    if (good && !game->seeded)
        good = complain(_("%s: a game is gone on with by its seed, a number"),
                        path) == 0;
    json_decref(header);
    /* What was taken back was drawn all the same. */
    if (draws > 0 && (uint64_t)draws > game->draws)
        game->draws = (uint64_t)draws;
    if (thoughts > 0)
        game->thoughts = (uint64_t)thoughts;
    if (!good)
        offline_close(game);
    return good;
}
