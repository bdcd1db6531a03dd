/* notice_kinds.h -- what people who are away can be told, and where.
 *
 * Numbers are kept in the store and words travel: so a new kind comes last, and
 * none is ever taken out or given another place. */

#ifndef PROTOCOL_NOTICE_KINDS_H
#define PROTOCOL_NOTICE_KINDS_H

/* X(name, word): what happened that they are told. */
#define NOTICE_KINDS_ALL(X) \
    X(TURN, "turn")         /* a move of theirs is waited for */ \
    X(ANSWER, "answer")     /* they may move without being waited for */ \
    X(INVITED, "invited")   /* to a table */ \
    X(STARTED, "started")   /* their game has begun */ \
    X(FINISHED, "finished") /* ... is over */ \
    X(CHAT, "chat")         /* there are texts at their table */ \
    X(SEATED, "seated")     /* somebody sat down at their open table */ \
    X(UNSEATED, "unseated") /* ... left it; or they were sent away */ \
    X(REWOUND, "rewound")   /* their game was set back */ \
    X(MISS, "miss")         /* a deadline went by */ \
    X(REMINDER, "reminder") /* a move of theirs is still waited for */ \
    X(ABSENCE, "absence")   /* somebody at their table is away */ \
    X(SEAT, "seat")         /* a seat is free, as they asked to be told */ \
    X(VOTE, "vote")         /* they are asked to vote */ \
    X(ACCOUNT, "account")   /* their account itself */

#define NOTICE_KIND(name, word) NOTICE_##name,
enum notice_kind { NOTICE_KINDS_ALL(NOTICE_KIND) NOTICE_KINDS };
#undef NOTICE_KIND

/* What else a notice says than its kind; kept, too. */
enum notice_detail {
    NOTICE_PLAIN,
    NOTICE_LAST, /* NOTICE_REMINDER: of the last fifth of their time */
    NOTICE_BACK, /* NOTICE_ABSENCE: it is over */
    NOTICE_SPENT, /* the same, and no day of another is left this year; not kept */
    NOTICE_AGAIN, /* NOTICE_SEATED: they were, in the place of a game to which
                   * somebody did not come */
    NOTICE_DECLINED, /* NOTICE_UNSEATED: whom they invited does not come ... */
    NOTICE_EXPIRED   /* ... or has not answered */
};

/* X(name, word): where it reaches them. */
#define CHANNELS_ALL(X) \
    X(MAIL, "mail") \
    X(PUSH, "push")       /* Web Push: their browser, open or not */ \
    X(WEBHOOK, "webhook") /* an address of theirs that is called */

#define CHANNEL(name, word) CHANNEL_##name,
enum channel { CHANNELS_ALL(CHANNEL) CHANNELS };
#undef CHANNEL

/* X(name, word): what a webhook is sent, by who is there. */
#define WEBHOOK_FORMS_ALL(X) \
    X(GENERIC, "generic") /* signed JSON, for own programs */ \
    X(NTFY, "ntfy") \
    X(GOTIFY, "gotify") \
    X(DISCORD, "discord") \
    X(SLACK, "slack") /* and Mattermost, which takes the same */ \
    X(MATRIX, "matrix")

#define WEBHOOK_FORM(name, word) WEBHOOK_##name,
enum webhook_form { WEBHOOK_FORMS_ALL(WEBHOOK_FORM) WEBHOOK_FORMS };
#undef WEBHOOK_FORM

#endif
