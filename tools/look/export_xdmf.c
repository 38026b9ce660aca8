/* SPDX-License-Identifier: MIT */
/* XDMF 2: an XML text that says where in the HDF5 file each array is. A grid a
 * row, cells as cells, agents as points. */
#include "base/utf8.h"
#include "cli/interrupt.h"
#include "tools/look/export.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    FILE *file;
    const struct recording *recording;
    char name[PATH_MAX]; /* of the recording, as the text names it */
    int dims;
    int cells[GRID_AXES]; /* along x, y, z */
    int low[GRID_AXES];
};

/* XML has no controls, and is UTF-8. */
static bool is_xml(const char *at)
{
    return (unsigned char)*at >= ' ' &&
           utf8_character((const unsigned char *)at) > 0;
}

static void put_xml(FILE *file, const char *text)
{
    while (*text) {
        bool whole = is_xml(text);
        size_t length = whole ? utf8_character((const unsigned char *)text) : 1;
        if (!whole)
            fputc('?', file);
        else if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '"')
            fputs("&quot;", file);
        else
            fwrite(text, 1, length, file);
        text += length;
    }
}

/* The variable's dataset: one row of it (row ≥ 0), or all. */
static void put_data(const struct writer *writer,
                     const struct variable *variable, int64_t row)
{
    static const char *const kinds[ELEMENT_TYPES] = {
        [TYPE_INT8] = "Char",     [TYPE_INT32] = "Int",
        [TYPE_INT64] = "Int",     [TYPE_UINT32] = "UInt",
        [TYPE_FLOAT32] = "Float", [TYPE_FLOAT64] = "Float",
        [TYPE_CHAR] = "Char",
    };
    FILE *file = writer->file;
    int rank = variable->rank;
    if (row >= 0) {
        fputs("<DataItem ItemType=\"HyperSlab\" Dimensions=\"", file);
        fputs(rank == 1 ? "1" : "", file);
        for (int i = 1; i < rank; i++)
            fprintf(file, "%s%" PRId64, i > 1 ? " " : "", variable->extent[i]);
        fprintf(file, "\"><DataItem Dimensions=\"3 %d\" Format=\"XML\">", rank);
        fprintf(file, "%" PRId64, row);
        for (int i = 1; i < rank; i++)
            fputs(" 0", file);
        for (int i = 0; i < rank; i++)
            fputs(" 1", file);
        fputs(" 1", file);
        for (int i = 1; i < rank; i++)
            fprintf(file, " %" PRId64, variable->extent[i]);
        fputs("</DataItem>", file);
    }
    fputs("<DataItem Format=\"HDF\" Dimensions=\"", file);
    for (int i = 0; i < rank; i++)
        fprintf(file, "%s%" PRId64, i ? " " : "", variable->extent[i]);
    fprintf(file, "\" NumberType=\"%s\" Precision=\"%zu\">",
            kinds[variable->type], element_bytes(variable->type));
    put_xml(file, writer->name);
    fprintf(file, ":/%s</DataItem>", variable->name);
    if (row >= 0)
        fputs("</DataItem>", file);
}

static void put_attribute(const struct writer *writer, const char *name,
                          const char *center, int64_t row)
{
    const struct variable *variable = recording_find(writer->recording, name);
    if (!variable)
        return;
    const char *plain = strrchr(name, '/');
    fprintf(writer->file,
            "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" "
            "Center=\"%s\">",
            plain ? plain + 1 : name, center);
    put_data(writer, variable, row);
    fputs("</Attribute>\n", writer->file);
}

/* The cells: corners are half a cell off the centres; slowest axis first. */
static void put_mesh(const struct writer *writer)
{
    FILE *file = writer->file;
    fprintf(file,
            "        <Topology TopologyType=\"%dDCoRectMesh\" "
            "Dimensions=\"",
            writer->dims);
    for (int axis = writer->dims - 1; axis >= 0; axis--)
        fprintf(file, "%d%s", writer->cells[axis] + 1, axis ? " " : "");
    fprintf(file, "\"/>\n        <Geometry GeometryType=\"%s\">",
            writer->dims == 2 ? "ORIGIN_DXDY" : "ORIGIN_DXDYDZ");
    fprintf(file, "<DataItem Dimensions=\"%d\" Format=\"XML\">", writer->dims);
    for (int axis = writer->dims - 1; axis >= 0; axis--)
        fprintf(file, "%g%s", writer->low[axis] - .5, axis ? " " : "");
    fprintf(file, "</DataItem><DataItem Dimensions=\"%d\" Format=\"XML\">%s",
            writer->dims, writer->dims == 2 ? "1 1" : "1 1 1");
    fputs("</DataItem></Geometry>\n", file);
}

/* Whether a variable is over the region that the root's fields cover. */
static bool is_field(const struct writer *writer,
                     const struct variable *variable)
{
    if (strncmp(variable->name, "wave", 4) != 0 ||
        strchr(variable->name, '/') != NULL)
        return false;
    int first = variable->rank - writer->dims;
    for (int i = 0; i < writer->dims; i++)
        if (first < 0 ||
            variable->extent[first + i] != writer->cells[writer->dims - 1 - i])
            return false;
    return true;
}

/* Does the file hold any row of it? What is computed from keyframes is none,
 * where they themselves begin with row 0. */
static bool is_stored(const struct writer *writer,
                      const struct variable *variable)
{
    return !variable->by_row ||
           recording_stored_row(writer->recording, variable, 0) >= 0;
}

static void put_fields(const struct writer *writer, int64_t row, int64_t step)
{
    static const char *const terrain[] = { "wall", "speed", "cost", "one_way" };
    const struct recording *recording = writer->recording;
    int64_t version = (int64_t)recording_version_at(recording, step);
    const struct variable *variable;
    fprintf(writer->file, "      <Grid Name=\"fields\">\n");
    put_mesh(writer);
    for (size_t i = 0; (variable = recording_variable(recording, i)); i++)
        if (is_field(writer, variable) && is_stored(writer, variable))
            put_attribute(writer, variable->name, "Cell",
                          variable->by_row
                              ? recording_stored_row(recording, variable, row)
                              : -1);
    for (int i = 0; i < 4; i++)
        put_attribute(writer, terrain[i], "Cell", version);
    fputs("      </Grid>\n", writer->file);
}

/* Agents or target, each at its own coordinates. */
static void put_points(const struct writer *writer, const char *group,
                       int64_t row)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s/x", group);
    const struct variable *x = recording_find(writer->recording, name);
    if (!x)
        return;
    FILE *file = writer->file;
    fprintf(file,
            "      <Grid Name=\"%s\">\n        <Topology "
            "TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64
            "\"/>\n        <Geometry GeometryType=\"%s\">",
            group, x->rank == 2 ? x->extent[1] : INT64_C(1),
            writer->dims == 2 ? "X_Y" : "X_Y_Z");
    for (int axis = 0; axis < writer->dims; axis++) {
        snprintf(name, sizeof name, "%s/%c", group, "xyz"[axis]);
        const struct variable *variable =
            recording_find(writer->recording, name);
        if (variable)
            put_data(writer, variable, row);
    }
    fputs("</Geometry>\n", file);
    snprintf(name, sizeof name, "%s/state", group);
    put_attribute(writer, name, "Node", row);
    fputs("      </Grid>\n", file);
}

/* The recording's name as seen from the text: bare beside it, else whole. */
static enum status name_recording(struct writer *writer, const char *path,
                                  struct error *error)
{
    const char *recording = recording_path(writer->recording);
    const char *slash = strrchr(recording, '/'), *own = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - recording) + 1 : 0;
    size_t own_folder = own ? (size_t)(own - path) + 1 : 0;
    bool beside = folder == own_folder && strncmp(path, recording, folder) == 0;
    if (beside)
        snprintf(writer->name, sizeof writer->name, "%s", recording + folder);
    else if (!realpath(recording, writer->name))
        return error_system(error, STATUS_INPUT, "%s", recording);
    if (strchr(writer->name, ':'))
        return error_set(error, STATUS_INPUT,
                         "%s: XDMF cannot name a file with a colon in its name",
                         writer->name);
    for (const char *at = writer->name; *at;) {
        if (!is_xml(at))
            return error_set(error, STATUS_INPUT,
                             "%s: XDMF cannot name a file with a control "
                             "character in its name, or one that is not UTF-8",
                             writer->name);
        at += utf8_character((const unsigned char *)at);
    }
    return STATUS_OK;
}

/* Are all fields of this row in the file? With keyframes few are. */
static bool is_whole(const struct writer *writer, int64_t row)
{
    const struct recording *recording = writer->recording;
    const struct variable *variable;
    for (size_t i = 0; (variable = recording_variable(recording, i)); i++)
        if (variable->by_row && is_field(writer, variable) &&
            is_stored(writer, variable) &&
            recording_stored_row(recording, variable, row) < 0)
            return false;
    return true;
}

/* Gives how many steps it has put. */
static int64_t put_rows(const struct writer *writer)
{
    int64_t put = 0;
    const struct recording *recording = writer->recording;
    const char *title = recording_title(recording);
    FILE *file = writer->file;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<Xdmf Version=\"2.0\">\n  <Domain>\n"
          "    <Grid Name=\"",
          file);
    put_xml(file, title && *title ? title : "recording");
    fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", file);
    for (int64_t row = 0; row < recording_rows(recording); row++) {
        int64_t step = recording_steps(recording)[row];
        if (!is_whole(writer, row))
            continue;
        put++;
        fprintf(file,
                "    <Grid Name=\"step %" PRId64 "\" GridType=\"Collection\" "
                "CollectionType=\"Spatial\">\n      <Time Value=\"%" PRId64
                "\"/>\n",
                step, step);
        put_fields(writer, row, step);
        put_points(writer, "agents", row);
        put_points(writer, "target", row);
        fputs("    </Grid>\n", file);
    }
    fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", file);
    return put;
}

enum status export_xdmf(const struct recording *recording, const char *path,
                        bool force, int64_t *steps, struct error *error)
{
    struct box box = recording_region(recording);
    struct writer writer = { .recording = recording,
                             .dims = recording_grid(recording)->dims };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        writer.low[axis] = box.low[axis];
        writer.cells[axis] = box.high[axis] - box.low[axis] + 1;
    }
    enum status status = name_recording(&writer, path, error);
    if (status)
        return status;
    struct output output;
    status = output_open(&output, path, force, error);
    if (status)
        return status;
    writer.file = output.file;
    *steps = put_rows(&writer);
    status = interrupt_check(error);
    if (!status)
        status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}
