/* proxied.c -- people of whom a proxy says who they are, for an operator who has
 * them log in once, elsewhere, for everything.
 *
 * What it calls them stands in struct peer_info; from whom that is taken the host
 * decides.  Each such name has an account, which nobody else gets in to: it has
 * no password, and one that has is only given a name by the operator. */

#include <stdio.h>

#include "core/ascii.h"
#include "inner.h"

#define TRIES 9 /* of names like it */

/* What a proxy calls who asks Q, or NULL. */
static const char *user_of_peer(const struct hub *hub, const struct request *q)
{
    const struct peer *p = peer_find(hub, q->peer);
    return p != NULL && p->info.user[0] != '\0' ? p->info.user : NULL;
}

static void ask_proxied(struct hub *hub, struct request *q, const char *user,
                        answered_cb then)
{
    struct question ask = {.kind = ASK_PROXIED, .u.name = user};
    hub_ask(hub, q, &ask, then);
}

void proxied_put(struct change *c, id_num account, const char *user,
                 bool is_new)
{
    struct op *op = change_op(c, OP_PROXIED);

    op->account = account;
    op->u.proxied.user = user != NULL ? change_text(c, user) : NULL;
    op->u.proxied.is_new = is_new;
}

void proxied_write(struct json_out *o, const struct hub *hub,
                   const struct request *q)
{
    const char *user = user_of_peer(hub, q);

    if (user != NULL)
        out_string(o, "proxied", user);
}

/* ---- coming in ------------------------------------------------------------ */

/* The beginning of USER, up to an @, as a name of ours, and not of a bot's. */
static void name_like(const char *user, char name[21])
{
    size_t n = 0;

    for (; *user != '\0' && *user != '@' && n < 20; user++) {
        bool good = (*user >= 'a' && *user <= 'z') ||
                    (*user >= 'A' && *user <= 'Z') ||
                    (*user >= '0' && *user <= '9') || *user == '_';
        if (good)
            name[n++] = *user;
        else if (n > 0 && name[n - 1] != '-')
            name[n++] = '-';
    }
    while (n > 0 && name[n - 1] == '-')
        n--;
    name[n] = '\0';
    if (n < 2 || bots_name(name))
        snprintf(name, 21, "player");
}

/* The names that are tried for USER, behind them NULL. */
static const char **names_for(struct hub *hub, struct request *q,
                              const char *user)
{
    const char **names = region_take(&q->region, (TRIES + 2) * sizeof(*names));
    char like[21], digits[4];

    name_like(user, like);
    for (int i = 0; i <= TRIES; i++) {
        char *name = region_take(&q->region, 25);
        token_random(hub, digits, 3);
        if (i == 0)
            snprintf(name, 25, "%s", like);
        else if (i < TRIES)
            snprintf(name, 25, "%s-%u", like, (unsigned)(i + 1) % 100);
        else
            snprintf(name, 25, "%s-%s", like, digits);
        names[i] = name;
    }
    return names;
}

static bool is_free(const struct answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->account_count; i++)
        if (ascii_compare(answer->accounts[i].name, name) == 0)
            return false;
    return true;
}

/* Somebody comes for the first time. */
static void names_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct entrance *e = entrance_of(q);
    const char *user = user_of_peer(hub, q);
    const char **names = names_for(hub, q, user != NULL ? user : "");
    int i = 0;

    if (user == NULL) {
        refuse(hub, q, ERR_NOT_PROXIED); /* is gone */
        return;
    }
    while (i < TRIES && !is_free(answer, names[i]))
        i++;
    e->made = true;
    e->account = (struct account_row){
        .id = random_id(hub),
        .kind = ACCOUNT_USER,
        .name = names[i],
        .created = hub->now_ms,
        .seen = hub->now_ms,
    };
    session_enter(change_begin(hub, q, NULL));
}

static void proxied_found(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct entrance *e = entrance_of(q);
    const char *user = user_of_peer(hub, q);

    e->proxied = region_copy(&q->region, user);
    if (answer->account_count == 1) {
        account_copy(q, &e->account, answer->accounts);
        session_let_in(hub, q);
    } else if (user == NULL) {
        refuse(hub, q, ERR_NOT_PROXIED);
    } else {
        struct question ask = {
            .kind = ASK_ACCOUNTS_NAME,
            .u.names = names_for(hub, q, user),
        };
        hub_ask(hub, q, &ask, names_found);
    }
}

void handle_session_proxy(struct hub *hub, struct request *q)
{
    const char *user = user_of_peer(hub, q);

    if (session_refuse_second(hub, q))
        return;
    if (user == NULL)
        refuse(hub, q, ERR_NOT_PROXIED);
    else
        ask_proxied(hub, q, user, proxied_found);
}

/* ---- staying ---------------------------------------------------------------- */

static void still_found(struct hub *hub, struct request *q,
                        const struct answer *answer)
{
    struct entrance *e = entrance_of(q);

    if (answer->account_count == 1 && answer->accounts->id == e->account.id)
        e->admitted(hub, q);
    else
        refuse(hub, q, ERR_TOKEN_EXPIRED);
}

void proxied_resume(struct hub *hub, struct request *q,
                    void (*then)(struct hub *hub, struct request *q))
{
    const char *user = user_of_peer(hub, q);

    entrance_of(q)->admitted = then;
    if (user == NULL)
        then(hub, q);
    else
        ask_proxied(hub, q, user, still_found);
}

/* ---- the operator's word ------------------------------------------------------ */

static void proxied_bound(struct hub *hub, struct request *q)
{
    (void)account_cut(hub, user_of(q)->id, 0);
    result_empty(hub, q);
}

static void bind_found(struct hub *hub, struct request *q,
                       const struct answer *answer)
{
    if (bots_refuse(hub, q, answer) || !user_keep(hub, q, answer))
        return;
    if (user_of(q)->kind != ACCOUNT_USER) {
        refuse(hub, q, ERR_IS_A_GUEST);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    proxied_put(c, user_of(q)->id, json_string_value(param(q, "proxied")),
                false);
    audit_put(c, q, 0, user_of(q)->id);
    change_submit(c, proxied_bound);
}

void handle_admin_users_bind(struct hub *hub, struct request *q)
{
    user_find(hub, q, bind_found);
}
