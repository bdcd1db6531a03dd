/* export.c -- all that is stored about somebody: for them to have, by
 * themselves or from the administrator. */

#include "inner.h"
#include "outbox.h"

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
    if (part != PERSON_SEATS || row->u.table.place == 0)
        return;
    out_int(o, "place", row->u.table.place);
    out_int(o, "points", row->u.table.points);
    if (row->u.table.rated)
        rating_write_after(o, &row->u.table.rating);
}

static void write_part_text(struct json_out *o, const struct text_row *text)
{
    write_id(o, "table", text->table);
    out_int(o, "number", (int64_t)text->number);
    out_string(o, "room", text->room == ROOM_TABLE ? "table" : "spectators");
    out_int(o, "at", text->at);
    out_string(o, "text", text->body != NULL ? text->body : "");
}

static void text_or_null(struct json_out *o, const char *name,
                         const char *text)
{
    if (text != NULL)
        out_string(o, name, text);
    else
        out_null(o, name);
}

static void write_part_link(struct json_out *o, const struct link_row *link)
{
    out_string(o, "purpose", link_purposes[link->purpose % LINK_PURPOSES]);
    out_int(o, "made", link->made);
    out_int(o, "expires", link->expires);
    out_int(o, "uses", link->uses);
    text_or_null(o, "email", link->email);
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
    case PERSON_STUDIES:
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
    case PERSON_HOURS:
        hours_write(o, &row->u.hours);
        out_int(o, "changed", row->u.hours.changed);
        break;
    case PERSON_DEVICES: out_int(o, "used", row->u.used); break;
    case PERSON_TOTP:
        out_int(o, "made", row->u.totp.made);
        out_int(o, "confirmed", row->u.totp.confirmed);
        out_int(o, "recovery_codes", row->u.totp.recovery);
        break;
    case PERSON_PROXIED: out_string(o, "user", row->u.user); break;
    case PERSON_ABSENCES: absence_write(o, &row->u.absence); break;
    case PERSON_AWAY: out_bool(o, "auto", row->u.auto_); break;
    case PERSON_RATINGS: rating_write(o, &row->u.rating); break;
    case PERSON_BLOCKS: block_write(o, &row->u.block); break;
    case PERSON_PARTS: break;
    }
    out_end(o);
}

/* Parts that the outbox knows how to tell; behind those of the store. */
enum { PART_NOTICES = PERSON_PARTS, PART_SENT, PARTS };

static int part_of(const struct request *q)
{
    for (int part = 0; part < PARTS; part++)
        if (strcmp(param_text(q, "part"), person_parts[part]) == 0)
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

static void notices_read(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct json_out *o = list_begin(hub, q, "rows");

    out_object(o, NULL);
    outbox_settings_write(o, answer, user_of(q)->id);
    out_end(o);
    list_end(hub, q, 0);
}

static void sent_read(struct hub *hub, struct request *q,
                      const struct answer *answer)
{
    uint64_t last = 0;
    size_t i = 0;
    struct json_out *o = list_begin(hub, q, "rows");

    for (; i < answer->sent_count && o->len < LIMIT_PAGE_BYTES; i++) {
        outbox_sent_write(o, &answer->sent[i]);
        last = answer->sent[i].number;
    }
    bool more = answer->more || i < answer->sent_count;
    list_end_at(hub, q, more ? (int64_t)last : 0);
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
    text_or_null(o, "email", row->email);
    out_int(o, "confirmed", row->confirmed);
    text_or_null(o, "pending", row->pending);
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
    if (part == PART_NOTICES) {
        outbox_settings_ask(hub, q, user_of(q)->id, notices_read);
        return;
    }
    if (part == PART_SENT) {
        ask.kind = ASK_SENT;
        ask.u.sent.account = user_of(q)->id;
        ask.u.sent.before = (uint64_t)param_int(q, "from", 0);
        hub_ask(hub, q, &ask, sent_read);
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

void handle_account_export(struct hub *hub, struct request *q)
{
    account_ask_self(hub, q, export_found);
}
