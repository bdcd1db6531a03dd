/* admin_export.c -- all that is stored about somebody, for them to have. */

#include "inner.h"

static const char *const part_words[] = {
    [PERSON_SEATS] = "seats",     [PERSON_OWNED] = "made",
    [PERSON_INVITES] = "invited", [PERSON_TEXTS] = "texts",
    [PERSON_NOTES] = "notes",     [PERSON_MARKS] = "marks",
    [PERSON_KEYS] = "keys",       [PERSON_LINKS] = "links",
};

/* A table that they sit at, made or are invited to. */
static void write_part_table(struct json_out *o, enum person_part part,
                             const struct person_row *row)
{
    write_id(o, "table", row->u.table.table);
    if (part == PERSON_SEATS && row->u.table.seat < 0)
        out_null(o, "seat");
    else if (part == PERSON_SEATS)
        out_int(o, "seat", row->u.table.seat);
    out_string(o, "game", row->u.table.game);
    out_string(o, "state", table_state_word(row->u.table.state));
    out_int(o, "created", row->u.table.created);
}

static void write_part_text(struct json_out *o, const struct text_row *text)
{
    write_id(o, "table", text->table);
    out_int(o, "number", (int64_t)text->number);
    out_string(o, "room", text->room == ROOM_TABLE ? "table" : "spectators");
    out_int(o, "at", text->at);
    out_string(o, "text", text->body != NULL ? text->body : "");
}

static void write_part_link(struct json_out *o, const struct link_row *link)
{
    out_string(o, "purpose", link_purposes[link->purpose % LINK_PURPOSES]);
    out_int(o, "made", link->made);
    out_int(o, "expires", link->expires);
    out_int(o, "uses", link->uses);
}

static void write_part(struct json_out *o, enum person_part part,
                       const struct person_row *row)
{
    out_object(o, NULL);
    switch (part) {
    case PERSON_SEATS:
    case PERSON_OWNED:
    case PERSON_INVITES: write_part_table(o, part, row); break;
    case PERSON_TEXTS: write_part_text(o, &row->u.text); break;
    case PERSON_NOTES:
        write_id(o, "table", row->u.note.table);
        out_string(o, "text", row->u.note.text);
        break;
    case PERSON_MARKS:
        write_id(o, "table", row->u.mark.table);
        out_int(o, "read", (int64_t)row->u.mark.number);
        break;
    case PERSON_KEYS:
        out_string(o, "method", row->u.key.method);
        out_string(o, "key", row->u.key.key);
        out_int(o, "at", row->u.key.at);
        break;
    case PERSON_LINKS: write_part_link(o, &row->u.link); break;
    case PERSON_PARTS: break;
    }
    out_end(o);
}

static int part_of(const struct request *q)
{
    for (int part = 0; part < PERSON_PARTS; part++)
        if (strcmp(param_text(q, "part"), part_words[part]) == 0)
            return part;
    return -1;
}

static void part_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    int part = part_of(q);
    size_t i = 0;
    struct json_out *o = list_begin(hub, q, "rows");

    for (; i < answer->part_count && o->len < LIMIT_PAGE_BYTES; i++)
        write_part(o, (enum person_part)part, &answer->parts[i]);
    bool more = answer->more || i < answer->part_count;
    list_end_at(hub, q, more ? param_int(q, "from", 0) + (int64_t)i : 0);
}

static void account_read(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    const struct account_row *row = user_of(q);
    struct json_out *o = list_begin(hub, q, "rows");

    out_object(o, NULL);
    write_id(o, "id", row->id);
    out_string(o, "name", row->name);
    out_bool(o, "guest", row->kind == ACCOUNT_GUEST);
    if (row->email != NULL)
        out_string(o, "email", row->email);
    else
        out_null(o, "email");
    out_bool(o, "password", row->password != NULL);
    out_int(o, "created", row->created);
    out_int(o, "seen", row->seen);
    if (row->banned_until != 0) {
        out_object(o, "banned");
        ban_write(o, row);
        out_end(o);
    }
    out_list(o, "tokens");
    for (size_t i = 0; i < answer->token_count && i < ADMIN_PAGE; i++)
        token_write(o, &answer->tokens[i]);
    out_end(o);
    out_end(o);
    list_end(hub, q, 0);
}

static void export_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct question ask = {.kind = ASK_TOKENS, .limit = ADMIN_PAGE};
    int part = part_of(q);

    if (!user_keep(hub, q, answer))
        return;
    if (part < 0) {
        ask.u.account = user_of(q)->id;
        hub_ask(hub, q, &ask, account_read);
        return;
    }
    ask.kind = ASK_PERSON;
    ask.u.person.account = user_of(q)->id;
    ask.u.person.part = (enum person_part)part;
    ask.u.person.from = (uint64_t)param_int(q, "from", 0);
    hub_ask(hub, q, &ask, part_read);
}

void handle_admin_users_export(struct hub *hub, struct request *q)
{
    user_find(hub, q, export_found);
}
