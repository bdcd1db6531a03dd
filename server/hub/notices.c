/* notices.c -- what the operator has to say to everybody, and maintenance.
 *
 * Who is there is told at once by server.notice; who comes later reads it in
 * server.hello: the end that was announced, the message of the day, that the
 * server is read only, and why.  What was said at run time beats the
 * configuration until the next start. */

#include <stdio.h>

#include "inner.h"

static const char *in_force(const struct said *said, const char *configured)
{
    if (said->set)
        return said->text;
    return configured != NULL ? configured : "";
}

const char *notices_motd(const struct hub *hub)
{
    return in_force(&hub->motd, hub->config.motd);
}

const char *notices_read_only(const struct hub *hub)
{
    return in_force(&hub->maintenance, hub->config.maintenance);
}

/* ---- telling ------------------------------------------------------------ */

/* Of what was TOLD last and is TEXT now, if that is another: a notice of KIND,
 * or of KIND_OVER if it is nothing. */
static void tell_change(struct hub *hub, char told[static REMARK_MAX + 1],
                        const char *text, const char *kind,
                        const char *kind_over)
{
    if (strcmp(told, text) == 0)
        return;
    snprintf(told, REMARK_MAX + 1, "%s", text);
    struct json_out *o = notice_begin(hub, text[0] != '\0' ? kind : kind_over);
    if (text[0] != '\0')
        out_string(o, "text", text);
    notice_end(hub, NULL);
}

void notices_tell(struct hub *hub)
{
    tell_change(hub, hub->told_motd, notices_motd(hub), "motd", "motd_over");
    tell_change(hub, hub->told_maintenance, notices_read_only(hub),
                "maintenance", "maintenance_over");
}

void notices_begin(struct hub *hub)
{
    snprintf(hub->told_motd, sizeof(hub->told_motd), "%s", notices_motd(hub));
    snprintf(hub->told_maintenance, sizeof(hub->told_maintenance), "%s",
             notices_read_only(hub));
}

static void write_link(struct json_out *o, const char *key, const char *url)
{
    if (url != NULL && url[0] != '\0')
        out_string(o, key, url);
}

void notices_write(struct json_out *o, const struct hub *hub)
{
    if (notices_motd(hub)[0] != '\0')
        out_string(o, "motd", notices_motd(hub));
    if (notices_read_only(hub)[0] != '\0')
        out_string(o, "maintenance", notices_read_only(hub));
    if (hub->ends_ms != 0) {
        out_object(o, "shutdown");
        out_int(o, "at", hub->ends_ms);
        if (hub->ends_text != NULL)
            out_string(o, "text", hub->ends_text);
        out_end(o);
    }
    out_object(o, "links");
    write_link(o, "rules", hub->config.rules_url);
    write_link(o, "privacy", hub->config.privacy_url);
    write_link(o, "contact", hub->config.contact);
    out_end(o);
}

/* ---- maintenance -------------------------------------------------------- */

/* Whether M changes what is played or who there is.  One may still come, look
 * and leave, and take back a token that got into the wrong hands. */
static bool changes(enum method m)
{
    const struct method_info *info = &methods[m];

    if (info->role == ROLE_ADMIN || info->scope == SCOPE_READ)
        return false;
    return m != M_SESSION_LOGIN && m != M_SESSION_LOGOUT &&
           m != M_SESSION_RESUME && m != M_ACCOUNT_TOKENS_REVOKE &&
           (info->rate == RATE_WRITE || info->rate == RATE_MOVE ||
            info->rate == RATE_LOGIN);
}

bool notices_refuse(struct hub *hub, struct request *q)
{
    const char *text = notices_read_only(hub);

    if (text[0] == '\0' || !changes(q->method))
        return false;
    struct json_out *o = refuse_begin(hub, q, ERR_MAINTENANCE);
    out_string(o, "text", text);
    refuse_end(hub, q);
    return true;
}

/* ---- the administrator's ------------------------------------------------- */

/* Done when it is noted. */
static void say(struct hub *hub, struct request *q, struct said *said,
                const char *text)
{
    said->set = true;
    snprintf(said->text, sizeof(said->text), "%s", text);
    notices_tell(hub);
    result_empty(hub, q);
}

static void motd_noted(struct hub *hub, struct request *q)
{
    say(hub, q, &hub->motd, param_text(q, "text"));
}

static void maintenance_noted(struct hub *hub, struct request *q)
{
    const char *text = param_text(q, "text");
    say(hub, q, &hub->maintenance,
        text[0] != '\0' ? text : "The server is being looked after.");
}

static void maintenance_over(struct hub *hub, struct request *q)
{
    say(hub, q, &hub->maintenance, "");
}

void handle_admin_motd(struct hub *hub, struct request *q)
{
    audit_if_possible(hub, q, motd_noted);
}

void handle_admin_motd_end(struct hub *hub, struct request *q)
{
    handle_admin_motd(hub, q);
}

void handle_admin_maintenance(struct hub *hub, struct request *q)
{
    audit_if_possible(hub, q, maintenance_noted);
}

void handle_admin_maintenance_end(struct hub *hub, struct request *q)
{
    audit_if_possible(hub, q, maintenance_over);
}
