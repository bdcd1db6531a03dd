/* channels.c -- where somebody is told things. */

#include "outbox_inner.h"
#include "url.h"

/* What is told by each way if nobody says anything else. */
#define USUALLY \
    (OF_KIND(NOTICE_TURN) | OF_KIND(NOTICE_ANSWER) | \
     OF_KIND(NOTICE_INVITED) | OF_KIND(NOTICE_STARTED) | \
     OF_KIND(NOTICE_FINISHED) | OF_KIND(NOTICE_UNSEATED) | \
     OF_KIND(NOTICE_REWOUND) | OF_KIND(NOTICE_MISS) | \
     OF_KIND(NOTICE_REMINDER) | OF_KIND(NOTICE_ABSENCE) | \
     OF_KIND(NOTICE_VOTE) | OF_KIND(NOTICE_ACCOUNT))

const uint32_t channel_usual_kinds[CHANNELS] = {
    [CHANNEL_MAIL] = USUALLY,
    [CHANNEL_PUSH] = USUALLY | OF_KIND(NOTICE_CHAT),
    [CHANNEL_WEBHOOK] = USUALLY | OF_KIND(NOTICE_CHAT),
};

const char *const channel_state_words[] = {
    [CHANNEL_UNTRIED] = "untried",
    [CHANNEL_ON] = "on",
    [CHANNEL_OFF] = "off",
};

#define WORD(name, word) [WEBHOOK_##name] = (word),
const char *const webhook_words[] = {WEBHOOK_FORMS_ALL(WORD)};
#undef WORD

/* ---- what there is -------------------------------------------------------- */

static bool mail_of(const struct answer *answer, struct channel_row *ret)
{
    const struct account_row *a = answer->accounts;

    if (answer->account_count == 0 || a->email == NULL || a->confirmed == 0)
        return false;
    *ret = (struct channel_row){
        .id = a->id,
        .account = a->id,
        .way = CHANNEL_MAIL,
        .state = CHANNEL_ON,
        .kinds = channel_usual_kinds[CHANNEL_MAIL],
        .made = a->confirmed,
        .changed = a->confirmed,
        .label = "",
        .target = a->email,
    };
    return true;
}

size_t channels_of(const struct answer *answer,
                   struct channel_row list[LIMIT_CHANNELS])
{
    size_t n = mail_of(answer, &list[0]) ? 1 : 0;

    for (size_t i = 0; i < answer->channel_count; i++) {
        const struct channel_row *row = &answer->channels[i];
        if (row->way != CHANNEL_MAIL) {
            if (n < LIMIT_CHANNELS)
                list[n++] = *row;
            continue;
        }
        if (n == 0 || list[0].way != CHANNEL_MAIL)
            continue;
        list[0].kinds = row->kinds;
        if (strcmp(row->target, list[0].target) == 0) {
            list[0].state = row->state;
            list[0].why = row->why;
            list[0].changed = row->changed;
        }
    }
    return n;
}

bool channel_find(const struct answer *answer, id_num id,
                  struct channel_row *ret)
{
    struct channel_row list[LIMIT_CHANNELS];
    size_t n = channels_of(answer, list);

    for (size_t i = 0; i < n; i++)
        if (list[i].id == id) {
            *ret = list[i];
            return true;
        }
    return false;
}

/* What concerns their account is theirs to know, whatever they wish. */
bool channel_wants(const struct channel_row *c, enum notice_kind kind)
{
    return c->state == CHANNEL_ON &&
           (kind == NOTICE_ACCOUNT || (c->kinds & OF_KIND(kind)) != 0);
}

void channel_put(struct change *c, const struct channel_row *row)
{
    struct op *op = change_op(c, OP_CHANNEL);

    op->account = row->account;
    op->u.channel = *row;
    op->u.channel.label = change_text(c, row->label);
    op->u.channel.target = change_text(c, row->target);
    op->u.channel.secret = change_text(c, row->secret);
    op->u.channel.why = change_text(c, row->why);
}

void channel_told(struct hub *hub, const struct channel_row *row)
{
    const struct account *a = map_get(&hub->accounts, row->account);
    size_t at = 0;
    struct peer *p;

    while (a != NULL && (p = map_next(&hub->peers, &at)) != NULL) {
        if (p->account != a)
            continue;
        struct json_out *o = notice_begin(hub, "channel_off");
        write_id(o, "channel", row->id);
        out_string(o, "text", row->why != NULL ? row->why : "");
        notice_end(hub, p);
    }
}

/* Of who is called only where that is: the rest is as good as a password. */
static void write_target(struct json_out *o, const struct channel_row *row)
{
    size_t n = row->way != CHANNEL_MAIL ? url_origin(row->target) : 0;

    if (n == 0)
        n = strlen(row->target);
    out_string_n(o, "target", row->target, n);
}

void channel_write(struct json_out *o, const struct channel_row *row)
{
    out_object(o, NULL);
    write_id(o, "channel", row->id);
    out_string(o, "way", channel_words[row->way % CHANNELS]);
    if (row->way == CHANNEL_WEBHOOK)
        out_string(o, "form", webhook_words[row->form % WEBHOOK_FORMS]);
    out_string(o, "label", row->label);
    write_target(o, row);
    out_string(o, "state", channel_state_words[row->state]);
    if (row->why != NULL)
        out_string(o, "why", row->why);
    else
        out_null(o, "why");
    out_list(o, "kinds");
    for (int kind = 0; kind < NOTICE_KINDS; kind++)
        if (row->kinds & OF_KIND(kind))
            out_string(o, NULL, notice_words[kind]);
    out_end(o);
    out_int(o, "made", row->made);
    out_int(o, "changed", row->changed);
    out_end(o);
}
