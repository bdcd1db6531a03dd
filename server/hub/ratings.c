/* ratings.c -- how well people play and what became of their games, as others
 * see it. */

#include "inner.h"

/* ---- what is written ------------------------------------------------------- */

static const char *const seats_words[] = {"two", "more"};

static void write_strength(struct json_out *o, const struct rating_row *row)
{
    out_int(o, "rating", rating_points(&row->rating));
    out_int(o, "deviation", rating_deviation(&row->rating));
    out_bool(o, "provisional", !rating_is_sure(&row->rating, row->met));
    out_int(o, "games", row->games);
    out_int(o, "played", row->at);
}

const char *rating_seats(const struct rating_row *row)
{
    return seats_words[row->many];
}

void rating_write(struct json_out *o, const struct rating_row *row)
{
    out_string(o, "game", row->game);
    out_string(o, "seats", rating_seats(row));
    write_strength(o, row);
}

void rating_write_after(struct json_out *o, const struct rating *rating)
{
    out_int(o, "rating", rating_points(rating));
    out_int(o, "deviation", rating_deviation(rating));
}

static void write_player(struct json_out *o, const struct player_result *p)
{
    out_object(o, NULL);
    write_id(o, "user", p->account);
    if (p->name == NULL || p->name[0] == '\0')
        out_null(o, "name");
    else
        out_string(o, "name", p->name);
    if (p->seat < 0)
        out_null(o, "seat");
    else
        out_int(o, "seat", p->seat);
    if (p->place == 0) {
        out_null(o, "place");
        out_null(o, "points");
    } else {
        out_int(o, "place", p->place);
        out_int(o, "points", p->points);
    }
    if (p->rated)
        rating_write_after(o, &p->rating);
    out_end(o);
}

/* By place, and those of one place by seat, who left behind. */
static bool stands_before(const struct player_result *a,
                          const struct player_result *b)
{
    if (a->place != b->place)
        return a->place < b->place;
    return (uint8_t)a->seat < (uint8_t)b->seat;
}

static void write_result(struct json_out *o, const struct result *result)
{
    struct player_result sorted[RESULTS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < result->player_count && n < RESULTS_MAX; i++, n++) {
        size_t at = n;
        for (; at > 0 && stands_before(&result->players[i], &sorted[at - 1]);
             at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = result->players[i];
    }
    out_object(o, NULL);
    write_id(o, "table", result->table);
    out_string(o, "game", result->game);
    out_int(o, "ended", result->ended);
    out_bool(o, "private", result->private_);
    out_bool(o, "rated", result->rated);
    out_list(o, "players");
    for (size_t i = 0; i < n; i++)
        write_player(o, &sorted[i]);
    out_end(o);
    out_end(o);
}

/* ---- places in a list ------------------------------------------------------- */

/* A list is continued behind a number and an id: "NUMBER-ID". */
static void write_next(struct json_out *o, int64_t number, id_num at)
{
    char id[ID_SIZE], text[64];

    id_write(at, id);
    snprintf(text, sizeof(text), "%lld-%s", (long long)number, id);
    out_string(o, "next", text);
}

/* Reads such an `after`, if there is one; answers and returns false if it is
 * none. */
static bool read_next(struct hub *hub, struct request *q, int64_t *ret_number,
                      id_num *ret_at)
{
    const char *text = param_text(q, "after");
    long long number = 0;
    char id[ID_SIZE] = "";
    int end = 0;

    if (param(q, "after") == NULL)
        return true;
    if (sscanf(text, "%18lld-%13s%n", &number, id, &end) == 2 &&
        text[end] == '\0' && id_read(id, ret_at)) {
        *ret_number = number;
        return true;
    }
    refuse_param(hub, q, "/after", "the `next` of an earlier answer");
    return false;
}

/* The game that Q names, or NULL; false after refusing one that there is not. */
static bool read_game(struct hub *hub, struct request *q,
                      const char **ret_game)
{
    *ret_game = json_string_value(param(q, "game"));
    if (*ret_game == NULL || rules_find(*ret_game) != NULL)
        return true;
    refuse(hub, q, ERR_NO_SUCH_GAME);
    return false;
}

/* ---- the best ---------------------------------------------------------------- */

static void ratings_listed(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    size_t n = answer->rating_count;
    struct json_out *o = result_begin(hub, q);

    out_list(o, "ratings");
    for (size_t i = 0; i < n; i++) {
        out_object(o, NULL);
        write_id(o, "user", answer->ratings[i].account);
        out_string(o, "name", answer->ratings[i].name);
        write_strength(o, &answer->ratings[i]);
        out_end(o);
    }
    out_end(o);
    if (answer->more && n > 0)
        write_next(o, answer->ratings[n - 1].rating.mean,
                   answer->ratings[n - 1].account);
    result_end(hub, q);
}

void handle_ratings_list(struct hub *hub, struct request *q)
{
    struct question ask = {
        .kind = ASK_RATINGS,
        .limit = (size_t)param_int(q, "limit", 50),
        .u.ratings =
            {
                .many = strcmp(param_text(q, "seats"), seats_words[1]) == 0,
                .since = hub->now_ms - LIMIT_RANKED_MS,
            },
    };

    if (read_game(hub, q, &ask.u.ratings.game) &&
        read_next(hub, q, &ask.u.ratings.after_mean,
                  &ask.u.ratings.after_account))
        hub_ask(hub, q, &ask, ratings_listed);
}

/* ---- somebody's --------------------------------------------------------------- */

/* Asks for whom Q is about: NAME, or who asks. */
static void ask_whom(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "name"),
    };

    if (param(q, "name") != NULL)
        hub_ask(hub, q, &ask, then);
    else if (q->account == 0)
        refuse(hub, q, ERR_NOT_AUTHENTICATED);
    else
        account_ask_self(hub, q, then);
}

static void ratings_got(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);

    account_write(o, user_of(q));
    out_list(o, "ratings");
    for (size_t i = 0; i < answer->part_count; i++) {
        out_object(o, NULL);
        rating_write(o, &answer->parts[i].u.rating);
        out_end(o);
    }
    out_end(o);
    result_end(hub, q);
}

static void rated_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct question ask = {.kind = ASK_PERSON, .limit = LIMIT_RATINGS};

    if (!user_keep(hub, q, answer))
        return;
    ask.u.person.account = user_of(q)->id;
    ask.u.person.part = PERSON_RATINGS;
    hub_ask(hub, q, &ask, ratings_got);
}

void handle_ratings_get(struct hub *hub, struct request *q)
{
    ask_whom(hub, q, rated_found);
}

/* ---- results ------------------------------------------------------------------ */

static void results_listed(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);

    account_write(o, user_of(q));
    out_list(o, "results");
    for (size_t i = 0; i < answer->result_count; i++)
        write_result(o, &answer->results[i]);
    out_end(o);
    if (answer->more)
        write_next(o, answer->result_at, answer->result_table);
    result_end(hub, q);
}

/* WITH is whom else it is about, or 0. */
static void ask_results(struct hub *hub, struct request *q, id_num with)
{
    struct question ask = {
        .kind = ASK_RESULTS,
        .limit = (size_t)param_int(q, "limit", 50),
        .u.results =
            {
                .account = user_of(q)->id,
                .asker = q->account,
                .with = with,
                .rated = param_bool(q, "rated", false),
                .since = param_int(q, "since", 0),
                .until = param_int(q, "until", 0),
                .look = LIMIT_RESULTS_LOOK,
            },
    };

    if (read_game(hub, q, &ask.u.results.game) &&
        read_next(hub, q, &ask.u.results.before, &ask.u.results.before_table))
        hub_ask(hub, q, &ask, results_listed);
}

static void rival_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    if (user_found(hub, q, answer))
        ask_results(hub, q, answer->accounts->id);
}

static void player_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    struct question ask = {
        .kind = ASK_ACCOUNT_NAME,
        .u.name = param_text(q, "with"),
    };

    if (bots_refuse(hub, q, answer) || !user_keep(hub, q, answer))
        return;
    if (param(q, "with") != NULL)
        hub_ask(hub, q, &ask, rival_found);
    else
        ask_results(hub, q, 0);
}

void handle_results_list(struct hub *hub, struct request *q)
{
    ask_whom(hub, q, player_found);
}

/* ---- a game -------------------------------------------------------------------- */

/* The rows from I on that are of one number of seats; returns how many. */
static size_t write_statistics(struct json_out *o, const struct answer *answer,
                               size_t i)
{
    const struct statistics_row *first = &answer->statistics[i];
    size_t n = 0;

    out_object(o, NULL);
    out_int(o, "seats", first->seats);
    out_int(o, "games", first->games);
    out_int(o, "moves", first->plies / first->games);
    out_int(o, "took", first->took_ms / first->games / 1000);
    out_list(o, "seat");
    for (; i + n < answer->statistics_count; n++) {
        const struct statistics_row *row = &answer->statistics[i + n];
        if (row->seats != first->seats)
            break;
        out_object(o, NULL);
        out_int(o, "wins", row->wins * 1000 / (WIN_PARTS * row->games));
        out_int(o, "points", row->points * 100 / row->games);
        out_end(o);
    }
    out_end(o);
    out_end(o);
    return n;
}

static void statistics_read(struct hub *hub, struct request *q,
                            const struct answer *answer)
{
    struct json_out *o = result_begin(hub, q);

    out_list(o, "statistics");
    for (size_t i = 0; i < answer->statistics_count;)
        i += write_statistics(o, answer, i);
    out_end(o);
    result_end(hub, q);
}

void handle_results_statistics(struct hub *hub, struct request *q)
{
    struct question ask = {.kind = ASK_STATISTICS};

    if (read_game(hub, q, &ask.u.name))
        hub_ask(hub, q, &ask, statistics_read);
}
