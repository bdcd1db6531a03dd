/* session.h -- what the commands that speak to a server have in common: their
 * options, the loop, the link, who one is.
 *
 *     struct session s;            as the first member of the arguments, and
 *     session_argp                 as a child of the command's argp
 *     session_open(&s, SESSION_SOMEBODY, NULL)   connected and logged in
 *     session_ask(&s, ...)         a request
 *     session_close(&s) */

#ifndef TERM_SESSION_H
#define TERM_SESSION_H

#include "clients/common/link.h"
#include "settings.h"
#include "term.h"

struct session {
    /* from the command line */
    const char *server_chosen, *ca_file_chosen, *as;
    /* read-only, once open */
    struct settings settings;
    char server[512];
    char ca_file[4096];          /* certificates that are trusted, too; "" */
    struct settings_token token; /* token.token is "" for nobody */
    uv_loop_t loop;
    struct link *link;
};

/* The options --server, --ca-file and --as; its input is the struct session. */
extern const struct argp session_argp;
/* The same, as a command's argp.children, for a parser that hands its own
 * input on by session_hand_on(). */
extern const struct argp_child session_children[];
/* In a parser, on ARGP_KEY_INIT. */
void session_hand_on(struct argp_state *state, struct session *s);
/* The table that WORD of the command line names, which is changed: an id, or a link
 * as pages copy it, which says at which server, too. */
char *session_table(struct session *s, char *word);

enum session_as { SESSION_NOBODY, SESSION_ANYBODY, SESSION_SOMEBODY };

/* Reads the settings and connects: as nobody, as whoever is known or else
 * nobody, or as somebody, who must be known.  OWNER may be NULL.  False after a
 * complaint. */
bool session_open(struct session *s, enum session_as as,
                  const struct link_owner *owner);
void session_close(struct session *s);

/* Complains of WHY and of what kind that is: a refusal for REASON, or, if that
 * is "", that there is no connection.  Always STATUS_FAILED. */
int session_complain(const char *reason, const char *why);
/* The same of a link that will not come again. */
int session_lost(const struct session *s);

/* Asks; a refusal is a complaint and NULL.  PARAMS is taken over, the result
 * the caller's to free. */
json_t *session_ask(struct session *s, const char *method, json_t *params);
/* All pages of a list, WHAT being its name.  PARAMS is taken over.  As
 * session_ask(). */
json_t *session_ask_all(struct session *s, const char *method, json_t *params,
                        const char *what);

/* ---- what is typed ------------------------------------------------------ */

/* Reads a line from stdin, asking for it by QUESTION on a terminal, there
 * without echo if SECRET.  False after a complaint: the input has ended, or the
 * line is too long. */
bool prompt_line(const char *question, bool secret, char *buf, size_t cap);
/* The same for a name: blanks around it are none of it. */
bool prompt_name(const char *question, char *buf, size_t cap);

/* ---- JSON without ado --------------------------------------------------- */

/* A member's text, or ABSENT; its number, or 0; whether it is true. */
const char *member_text(const json_t *object, const char *name,
                        const char *absent);
json_int_t member_number(const json_t *object, const char *name);
bool member_true(const json_t *object, const char *name);
/* VALUE in a line of the output. */
void print_json(const json_t *value);

#endif
