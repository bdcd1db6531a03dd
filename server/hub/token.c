/* token.c -- tokens: those of sessions, and those people make for bots.
 *
 * A token is 32 random characters; only its SHA-256 is stored. */

#include <stdio.h>

#include "inner.h"

void token_random(struct hub *hub, char *text, size_t n)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char bytes[TOKEN_CHARS];

    ASSERT(n <= sizeof(bytes));
    hub->host->random(hub->host, bytes, n);
    for (size_t i = 0; i < n; i++)
        text[i] = digits[bytes[i] & 31];
    text[n] = '\0';
}

void token_make(struct hub *hub, struct token_row *token, id_num owner,
                const char *label, uint16_t scopes, int64_t life_ms,
                char text[TOKEN_CHARS + 1])
{
    token_random(hub, text, TOKEN_CHARS);
    *token = (struct token_row){
        .id = random_id(hub),
        .account = owner,
        .label = label,
        .scopes = scopes,
        .created = hub->now_ms,
        .expires = life_ms > 0 ? hub->now_ms + life_ms : 0,
    };
    sha256(text, TOKEN_CHARS, token->hash);
}

void token_put(struct change *c, const struct token_row *token)
{
    struct op *op = change_op(c, OP_TOKEN);

    op->account = token->account;
    op->u.token = *token;
    op->u.token.label = change_text(c, token->label);
}

/* Ends the sessions that hang on TOKEN. */
void token_drop_sessions(struct hub *hub, id_num token)
{
    size_t at = 0;
    struct peer *p;

    hub->revoked++;
    while ((p = map_next(&hub->peers, &at)) != NULL)
        if (p->account != NULL && p->token == token)
            peer_drop(hub, p, DROP_POLICY);
}

/* ---- tokens for bots --------------------------------------------------- */

static void token_stored(struct hub *hub, struct request *q)
{
    struct entrance *e = entrance_of(q);
    char id[ID_SIZE];

    journal(hub, q, LOG_INFO, "token_created", log_text("user", q->name),
            log_text("label", e->token.label));
    struct json_out *o = result_begin(hub, q);
    id_write(e->token.id, id);
    out_string(o, "id", id);
    out_string(o, "token", e->text);
    result_end(hub, q);
}

/* What is kept for who asks again with the same key: which token it was.  Its
 * text is kept nowhere, so who has not heard it ends that token and makes
 * another. */
static void keep_key(struct change *c, id_num token)
{
    char text[ID_SIZE + 16], id[ID_SIZE];

    id_write(token, id);
    int len = snprintf(text, sizeof(text), "{\"id\":\"%s\"}", id);
    key_put(c, text, (size_t)len);
}

static uint16_t scopes_of(const json_t *list)
{
    uint16_t scopes = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        for (int s = 0; s < SCOPES; s++)
            if (strcmp(json_string_value(json_array_get(list, i)),
                       method_scopes[s]) == 0)
                scopes |= (uint16_t)(1u << s);
    return scopes;
}

static void tokens_counted(struct hub *hub, struct request *q,
                           const struct answer *answer)
{
    const struct peer *p = peer_find(hub, q->peer);
    struct entrance *e = entrance_of(q);
    size_t labelled = 0;

    for (size_t i = 0; i < answer->token_count; i++)
        labelled += answer->tokens[i].label[0] != '\0';
    if (labelled >= LIMIT_TOKENS) {
        refuse(hub, q, ERR_TOO_MANY_TOKENS);
        return;
    }
    /* Who asks may have been logged out meanwhile. */
    if (p == NULL || p->account == NULL || p->account->id != q->account) {
        refuse(hub, q, ERR_NOT_AUTHENTICATED);
        return;
    }
    struct change *c = change_begin(hub, q, NULL);
    struct op *op = change_op(c, OP_REQUIRE_TOKEN);
    op->account = op->u.token.account = q->account;
    op->u.token.id = p->token;
    q->conflict = ERR_NOT_AUTHENTICATED;
    token_make(hub, &e->token, q->account, param_text(q, "label"),
               scopes_of(param(q, "scopes")), 0, e->text);
    token_put(c, &e->token);
    keep_key(c, e->token.id);
    change_submit(c, token_stored);
}

static void ask_tokens(struct hub *hub, struct request *q, answered_cb then)
{
    struct question ask = {.kind = ASK_TOKENS, .u.account = q->account};
    hub_ask(hub, q, &ask, then);
}

static void create_keyed(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    const struct peer *p = peer_find(hub, q->peer);

    if (key_answered(hub, q, answer))
        return;
    /* No token makes another that may do more than itself. */
    if (p != NULL && (scopes_of(param(q, "scopes")) & ~p->scopes) != 0)
        refuse(hub, q, ERR_OUT_OF_SCOPE);
    else
        ask_tokens(hub, q, tokens_counted);
}

void handle_account_tokens_create(struct hub *hub, struct request *q)
{
    key_ask(hub, q, create_keyed);
}

void token_write(struct json_out *o, const struct token_row *token)
{
    char id[ID_SIZE];

    id_write(token->id, id);
    out_object(o, NULL);
    out_string(o, "id", id);
    out_string(o, "label", token->label[0] ? token->label : "session");
    out_list(o, "scopes");
    for (int s = 0; s < SCOPES; s++)
        if (token->scopes & (1u << s))
            out_string(o, NULL, method_scopes[s]);
    out_end(o);
    out_int(o, "created", token->created);
    if (token->expires == 0)
        out_null(o, "expires");
    else
        out_int(o, "expires", token->expires);
    out_end(o);
}

static void tokens_listed(struct hub *hub, struct request *q,
                          const struct answer *answer)
{
    struct json_out *o = list_begin(hub, q, "tokens");

    for (size_t i = 0; i < answer->token_count && i < 200; i++)
        token_write(o, &answer->tokens[i]);
    list_end(hub, q, 0);
}

void handle_account_tokens_list(struct hub *hub, struct request *q)
{
    ask_tokens(hub, q, tokens_listed);
}

static void token_revoked(struct hub *hub, struct request *q)
{
    id_num *token = q->kept;
    id_num id = *token;

    journal(hub, q, LOG_INFO, "token_revoked", log_text("user", q->name));
    result_empty(hub, q);
    token_drop_sessions(hub, id);
}

static void revoke_found(struct hub *hub, struct request *q,
                         const struct answer *answer)
{
    id_num *token = q->kept;

    for (size_t i = 0; i < answer->token_count; i++) {
        if (answer->tokens[i].id != *token)
            continue;
        struct change *c = change_begin(hub, q, NULL);
        struct op *op = change_op(c, OP_TOKEN_DROP);
        op->account = q->account;
        op->u.token.account = q->account;
        op->u.token.id = *token;
        change_submit(c, token_revoked);
        return;
    }
    refuse(hub, q, ERR_NO_SUCH_TOKEN);
}

void handle_account_tokens_revoke(struct hub *hub, struct request *q)
{
    id_num *token = region_take(&q->region, sizeof(*token));

    q->kept = token;
    if (id_read(param_text(q, "id"), token))
        ask_tokens(hub, q, revoke_found);
    else
        refuse(hub, q, ERR_NO_SUCH_TOKEN);
}
