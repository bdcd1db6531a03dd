/* info.c -- what the server is, and the rules of its games. */

#include "inner.h"
#include "protocol/rules_json.h"
#include "protocol/rules_text.h"

static const char *const registration_words[] = {
    [REGISTRATION_OPEN] = "open",
    [REGISTRATION_INVITE] = "invite",
    [REGISTRATION_CLOSED] = "closed",
};

static void write_limits(struct json_out *o)
{
    out_object(o, "limits");
    out_int(o, "message_bytes", LIMIT_MESSAGE_BYTES);
    out_int(o, "answer_bytes", LIMIT_ANSWER_BYTES);
    out_int(o, "requests", LIMIT_PEER_REQUESTS);
    out_int(o, "watched", LIMIT_WATCHED);
    out_int(o, "tables", LIMIT_TABLES);
    out_int(o, "tokens", LIMIT_TOKENS);
    out_int(o, "invited", LIMIT_INVITED);
    out_end(o);
}

void handle_server_hello(struct hub *hub, struct request *q)
{
    struct json_out *o = result_begin(hub, q);

    out_string(o, "name", hub->config.server_name);
    out_string(o, "version", hub->config.version);
    out_int(o, "protocol", 1);
    out_list(o, "games");
    for (size_t i = 0; rules_all[i] != NULL; i++)
        json_rules_brief(o, NULL, rules_all[i]);
    out_end(o);
    write_limits(o);
    out_string(o, "registration",
               registration_words[hub->config.registration]);
    out_bool(o, "guests", hub->config.guests);
    bots_write(o, hub);
    out_bool(o, "mail", hub->config.mail);
    out_int(o, "now", hub->now_ms);
    proxied_write(o, hub, q);
    notices_write(o, hub);
    result_end(hub, q);
}

void handle_rpc_discover(struct hub *hub, struct request *q)
{
    methods_openrpc(answer_begin(hub, q), "result", hub->config.version);
    answer_end(hub, q);
}

/* The game Q names; answers and returns NULL if there is none. */
static const struct rules *game_of(struct hub *hub, struct request *q)
{
    const struct rules *r = rules_find(param_text(q, "game"));
    if (r == NULL)
        refuse(hub, q, ERR_NO_SUCH_GAME);
    return r;
}

void handle_rules_info(struct hub *hub, struct request *q)
{
    const struct rules *r = game_of(hub, q);

    if (r == NULL)
        return;
    json_rules(answer_begin(hub, q), "result", r, hub_dataset(hub, r),
               param_text(q, "lang"));
    answer_end(hub, q);
}

void handle_rules_schema(struct hub *hub, struct request *q)
{
    const struct rules *r = game_of(hub, q);

    if (r == NULL)
        return;
    json_rules_schema(answer_begin(hub, q), "result", r);
    answer_end(hub, q);
}

/* A page in the language asked for, or else in English; the answer says
 * which. */
void handle_rules_text(struct hub *hub, struct request *q)
{
    const struct rules *r = game_of(hub, q);
    const struct rules_text *page;

    if (r == NULL)
        return;
    page = rules_text_find(r->name, param_text(q, "detail"),
                           json_string_value(param(q, "lang")));
    if (page == NULL) {
        refuse(hub, q, ERR_NO_SUCH_TEXT);
        return;
    }
    struct json_out *o = result_begin(hub, q);
    out_string(o, "lang", page->lang);
    out_string(o, "text", page->text);
    result_end(hub, q);
}
