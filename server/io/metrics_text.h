/* metrics_text.h -- the text form of Prometheus: families of samples.
 *
 *     metric(f, "sobremesa_moves_total", "counter", "Moves of players.");
 *     sample(f, "sobremesa_moves_total", NULL, 7);
 *
 * A family's samples follow it, and differ in their labels: `{kind="guest"}`
 * is written LABELS `kind="guest"`; values of labels are words of ours. */

#ifndef SERVER_IO_METRICS_TEXT_H
#define SERVER_IO_METRICS_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void metric(FILE *f, const char *name, const char *type, const char *help);
void sample(FILE *f, const char *name, const char *labels, double value);
/* A family of one sample. */
void counter(FILE *f, const char *name, const char *help, uint64_t value);
void gauge(FILE *f, const char *name, const char *help, double value);
/* One sample of a family of the type histogram.  Bucket I of COUNT is of what took
 * up to 2^I UNITs, in seconds, the last of all that took longer; SUM is of all,
 * in UNITs. */
void histogram(FILE *f, const char *name, const char *labels,
               const uint64_t *buckets, int count, uint64_t sum, double unit);

#endif
