/* create.c -- making a table: its setup is tried, its seed drawn, its header
 * written, and the first plies of its log. */

#include <stdio.h>
#include <stdlib.h>

#include "core/ascii.h"
#include "core/fair.h"
#include "create.h"
#include "inner.h"
#include "protocol/canonical.h"
#include "protocol/record.h"
#include "protocol/sbuf_printf.h"

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

/* Reads game and options, and the board as far as it can be read at once.
 * Answers and returns false if something is refused. */
static bool read_setup(struct hub *hub, struct request *q, struct making *m)
{
    struct json_refusal refusal;
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
    if (json_board_begin(m->rules, param(q, "board"), seed, &m->board,
                         &refusal) != RULES_OK) {
        refuse_read(hub, q, "/board", &refusal);
        return false;
    }
    return true;
}

/* A table with as much time as that honours hours and absence. */
static bool patient(const struct pace *pace)
{
    return pace->free + pace->bank >= PACE_PATIENT;
}

static int32_t seconds_of(const json_t *pace, const char *name,
                          int32_t otherwise)
{
    const json_t *value = json_object_get(pace, name);
    return value != NULL ? (int32_t)json_integer_value(value) : otherwise;
}

/* What its players agree on about time, if anything.  Answers and returns false
 * if nobody can. */
static bool read_terms(struct hub *hub, struct request *q, struct making *m)
{
    const json_t *pace = param(q, "pace"), *misses = param(q, "misses");
    const json_t *excused = json_object_get(misses, "excused");
    const json_t *then = json_object_get(misses, "then");
    struct terms *is = &m->terms;

    m->timed = pace != NULL;
    if (!m->timed && (misses != NULL || param(q, "hours") != NULL ||
                      param(q, "absence") != NULL)) {
        refuse_param(hub, q, "/pace", "one, if anything depends on it");
        return false;
    }
    if (!m->timed)
        return true;
    int32_t bank = seconds_of(pace, "bank", 0);
    is->pace = (struct pace){
        .free = seconds_of(pace, "free", 0),
        .bank = bank,
        .add = seconds_of(pace, "add", 0),
        .cap = seconds_of(pace, "cap", bank),
    };
    is->excused = excused != NULL ? (uint8_t)json_integer_value(excused) : 1;
    is->policy = then != NULL ? (uint8_t)word_find(policy_words,
                                                   json_string_value(then))
                              : POLICY_MILD;
    is->hours = param_bool(q, "hours", patient(&is->pace));
    is->absence = param_bool(q, "absence", patient(&is->pace));
    if (!terms_valid(is)) {
        refuse_param(hub, q, "/pace",
                     "free and bank together 30 seconds to 90 days, and a cap "
                     "no less than the bank, and no more if nothing is added");
        return false;
    }
    if (is->policy == POLICY_BOT && !bots_there(hub)) {
        refuse(hub, q, ERR_NO_BOTS);
        return false;
    }
    return true;
}

/* Whether there are the bots that are to play. */
static bool there_are(const struct hub *hub, const struct making *m)
{
    int wanted[MIND_LEVELS] = {0};

    for (size_t i = 0; i < m->bot_count; i++)
        if (++wanted[m->bots[i]] > bots_of_level(hub, m->bots[i]))
            return false;
    return bots_there(hub);
}

/* The bots that play, if any.  Answers and returns false if they cannot. */
static bool read_bots(struct hub *hub, struct request *q, struct making *m)
{
    const json_t *levels = param(q, "bots");

    m->bot_count = json_array_size(levels);
    for (size_t i = 0; i < m->bot_count; i++)
        m->bots[i] = (uint8_t)word_find(mind_level_words,
                                        json_string_value(
                                            json_array_get(levels, i)));
    if (m->bot_count == 0)
        return true;
    if ((int)m->bot_count >= m->seats)
        refuse_param(hub, q, "/bots", "no more than there are other seats");
    else if (param_bool(q, "rated", false))
        refuse_param(hub, q, "/rated", "false, as bots play");
    else if (!there_are(hub, m))
        refuse(hub, q, ERR_NO_BOTS);
    else
        return true;
    return false;
}

/* Tries the setup, all of which is known.  Answers and returns false if it is
 * refused. */
static bool try_setup(struct hub *hub, struct request *q, struct making *m)
{
    struct rules_problem why;
    union rules_any trial;

    if (m->position != NULL)
        ; /* its board, or tables, are those it was played with so far */
    else if (hub_dataset(hub, m->rules) != NULL)
        take_own(q, hub_dataset(hub, m->rules), &m->board);
    else if (m->board.text != NULL) {
        char *text = region_text(&q->region, m->board.text, m->board.len);
        free(m->board.text);
        m->board.text = text;
    }
    m->setup = (struct rules_setup){
        .seats = m->seats,
        .revision = m->revision,
        .options = m->options,
        .asset_name = m->board.name,
        .asset = m->board.text,
        .asset_len = m->board.len,
        .position = m->position,
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

/* Where it goes on from, and the whole position, which nobody is told until the
 * game is over, like all of the header. */
static void write_position(struct json_out *o, const struct making *m)
{
    union rules_any begin;
    char id[ID_SIZE];

    if (m->position == NULL)
        return;
    int refusal = rules_setup(m->rules, &begin.state, &m->setup, NULL);
    ASSERT(refusal == RULES_OK); /* it was tried */
    id_write(m->from, id);
    out_object(o, "from");
    out_string(o, "table", id);
    out_int(o, "ply", m->from_ply);
    out_end(o);
    json_state(o, "position", m->rules, &begin.state);
}

static const char *make_header(struct hub *hub, struct region *r,
                               const struct making *m,
                               const struct table_row *row)
{
    struct json_out o;
    char id[ID_SIZE], hex[2 * SHA256_SIZE + 1] = "";
    uint8_t hash[SHA256_SIZE];
    int revision = m->revision != 0 ? m->revision : m->rules->revision;

    (void)hub;
    id_write(row->id, id);
    fair_commitment(id, row->game, (uint16_t)revision, row->seed, hash);
    hex_write(hex, hash, SHA256_SIZE);
    json_out_init(&o);
    out_object(&o, NULL);
    out_string(&o, "format", m->timed ? RECORD_FORMAT_TIMED : RECORD_FORMAT);
    if (m->timed)
        json_terms(&o, &m->terms);
    out_string(&o, "table", id);
    out_string(&o, "game", row->game);
    out_int(&o, "revision", revision);
    json_options(&o, "options", m->rules, m->options);
    write_board(&o, m);
    write_position(&o, m);
    out_int(&o, "seats", m->setup.seats);
    out_string(&o, "commitment", hex);
    out_string(&o, "seed", row->seed);
    out_int(&o, "created", row->created);
    out_end(&o);
    const char *text = canonical(r, &o);
    json_out_done(&o);
    return text;
}

const char *lobby_seed(struct hub *hub, struct region *r)
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

const char *terms_text(struct region *r, const struct terms *terms)
{
    struct json_out o;

    if (terms == NULL)
        return NULL;
    json_out_init(&o);
    out_object(&o, NULL);
    json_terms(&o, terms);
    out_end(&o);
    const char *text = region_text(r, json_out_text(&o), o.len);
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
        .private_ = m->hidden || param_bool(q, "private", false),
        .rated = param_bool(q, "rated", false),
        .spectators = param_bool(q, "spectators", true),
        .start_full = strcmp(param_text(q, "start"), "manual") != 0,
        .seed = lobby_seed(hub, r),
        .options = options_text(r, m),
        .terms = terms_text(r, m->timed ? &m->terms : NULL),
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

struct table *lobby_table(struct hub *hub, const struct table_row *row)
{
    struct answer answer = {0};

    answer.table = region_take(&answer.region, sizeof(*row));
    *answer.table = *row;
    struct table *t = table_make(hub, &answer);
    answer_done(&answer);
    return t;
}

void lobby_put_row(struct change *c)
{
    const struct table *t = c->table;
    struct op *op = change_op(c, OP_TABLE);

    op->account = t->owner;
    table_row_copy(&op->u.table_row, &t->row, &c->transaction.region);
}

static void make_table(struct hub *hub, struct request *q, struct making *m)
{
    struct table_row row;
    struct json_out o;
    char id[ID_SIZE];

    make_row(hub, q, m, &q->region, &row);
    struct change *c = change_begin(hub, q, lobby_table(hub, &row));
    const struct table *t = c->table;
    lobby_put_row(c);
    for (size_t i = 0; i < m->invited_count; i++) {
        const struct invitation who = invitation_by(hub, q->account,
                                                    m->invited[i]);
        if (blocks_by(q, who.account))
            invitations_let_in(c, &who, m->names[i]);
        else
            invitations_add(c, &who, m->names[i]);
    }
    change_add(c, &(struct entry){.kind = ENTRY_CREATE, .seat = ENTRY_NOBODY});
    lobby_seat(c, m->seat);
    for (size_t i = 0; i < m->bot_count; i++)
        bots_seat(c, lobby_free_seat(t), m->bots[i]);
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

/* Nobody invites whom they block; who blocks them is let in, and not told. */
static void invitees_known(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    const struct making *m = q->kept;

    blocks_keep(q, answer);
    for (size_t i = 0; i < m->invited_count; i++)
        if (blocks_own(q, m->invited[i])) {
            struct json_out *o = refuse_begin(hub, q, ERR_BLOCKED);
            out_string(o, "name", m->names[i]);
            refuse_end(hub, q);
            return;
        }
    hash_join_password(hub, q);
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
            if (ascii_compare(answer->accounts[k].name, name) == 0 &&
                answer->accounts[k].kind != ACCOUNT_DELETED)
                id = answer->accounts[k].id;
        if (bot_of(hub, id) != NULL) {
            refuse(hub, q, ERR_IS_A_BOT);
            return;
        }
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
    blocks_ask(hub, q, q->account, m->invited, m->invited_count,
               invitees_known);
}

static void find_invitees(struct hub *hub, struct request *q)
{
    const json_t *names = param(q, "invite");
    size_t n = json_array_size(names);
    const char *texts[LIMIT_INVITED + 1] = {NULL};
    struct question ask = {.kind = ASK_ACCOUNTS_NAME, .u.names = texts};

    if (n == 0) {
        hash_join_password(hub, q);
        return;
    }
    for (size_t i = 0; i < n && i < LIMIT_INVITED; i++)
        texts[i] = json_string_value(json_array_get(names, i));
    hub_ask(hub, q, &ask, invitees_found);
}

static void setup_known(struct hub *hub, struct request *q)
{
    if (try_setup(hub, q, q->kept))
        find_invitees(hub, q);
}

static void draft_drop(struct request *q)
{
    struct making *m = q->kept;
    json_board_done(&m->board);
}

/* A slice of making the board; the largest take milliseconds. */
static bool board_slice(struct hub *hub, struct table *t, struct request *q)
{
    struct making *m = q->kept;
    struct json_refusal refusal;
    uint64_t limit = work_limit(hub), room = limit - hub->effort;

    (void)t;
    enum rules_progress progress =
        json_board_make(m->rules, &m->board,
                        room < UINT32_MAX ? (uint32_t)room : UINT32_MAX,
                        &refusal);
    hub->effort = limit;
    m->effort += room;
    if (progress == RULES_MORE)
        return true;
    rate_take(hub, q->peer, RATE_WRITE, m->effort / LIMIT_BOARD_EFFORT);
    q->done = NULL; /* what is kept may be something else from here on */
    if (progress == RULES_READY)
        setup_known(hub, q);
    else
        refuse_read(hub, q, "/board", &refusal);
    return false;
}

static void create_counted(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    const struct making *m = q->kept;

    if (answer->listed_count >= LIMIT_TABLES)
        refuse(hub, q, ERR_TOO_MANY_TABLES);
    else if (m->bot_count > 0 && bots_tables(hub, answer) >= LIMIT_BOT_TABLES)
        refuse(hub, q, ERR_TOO_MANY_BOT_TABLES);
    else if (m->board.draft != NULL)
        work_later(hub, q, board_slice);
    else
        setup_known(hub, q);
}

static void create_admitted(struct hub *hub, struct request *q,
                            const struct answer *answer)
{
    (void)answer;
    lobby_count(hub, q, create_counted);
}

/* Whether a game may be rated that is made like this: nobody's rating is to hang
 * on how long others wait, on a bot, or on whether somebody stays away. */
static bool may_rate(struct hub *hub, struct request *q,
                     const struct making *m)
{
    if (!param_bool(q, "rated", false))
        return true;
    if (m->timed && param_int(q, "seats", 0) > 1 &&
        m->terms.policy != POLICY_BOT &&
        (m->terms.policy != POLICY_END || param_int(q, "seats", 0) == 2))
        return true;
    refuse_param(hub, q, "/rated",
                 "false, unless there are a pace and others, no bot plays for "
                 "who is late, and a miss does not end the game of more "
                 "than two");
    return false;
}

/* No board is made for whoever may have no table. */
static void create_keyed(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct making *m;

    if (key_answered(hub, q, answer))
        return;
    m = q->kept = region_take(&q->region, sizeof(*m));
    m->seats = (int)param_int(q, "seats", 0);
    if (!read_terms(hub, q, m) || !read_bots(hub, q, m) ||
        !may_rate(hub, q, m) || !read_setup(hub, q, m))
        return;
    if (m->board.draft != NULL)
        q->done = draft_drop;
    results_admit(hub, q, param_bool(q, "rated", false), create_admitted);
}

void handle_table_create(struct hub *hub, struct request *q)
{
    key_ask(hub, q, create_keyed);
}

void create_fork(struct hub *hub, struct request *q, struct making *m)
{
    if (read_terms(hub, q, m) && read_bots(hub, q, m))
        lobby_count(hub, q, create_counted);
}
