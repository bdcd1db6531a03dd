/* fuzz_script.c -- scripts and game records from strangers.
 *
 * What `sobremesa script` does with a file, from its text on: the header sets
 * a table up, plies are played and taken back, expectations compared, and at
 * the end the whole table is told.  No text may crash it, whatever it is; a
 * script that holds once holds again.
 *
 * The source is included, as the program itself plays one script and ends. */

#include "clients/term/script.c"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Complaints and documents go nowhere; the fuzzer has its own stderr. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    stderr = fopen("/dev/null", "w");
    return freopen("/dev/null", "w", stdout) == NULL || stderr == NULL;
}

static bool play(const uint8_t *data, size_t len)
{
    static struct script x;
    char *text = malloc(len + 1);

    if (text == NULL)
        abort();
    memcpy(text, data, len);
    text[len] = '\0';
    x = (struct script){.path = "fuzz", .quiet = true};
    json_out_init(&x.out);
    bool good = play_text(&x, text, len);
    if (good) {
        draw(&x);
        put_document(&x, &x.out);
        print_out(&x);
    }
    if (x.open)
        offline_close(&x.offline);
    json_out_done(&x.out);
    json_decref(x.header);
    free(text);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (play(data, len) && !play(data, len))
        abort();
    return 0;
}
