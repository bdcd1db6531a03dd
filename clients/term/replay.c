/* replay.c -- `sobremesa replay`: what there is to look at. */

#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/lang.h"
#include "core/base.h"
#include "protocol/record.h"
#include "display.h"

#define RECORD_BYTES_MAX (64u << 20)

/* ---- steps -------------------------------------------------------------- */

static struct replay_step *add_step(struct replay *r, json_int_t ply)
{
    r->steps = must_grow(r->steps, r->count, &r->cap, sizeof(*r->steps));
    r->steps[r->count] = (struct replay_step){
        .ply = ply,
        .event = r->table.event_count,
        .event_end = r->table.event_count,
    };
    return &r->steps[r->count++];
}

static void end_step(struct replay *r, const struct rules_state *s,
                     uint16_t resigned)
{
    struct replay_step *step = &r->steps[r->count - 1];

    step->event_end = r->table.event_count;
    step->resigned = resigned;
    if (s == NULL)
        return;
    if (step->state == NULL)
        step->state = must_alloc(r->table.rules->state_size);
    memcpy(step->state, s, r->table.rules->state_size);
}

/* The last ply of step N: chance has answered. */
static json_int_t ply_of(const struct replay *r, size_t n)
{
    return n + 1 < r->count ? r->steps[n + 1].ply - 1 : r->last_ply;
}

/* Asks the server how it was then. */
static bool fetch(struct replay *r, struct replay_step *step)
{
    bool started;
    json_int_t ply = ply_of(r, (size_t)(step - r->steps));
    json_t *result = session_ask(r->session, "table.at",
                                 json_pack("{ss sI}", "table", r->name, "ply",
                                           ply));
    bool good = result != NULL &&
                view_read(&r->table, json_object_get(result, "view"),
                          r->revision, &started) &&
                started;
    json_decref(result);
    if (!good)
        return complain(_("ply %lld cannot be shown"), (long long)ply), false;
    step->state = must_alloc(r->table.rules->state_size);
    memcpy(step->state, &r->table.any, r->table.rules->state_size);
    return true;
}

bool replay_go(struct replay *r, size_t n)
{
    if (n >= r->count)
        n = r->count - 1;
    struct replay_step *step = &r->steps[n];
    if (step->state == NULL && !fetch(r, step))
        return false;
    memcpy(&r->table.any, step->state, r->table.rules->state_size);
    r->table.event_count = step->event_end;
    r->table.resigned = step->resigned;
    memset(r->table.places, 0, sizeof(r->table.places));
    if (n + 1 == r->count)
        memcpy(r->table.places, r->places, sizeof(r->places));
    r->at = n;
    return true;
}

size_t replay_step_of(const struct replay *r, json_int_t ply)
{
    size_t n = 0;
    while (n + 1 < r->count && r->steps[n + 1].ply <= ply)
        n++;
    return n;
}

void replay_turn_round(struct replay *r)
{
    r->seat = r->seat == RULES_WATCHER       ? 0
              : r->seat + 1 < r->table.seats ? r->seat + 1
                                             : RULES_WATCHER;
}

void replay_where(const struct replay *r, char *buf, size_t cap)
{
    (void)snprintf(buf, cap, _("step %zu of %zu, ply %lld, as %s %s it"),
                   r->at, r->count - 1, (long long)r->steps[r->at].ply,
                   r->seat < r->table.seats ? r->table.names[r->seat]
                                            : _("everybody"),
                   r->whole ? _("sees") : _("saw"));
}

/* ---- looking ahead ------------------------------------------------------ */

struct ahead_from replay_ahead_from(const struct replay *r)
{
    return (struct ahead_from){
        .table = &r->table,
        .viewer = r->whole ? RULES_ALL : r->seat,
        .ply = (uint64_t)ply_of(r, r->at),
        .machine = r->whole,
        .study = r->study,
    };
}

void replay_ahead_done(struct replay *r, struct ahead *a)
{
    if (a->changed) {
        free(r->study);
        r->study = ahead_text(a);
        r->study_changed = true;
    }
    ahead_close(a);
}

/* ---- records ------------------------------------------------------------ */

static void take_names(struct replay *r, const struct record *record)
{
    const json_t *players = json_object_get(record->header, "players");

    for (int seat = 0; seat < r->table.seats; seat++)
        (void)snprintf(r->table.names[seat], sizeof(r->table.names[seat]),
                       "%s",
                       member_text(json_array_get(players, (size_t)seat),
                                   "name", "?"));
}

/* A ply that somebody sees: begins a step, or goes on with one. */
static void take_ply(struct replay *r, const struct record *record)
{
    const struct audit *a = &record->audit;
    const struct audit_entry *e = &record->entry;
    json_int_t ply = (json_int_t)a->ply - 1;
    struct rules_event event = {
        .seat = (uint8_t)(e->seat < RULES_SEATS_MAX ? e->seat : RULES_NATURE),
        .seen_by = RULES_EVERYONE,
    };

    for (int i = 0; i < RULES_ARGS_MAX; i++)
        event.arg[i] = RULES_NONE;
    r->last_ply = ply;
    if (a->state == AUDIT_OPEN || (e->kind == ENTRY_ABANDON && r->count == 0))
        return;
    if (r->count == 0 || e->kind != ENTRY_MOVE || e->seat != RULES_NATURE)
        (void)add_step(r, ply);
    r->table.seats = a->seats;
    switch (e->kind) {
    case ENTRY_MOVE:
        if (e->more.made != MADE_BY_SEAT)
            table_event_add(&r->table,
                            &(struct rules_event){.kind = EVENT_MADE,
                                                  .seat = (uint8_t)e->seat,
                                                  .seen_by = RULES_EVERYONE});
        for (size_t i = 0; i < a->events.count; i++)
            table_event_add(&r->table, &a->events.at[i]);
        break;
    case ENTRY_START: event.kind = EVENT_STARTED; break;
    case ENTRY_UNDO: event.kind = EVENT_UNDONE; break;
    case ENTRY_RESIGN: event.kind = EVENT_RESIGNED; break;
    case ENTRY_ABANDON: event.kind = EVENT_ABANDONED; break;
    case ENTRY_RENAME: event.kind = EVENT_RENAMED; break;
    case ENTRY_RESTORED: event.kind = EVENT_RESTORED; break;
    case ENTRY_REWIND: event.kind = EVENT_REWOUND; break;
    case ENTRY_REPLACED: event.kind = EVENT_REPLACED; break;
    case ENTRY_HOURS: break; /* nobody else's concern */
    case ENTRY_ABSENT: event.kind = EVENT_ABSENT; break;
    case ENTRY_BACK: event.kind = EVENT_BACK; break;
    case ENTRY_MISS:
        event.kind = EVENT_MISSED;
        event.arg[0] = e->more.then;
        break;
    case ENTRY_GIVE:
        event.kind = EVENT_GIVEN;
        event.seat = e->more.to;
        break;
    case ENTRY_PAUSE: event.kind = EVENT_PAUSED; break;
    case ENTRY_RESUME: event.kind = EVENT_RESUMED; break;
    case ENTRY_VOTE:
        event.kind = EVENT_VOTED;
        event.arg[0] = e->more.about;
        event.arg[1] = e->more.yes;
        event.arg[2] = e->more.to;
        break;
    default: event.kind = EVENT_OTHER; break;
    }
    if (event.kind != 0)
        table_event_add(&r->table, &event);
    end_step(r, &a->any.state, a->resigned);
}

/* At the end nobody can move, whatever the state of the game is. */
static void take_end(struct replay *r, const struct record *record)
{
    const struct audit *a = &record->audit;
    struct rules_state *last = r->steps[r->count - 1].state;
    struct rules_score score;

    if (a->state == AUDIT_PLAYING || a->state == AUDIT_OPEN)
        return;
    last->acting = 0;
    last->may = 0;
    if (a->state == AUDIT_ABANDONED)
        return;
    audit_score(a, &score);
    memcpy(r->places, score.place, sizeof(r->places));
}

/* All lines of a record, checked; false after a complaint. */
static bool read_record(struct replay *r, const char *text, size_t len)
{
    struct record *record = record_new();
    struct record_fault fault;
    char why[sizeof(fault.why) + 64];
    bool good = true;

    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    while (good && len > 0) {
        const char *newline = memchr(text, '\n', len);
        size_t n = newline != NULL ? (size_t)(newline - text) : len;
        bool header = r->table.rules == NULL;
        enum record_place place = record->next;
        good = record_line(record, text, n, &fault);
        if (good && header)
            r->table.rules = record->rules;
        else if (good && place == RECORD_PLY && record->next != RECORD_FOOTER)
            take_ply(r, record);
        text += n + (newline != NULL);
        len -= n + (newline != NULL);
    }
    good = good && record_end(record, &fault);
    if (!good) {
        record_fault_text(&fault, why, sizeof(why));
        (void)complain("%s: %s", r->name, why);
    } else if (r->count == 0) {
        good = complain(_("%s: that game never began"), r->name) == 0;
    } else {
        take_names(r, record);
        take_end(r, record);
        r->whole = true;
    }
    record_free(record);
    return good;
}

static bool read_file(struct replay *r, const char *path)
{
    size_t len;
    char *text = read_whole(path, RECORD_BYTES_MAX, &len);

    if (text == NULL)
        return false;
    const char *slash = strrchr(path, '/');
    (void)snprintf(r->name, sizeof(r->name), "%s",
                   slash != NULL ? slash + 1 : path);
    r->seat = 0;
    bool good = read_record(r, text, len);
    free(text);
    return good;
}

/* ---- tables ------------------------------------------------------------- */

static bool fetch_record(struct replay *r, struct session *s)
{
    json_t *lines = session_ask_all(s, "table.record",
                                    json_pack("{ss}", "table", r->name),
                                    "lines");
    char *text = NULL;
    size_t len = 0;
    FILE *to = lines != NULL ? open_memstream(&text, &len) : NULL;

    if (to == NULL)
        return false;
    for (size_t i = 0; i < json_array_size(lines); i++)
        (void)fprintf(to, "%s\n", json_string_value(json_array_get(lines, i)));
    (void)fclose(to);
    json_decref(lines);
    bool good = read_record(r, text, len);
    free(text);
    return good;
}

static bool fetch_plies(struct replay *r, struct session *s)
{
    json_t *plies = session_ask_all(s, "table.replay",
                                    json_pack("{ss}", "table", r->name),
                                    "plies");
    bool began = false;

    if (plies == NULL)
        return false;
    for (size_t i = 0; i < json_array_size(plies); i++) {
        json_t *ply = json_array_get(plies, i);
        const char *kind = member_text(ply, "kind", "");
        json_int_t number = member_number(ply, "ply");
        bool nature = strcmp(member_text(ply, "seat", ""), "nature") == 0;
        began = began || strcmp(kind, "start") == 0;
        r->last_ply = number;
        if (!began)
            continue;
        if (r->count == 0 || !nature)
            (void)add_step(r, number);
        /* What was taken back later did happen here. */
        (void)json_object_del(ply, "undone");
        ply_read(&r->table, ply);
        end_step(r, NULL, 0);
    }
    json_decref(plies);
    r->session = s;
    if (r->count == 0)
        return complain(_("%s: that game has not begun"), r->name), false;
    return true;
}

/* A table of a server. */
static bool read_table(struct replay *r, struct session *s, const char *id)
{
    bool started;

    (void)snprintf(r->name, sizeof(r->name), "%s", id);
    json_t *got = session_ask(s, "table.get", json_pack("{ss}", "table", id));
    if (got == NULL)
        return false;
    const json_t *about = json_object_get(got, "table");
    bool over = strcmp(member_text(about, "state", ""), "finished") == 0;
    const json_t *seats = json_object_get(about, "seats");
    r->seat = RULES_WATCHER;
    for (size_t i = 0; i < json_array_size(seats); i++)
        if (strcmp(member_text(json_array_get(seats, i), "name", ""),
                   s->token.name) == 0)
            r->seat = (int)i;
    r->revision = (uint16_t)member_number(about, "revision");
    const struct rules *rules = game_find(member_text(about, "game", ""));
    json_decref(got);
    if (rules == NULL)
        return false;
    if (over)
        return fetch_record(r, s);
    r->table.rules = rules;
    json_t *watched = session_ask(s, "table.watch",
                                  json_pack("{ss}", "table", id));
    bool good = watched != NULL &&
                view_read(&r->table, json_object_get(watched, "view"),
                          r->revision, &started);
    json_decref(watched);
    return good && fetch_plies(r, s);
}

/* ---- the command -------------------------------------------------------- */

enum { ALL_KEY = 256, STUDY_KEY };

struct replay_arguments {
    struct session session;
    const char *what;
    struct display_options display;
    const char *study; /* a file, or NULL */
    bool all;
};

static error_t replay_parse(int key, char *arg, struct argp_state *state)
{
    struct replay_arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: session_hand_on(state, &a->session); return 0;
    case STUDY_KEY: a->study = arg; return 0;
    case ALL_KEY: a->all = a->display.plain = true; return 0;
    case ARGP_KEY_ARG:
        if (a->what != NULL)
            argp_error(state, _("one TABLE or FILE at a time"));
        a->what = session_table(&a->session, arg);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("which TABLE or FILE?"));
        return 0;
    default: return display_parse(&a->display, key);
    }
}

static int show(struct replay *r, const struct replay_arguments *a)
{
    int status = -1;

    if (!replay_go(r, 0))
        return STATUS_FAILED;
    if (display_full_screen(&a->display))
        status = replay_screen(r, display_look(&a->display));
    return status >= 0 ? status : replay_plain(r, a->all);
}

/* What was tried before: as the server keeps it, or of a file. */
static bool load_study(struct replay *r, struct replay_arguments *a, bool file)
{
    size_t len;

    if (a->study != NULL && access(a->study, F_OK) == 0)
        return (r->study = read_whole(a->study, RECORD_BYTES_MAX, &len)) !=
               NULL;
    if (a->study != NULL || file || a->session.token.token[0] == '\0')
        return true;
    json_t *got = session_ask(&a->session, "table.study",
                              json_pack("{ss}", "table", a->what));
    if (got == NULL)
        return false;
    const char *text = member_text(got, "text", "");
    r->study = must_copy(text, strlen(text));
    json_decref(got);
    return true;
}

static int save_study(const struct replay *r, struct replay_arguments *a,
                      bool file)
{
    if (!r->study_changed)
        return STATUS_DONE;
    if (a->study != NULL) {
        FILE *to = fopen(a->study, "w");
        if (to == NULL || fprintf(to, "%s\n", r->study) < 0 || fclose(to) != 0)
            return complain(_("%s: cannot be written"), a->study);
        return STATUS_DONE;
    }
    if (file || a->session.token.token[0] == '\0')
        return complain(_("what was tried is not kept: say --study FILE"));
    if (strlen(r->study) > AHEAD_TEXT_MAX)
        return complain(_("what was tried is more than the server keeps: say "
                          "--study FILE"));
    json_t *kept = session_ask(&a->session, "table.study",
                               json_pack("{ss ss}", "table", a->what, "text",
                                         r->study));
    json_decref(kept);
    return kept != NULL ? STATUS_DONE : STATUS_FAILED;
}

int replay_command(int argc, char **argv)
{
    static const struct argp_option options[] = {
        DISPLAY_OPTIONS(N_("line by line: for pipes and screen readers")),
        {"all", ALL_KEY, NULL, 0, N_("print all that happened, and no more"),
         0},
        {"study", STUDY_KEY, "FILE", 0,
         N_("keep what is tried in analysis there (of a table of a server: "
            "with one's notes)"),
         0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = replay_parse,
        .args_doc = "TABLE|FILE",
        .doc = DOC(
            N_("Looks at a game again, step by step: a TABLE of a server, or "
               "the record in a FILE (`-`: standard input), which is checked "
               "as by `sobremesa verify`."),
            N_("Of a game that is over one may look at every hand; of one "
               "that goes on, at what one was told. Something with a dot or "
               "a slash in its name is a file. On the full screen, press "
               "`?`; in lines, type `help`.")),
        .children = session_children,
    };
    static struct replay_arguments a;
    static struct replay r;
    bool file, good;

    a = (struct replay_arguments){0};
    r = (struct replay){.seat = RULES_WATCHER};
    if (command_parse(&argp, "replay", argc, argv, &a) != STATUS_DONE)
        return STATUS_USAGE;
    file = strcmp(a.what, "-") == 0 || strpbrk(a.what, "./") != NULL ||
           access(a.what, R_OK) == 0;
    if (file ? !settings_load(&a.session.settings)
             : !session_open(&a.session, SESSION_ANYBODY, NULL))
        return STATUS_FAILED;
    display_defaults(&a.display, &a.session.settings);
    good = file ? read_file(&r, a.what) : read_table(&r, &a.session, a.what);
    good = good && load_study(&r, &a, file);
    int status = good ? show(&r, &a) : STATUS_FAILED;
    if (save_study(&r, &a, file) != STATUS_DONE)
        status = STATUS_FAILED;
    free(r.study);
    if (!file)
        session_close(&a.session);
    for (size_t i = 0; i < r.count; i++)
        free(r.steps[i].state);
    free(r.steps);
    table_done(&r.table);
    return status;
}
