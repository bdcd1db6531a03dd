/* reopen.c -- a table in the place of another; see reopen.h. */

#include "reopen.h"

#include <stdlib.h>

#include "core/fair.h"
#include "inner.h"
#include "protocol/canonical.h"

/* The header of WAS, in R, as that of ROW. */
static const char *header_like(struct region *r, const struct table *was,
                               const struct table_row *row)
{
    char why[JSON_EXPECTED_MAX], id[ID_SIZE], hex[2 * SHA256_SIZE + 1] = "";
    json_t *header = json_parse(was->row.header, strlen(was->row.header), why);
    uint8_t hash[SHA256_SIZE];
    struct json_out text;

    ASSERT(header != NULL); /* it was read when the table was loaded */
    id_write(row->id, id);
    fair_commitment(id, row->game, was->revision, row->seed, hash);
    hex_write(hex, hash, SHA256_SIZE);
    json_object_set_new(header, "table", json_string(id));
    id_write(was->id, id);
    json_object_set_new(header, "again_of", json_string(id));
    json_object_set_new(header, "commitment", json_string(hex));
    json_object_set_new(header, "seed", json_string(row->seed));
    json_object_set_new(header, "created", json_integer(row->created));
    json_object_set_new(header, "seats", json_integer(row->summary.seats));
    json_out_init(&text);
    bool whole = canonical_write(&text, header, NULL);
    ASSERT(whole);
    const char *copy = region_text(r, json_out_text(&text), text.len);
    json_out_done(&text);
    json_decref(header);
    return copy;
}

struct table *table_like(struct hub *hub, const struct table *was, int seats,
                         id_num owner)
{
    struct region r = {0};
    struct table_row row = was->row;

    row.id = random_id(hub);
    row.owner = owner;
    row.created = hub->now_ms;
    row.seed = lobby_seed(hub, &r);
    row.summary = (struct summary){.seats = (uint8_t)seats};
    row.header = header_like(&r, was, &row);
    struct table *t = lobby_table(hub, &row);
    region_done(&r);
    return t;
}

/* Whose the new table is: whose the old one was, if they are among the seats
 * THERE, or who sits down first.  0: nobody does but bots. */
static id_num owner_among(const struct table *was, uint16_t there)
{
    id_num first = 0;

    for (int seat = was->seats; seat-- > 0;) {
        if ((there & ~was->bots & RULES_BIT(seat)) == 0)
            continue;
        first = was->seat[seat];
        if (first == was->owner)
            return first;
    }
    return first;
}

void reopen(struct change *c, uint16_t away)
{
    const struct table *was = c->table;
    uint16_t there = (uint16_t)((RULES_BIT(was->seats) - 1) &
                                ~(away | was->resigned));
    id_num owner = owner_among(was, there);
    int to = 0;

    if (owner == 0 || was->setup.position != NULL)
        return;
    struct table *t = table_like(c->hub, was, was->seats_made, owner);
    change_op(c, OP_REMATCH)->u.rematch = t->id;
    change_also(c, t);
    lobby_put_row(c);
    for (int seat = 0; seat < was->seats; seat++)
        if ((away & ~was->resigned & RULES_BIT(seat)) != 0 &&
            was->seat[seat] != 0)
            invitations_add(c,
                            &(struct invitation){.account = was->seat[seat]},
                            was->name[seat]);
    change_add(c, &(struct entry){.kind = ENTRY_CREATE, .seat = ENTRY_NOBODY});
    for (int seat = 0; seat < was->seats; seat++) {
        if ((there & RULES_BIT(seat)) == 0)
            continue;
        lobby_seat_for(c, to++, was->seat[seat], was->name[seat]);
        change_concerns(c, was->seat[seat], "seated");
    }
}
