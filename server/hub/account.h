/* account.h -- accounts, and what lets one in: sessions, tokens, links. */

#ifndef SERVER_HUB_ACCOUNT_H
#define SERVER_HUB_ACCOUNT_H

#include "change.h"
#include "factors.h"
#include "peer.h"
#include "request.h"
#include "transaction.h"

/* ---- account.c --------------------------------------------------------- */

/* Puts ROW into C. */
void account_put(struct change *c, const struct account_row *row);
/* Has C conflict if the account is not as ROW says any more: another
 * password, barred, kept or gone. */
void account_still(struct change *c, const struct account_row *row);
/* Cuts off everybody who is logged in as ACCOUNT but BUT; returns how many. */
size_t account_cut(struct hub *hub, id_num account, peer_id but);
/* Whether Q comes from where all is allowed that its account may: by a session of
 * its owner's, who has no password or cannot show the token of it if a browser
 * keeps that. */
bool account_is_owner(const struct hub *hub, const struct request *q);
/* Asks for the account of who asks Q. */
void account_ask_self(struct hub *hub, struct request *q, answered_cb then);
/* A copy of ROW that lives as long as Q. */
void account_copy(struct request *q, struct account_row *kept,
                  const struct account_row *row);
/* The members `until`, null for good, and `why` of a ban. */
void ban_write(struct json_out *o, const struct account_row *row);
/* Everybody who is logged in as it, but BUT, is told what the account is called
 * from now on, as ROW says. */
void account_called(struct hub *hub, const struct account_row *row,
                    peer_id but);
/* The account is called what ROW says from now on: its tables and everybody who is
 * logged in as it, but BUT, are told. */
void account_renamed(struct hub *hub, const struct account_row *row,
                     peer_id but);
/* The member `user`; or KEY, or an item. */
void account_write(struct json_out *o, const struct account_row *row);
void user_write(struct json_out *o, const char *key,
                const struct account_row *row);

/* ---- session.c --------------------------------------------------------- */

#define TOKEN_CHARS 32
/* When an account was seen is stored to the hour. */
#define SEEN_MS (3600 * INT64_C(1000))

/* What is kept of a log-in while the host works. */
struct entrance {
    struct account_row account;
    struct token_row token;
    char text[TOKEN_CHARS + 1]; /* the token; only the client gets it */
    bool made;                  /* the account is new */
    const char *proxied;      /* what a proxy calls it, by whose word it comes
                                 * in; or NULL */
    id_num link;              /* that lets it in; 0: none */
    struct factor_use factor; /* besides the password */
    bool known_device;        /* that it comes from; else it gets this: */
    char device[TOKEN_CHARS + 1];
    void (*admitted)(struct hub *hub, struct request *q);
    uint64_t revoked; /* hub->revoked when the token was asked for */
};

struct entrance *entrance_of(struct request *q);
/* Submits C with a session for the account of its request's entrance, and with
 * that if it is new; then logs the connection in and answers. */
void session_enter(struct change *c);
/* Goes on to that with the account of Q's entrance, who has proven who they are;
 * refuses Q if they are barred. */
void session_let_in(struct hub *hub, struct request *q);
/* Whether Q's connection is logged in already; refuses it then. */
bool session_refuse_second(struct hub *hub, struct request *q);
/* Takes one from what is allowed of failed log-ins as NAME (NULL: as nobody, from
 * that address), and refuses Q if there is none; an attempt that succeeds gives
 * it back. */
bool login_refuse(struct hub *hub, struct request *q, const char *name);
void login_forgiven(struct hub *hub, struct request *q, const char *name);
/* How long the next attempt as NAME would have to wait. */
int64_t login_slowed(struct hub *hub, const char *name);
/* As hub_hash(); refuses Q if there is no place in the line. */
void hash_or_refuse(struct hub *hub, struct request *q, enum hash_kind kind,
                    const char *password, const char *against, hashed_cb then);
/* P is nobody's any more. */
void account_leave(struct hub *hub, struct peer *p);
/* P has asked something: its account was seen. */
void account_touch(struct hub *hub, struct peer *p);

/* ---- links.c ----------------------------------------------------------- */

extern const char *const link_purposes[LINK_PURPOSES]; /* words */
/* Asks for the link whose text is TEXT. */
void link_find(struct hub *hub, struct request *q, const char *text,
               answered_cb then);
/* What is against using what was found for PURPOSE. */
enum error link_judge(const struct hub *hub, const struct answer *answer,
                      enum link_purpose purpose);
/* Puts it into C that the link is used; a conflict if it is not good any more. */
void link_use(struct change *c, id_num id);
/* What is made, and its text, which only the answer has. */
struct new_link {
    struct link_row row;
    char text[TOKEN_CHARS + 1];
};
/* Submits C, whose request says how often the new link of PURPOSE for ACCOUNT or
 * TABLE is good, and until when; and answers that. */
void link_make(struct change *c, enum link_purpose purpose, id_num account,
               id_num table);
/* A change at T, or of no table, that drops the link which Q names, if it is the
 * first of ANSWER; NULL: there is none, and Q has its answer. */
struct change *link_drop(struct hub *hub, struct table *t, struct request *q,
                         const struct answer *answer);
/* Its answer once it is stored. */
void link_dropped(struct hub *hub, struct request *q);
/* As the next item of a list, or as an object. */
void link_write(struct json_out *o, const char *key, const struct link_row *l);

/* ---- token.c ----------------------------------------------------------- */

/* Of a session of the account's owner. */
#define ALL_SCOPES ((uint16_t)((1u << SCOPES) - 1))

/* N random letters and digits and a NUL, N at most TOKEN_CHARS. */
void token_random(struct hub *hub, char *text, size_t n);
/* A new token of OWNER in *TOKEN, and its text; LABEL is not copied, LIFE_MS 0:
 * for ever. */
void token_make(struct hub *hub, struct token_row *token, id_num owner,
                const char *label, uint16_t scopes, int64_t life_ms,
                char text[TOKEN_CHARS + 1]);
/* Puts it into C. */
void token_put(struct change *c, const struct token_row *token);
/* As the next item of a list, or as an object. */
void token_write(struct json_out *o, const struct token_row *token);
/* Cuts off who is logged in by TOKEN. */
void token_drop_sessions(struct hub *hub, id_num token);

#endif
