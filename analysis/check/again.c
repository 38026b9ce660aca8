/* SPDX-License-Identifier: MIT */
#include "analysis/check/again.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/version.h"
#include "recording/pack/packing.h"
#include "recording/read/file.h"
#include "recording/write/file.h"
#include "run/again.h"

#include <stdio.h>
#include <string.h>

const struct not_compared not_compared[] = {
    { "provenance/command", "as it was typed" },
    { "provenance/scenario but its settings", "as it was written" },
    { "provenance/date", "when it was recorded" },
    { "provenance/host", "where it was recorded" },
    { "provenance/version", "of the program that recorded it" },
    { "provenance/commit", "of the program that recorded it" },
    { "provenance/compiler", "of the program that recorded it" },
    { "provenance/flags", "of the program that recorded it" },
    { "provenance/hdf5", "of the program that recorded it" },
    { "@source", "names the version that recorded it" },
    { "@history", "date and command" },
    { "provenance/step_nanoseconds", "a measured time" },
    { "plans/nanoseconds", "a measured time" },
    { "status/sequence", "commits follow the clock" },
    { "restart of the commit before the last", "commits follow the clock" },
    { "plans/expansions of D* Lite", "a resumed run searches anew" },
    { NULL, NULL },
};

/* Texts that are given to the second run too: scenario.c reads them. */
static const char *const given[] = { "provenance/scenario", "provenance/set",
                                     NULL };

static bool is_in(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static bool is_not_compared(const char *name)
{
    for (const struct not_compared *row = not_compared; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* The check that a variable belongs to. */
static enum check check_of(const char *name)
{
    static const struct {
        const char *begins;
        enum check check;
    } groups[] = {
        { "wave", CHECK_AGAIN_FIELDS },
        { "crc/", CHECK_AGAIN_FIELDS },
        { "emissions/", CHECK_AGAIN_EMISSIONS },
        { "arrivals/", CHECK_AGAIN_ARRIVALS },
        { "agents/", CHECK_AGAIN_AGENTS },
        { "relay/", CHECK_AGAIN_AGENTS },
        { "target/", CHECK_AGAIN_TARGET },
        { "plans/", CHECK_AGAIN_PLANS },
        { "captures/", CHECK_AGAIN_CAPTURES },
        { "status/", CHECK_AGAIN_END },
        { "restart/", CHECK_AGAIN_END },
    };
    if (begins(name, "world/"))
        name += strlen("world/");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (begins(name, groups[i].begins))
            return groups[i].check;
    for (int i = 0; i < TERRAIN_ARRAYS; i++)
        if (strcmp(name, terrain_arrays[i].name) == 0)
            return CHECK_AGAIN_MAP;
    return CHECK_AGAIN;
}

struct again {
    const struct recording *recording, *copy;
    struct finding *finding; /* of the report */
    const struct scenario *scenario;
    char *is, *was; /* of the copy, and of the recording */
    size_t room;
};

/* Packed, or expanded again, which keeps no state to resume from. */
static bool is_packed(const struct again *again)
{
    const unsigned parts = again->recording->shape.parts;
    return parts & PART_PACKED || !(parts & PART_RESTART);
}

/* While a run is written, rows after those in use may be written already. */
static bool is_whole(const struct recording *recording)
{
    return recording_state(recording) != RUN_RUNNING;
}

/* Tables and frames have room for all of a run while it is written. What is
 * packed, or ended, is cut off after those in use. */
static bool has_other_lengths(const struct again *again)
{
    return is_packed(again) || !is_whole(again->recording);
}

static void fault(const struct again *again, enum check check, const char *name,
                  const char *what)
{
    char text[FINDING_WHY_SIZE];
    snprintf(text, sizeof text, "%s %s", name, what);
    finding_expect(&again->finding[check], false, text);
}

static void make_room(struct again *again, size_t bytes)
{
    if (bytes <= again->room)
        return;
    memory_release(again->is);
    memory_release(again->was);
    again->is = need_memory(bytes, 1);
    again->was = need_memory(bytes, 1);
    again->room = bytes;
}

/* ---- values ---- */

/* The position of an element of a row, for a report. */
static struct spot spot_of(const struct again *again,
                           const struct variable *variable, int64_t step,
                           size_t element)
{
    const struct recording *recording = again->recording;
    const struct box *region = &recording->region;
    struct spot spot = { -1, -1, step, -1 };
    int at[GRID_AXES];
    sscanf(variable->name, "wave%d", &spot.wave);
    if (begins(variable->name, "target/"))
        spot.agent = SPOT_TARGET;
    else if (begins(variable->name, "agents/") && variable->rank == 2)
        spot.agent = (int)element;
    else if (variable_elements(variable) == box_cells(region) &&
             !begins(variable->name, "world/")) {
        const struct grid of_region = {
            .dims = recording->grid.dims,
            .nx = region->high[0] - region->low[0] + 1,
            .ny = region->high[1] - region->low[1] + 1,
            .nz = region->high[2] - region->low[2] + 1,
        };
        grid_cell(&of_region, element, at);
        spot.cell =
            (int64_t)grid_index(&recording->grid, at[0] + region->low[0],
                                at[1] + region->low[1], at[2] + region->low[2]);
    }
    return spot;
}

/* Compares the first `count` elements in `was` with those in `is`. */
static void compare_elements(const struct again *again,
                             const struct variable *variable, int64_t step,
                             size_t count)
{
    struct finding *finding = &again->finding[check_of(variable->name)];
    const size_t bytes = element_bytes(variable->type);
    if (count == 0)
        return;
    if (memcmp(again->is, again->was, count * bytes) == 0) {
        const struct spot spot = spot_of(again, variable, step, 0);
        finding_equal(finding, count, &spot);
        return;
    }
    finding_skip(finding, 0, "%s", variable->name);
    for (size_t i = 0; i < count; i++) {
        const struct spot spot = spot_of(again, variable, step, i);
        const char *was = again->was + i * bytes, *is = again->is + i * bytes;
        if (memcmp(was, is, bytes) == 0)
            finding_equal(finding, 1, &spot);
        else
            finding_differs(finding, element_real(variable->type, was),
                            element_real(variable->type, is), &spot);
    }
}

/* Arrivals of a run that is being written may be ahead of its frames. */
static void drop_later(const struct again *again, size_t count, int64_t last)
{
    int32_t *steps = (int32_t *)again->was;
    for (size_t i = 0; i < count; i++)
        if (recording_state(again->recording) == RUN_RUNNING && steps[i] > last)
            steps[i] = -1;
}

/* Compares the first `count` elements of a row, or of a whole variable, that
 * both have. */
static enum status compare_row(struct again *again,
                               const struct variable *variable,
                               const struct variable *other, int64_t row,
                               int64_t step, size_t count, struct error *error)
{
    const size_t all = variable_elements(variable);
    struct error why;
    make_room(again, all * element_bytes(variable->type));
    enum status status = STATUS_OK;
    if (recording_read(again->recording, variable, row, again->was, &why)) {
        finding_expect(&again->finding[check_of(variable->name)], false,
                       why.message);
        return STATUS_OK;
    }
    status = recording_read(again->copy, other, row, again->is, error);
    if (status)
        return status;
    if (begins(variable->name, "wave")) {
        const int64_t last = recording_steps(
            again->recording)[recording_rows(again->recording) - 1];
        if (variable->type == TYPE_INT32)
            drop_later(again, count, last);
        else
            pack_round(variable->type, recording_keep_bits(again->recording),
                       again->is, count);
    }
    compare_elements(again, variable, step, count);
    return STATUS_OK;
}

/* The versions of the map up to the last frame. */
static size_t versions_used(const struct recording *recording)
{
    const int64_t last =
        recording_steps(recording)[recording_rows(recording) - 1];
    size_t count = recording->versions;
    while (!is_whole(recording) && count > 1 &&
           recording->version_steps[count - 1] > last)
        count--;
    return count;
}

static enum status compare_rows(struct again *again,
                                const struct variable *variable,
                                const struct variable *other,
                                struct error *error)
{
    const struct recording *recording = again->recording;
    const int64_t rows = recording_rows(recording);
    const int64_t there = recording_rows(again->copy);
    enum status status = STATUS_OK;
    if (rows > there)
        fault(again, check_of(variable->name), variable->name,
              "has rows that the run does not reach");
    for (int64_t i = 0; i < rows && i < there && !status; i++)
        status = compare_row(again, variable, other, i,
                             recording_steps(recording)[i],
                             variable_elements(variable), error);
    return status;
}

/* The elements of a column that are in use; all of any other variable. */
static size_t elements_used(const struct recording *recording,
                            const struct layout_item *item)
{
    const struct variable *variable = &item->variable;
    const size_t all = (size_t)variable->extent[0];
    int64_t used = -1;
    if (item->entry->axes[0] == AXIS_TIME)
        return (size_t)recording_rows(recording);
    if (item->entry->axes[0] == AXIS_VERSION)
        return versions_used(recording);
    if (item->entry->role != ROLE_TABLE)
        return variable_elements(variable);
    if (item->entry->axes[0] == AXIS_PATH_CELL) {
        const struct layout_item *mark =
            layout_find(&recording->layout, "status/plan_cells");
        if (recording_read_bytes(recording, mark, 0, sizeof used, &used, NULL))
            return 0;
    }
    for (int t = 0; t < TABLES && used < 0; t++)
        if (schema_tables[t].axis == item->entry->axes[0])
            used = recording->table_rows[t];
    return used < 0 ? 0 : (size_t)used < all ? (size_t)used : all;
}

static bool is_d_star_lite(const struct scenario *scenario, int32_t agent)
{
    for (size_t i = 0; i < scenario->agent_count; i++) {
        if (agent < scenario->agents[i].count)
            return scenario->agents[i].method == METHOD_DSTAR_LITE;
        agent -= scenario->agents[i].count;
    }
    return false;
}

/* A resumed run begins the searches of D* Lite anew: their expansions in `was`
 * become those in `is`. */
static enum status drop_resumed(const struct again *again, size_t count,
                                struct error *error)
{
    const struct layout_item *item =
        layout_find(&again->recording->layout, "plans/agent");
    int64_t *was = (int64_t *)again->was, *is = (int64_t *)again->is;
    int32_t *agents = need_memory(count + 1, sizeof *agents);
    enum status status = recording_read_bytes(
        again->recording, item, 0, count * sizeof *agents, agents, error);
    for (size_t i = 0; i < count && !status; i++)
        if (is_d_star_lite(again->scenario, agents[i]) && was[i] >= 0 &&
            is[i] >= 0)
            was[i] = is[i];
    memory_release(agents);
    return status;
}

/* A variable without rows, as it is in the file. */
static enum status compare_bytes(struct again *again,
                                 const struct layout_item *item,
                                 const struct layout_item *other,
                                 struct error *error)
{
    const struct variable *variable = &item->variable;
    const size_t element = element_bytes(variable->type);
    size_t count = item->bytes / element;
    const size_t used = elements_used(again->recording, item);
    if (has_other_lengths(again) || strcmp(variable->axis[0], "time") == 0)
        count = used < count ? used : count;
    make_room(again, count * element + 1);
    enum status status = recording_read_bytes(
        again->recording, item, 0, count * element, again->was, error);
    if (!status)
        status = recording_read_bytes(again->copy, other, 0, count * element,
                                      again->is, error);
    if (!status && strcmp(variable->name, "plans/expansions") == 0)
        status = drop_resumed(again, count, error);
    if (!status)
        compare_elements(again, variable, -1, count);
    return status;
}

/* ---- what has rules of its own ---- */

/* A checksum of 0 between keyframes: none is stored there. Of others the check
 * of the checksums compares each with its row. */
static bool is_checksum(const char *name)
{
    return begins(name, "crc/") || begins(name, "world/crc");
}

/* The slot of the newest commit, without the number of the commit, which
 * follows the clock. The other slot is of an earlier commit. */
static enum status read_state(const struct recording *recording, char *state,
                              uint64_t bytes, struct error *error)
{
    const struct layout *layout = &recording->layout;
    int64_t sequence = 0;
    char name[VARIABLE_NAME_SIZE];
    enum status status =
        recording_read_bytes(recording, layout_find(layout, "status/sequence"),
                             0, sizeof sequence, &sequence, error);
    if (status)
        return status;
    snprintf(name, sizeof name, "restart/state%d", (int)(sequence & 1));
    return recording_read_bytes(recording, layout_find(layout, name), 0, bytes,
                                state, error);
}

static enum status compare_state(struct again *again, struct error *error)
{
    const struct layout_item *item =
        layout_find(&again->recording->layout, "restart/state0");
    const struct layout_item *other =
        layout_find(&again->copy->layout, "restart/state0");
    struct finding *finding = &again->finding[CHECK_AGAIN_END];
    struct slot_header was, is;
    if (!item || !other)
        return STATUS_OK;
    if (item->bytes != other->bytes || item->bytes < sizeof was) {
        finding_skip(finding, 1, "the state to resume from is of ranks");
        return STATUS_OK;
    }
    make_room(again, item->bytes);
    enum status status =
        read_state(again->recording, again->was, item->bytes, error);
    if (!status)
        status = read_state(again->copy, again->is, item->bytes, error);
    if (status)
        return status;
    memcpy(&was, again->was, sizeof was);
    memcpy(&is, again->is, sizeof is);
    if (was.rows != is.rows || !is_whole(again->recording)) {
        finding_skip(finding, 1, "the state to resume from is of another step");
        return STATUS_OK;
    }
    const size_t from = sizeof was;
    finding_expect(
        finding,
        was.bytes == is.bytes && was.plan_cells == is.plan_cells &&
            memcmp(was.table_rows, is.table_rows, sizeof was.table_rows) == 0 &&
            memcmp(again->was + from, again->is + from, item->bytes - from) ==
                0,
        "restart: the state to resume from is another run's");
    return STATUS_OK;
}

/* A run that is stopped or being written may be at its end. */
static bool is_same_state(enum run_state was, enum run_state is)
{
    return was == is || (was == RUN_RUNNING && is != RUN_DIVERGED);
}

/* Settled by its own rule; what is left is compared. */
static bool has_own_rule(const struct again *again, const char *name)
{
    const struct recording *recording = again->recording;
    if (is_checksum(name) || begins(name, "chunk/") ||
        begins(name, "restart/state"))
        return true;
    if (strcmp(name, "status/state") == 0) {
        finding_expect(&again->finding[CHECK_AGAIN_END],
                       is_same_state(recording_state(recording),
                                     recording_state(again->copy)),
                       "status/state is not how the run ends");
        return true;
    }
    if (strcmp(name, "status/committed") == 0) {
        finding_expect(&again->finding[CHECK_AGAIN_END],
                       recording_state(recording) == RUN_DIVERGED ||
                           recording_rows(recording) ==
                               recording_rows(again->copy),
                       "status/committed is not the rows of the run");
        return true;
    }
    return false;
}

/* ---- every variable ---- */

/* The elements of a field without frames: the versions of the map, or first
 * arrivals. */
static size_t field_used(const struct recording *recording,
                         const struct layout_item *item)
{
    const size_t all = variable_elements(&item->variable);
    return item->entry->axes[0] == AXIS_VERSION
               ? all / (size_t)item->variable.extent[0] *
                     versions_used(recording)
               : all;
}

static bool is_same_kind(const struct variable *a, const struct variable *b,
                         bool other_lengths)
{
    const int first = other_lengths ? 1 : 0;
    return a->type == b->type && a->rank == b->rank &&
           (a->rank <= first ||
            memcmp(a->extent + first, b->extent + first,
                   (size_t)(a->rank - first) * sizeof *a->extent) == 0);
}

/* Is it a text of /provenance that is not compared, or the scale of its length?
 */
static bool is_listed_text(const char *object)
{
    static const char tail[] = "_length";
    char text[VARIABLE_NAME_SIZE];
    snprintf(text, sizeof text, "%s", object);
    const size_t length = strlen(text);
    if (length >= sizeof tail &&
        strcmp(text + length - (sizeof tail - 1), tail) == 0)
        text[length - (sizeof tail - 1)] = '\0';
    return begins(text, "provenance/") && is_not_compared(text);
}

static enum status compare_item(struct again *again,
                                const struct layout_item *item,
                                struct error *error)
{
    const struct variable *variable = &item->variable;
    const char *name = variable->name;
    const struct layout_item *other = layout_find(&again->copy->layout, name);
    if (is_not_compared(name) || is_listed_text(name) || is_in(given, name) ||
        has_own_rule(again, name))
        return STATUS_OK;
    if (!other) {
        /* Packing may store every frame, and adds texts. */
        if (!is_packed(again))
            fault(again, CHECK_AGAIN, name, "is not recorded by its scenario");
        return STATUS_OK;
    }
    if (!is_same_kind(variable, &other->variable, has_other_lengths(again))) {
        fault(again, CHECK_AGAIN, name, "has another type or extent");
        return STATUS_OK;
    }
    if (variable->by_row)
        return compare_rows(again, variable, &other->variable, error);
    if (item->bytes == 0 || item->derived)
        return STATUS_OK;
    if (layout_is_field(item))
        return compare_row(again, variable, &other->variable, 0, -1,
                           field_used(again->recording, item), error);
    return compare_bytes(again, item, other, error);
}

static enum status compare_variables(struct again *again, struct error *error)
{
    const struct layout *was = &again->recording->layout,
                        *is = &again->copy->layout;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < was->count && !status; i++)
        status = compare_item(again, &was->items[i], error);
    for (size_t i = 0; i < is->count; i++) {
        const char *name = is->items[i].variable.name;
        if (!layout_find(was, name) && !begins(name, "restart/") &&
            !is_checksum(name))
            fault(again, CHECK_AGAIN, name, "is missing");
    }
    return status;
}

/* ---- every attribute ---- */

struct attributes {
    struct found_attribute *items;
    size_t count;
};

static const struct found_attribute *find(const struct attributes *in,
                                          const struct found_attribute *like)
{
    for (size_t i = 0; i < in->count; i++)
        if (strcmp(in->items[i].object, like->object) == 0 &&
            strcmp(in->items[i].name, like->name) == 0)
            return &in->items[i];
    return NULL;
}

static void name_of(const struct found_attribute *attribute, char *text,
                    size_t size)
{
    snprintf(text, size, "%s%s%s", attribute->object,
             attribute->name[0] ? "@" : "", attribute->name);
}

/* Does this follow the length of a text that is not compared? */
static bool is_of_text(const struct found_attribute *attribute)
{
    return (!attribute->name[0] || strcmp(attribute->name, "NAME") == 0) &&
           is_listed_text(attribute->object);
}

/* The extents of an object, and what the netCDF library writes of them and of
 * the variables along a scale. */
static bool follows_lengths(const struct found_attribute *attribute)
{
    static const char *const names[] = { "", "NAME", "REFERENCE_LIST",
                                         "_Netcdf4Dimid", NULL };
    return is_in(names, attribute->name);
}

static void compare_attribute(const struct again *again,
                              const struct attributes *copy,
                              const struct found_attribute *was)
{
    struct finding *finding = &again->finding[CHECK_AGAIN];
    const struct found_attribute *is = find(copy, was);
    char name[2 * VARIABLE_NAME_SIZE + 2];
    name_of(was, name, sizeof name);
    if (is_not_compared(name) || is_of_text(was) ||
        (has_other_lengths(again) && follows_lengths(was)))
        return;
    if (is)
        finding_expect(finding, is->sum == was->sum,
                       (snprintf(name + strlen(name),
                                 sizeof name - strlen(name), " is another"),
                        name));
    else if (is_packed(again))
        finding_skip(finding, 1, "%s was added by packing, or by a user", name);
    else
        finding_skip(finding, 1, "%s is not Hamon's", name);
}

static enum status read_attributes(const struct recording *recording,
                                   struct attributes *attributes,
                                   struct error *error)
{
    return inspect_attributes(recording->fd, recording->path, NULL,
                              &attributes->items, &attributes->count, error);
}

/* Did 1.0.0 not write it yet? */
static bool is_newer(const struct found_attribute *attribute)
{
    static const char *const places[] = { "x", "y", "world/x", "world/y",
                                          NULL };
    return strcmp(attribute->name, "standard_name") == 0 &&
           is_in(places, attribute->object);
}

/* Another build may lack a text that is not compared, and packing drops the
 * state to resume from. An attribute is missing with its object, which is
 * reported itself. */
static bool may_be_missing(const struct again *again,
                           const struct attributes *was,
                           const struct found_attribute *is)
{
    struct found_attribute object = *is;
    object.name[0] = '\0';
    if (is->name[0])
        return is_newer(is) || !find(was, &object);
    return is_of_text(is) ||
           (is_packed(again) && begins(is->object, "restart"));
}

static enum status compare_attributes(struct again *again, struct error *error)
{
    struct attributes was = { 0 }, is = { 0 };
    struct finding *finding = &again->finding[CHECK_AGAIN];
    const char *version = recording_text(again->recording, "version");
    if (!version || strcmp(version, hamon_version) != 0) {
        finding_skip(finding, 1, "attributes of another version of Hamon");
        return STATUS_OK;
    }
    enum status status = read_attributes(again->recording, &was, error);
    if (!status)
        status = read_attributes(again->copy, &is, error);
    for (size_t i = 0; i < was.count && !status; i++)
        compare_attribute(again, &is, &was.items[i]);
    for (size_t i = 0; i < is.count && !status; i++)
        if (!find(&was, &is.items[i]) &&
            !may_be_missing(again, &was, &is.items[i])) {
            char name[2 * VARIABLE_NAME_SIZE + 2];
            name_of(&is.items[i], name, sizeof name);
            fault(again, CHECK_AGAIN, name, "is missing");
        }
    memory_release(was.items);
    memory_release(is.items);
    return status;
}

/* ---- the run ---- */

/* Notes the checks that have nothing to compare. */
static void note_skips(const struct again *again)
{
    static const char *const why[] = {
        [CHECK_AGAIN_FIELDS - CHECK_AGAIN] = "no field is recorded",
        [CHECK_AGAIN_EMISSIONS - CHECK_AGAIN] = "there are no emissions",
        [CHECK_AGAIN_ARRIVALS - CHECK_AGAIN] = "there are no arrivals",
        [CHECK_AGAIN_AGENTS - CHECK_AGAIN] = "no agents are recorded",
        [CHECK_AGAIN_TARGET - CHECK_AGAIN] = "no target is recorded",
        [CHECK_AGAIN_PLANS - CHECK_AGAIN] = "there are no plans",
        [CHECK_AGAIN_CAPTURES - CHECK_AGAIN] = "there are no captures",
        [CHECK_AGAIN_END - CHECK_AGAIN] = NULL,
    };
    for (int c = CHECK_AGAIN; c <= CHECK_AGAIN_END; c++)
        if (!again->finding[c].looked && why[c - CHECK_AGAIN])
            finding_skip(&again->finding[c], 0, "%s", why[c - CHECK_AGAIN]);
}

static enum status compare(struct again *again, struct error *error)
{
    enum status status = compare_variables(again, error);
    if (!status)
        status = compare_state(again, error);
    if (!status)
        status = compare_attributes(again, error);
    if (!status)
        note_skips(again);
    memory_release(again->is);
    memory_release(again->was);
    return status;
}

enum status check_again(const struct recording *recording,
                        struct scenario *scenario, struct check_report *report,
                        struct error *error)
{
    const struct again_options options = { .threads = 1 };
    struct recording *copy = NULL;
    struct again again = { .recording = recording, .finding = report->finding };
    if (!recording->keyframes) /* hamon-pack --expand stores every frame */
        scenario->record.keyframes = 0;
    struct error why;
    enum status status =
        again_record(recording, scenario, &options, &copy, &why);
    if (status == STATUS_DIVERGED) {
        finding_expect(&report->finding[CHECK_AGAIN_END], false, why.message);
        return STATUS_OK;
    }
    if (status) {
        *error = why;
        return status;
    }
    again.copy = copy;
    again.scenario = scenario;
    status = compare(&again, error);
    recording_close(copy);
    return status;
}
