#include "metrics_text.h"

#include <inttypes.h>

void metric(FILE *f, const char *name, const char *type, const char *help)
{
    fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void sample(FILE *f, const char *name, const char *labels, double value)
{
    if (labels != NULL)
        fprintf(f, "%s{%s} %.17g\n", name, labels, value);
    else
        fprintf(f, "%s %.17g\n", name, value);
}

void counter(FILE *f, const char *name, const char *help, uint64_t value)
{
    metric(f, name, "counter", help);
    fprintf(f, "%s %" PRIu64 "\n", name, value);
}

void gauge(FILE *f, const char *name, const char *help, double value)
{
    metric(f, name, "gauge", help);
    sample(f, name, NULL, value);
}

void histogram(FILE *f, const char *name, const char *labels,
               const uint64_t *buckets, int count, uint64_t sum, double unit)
{
    const char *more = labels != NULL ? labels : "";
    const char *comma = labels != NULL ? "," : "";
    const char *open = labels != NULL ? "{" : "";
    const char *close = labels != NULL ? "}" : "";
    uint64_t all = 0;

    for (int i = 0; i < count - 1; i++) {
        all += buckets[i];
        fprintf(f, "%s_bucket{%s%sle=\"%g\"} %" PRIu64 "\n", name, more, comma,
                (double)(UINT64_C(1) << i) * unit, all);
    }
    all += buckets[count - 1];
    fprintf(f, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, more, comma,
            all);
    fprintf(f, "%s_sum%s%s%s %g\n", name, open, more, close,
            (double)sum * unit);
    fprintf(f, "%s_count%s%s%s %" PRIu64 "\n", name, open, more, close, all);
}
