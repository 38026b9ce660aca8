/* SPDX-License-Identifier: MIT */
/* Uses libhamon as another's program does; library.test compares what it prints
 * with hamon-info and hamon-export. Usage: library_read COMMAND [ARGUMENT]...
 */
#include <hamon/hamon.h>

#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hamon_error error;

static void must(int status)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", error.message);
    exit(status);
}

static void *room(size_t count)
{
    void *made = calloc(count + 1, sizeof(double));
    if (!made)
        exit(99);
    return made;
}

static struct hamon_recording *opened(const char *path)
{
    struct hamon_recording *run;
    must(hamon_open(path, &run, &error));
    return run;
}

static struct hamon_info described(const struct hamon_recording *run)
{
    struct hamon_info info = { .size = sizeof info };
    must(hamon_describe(run, &info, &error));
    return info;
}

static size_t cells_of(const struct hamon_info *info)
{
    return (size_t)(info->region[0] * info->region[1] * info->region[2]);
}

static int64_t frame_of(const struct hamon_recording *run, const char *step)
{
    int64_t frame;
    must(hamon_frame_at(run, atoll(step), &frame, &error));
    return frame;
}

/* ---- the output of hamon-info ---- */

static void print_info(char **arguments)
{
    static const char *const states[] = { "running", "done", "stopped",
                                          "diverged" };
    const struct hamon_recording *run = opened(arguments[0]);
    const struct hamon_info info = described(run);
    const int64_t *steps = hamon_steps(run);
    printf("%s\n", hamon_text(run, "title"));
    printf("%lld x %lld", (long long)info.map[0], (long long)info.map[1]);
    if (info.dims == 3)
        printf(" x %lld", (long long)info.map[2]);
    printf(" cells\n%lld, steps %lld to %lld of %lld\n", (long long)info.frames,
           (long long)steps[0], (long long)steps[info.frames - 1],
           (long long)info.planned);
    printf("%s\n", states[info.state]);
    struct hamon_variable variable = { .size = sizeof variable };
    for (size_t i = 0; !hamon_variable(run, i, &variable, NULL); i++)
        if ((variable.by_frame || strstr(variable.name, "_arrival")) &&
            !strchr(variable.name, '/'))
            printf("%s\n", variable.name);
    printf("delta %.10g\n", atof(hamon_setting(run, "wave.delta")));
}

/* ---- the output of hamon-export --csv ---- */

/* As few digits as are read back as the same number. */
static void print_real(double value)
{
    char text[40];
    for (int digits = fabs(value) < 1e-300 ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    printf("%s", text);
}

static void print_name(const struct hamon_recording *run, int64_t agent)
{
    char name[64];
    must(hamon_agent_text(run, "name", agent, name, sizeof name, &error));
    printf(",%s", name);
}

/* Word number `value` of the flags. */
static void print_flag(const char *flags, int value)
{
    while (value-- > 0)
        flags = strchr(flags, ' ') + 1;
    printf("%.*s", (int)strcspn(flags, " "), flags);
}

static void print_table(char **arguments)
{
    enum { COLUMNS = 16 };
    struct hamon_recording *run = opened(arguments[1]);
    struct hamon_variable column[COLUMNS] = { 0 };
    double *values[COLUMNS] = { NULL };
    size_t count = 0, length = strlen(arguments[0]);
    struct hamon_variable next = { .size = sizeof next };
    for (size_t i = 0; !hamon_variable(run, i, &next, NULL); i++) {
        if (strncmp(next.name, arguments[0], length) != 0 ||
            next.name[length] != '/' || strcmp(next.axis[0], "path_cell") == 0)
            continue;
        column[count] = next;
        size_t rows = (size_t)next.extent[0];
        values[count] = room(rows);
        must(hamon_read(run, next.name, 0, 1, HAMON_FLOAT64, values[count],
                        rows, &error));
        count++;
    }
    for (int64_t row = 0; row < column[0].extent[0]; row++, putchar('\n'))
        for (size_t i = 0; i < count; i++) {
            if (i)
                putchar(',');
            if (*column[i].flags)
                print_flag(column[i].flags, (int)values[i][row]);
            else if (column[i].type == HAMON_FLOAT64)
                print_real(values[i][row]);
            else
                printf("%.0f", values[i][row]);
            if (strstr(column[i].name, "/agent"))
                print_name(run, (int64_t)values[i][row]);
        }
    hamon_close(run);
}

static void print_places(const struct hamon_recording *run, const char *group,
                         int64_t frame, size_t agent, size_t agents)
{
    static const char *const names[] = { "x",         "y",         "z",
                                         "heading_x", "heading_y", "heading_z",
                                         "state" };
    double *values = room(agents);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hamon_variable variable = { .size = sizeof variable };
        char name[64];
        snprintf(name, sizeof name, "%s/%s", group, names[i]);
        if (hamon_find(run, name, &variable, NULL))
            continue;
        must(hamon_read(run, name, frame, 1, HAMON_FLOAT64, values, agents,
                        &error));
        putchar(',');
        if (*variable.flags)
            print_flag(variable.flags, (int)values[agent]);
        else
            print_real(values[agent]);
    }
    putchar('\n');
    free(values);
}

static void print_trajectories(char **arguments)
{
    struct hamon_recording *run = opened(arguments[0]);
    const struct hamon_info info = described(run);
    for (int64_t frame = 0; frame < info.frames; frame++) {
        long long step = hamon_steps(run)[frame];
        for (int32_t agent = 0; agent < info.agents; agent++) {
            printf("%lld,%d", step, agent);
            print_name(run, agent);
            print_places(run, "agents", frame, (size_t)agent,
                         (size_t)info.agents);
        }
        if (info.has_target) {
            printf("%lld,-1,target", step);
            print_places(run, "target", frame, 0, 1);
        }
    }
    hamon_close(run);
}

/* ---- the output of hamon-export --npy, without its header ---- */

static void print_field(char **arguments)
{
    struct hamon_recording *run = opened(arguments[3]);
    const struct hamon_info info = described(run);
    size_t cells = cells_of(&info);
    double *out = room(cells);
    must(hamon_read_field(run, arguments[0], atoi(arguments[1]),
                          frame_of(run, arguments[2]), out, cells, &error));
    fwrite(out, sizeof *out, cells, stdout);
    free(out);
    hamon_close(run);
}

/* A variable in its own type, frames of the steps A to B. */
static void print_variable(char **arguments)
{
    static const size_t bytes[] = { 1, 4, 8, 4, 4, 8, 1 };
    struct hamon_recording *run = opened(arguments[3]);
    struct hamon_variable variable = { .size = sizeof variable };
    must(hamon_find(run, arguments[0], &variable, &error));
    int64_t first = frame_of(run, arguments[1]);
    int64_t frames = frame_of(run, arguments[2]) - first + 1;
    size_t count = (size_t)frames;
    for (int axis = 1; axis < variable.rank; axis++)
        count *= (size_t)variable.extent[axis];
    void *out = room(count);
    must(hamon_read(run, arguments[0], first, frames, variable.type, out, count,
                    &error));
    fwrite(out, bytes[variable.type], count, stdout);
    free(out);
    hamon_close(run);
}

static void print_map(char **arguments)
{
    struct hamon_recording *run = opened(arguments[2]);
    const struct hamon_info info = described(run);
    size_t cells = (size_t)(info.map[0] * info.map[1] * info.map[2]);
    double *out = room(cells);
    must(hamon_read_map(run, arguments[0], atoll(arguments[1]), out, cells,
                        &error));
    fwrite(out, sizeof *out, cells, stdout);
    free(out);
    hamon_close(run);
}

static void print_series(char **arguments)
{
    struct hamon_recording *run = opened(arguments[2]);
    const struct hamon_info info = described(run);
    double *out = room((size_t)info.frames);
    must(hamon_read_series(run, arguments[0], (size_t)atoll(arguments[1]), out,
                           (size_t)info.frames, &error));
    for (int64_t frame = 0; frame < info.frames; frame++, putchar('\n'))
        print_real(out[frame]);
    free(out);
    hamon_close(run);
}

/* The vectors have the angles of the field "heading". */
static void compare_headings(char **arguments)
{
    struct hamon_recording *run = opened(arguments[2]);
    const struct hamon_info info = described(run);
    size_t cells = cells_of(&info), some = 0;
    double *way = room(3 * cells), *angle = room(cells);
    int wave = atoi(arguments[0]);
    int64_t frame = frame_of(run, arguments[1]);
    must(hamon_read_headings(run, wave, frame, way, 3 * cells, &error));
    must(hamon_read_field(run, "heading", wave, frame, angle, cells, &error));
    for (size_t i = 0; i < cells; i++) {
        double x = way[3 * i], y = way[3 * i + 1], z = way[3 * i + 2];
        bool none = x == 0 && y == 0;
        double length = hypot(hypot(x, y), z);
        if (none ? !isnan(angle[i])
                 : fabs(atan2(0. - y, x) * 180 / acos(-1) - angle[i]) > 1e-9 ||
                       fabs(length - 1) > 1e-9) {
            printf("cell %zu: %g %g %g, angle %g\n", i, x, y, z, angle[i]);
            exit(1);
        }
        some += !none;
    }
    printf("%zu headings\n", some);
    exit(some == 0);
}

/* ---- a run that is being written ---- */

static void follow(char **arguments)
{
    struct hamon_recording *run = opened(arguments[0]);
    struct hamon_info info = described(run);
    size_t cells = cells_of(&info), bytes = cells * sizeof(double);
    int64_t before = info.frames;
    double *was = room(cells), *is = room(cells);
    must(hamon_read_field(run, "amplitude", 0, before - 1, was, cells, &error));
    printf("frames\n");
    fflush(stdout);
    for (int tries = 0; info.frames == before && tries < 300; tries++) {
        usleep(100000);
        must(hamon_refresh(run, &error));
        info = described(run);
    }
    if (info.frames <= before || info.state != HAMON_RUNNING)
        exit(1);
    must(hamon_read_field(run, "amplitude", 0, before - 1, is, cells, &error));
    if (memcmp(was, is, bytes) != 0)
        exit(2);
    printf("more\n");
    fflush(stdout);
    for (int tries = 0; info.state == HAMON_RUNNING && tries < 300; tries++) {
        usleep(100000);
        before = info.frames;
        must(hamon_refresh(run, &error));
        info = described(run);
        if (info.frames < before)
            exit(3);
    }
    printf("state %d\n", info.state);
    hamon_close(run);
}

/* ---- errors ---- */

static int wrong;

/* The call has failed with `status`, and its message is one line that contains
 * `words`. */
static void refused(const char *call, int status, int wanted, const char *words)
{
    if (status == wanted && error.status == wanted &&
        strstr(error.message, words) && !strchr(error.message, '\n')) {
        printf("%s\n", error.message);
        return;
    }
    printf("WRONG: %s: %d, not %d: %s\n", call, status, wanted, error.message);
    wrong++;
}
#define REFUSED(call, words)                                                   \
    (memset(&error, 0, sizeof error), refused(#call, call, HAMON_INPUT, words))

static void refuse_files(char **files)
{
    struct hamon_recording *run = (struct hamon_recording *)files;
    REFUSED(hamon_open("missing.h5", &run, &error), "missing.h5: ");
    wrong += run != NULL;
    REFUSED(hamon_open("/", &run, &error), "/: ");
    for (; *files; files++)
        REFUSED(hamon_open(*files, &run, &error), *files);
}

static void refuse_arguments(struct hamon_recording *run, const char *path)
{
    struct hamon_info info = { .size = sizeof info }, none = { 0 };
    struct hamon_variable v = { .size = sizeof v }, bare = { 0 };
    double *out = room(100000);
    int64_t frame;
    char text[8];
    must(hamon_describe(run, &info, &error));
    size_t all = cells_of(&info), n = 100000;
    REFUSED(hamon_describe(run, &none, &error), "the member size is 0");
    REFUSED(hamon_find(run, "wave0", &bare, &error), "the member size is 0");
    REFUSED(hamon_find(run, "wave9", &v, &error), "no such variable");
    REFUSED(hamon_find(run, "crc/crc_wave0", &v, &error), "no such variable");
    REFUSED(hamon_variable(run, 10000, &v, &error), path);
    REFUSED(hamon_frame_at(run, info.planned + 1, &frame, &error),
            "is not recorded");
    REFUSED(hamon_frame_at(run, -1, &frame, &error), "is not recorded");
    REFUSED(hamon_agent_text(run, "name", info.agents, text, 8, &error),
            "agents, from 0 on");
    REFUSED(hamon_agent_text(run, "name", -1, text, 8, &error),
            "counted from 0 on");
    REFUSED(hamon_agent_text(run, "shoe", 0, text, 8, &error), "no such text");
    REFUSED(hamon_agent_text(run, "name", 0, text, 0, &error), "1 are needed");
    REFUSED(hamon_read(run, "wave0", info.frames, 1, 4, out, n, &error),
            "from 0 on");
    REFUSED(hamon_read(run, "wave0", -1, 1, 4, out, n, &error), "from 0 on");
    REFUSED(hamon_read(run, "wave0", 1, info.frames, 4, out, n, &error),
            "from 0 on");
    REFUSED(hamon_read(run, "wave0", 0, INT64_MAX, 4, out, n, &error),
            "from 0 on");
    REFUSED(hamon_read(run, "wave0", 0, 0, 4, out, n, &error), "at least 1");
    REFUSED(hamon_read(run, "wave0", 0, 1, 4, out, all - 1, &error),
            "are needed");
    REFUSED(hamon_read(run, "wave0", 0, 1, HAMON_INT8, out, n, &error),
            "its own, or");
    REFUSED(hamon_read(run, "wave0", 0, 1, 77, out, n, &error), "its own, or");
    REFUSED(hamon_read(run, "agents/name", 0, 1, 5, out, n, &error), "its own");
    REFUSED(hamon_read(run, "wall", 1, 1, 5, out, n, &error), "has no frames");
    REFUSED(hamon_read_series(run, "wall", 0, out, n, &error), "has no frames");
    REFUSED(hamon_read_series(run, "wave0", all, out, n, &error), path);
    REFUSED(hamon_read_series(run, "wave0", 0, out, 1, &error), "are needed");
    REFUSED(hamon_read_map(run, "wave0", 0, out, n, &error), "no such map");
    REFUSED(hamon_read_map(run, "lava", 0, out, n, &error), "no such map");
    REFUSED(hamon_read_map(run, "wall", -5, out, n, &error), "the last");
    REFUSED(hamon_read_map(run, "wall", info.planned + 1, out, n, &error),
            "the last");
    REFUSED(hamon_read_map(run, "wall", 0, out, 1, &error), "are needed");
    REFUSED(hamon_read_field(run, "taste", 0, 0, out, n, &error), "fields are");
    REFUSED(hamon_find_field(run, "taste", 0, &v, &error), "fields are");
    REFUSED(hamon_find_field(run, "amplitude", 9, &v, &error), "wave");
    REFUSED(hamon_read_field(run, "amplitude", 9, 0, out, n, &error),
            "no wave 9");
    REFUSED(hamon_read_field(run, "amplitude", 0, -1, out, n, &error),
            "from 0 on");
    REFUSED(hamon_read_field(run, "amplitude", 0, 0, out, 1, &error),
            "are needed");
    REFUSED(hamon_read_headings(run, 9, 0, out, n, &error), "waves, from 0 on");
    REFUSED(hamon_read_headings(run, 0, -1, out, n, &error), "from 0 on");
    REFUSED(hamon_read_headings(run, 0, 0, out, all, &error), "are needed");
    free(out);
}

static void refuse_null(struct hamon_recording *run, const char *path)
{
    struct hamon_recording *other;
    struct hamon_variable v = { .size = sizeof v };
    double out[1];
    char text[1];
    REFUSED(hamon_open(NULL, &other, &error), "NULL");
    REFUSED(hamon_open(path, NULL, &error), "NULL");
    REFUSED(hamon_refresh(NULL, &error), "NULL");
    REFUSED(hamon_describe(NULL, NULL, &error), "NULL");
    REFUSED(hamon_frame_at(run, 0, NULL, &error), "NULL");
    REFUSED(hamon_agent_text(run, NULL, 0, text, 1, &error), "NULL");
    REFUSED(hamon_variable(run, 0, NULL, &error), "NULL");
    REFUSED(hamon_find(run, NULL, &v, &error), "NULL");
    REFUSED(hamon_read(run, NULL, 0, 1, 4, out, 1, &error), "NULL");
    REFUSED(hamon_read(run, "wave0", 0, 1, 4, NULL, 1, &error), "NULL");
    REFUSED(hamon_read_series(NULL, "wave0", 0, out, 1, &error), "NULL");
    REFUSED(hamon_read_map(run, NULL, 0, out, 1, &error), "NULL");
    REFUSED(hamon_read_field(run, "amplitude", 0, 0, NULL, 1, &error), "NULL");
    REFUSED(hamon_find_field(run, "amplitude", 0, NULL, &error), "NULL");
    REFUSED(hamon_read_headings(NULL, 0, 0, out, 1, &error), "NULL");
    hamon_close(NULL);
    wrong += hamon_steps(NULL) || hamon_text(NULL, "title") ||
             hamon_text(run, NULL) || hamon_text(run, "no such") ||
             hamon_setting(NULL, "steps") || hamon_setting(run, "no.such");
    wrong += hamon_frame_at(run, -7, (int64_t[1]){ 0 }, NULL) != HAMON_INPUT;
}

static void refuse(char **arguments)
{
    struct hamon_recording *run = opened(arguments[0]);
    refuse_files(arguments + 1);
    refuse_arguments(run, arguments[0]);
    refuse_null(run, arguments[0]);
    hamon_close(run);
    exit(wrong != 0);
}

/* A refresh of a file that no longer exists leaves the handle unchanged. */
static void refresh_lost(char **arguments)
{
    struct hamon_recording *run = opened(arguments[0]);
    int64_t frames = described(run).frames;
    if (rename(arguments[0], "elsewhere.h5"))
        exit(99);
    REFUSED(hamon_refresh(run, &error), arguments[0]);
    wrong += described(run).frames != frames;
    double out[1];
    REFUSED(hamon_read(run, "wave0", 0, 1, 4, out, 0, &error), "are needed");
    rename("elsewhere.h5", arguments[0]);
    must(hamon_refresh(run, &error));
    hamon_close(run);
    exit(wrong != 0);
}

/* ---- the caller's settings ---- */

static double sum_of(struct hamon_recording *run)
{
    const struct hamon_info info = described(run);
    size_t cells = cells_of(&info);
    double *out = room(cells), sum = 0;
    for (int64_t frame = 0; frame < info.frames; frame += 7) {
        must(hamon_read_field(run, "amplitude", 0, frame, out, cells, &error));
        for (size_t i = 0; i < cells; i++)
            sum = fma(sum, 0.75, out[i]);
    }
    free(out);
    return sum;
}

static volatile sig_atomic_t children;
static void child_ended(int number)
{
    (void)number;
    children++;
}

static void leave_alone(char **arguments)
{
    struct hamon_recording *run = opened(arguments[0]);
    double expected = sum_of(run), sum;
    hamon_close(run);
    /* A comma in numbers, if there is such a locale. */
    printf("locale %s\n", setlocale(LC_ALL, "de_DE.UTF-8") ? "de_DE" : "none");
    signal(SIGCHLD, child_ended);
    fesetround(FE_TOWARDZERO);
    errno = 123;
    run = opened(arguments[0]);
    sum = sum_of(run);
    hamon_close(run);
    bool kept = fegetround() == FE_TOWARDZERO && errno == 123;
    fesetround(FE_TONEAREST);
    if (!kept || signal(SIGCHLD, SIG_IGN) != child_ended)
        exit(1);
    run = opened(arguments[0]); /* its children need not be waited for */
    hamon_close(run);
    /* The sum itself was rounded toward zero. */
    exit(fabs(sum - expected) > 1e-6 * fabs(expected) + 1e-12);
}

static void *in_a_thread(void *path)
{
    struct hamon_recording *run = NULL;
    struct hamon_error own;
    static double sums[8];
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static int count;
    if (hamon_open(path, &run, &own)) {
        fprintf(stderr, "%s\n", own.message);
        return NULL;
    }
    double sum = sum_of(run);
    hamon_close(run);
    pthread_mutex_lock(&mutex);
    double *mine = &sums[count++];
    *mine = sum;
    pthread_mutex_unlock(&mutex);
    return mine;
}

static void many(char **arguments)
{
    pthread_t threads[8];
    double *sum[8];
    for (int i = 0; i < 8; i++)
        if (pthread_create(&threads[i], NULL, in_a_thread, arguments[0]))
            exit(99);
    for (int i = 0; i < 8; i++) {
        void *made;
        pthread_join(threads[i], &made);
        sum[i] = made;
    }
    for (int i = 0; i < 8; i++)
        if (!sum[i] || *sum[i] != *sum[0])
            exit(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(char **arguments);
    } commands[] = { { "info", print_info },
                     { "table", print_table },
                     { "trajectories", print_trajectories },
                     { "field", print_field },
                     { "variable", print_variable },
                     { "map", print_map },
                     { "series", print_series },
                     { "headings", compare_headings },
                     { "follow", follow },
                     { "refuse", refuse },
                     { "refresh-lost", refresh_lost },
                     { "leave-alone", leave_alone },
                     { "many", many } };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc > 2 && strcmp(argv[1], commands[i].name) == 0) {
            commands[i].run(argv + 2);
            return 0;
        }
    return 64;
}
