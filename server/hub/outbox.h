/* outbox.h -- people who are away are told what concerns them.
 *
 *     a change      -> notices: rows of its transaction, without a word of what
 *                      is told, or how (outbox_change.c)
 *     a minute on   -> what is still so, and not looked at since, becomes
 *                      messages: one for each way in which its reader wants to
 *                      be told, of all tables (outbox_decide.c)
 *     then          -> each is handed to the host, again and again until its
 *                      receiver has it or is gone for good (outbox_send.c),
 *                      and none keeps others waiting (outbox_queue.c)
 *
 *     outbox.c           what of that is in memory; the timer
 *     outbox_remind.c    questions that wait for long, digests, and what is told
 *                        when the store is a backup's copy
 *     outbox_methods.c   what people, and the operator, say of it: notices.*
 *     channels.c, channel_methods.c   ... and of where they are told
 *
 * Who is told what and where is decided when it is due, from what is true then:
 * a change reads nobody's wishes.  What is in memory is only to know without
 * asking when something is due and which rows a look makes needless; if that
 * may be wrong, as after a start or a transaction that failed, it is read
 * again. */

#ifndef SERVER_HUB_OUTBOX_H
#define SERVER_HUB_OUTBOX_H

#include "change.h"
#include "delivery.h"
#include "protocol/notice_kinds.h"

struct outbox;

struct outbox *outbox_new(void);
void outbox_free(struct outbox *o);
/* Does what is due by now. */
void outbox_tick(struct hub *hub);
/* What became of TRANSACTION, which had messages: they leave, or are no more. */
void outbox_stored(struct hub *hub, transaction_id transaction, bool stored);
/* A transaction that has SHARE of the outbox was not stored, or PERHAPS it was:
 * that in which memory may differ is read again. */
void outbox_lost(struct hub *hub, const struct outbox_share *share,
                 bool perhaps);

/* Puts into C what people are to be told of it, and takes out what they need not
 * be told any more, as who asked for C was there. */
void outbox_change(struct change *c);
/* ACCOUNT, who is waited for at C's table, is reminded of that; if LAST, it is
 * high time. */
void outbox_reminder(struct change *c, id_num account, bool last);
/* ACCOUNT, who plays at C's table, is told that OTHER is away, or is BACK. */
void outbox_absence(struct change *c, id_num account, id_num other, bool back);
/* ROW, which has begun, is stored with C: ACCOUNT is told when it is over, and at
 * once if they have not begun it themselves. */
void outbox_away(struct change *c, id_num account,
                 const struct absence_row *row);
/* C is whole: sums up by what memory is ahead of the store until it is stored. */
void outbox_sum_up(struct change *c);
/* ACCOUNT has looked at TABLE: what waits to be told of it goes, with C. */
void outbox_looked(struct change *c, id_num account, id_num table);
/* Whether that would change anything. */
bool outbox_waits(const struct hub *hub, id_num account, id_num table);

/* ACCOUNT was made just now: there is nowhere yet where it could be told
 * things. */
void outbox_made(struct hub *hub, id_num account);
/* ACCOUNT, which C makes, is told things in LANGUAGE. */
void outbox_language_put(struct change *c, id_num account,
                         const char *language);
/* A mail about an account itself, to an address that need not be verified. */
struct account_notice {
    enum account_mail mail;
    id_num account;   /* whose */
    const char *name; /* theirs, or NULL */
    const char *to;
    const char *address; /* as in struct delivery, or NULL */
    /* When it leaves: links, which are made then (email_links()) and stored
     * nowhere, and the person's language. */
    const char *link, *refuse_link;
    const char *language;
};
/* Has N sent once C is stored: tried as long as anything else, but by itself. */
void outbox_account(struct change *c, const struct account_notice *n);

/* What is known of how ACCOUNT wants to be told things is known no more: it was
 * changed, or an address of theirs is confirmed. */
void outbox_changed(struct hub *hub, id_num account);

/* Asks for how the account of Q wishes to be told, and where; for ACCOUNT, that
 * is.  THEN may write the answer, as members. */
void outbox_settings_ask(struct hub *hub, struct request *q, id_num account,
                         answered_cb then);
void outbox_settings_write(struct json_out *o, const struct answer *answer,
                           id_num account);
/* What was sent to somebody once, as the next item of a list. */
void outbox_sent_write(struct json_out *o, const struct sent_row *s);

/* The store is a backup's copy: nothing of what waits there is told, nor is any
 * one-time link good; everybody is told once what waits for them. */
void outbox_restore(struct hub *hub);

#endif
