/* create.c -- making a table: its setup is tried, its seed drawn, its header
 * written, and the first plies of its log. */

#include <stdio.h>
#include <stdlib.h>

#include "core/fair.h"
#include "inner.h"
#include "protocol/canonical.h"
#include "protocol/sbuf_printf.h"

/* What is known of a table to be made. */
struct making {
    const struct rules *rules;
    int16_t options[RULES_OPTIONS_MAX];
    struct json_board board; /* its text is the request's */
    struct rules_setup setup;
    id_num invited[LIMIT_INVITED];
    char names[LIMIT_INVITED][25];
    size_t invited_count;
    const char *join_password; /* hash of its password, or NULL */
};

const struct rules_asset *hub_dataset(const struct hub *hub,
                                      const struct rules *r)
{
    const struct dataset *own = hub->config.datasets;

    while (own != NULL && own->game != NULL && strcmp(own->game, r->name) != 0)
        own++;
    return own != NULL && own->game != NULL ? &own->asset : NULL;
}

/* "Ludo is for 2 to 4 players." */
static void write_seats(struct json_out *o, const struct rules *r)
{
    char text[128];
    struct sbuf s = sbuf_in(text, sizeof(text));

    sbuf_printf(&s, "%s is for %d", r->title, r->seats_min);
    if (r->seats_max > r->seats_min)
        sbuf_printf(&s, " to %d", r->seats_max);
    sbuf_printf(&s, " player%s.", r->seats_max > 1 ? "s" : "");
    out_string(o, "sentence", text);
}

static void refuse_setup(struct hub *hub, struct request *q,
                         const struct rules *r,
                         const struct rules_problem *why)
{
    /* A board that is no board is a bad parameter, with its line; what does
     * not go together is a conflict. */
    bool board = why->line > 0;
    char path[64];
    struct json_out *o =
        refuse_begin(hub, q, board ? ERR_INVALID_PARAMS : ERR_BAD_SETUP);
    if (board) {
        snprintf(path, sizeof(path), "/board/%s", r->asset_kind->format);
        out_string(o, "path", path);
        out_int(o, "line", why->line);
    } else if (why->option != NULL) {
        out_string(o, "option", why->option);
    }
    out_string(o, "rule", why->rule);
    if (strcmp(why->rule, "bad_seats") == 0)
        write_seats(o, r);
    else
        out_string(o, "sentence", why->text);
    refuse_end(hub, q);
}

/* What stands at PATH of the parameters could not be read. */
static void refuse_read(struct hub *hub, struct request *q, const char *path,
                        const struct json_refusal *why)
{
    char whole[JSON_PATH_MAX + 16];

    snprintf(whole, sizeof(whole), "%s%s", path, why->path);
    if (why->sentence == NULL) {
        refuse_param(hub, q, whole, why->expected);
        return;
    }
    struct json_out *o = refuse_begin(hub, q, ERR_INVALID_PARAMS);
    out_string(o, "path", whole);
    if (why->rule != NULL)
        out_string(o, "rule", why->rule);
    out_string(o, "sentence", why->sentence);
    refuse_end(hub, q);
}

/* The operator's tables, which may be others tomorrow. */
static void take_own(struct request *q, const struct rules_asset *own,
                     struct json_board *tables)
{
    tables->text = region_text(&q->region, own->text, own->len);
    tables->len = own->len;
}

/* Reads game, options and board, and tries the setup.  Answers and returns
 * false if it is refused. */
static bool read_setup(struct hub *hub, struct request *q, struct making *m)
{
    struct json_refusal refusal;
    struct rules_problem why;
    union rules_any trial;
    uint64_t seed;

    m->rules = rules_find(param_text(q, "game"));
    if (m->rules == NULL) {
        refuse(hub, q, ERR_NO_SUCH_GAME);
        return false;
    }
    if (json_options_read(m->rules, param(q, "options"), m->options,
                          &refusal) != RULES_OK) {
        refuse_read(hub, q, "/options", &refusal);
        return false;
    }
    hub->host->random(hub->host, &seed, sizeof(seed));
    if (json_board_read(m->rules, param(q, "board"), seed, &m->board,
                        &refusal) != RULES_OK) {
        refuse_read(hub, q, "/board", &refusal);
        return false;
    }
    if (hub_dataset(hub, m->rules) != NULL)
        take_own(q, hub_dataset(hub, m->rules), &m->board);
    else if (m->board.text != NULL) {
        char *text = region_text(&q->region, m->board.text, m->board.len);
        free(m->board.text);
        m->board.text = text;
    }
    m->setup = (struct rules_setup){
        .seats = (int)param_int(q, "seats", 0),
        .options = m->options,
        .asset_name = m->board.name,
        .asset = m->board.text,
        .asset_len = m->board.len,
    };
    if (rules_setup(m->rules, &trial.state, &m->setup, &why) != RULES_OK) {
        refuse_setup(hub, q, m->rules, &why);
        return false;
    }
    /* From here on all options are said, implied ones too, and so is the board
     * that one of them implies. */
    m->board.name = rules_asset_name(m->rules, &trial.state, &m->setup);
    rules_options(m->rules, &trial.state, &m->setup, m->options);
    return true;
}

/* Text in RFC 8785 form, in R. */
static const char *canonical(struct region *r, struct json_out *o)
{
    char why[JSON_EXPECTED_MAX];
    struct json_out text;
    json_t *value = json_parse(json_out_text(o), o->len, why);

    ASSERT(value != NULL);
    json_out_init(&text);
    bool whole = canonical_write(&text, value, NULL);
    ASSERT(whole);
    const char *copy = region_text(r, json_out_text(&text), text.len);
    json_out_done(&text);
    json_decref(value);
    return copy;
}

/* The board as it can be read again: a name, or the file that was uploaded or
 * generated; or the operator's tables of numbers. */
static void write_board(struct json_out *o, const struct making *m)
{
    if (m->board.text != NULL && rules_has_dataset(m->rules)) {
        out_null(o, "board");
        out_object(o, "tables");
        out_string_n(o, m->rules->asset_kind->format, m->board.text,
                     m->board.len);
        out_end(o);
        return;
    }
    if (m->board.name == NULL && m->board.text == NULL) {
        out_null(o, "board");
        return;
    }
    out_object(o, "board");
    if (m->board.name != NULL)
        out_string(o, "builtin", m->board.name);
    else
        out_string_n(o, m->rules->asset_kind->format, m->board.text,
                     m->board.len);
    out_end(o);
}

static const char *make_header(struct hub *hub, struct region *r,
                               const struct making *m,
                               const struct table_row *row)
{
    struct json_out o;
    char id[ID_SIZE], hex[2 * SHA256_SIZE + 1] = "";
    uint8_t hash[SHA256_SIZE];

    (void)hub;
    id_write(row->id, id);
    fair_commitment(id, row->game, m->rules->revision, row->seed, hash);
    hex_write(hex, hash, SHA256_SIZE);
    json_out_init(&o);
    out_object(&o, NULL);
    out_string(&o, "format", "sobremesa-record/1");
    out_string(&o, "table", id);
    out_string(&o, "game", row->game);
    out_int(&o, "revision", m->rules->revision);
    json_options(&o, "options", m->rules, m->options);
    write_board(&o, m);
    out_int(&o, "seats", m->setup.seats);
    out_string(&o, "commitment", hex);
    out_string(&o, "seed", row->seed);
    out_int(&o, "created", row->created);
    out_end(&o);
    const char *text = canonical(r, &o);
    json_out_done(&o);
    return text;
}

static const char *make_seed(struct hub *hub, struct region *r)
{
    uint8_t bytes[SHA256_SIZE];
    char *seed = region_take(r, FAIR_SEED_SIZE);

    hub->host->random(hub->host, bytes, sizeof(bytes));
    hex_write(seed, bytes, sizeof(bytes));
    return seed;
}

static const char *options_text(struct region *r, const struct making *m)
{
    struct json_out o;

    json_out_init(&o);
    json_options(&o, NULL, m->rules, m->options);
    const char *text = canonical(r, &o);
    json_out_done(&o);
    return text;
}

const char *board_text(struct region *r, const struct rules *rules,
                       const struct json_board *board)
{
    uint8_t hash[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1] = "";
    struct json_out o;

    if (board->name == NULL && board->text == NULL)
        return NULL;
    json_out_init(&o);
    out_object(&o, NULL);
    if (board->name != NULL) {
        out_string(&o, "builtin", board->name);
    } else if (rules_has_dataset(rules)) {
        sha256(board->text, board->len, hash);
        hex_write(hex, hash, SHA256_SIZE);
        out_string(&o, "tables", hex);
    } else {
        out_bool(&o, "uploaded", true);
    }
    out_end(&o);
    const char *text = region_text(r, json_out_text(&o), o.len);
    json_out_done(&o);
    return text;
}

static void make_row(struct hub *hub, struct request *q,
                     const struct making *m, struct region *r,
                     struct table_row *row)
{
    *row = (struct table_row){
        .id = random_id(hub),
        .owner = q->account,
        .game = m->rules->name,
        .created = hub->now_ms,
        .private_ = param_bool(q, "private", false),
        .rated = param_bool(q, "rated", false),
        .spectators = param_bool(q, "spectators", true),
        .start_full = strcmp(param_text(q, "start"), "manual") != 0,
        .seed = make_seed(hub, r),
        .options = options_text(r, m),
        .board = board_text(r, m->rules, &m->board),
    };
    if (m->join_password != NULL)
        row->join_password = region_text(r, m->join_password,
                                         strlen(m->join_password));
    if (m->board.text != NULL) {
        row->asset = region_text(r, m->board.text, m->board.len);
        row->asset_len = m->board.len;
    }
    row->header = make_header(hub, r, m, row);
    row->summary.seats = (uint8_t)m->setup.seats;
}

static void make_table(struct hub *hub, struct request *q, struct making *m)
{
    struct answer row = {0};
    struct table_row *from = region_take(&row.region, sizeof(*from));
    struct json_out o;
    char id[ID_SIZE];

    make_row(hub, q, m, &row.region, from);
    row.table = from;
    struct table *t = table_make(hub, &row);
    answer_done(&row);

    struct change *c = change_begin(hub, q, t);
    struct op *op = change_op(c, OP_TABLE);
    op->account = q->account;
    table_row_copy(&op->u.table_row, &t->row, &c->transaction.region);
    for (size_t i = 0; i < m->invited_count; i++)
        lobby_invite(c, m->invited[i], m->names[i]);
    change_add(c, &(struct entry){.kind = ENTRY_CREATE, .seat = ENTRY_NOBODY});
    lobby_seat(c, 0);
    lobby_start_if_full(c);

    id_write(t->id, id);
    json_out_init(&o);
    out_object(&o, NULL);
    out_string(&o, "table", id);
    out_string(&o, "commitment", t->commitment);
    out_end(&o);
    key_keep(c, &o);
    json_out_done(&o);
    change_submit(c, key_answer);
}

static void join_password_hashed(struct hub *hub, struct request *q,
                                 const char *hash, bool fits)
{
    struct making *m = q->kept;

    (void)fits;
    if (hash == NULL) {
        refuse(hub, q, ERR_INTERNAL);
        return;
    }
    m->join_password = region_text(&q->region, hash, strlen(hash));
    make_table(hub, q, m);
}

/* Nothing but the password is left to see to. */
static void hash_join_password(struct hub *hub, struct request *q)
{
    if (param(q, "password") != NULL)
        hash_or_refuse(hub, q, HASH_TABLE, "password", NULL,
                       join_password_hashed);
    else
        make_table(hub, q, q->kept);
}

static void invitees_found(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct making *m = q->kept;
    const json_t *names = param(q, "invite");

    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        id_num id = 0;
        for (size_t k = 0; k < answer->account_count; k++)
            if (strcasecmp(answer->accounts[k].name, name) == 0 &&
                answer->accounts[k].kind != ACCOUNT_DELETED)
                id = answer->accounts[k].id;
        if (id == 0) {
            struct json_out *o = refuse_begin(hub, q, ERR_NO_SUCH_USER);
            out_string(o, "name", name);
            refuse_end(hub, q);
            return;
        }
        bool twice = id == q->account;
        for (size_t k = 0; k < m->invited_count; k++)
            twice = twice || m->invited[k] == id;
        if (twice)
            continue;
        snprintf(m->names[m->invited_count], sizeof(m->names[0]), "%s", name);
        m->invited[m->invited_count++] = id;
    }
    hash_join_password(hub, q);
}

static void create_counted(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    const json_t *names = param(q, "invite");
    size_t n = json_array_size(names);
    const char *texts[LIMIT_INVITED + 1] = {NULL};
    struct question ask = {.kind = ASK_ACCOUNTS_NAME, .u.names = texts};

    if (answer->listed_count >= LIMIT_TABLES) {
        refuse(hub, q, ERR_TOO_MANY_TABLES);
        return;
    }
    if (n == 0) {
        hash_join_password(hub, q);
        return;
    }
    for (size_t i = 0; i < n && i < LIMIT_INVITED; i++)
        texts[i] = json_string_value(json_array_get(names, i));
    hub_ask(hub, q, &ask, invitees_found);
}

static void create_keyed(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct making *m;

    if (key_answered(hub, q, answer))
        return;
    m = q->kept = region_take(&q->region, sizeof(*m));
    if (read_setup(hub, q, m))
        lobby_count(hub, q, create_counted);
}

void handle_table_create(struct hub *hub, struct request *q)
{
    key_ask(hub, q, create_keyed);
}
