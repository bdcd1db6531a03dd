/* schema.h -- the migrations, as embed.sh put them into the binary. */

#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

/* Entry N (from 0) takes a file from version N to N + 1; the last is NULL. */
extern const char *const schema_steps[];

/* The same of a database of PostgreSQL: other steps, other versions. */
extern const char *const schema_postgresql_steps[];

#endif
