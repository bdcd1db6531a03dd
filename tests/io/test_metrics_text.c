/* test_metrics_text.c -- what Prometheus reads. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "server/io/metrics_text.h"

static char *text;
static size_t len;
static FILE *f;

static void begin(void)
{
    f = open_memstream(&text, &len);
    cr_assert_not_null(f);
}

static void end(void)
{
    free(text);
}

TestSuite(metrics, .init = begin, .fini = end);

static const char *written(void)
{
    fclose(f);
    return text;
}

/* A family says what it is, then its samples. */
Test(metrics, families)
{
    counter(f, "a_total", "Some.", UINT64_MAX);
    gauge(f, "b", "Others.", 0.25);
    metric(f, "c", "gauge", "By kind.");
    sample(f, "c", "kind=\"x\"", 1e9);
    cr_assert_str_eq(written(), "# HELP a_total Some.\n"
                                "# TYPE a_total counter\n"
                                "a_total 18446744073709551615\n"
                                "# HELP b Others.\n"
                                "# TYPE b gauge\n"
                                "b 0.25\n"
                                "# HELP c By kind.\n"
                                "# TYPE c gauge\n"
                                "c{kind=\"x\"} 1000000000\n");
}

/* Each bucket has all that is below it, the last one everything, and labels
 * stand in each line. */
Test(metrics, histograms)
{
    static const uint64_t buckets[] = {1, 0, 2, 4};

    histogram(f, "h", NULL, buckets, 4, 1500, 1e-3);
    histogram(f, "h", "class=\"x\"", buckets, 4, 1500, 1e-3);
    cr_assert_str_eq(written(), "h_bucket{le=\"0.001\"} 1\n"
                                "h_bucket{le=\"0.002\"} 1\n"
                                "h_bucket{le=\"0.004\"} 3\n"
                                "h_bucket{le=\"+Inf\"} 7\n"
                                "h_sum 1.5\n"
                                "h_count 7\n"
                                "h_bucket{class=\"x\",le=\"0.001\"} 1\n"
                                "h_bucket{class=\"x\",le=\"0.002\"} 1\n"
                                "h_bucket{class=\"x\",le=\"0.004\"} 3\n"
                                "h_bucket{class=\"x\",le=\"+Inf\"} 7\n"
                                "h_sum{class=\"x\"} 1.5\n"
                                "h_count{class=\"x\"} 7\n");
}
