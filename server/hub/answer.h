/* answer.h -- the way out: results, refusals, notices to all. */

#ifndef SERVER_HUB_ANSWER_H
#define SERVER_HUB_ANSWER_H

#include "peer.h"
#include "request.h"

/* Begins the answer to Q, whose members are written then; result_end() sends
 * it, and Q is gone. */
struct json_out *result_begin(struct hub *hub, struct request *q);
void result_end(struct hub *hub, struct request *q);
void result_empty(struct hub *hub, struct request *q);
/* TEXT is the answer, an object. */
void result_raw(struct hub *hub, struct request *q, const char *text,
                size_t len);
/* As result_begin(), for who writes the member "result" as a whole. */
struct json_out *answer_begin(struct hub *hub, struct request *q);
void answer_end(struct hub *hub, struct request *q);
/* An answer that is a list, NAME, whose items are written then; NEXT, if it is
 * not 0, says where the list goes on: behind that id, or at that number. */
struct json_out *list_begin(struct hub *hub, struct request *q,
                            const char *name);
void list_end(struct hub *hub, struct request *q, id_num next);
void list_end_at(struct hub *hub, struct request *q, int64_t next);

/* The same for FORM_LINES: what is written is all that is sent.  NEXT is where more
 * of it begins, or 0. */
struct json_out *file_begin(struct hub *hub);
void file_end(struct hub *hub, struct request *q, int64_t next);

/* Begins a refusal; members of `data` may be written before refuse_end(). */
struct json_out *refuse_begin(struct hub *hub, struct request *q,
                              enum error e);
void refuse_end(struct hub *hub, struct request *q);
void refuse(struct hub *hub, struct request *q, enum error e);
/* It may be asked again after WAIT_MS. */
void refuse_for(struct hub *hub, struct request *q, enum error e,
                int64_t wait_ms);
/* A parameter that is not as it should be. */
void refuse_param(struct hub *hub, struct request *q, const char *path,
                  const char *expected);
/* What never became a request: bad text, no id. */
void refuse_text(struct hub *hub, struct peer *p, enum error e,
                 const char *why);

/* Begins a server.notice of that KIND; members of `params` may be written
 * before notice_end(), which sends it to ONLY, or with NULL to all who can be told
 * and have said anything; how many. */
struct json_out *notice_begin(struct hub *hub, const char *kind);
size_t notice_end(struct hub *hub, const struct peer *only);

#endif
