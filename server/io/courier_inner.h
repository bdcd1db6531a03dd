/* courier_inner.h -- what the files of the courier share; see courier.h.
 *
 * All of it belongs to the courier's thread, but for what courier.c says. */

#ifndef SERVER_IO_COURIER_INNER_H
#define SERVER_IO_COURIER_INNER_H

#include <curl/curl.h>
#include <sys/types.h>

#include "courier.h"
#include "guard.h"
#include "server/hub/notice_text.h"

#define SAID_MAX  300
#define REPLY_MAX 512

/* What struct courier_config says, in memory of its own. */
struct settings {
    struct region region;
    struct courier_config c;
};

/* How far a mail has got: the last command that was sent, which alone tells
 * what a refusal is about (curl says the same of MAIL and RCPT). */
enum smtp_stage {
    SMTP_BEGIN, /* connection, TLS, log-in */
    SMTP_MAIL,
    SMTP_RCPT,
    SMTP_DATA /* and what comes after it */
};

struct host_called;

/* A delivery, from when it is added until its outcome is told. */
struct transfer {
    struct transfer *next;
    uint64_t id;
    struct region region; /* the delivery's texts, and what is made of them */
    struct delivery d;
    int64_t ends_ms; /* by the steady clock: it is ended then; 0: by curl */
    struct delivery_outcome outcome;
    char said[SAID_MAX];

    CURL *easy; /* or NULL */
    struct curl_slist *list;
    const char *body;
    char *mail; /* to be freed */
    size_t body_len, body_at;

    /* of a mail */
    enum smtp_stage stage;
    char reply[REPLY_MAX]; /* the last line that the server said ... */
    bool quit;             /* ... until we said this */
    pid_t pid;             /* of the program, or 0 */
    int pidfd, said_fd;

    /* of a call */
    struct guard_target target;
    struct host_called *host; /* that has taken it, or NULL */
    int64_t begins_ms;        /* not before */
    bool refused;             /* by the guard, the address that its name has */
    char answer[COURIER_ANSWER + 1];
    size_t answer_len, header_len;
    bool cut; /* there was more of it */
};

/* ---- ends ------------------------------------------------------------- */

/* Puts an outcome, whose words are those of FORMAT: what is shown of it is one
 * line without addresses. */
void transfer_ends(struct transfer *p, enum delivery_result result,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- mail ------------------------------------------------------------- */

/* Whether a mail can go out at all with these settings, and to that address;
 * else P has its outcome. */
bool mail_prepare(struct transfer *p, const struct settings *s);
/* Makes P's EASY ready to be added. */
void mail_begin(struct transfer *p, const struct settings *s);
void mail_ended(struct transfer *p, CURLcode code);
/* Writes the mail that P's body is. */
void mail_write(struct transfer *p, const struct settings *s);
/* The address that a mail which cannot be delivered goes back to. */
const char *mail_bounces(const struct settings *s);
/* Whether settings name a program; it starts, or P has its outcome. */
bool sendmail_wanted(const struct settings *s);
bool sendmail_begin(struct transfer *p, const struct settings *s);
/* The program has ended, or LATE: it is to be. */
void sendmail_ended(struct transfer *p, bool late);

/* ---- calls ------------------------------------------------------------ */

/* As mail_prepare(); and as mail_begin(), or P has its outcome. */
bool call_prepare(struct transfer *p, const struct settings *s);
bool call_make(struct transfer *p, const struct settings *s);
void call_ended(struct transfer *p, CURLcode code);
/* What all transfers have in common. */
void transfer_begin(struct transfer *p, const struct settings *s);
/* Adds a header to a call's; FORMAT makes one line. */
void call_header(struct transfer *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What happened, as a word: by enum notice_kind. */
extern const char *const call_kinds[NOTICE_KINDS];
/* Put what P is to send: its URL, headers and body.  False with the outcome if
 * it cannot be sent. */
bool webhook_begin(struct transfer *p, const struct notice_text *t);
bool push_begin(struct transfer *p, const struct notice_text *t,
                const struct settings *s);
/* How an answer is judged: by its status. */
void webhook_answered(struct transfer *p, long status, int64_t after_ms);
void push_answered(struct transfer *p, long status, int64_t after_ms);
/* From one call there to the next one, and how many there may be at once. */
int64_t call_gap_ms(const struct transfer *p);
unsigned call_most(const struct transfer *p);

#endif
