/* delivery.h -- one message to one person by one way, and what became of it.
 *
 * The hub decides who is told what, where and when (outbox), and hands the
 * host a struct delivery.  What the message says is made of that and nothing
 * else (notice_text.h), so it can tell nothing that does not stand here: no
 * position, no chat, no words of an invitation.  The host carries it and says,
 * once, what became of it.
 *
 * A lost answer or a crash may have a delivery made twice; it has the same ID
 * then, of which the Message-ID or idempotency key is made, so that receivers
 * can tell. */

#ifndef SERVER_HUB_DELIVERY_H
#define SERVER_HUB_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "id.h"
#include "protocol/notice_kinds.h"

/* A key of the server for Web Push, as browsers want it, with its NUL. */
#define PUSH_KEY_SIZE 88

/* What it is: how its subject and first sentence read. */
enum delivery_form {
    DELIVERY_NOTICES, /* what happened */
    DELIVERY_DIGEST,  /* the same once a day or week, as they wish */
    DELIVERY_SUMMARY, /* what waits for them, after an absence or an outage */
    DELIVERY_ACCOUNT, /* about their account: ACCOUNT_MAIL */
    DELIVERY_TEST     /* nothing happened: whether it arrives */
};

/* Mails about an account.  Those of the first two have a link with a secret;
 * CONFIRM alone goes to addresses that are not verified. */
enum account_mail {
    ACCOUNT_MAIL_CONFIRM, /* "is this your address?": LINK, and REFUSE_LINK */
    ACCOUNT_MAIL_RESET,   /* LINK to a new password, of ACCOUNT, or if that is
                           * NULL of one of several */
    ACCOUNT_MAIL_CHANGED, /* to the old address: there is a new one now */
    ACCOUNT_MAIL_DEVICE,  /* log-in from a device that is new */
    ACCOUNT_MAIL_TOTP,    /* the operator took their second factor away */
    ACCOUNT_MAILS
};

/* Something to be told of one table.  Texts are UTF-8, of whatever people
 * wrote, and may be NULL where they say so. */
struct delivery_item {
    uint8_t kind;   /* enum notice_kind */
    uint8_t detail; /* enum notice_detail */
    id_num table;   /* or 0: it is about them, or their account */
    uint32_t ply;
    const char *game;         /* its title */
    const char *by;           /* whose doing it is, or NULL */
    const char *const *names; /* of the others at the table */
    size_t name_count;
    int64_t
        deadline_ms;  /* of their move, or when an absence ends, by the wall's
                          * clock; or 0 */
    int32_t offset_s; /* of their clock then: seconds east of Greenwich */
    uint32_t texts;   /* of others, that they have not read */
};

struct delivery {
    uint8_t channel; /* enum channel */
    uint8_t form;    /* enum delivery_form */
    /* Where to: an address, the endpoint of a push subscription, a URL.  It is
     * in no log. */
    const char *target;
    uint8_t webhook; /* enum webhook_form */
    /* CHANNEL_PUSH: the subscription's p256dh and auth, as the browser gave them
     * (base64url), p256dh first and a space between.  CHANNEL_WEBHOOK: what
     * calls are signed with (generic), or the token there (the others), or
     * NULL. */
    const char *secret;
    /* CHANNEL_PUSH: the text of the server's secret of which its key is made
     * (the host's push_key()). */
    const char *push_secret;
    /* The same for each try, different for any other delivery. */
    id_num id;
    const char *language; /* "en", "fr"; any other is English */
    const char *zone;     /* the IANA name of their time zone, or NULL: UTC */
    const char *account;  /* the person's name, or NULL */
    int64_t now_ms;       /* when it is sent, by the wall's clock */
    /* Of the server: what people know it by, and where (with a slash at
     * its end or without), from which links are made. */
    const char *server, *url;
    /* The token with which they can have no more of this (unsubscribe.h), or
     * NULL: mail that has to be. */
    const char *unsubscribe;

    const struct delivery_item *items;
    size_t item_count; /* they are told in this order */
    size_t more;       /* tables of which nothing stands here */

    uint8_t account_mail; /* enum account_mail */
    /* Whole URLs with secrets behind their '#'; or NULL. */
    const char *link, *refuse_link;
    const char *address; /* ACCOUNT_MAIL_DEVICE: from where, or NULL */
    /* DELIVERY_TEST of a generic webhook: what it has to answer with, in the
     * member `challenge`; else NULL and any 2xx will do. */
    const char *challenge;
};

enum delivery_result {
    DELIVERY_DONE,  /* the receiver has it */
    DELIVERY_RETRY, /* not now */
    DELIVERY_GONE,  /* said of this receiver, for good: switch it off */
    /* Said of us: the operator's to mend; the channel waits and nobody is
     * switched off.  But one receiver alone may have it said (a browser's
     * subscription with somebody else's key): who holds up a channel for it
     * looks first whether it is said of others, too. */
    DELIVERY_OURS,
    /* Not tried, as its host has enough under way: to be handed over later. */
    DELIVERY_LATER
};
/* Of those that were tried. */
#define DELIVERY_RESULTS (DELIVERY_OURS + 1)

struct delivery_outcome {
    enum delivery_result result;
    /* DELIVERY_RETRY: not before so long, as the receiver wants it, or 0. */
    int64_t after_ms;
    /* What was said, in one line, for the person and the operator to read:
     * no address or endpoint in it.  Never NULL. */
    const char *said;
};

struct region;

/* FROM and all that it points to, in R. */
struct delivery delivery_copy(struct region *r, const struct delivery *from);

#endif
