/* SPDX-License-Identifier: MIT */
/* XDMF 2: an XML text with the position of each array in the HDF5 file. One
 * grid for each row, cells as cells, agents as points; in metres and seconds if
 * the scenario has a scale. */
#include "base/memory.h"
#include "base/need.h"
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
    char name[PATH_MAX]; /* of the recording, as written in the text */
    int dims;
    int cells[GRID_AXES]; /* along x, y, z */
    int low[GRID_AXES];
    double cell, step; /* metres and seconds; 0: the scenario has no scale */
    double *place;     /* of each agent, along one axis */
};

/* XML excludes control characters, and is UTF-8. */
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

/* The variable's dataset: one row of it (row ≥ 0), or all; a 2D field as one
 * layer, because ParaView reads as many values as the mesh has along each
 * axis. */
static void put_data(const struct writer *writer,
                     const struct variable *variable, int64_t row, bool field)
{
    const char *layer = field && writer->dims == 2 ? "1 " : "";
    static const char *const kinds[ELEMENT_TYPES] = {
        [TYPE_INT8] = "Char",     [TYPE_INT32] = "Int",
        [TYPE_INT64] = "Int",     [TYPE_UINT32] = "UInt",
        [TYPE_FLOAT32] = "Float", [TYPE_FLOAT64] = "Float",
        [TYPE_CHAR] = "Char",
    };
    FILE *file = writer->file;
    int rank = variable->rank;
    if (row >= 0) {
        fprintf(file, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%s",
                rank == 1 ? "1" : layer);
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
    fprintf(file, "<DataItem Format=\"HDF\" Dimensions=\"%s",
            row < 0 ? layer : "");
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
    put_data(writer, variable, row, strcmp(center, "Cell") == 0);
    fputs("</Attribute>\n", writer->file);
}

/* The cells: corners are half a cell from the centres; slowest axis first. In
 * 2D one layer of cells, whose upper side is at z = 0, the height of the
 * agents: ParaView draws a 2DCoRectMesh in the plane of y and z. */
static void put_mesh(const struct writer *writer)
{
    FILE *file = writer->file;
    double cell = writer->cell > 0 ? writer->cell : 1;
    fputs("        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"",
          file);
    for (int axis = GRID_AXES - 1; axis >= 0; axis--)
        fprintf(file, "%d%s", axis < writer->dims ? writer->cells[axis] + 1 : 2,
                axis ? " " : "");
    fputs("\"/>\n        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">"
          "<DataItem Dimensions=\"3\" Format=\"XML\">",
          file);
    for (int axis = GRID_AXES - 1; axis >= 0; axis--)
        fprintf(file, "%.17g%s",
                axis < writer->dims ? (writer->low[axis] - .5) * cell : -cell,
                axis ? " " : "");
    fprintf(file,
            "</DataItem><DataItem Dimensions=\"3\" Format=\"XML\">"
            "%.17g %.17g %.17g</DataItem></Geometry>\n",
            cell, cell, cell);
}

static bool covers(const struct recording *recording,
                   const struct variable *variable)
{
    const struct box box = recording_region(recording);
    const int dims = recording_grid(recording)->dims;
    const int first = variable->rank - dims;
    for (int i = 0; i < dims; i++) {
        const int axis = dims - 1 - i;
        if (first < 0 ||
            variable->extent[first + i] != box.high[axis] - box.low[axis] + 1)
            return false;
    }
    return true;
}

bool export_is_field(const struct recording *recording,
                     const struct variable *variable)
{
    return strncmp(variable->name, "wave", 4) == 0 &&
           strchr(variable->name, '/') == NULL && covers(recording, variable) &&
           (!variable->by_row ||
            recording_stored_row(recording, variable, 0) >= 0);
}

bool export_is_whole(const struct recording *recording, int64_t row)
{
    const struct variable *variable;
    for (size_t i = 0; (variable = recording_variable(recording, i)); i++)
        if (variable->by_row && export_is_field(recording, variable) &&
            recording_stored_row(recording, variable, row) < 0)
            return false;
    return true;
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
        if (export_is_field(recording, variable))
            put_attribute(writer, variable->name, "Cell",
                          variable->by_row
                              ? recording_stored_row(recording, variable, row)
                              : -1);
    for (int i = 0; i < 4; i++)
        put_attribute(writer, terrain[i], "Cell", version);
    fputs("      </Grid>\n", writer->file);
}

/* Positions in metres, as text: ParaView's XDMF reader computes no function of
 * an array of one value, and the file contains cells. */
static enum status put_metres(const struct writer *writer,
                              const struct variable *variable, int64_t row,
                              struct error *error)
{
    size_t count = variable_elements(variable);
    enum status status = recording_read_real(writer->recording, variable, row,
                                             writer->place, error);
    if (status)
        return status;
    fprintf(writer->file, "<DataItem Dimensions=\"%zu\" Format=\"XML\">",
            count);
    for (size_t i = 0; i < count; i++)
        fprintf(writer->file, "%s%.17g", i ? " " : "",
                writer->place[i] * writer->cell);
    fputs("</DataItem>", writer->file);
    return STATUS_OK;
}

/* Agents or target, each at its own coordinates. */
static enum status put_points(const struct writer *writer, const char *group,
                              int64_t row, struct error *error)
{
    enum status status = STATUS_OK;
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s/x", group);
    const struct variable *x = recording_find(writer->recording, name);
    if (!x)
        return STATUS_OK;
    FILE *file = writer->file;
    fprintf(file,
            "      <Grid Name=\"%s\">\n        <Topology "
            "TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64
            "\"/>\n        <Geometry GeometryType=\"%s\">",
            group, x->rank == 2 ? x->extent[1] : INT64_C(1),
            writer->dims == 2 ? "X_Y" : "X_Y_Z");
    for (int axis = 0; axis < writer->dims && !status; axis++) {
        snprintf(name, sizeof name, "%s/%c", group, "xyz"[axis]);
        const struct variable *variable =
            recording_find(writer->recording, name);
        if (variable && writer->cell > 0)
            status = put_metres(writer, variable, row, error);
        else if (variable)
            put_data(writer, variable, row, false);
    }
    fputs("</Geometry>\n", file);
    snprintf(name, sizeof name, "%s/state", group);
    put_attribute(writer, name, "Node", row);
    fputs("      </Grid>\n", file);
    return status;
}

enum status export_name_recording(const struct recording *recording,
                                  const char *path, char *name,
                                  struct error *error)
{
    const char *own = recording_path(recording);
    const char *slash = strrchr(own, '/'), *last = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - own) + 1 : 0;
    size_t other = last ? (size_t)(last - path) + 1 : 0;
    if (folder == other && strncmp(path, own, folder) == 0)
        snprintf(name, PATH_MAX, "%s", own + folder);
    else if (!realpath(own, name))
        return error_system(error, STATUS_INPUT, "%s", own);
    return STATUS_OK;
}

/* XDMF is a text, with a colon after the name. */
static enum status check_name(const struct writer *writer, struct error *error)
{
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

static enum status put_row(const struct writer *writer, int64_t row,
                           struct error *error)
{
    int64_t step = recording_steps(writer->recording)[row];
    fprintf(writer->file,
            "    <Grid Name=\"step %" PRId64 "\" GridType=\"Collection\" "
            "CollectionType=\"Spatial\">\n      <Time Value=\"%.17g\"/>\n",
            step, (double)step * (writer->step > 0 ? writer->step : 1));
    put_fields(writer, row, step);
    enum status status = put_points(writer, "agents", row, error);
    if (!status)
        status = put_points(writer, "target", row, error);
    fputs("    </Grid>\n", writer->file);
    return status;
}

/* Returns the number of steps written. */
static enum status put_rows(const struct writer *writer, int64_t *put,
                            struct error *error)
{
    enum status status = STATUS_OK;
    const struct recording *recording = writer->recording;
    const char *title = recording_title(recording);
    FILE *file = writer->file;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<Xdmf Version=\"2.0\">\n  <Domain>\n"
          "    <Grid Name=\"",
          file);
    put_xml(file, title && *title ? title : "recording");
    fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", file);
    *put = 0;
    for (int64_t row = 0; row < recording_rows(recording) && !status; row++)
        if (export_is_whole(recording, row)) {
            status = put_row(writer, row, error);
            ++*put;
        }
    fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", file);
    return status;
}

/* The number of values in one row of agents. */
static size_t places_of(const struct recording *recording)
{
    const struct variable *agents = recording_find(recording, "agents/x");
    return agents ? variable_elements(agents) : 1;
}

enum status export_xdmf(const struct recording *recording, const char *path,
                        bool force, int64_t *steps, struct error *error)
{
    struct box box = recording_region(recording);
    struct writer writer = {
        .recording = recording,
        .dims = recording_grid(recording)->dims,
        .cell = recording_setting_real(recording, "scale.cell", 0),
        .step = recording_setting_real(recording, "scale.step", 0)
    };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        writer.low[axis] = box.low[axis];
        writer.cells[axis] = box.high[axis] - box.low[axis] + 1;
    }
    enum status status =
        export_name_recording(recording, path, writer.name, error);
    if (!status)
        status = check_name(&writer, error);
    if (status)
        return status;
    struct output output;
    status = output_open(&output, path, force, error);
    if (status)
        return status;
    writer.file = output.file;
    writer.place = need_memory(places_of(recording), sizeof *writer.place);
    status = put_rows(&writer, steps, error);
    memory_release(writer.place);
    if (!status)
        status = interrupt_check(error);
    if (!status)
        status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}
