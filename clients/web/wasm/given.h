/* given.h -- what the page gives the core to read: values of an object of its
 * own, one after the other. */

#ifndef CLIENTS_WEB_WASM_GIVEN_H
#define CLIENTS_WEB_WASM_GIVEN_H

#include <stddef.h>
#include <stdint.h>

#include "core/audit.h"

#define IMPORT(name) \
    __attribute__((import_module("env"), import_name(name))) extern

/* How many items, or members, there are, or -1; the type of a value, as enum
 * fields_type, put into `given`, or -1.  NAME is NULL for item INDEX of a
 * list. */
IMPORT("give_open") int give_open(const char *name, size_t index, int list);
IMPORT("give_close") void give_close(void);
IMPORT("give_value") int give_value(const char *name, size_t index);

struct given {
    double number;
    uint32_t len;
    char word[64];
};
extern struct given given;

/* What a table agreed on about time, of the header of a record that is given.
 * False if it has no pace; one that nobody can have is no terms_valid(). */
bool give_terms(struct terms *terms);
/* What the line of a record that is given says of when, and of votes, into E. */
void give_vote(struct audit_entry *e);
/* What it says of time besides, into E, of a known
 * kind; it lasts as long as the log.  False if there is no more room. */
bool give_time(struct audit_entry *e);
/* Room for a log from its beginning on. */
void give_time_begin(struct audit *a, const struct terms *terms);

#endif
