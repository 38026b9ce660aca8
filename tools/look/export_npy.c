/* SPDX-License-Identifier: MIT */
/* NPY 1.0: a magic, a header that is a Python dict padded to a multiple of 64
 * bytes, and the values. */
#include "base/memory.h"
#include "cli/interrupt.h"
#include "tools/look/export.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The shape of the array, outermost axis first. */
struct shape {
    size_t rows;
    int layers, ny, nx;
    bool all_rows, all_layers; /* has this axis */
    bool single;               /* f4 */
};

static void write_header(FILE *file, const struct shape *shape)
{
    char extents[128] = "", text[256];
    size_t used = 0;
    if (shape->all_rows)
        used += (size_t)snprintf(extents + used, sizeof extents - used, "%zu, ",
                                 shape->rows);
    if (shape->all_layers)
        used += (size_t)snprintf(extents + used, sizeof extents - used, "%d, ",
                                 shape->layers);
    snprintf(extents + used, sizeof extents - used, "%d, %d", shape->ny,
             shape->nx);
    int length = snprintf(text, sizeof text,
                          "{'descr': '%s', 'fortran_order': False, "
                          "'shape': (%s), }",
                          shape->single ? "<f4" : "<f8", extents);
    int whole = (10 + length + 1 + 63) / 64 * 64 - 10;
    fwrite("\x93NUMPY\x01", 1, 7, file);
    fputc(0, file);
    fputc(whole & 255, file);
    fputc(whole >> 8, file);
    fprintf(file, "%-*s\n", whole - 1, text);
}

/* Values as little-endian bytes, for any byte order of the machine. */
static void write_values(FILE *file, const double *values, size_t count,
                         bool single)
{
    uint8_t bytes[8];
    int width = single ? 4 : 8;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        if (single) {
            float value = (float)values[i];
            uint32_t narrow;
            memcpy(&narrow, &value, sizeof narrow);
            bits = narrow;
        } else {
            memcpy(&bits, &values[i], sizeof bits);
        }
        for (int k = 0; k < width; k++)
            bytes[k] = (uint8_t)(bits >> 8 * k);
        fwrite(bytes, 1, (size_t)width, file);
    }
}

static bool is_single(const struct view *view)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", view->wave);
    const struct variable *variable = recording_find(view->source, name);
    return strcmp(view->field->name, "amplitude") == 0 && variable &&
           variable->type == TYPE_FLOAT32;
}

enum status export_npy(struct view *view, const struct frames *frames,
                       bool plane, const char *path, bool force,
                       struct error *error)
{
    const struct box *box = &view->region;
    bool deep = view->cut.block.dims == 3 && !plane;
    struct shape shape = {
        .rows = frames->count,
        .layers = deep ? box->high[2] - box->low[2] + 1 : 1,
        .ny = view->cut.ny,
        .nx = view->cut.nx,
        .all_rows = frames->count > 1,
        .all_layers = deep,
        .single = is_single(view),
    };
    struct output output;
    enum status status = output_open(&output, path, force, error);
    if (status)
        return status;
    write_header(output.file, &shape);
    size_t cells = (size_t)shape.ny * (size_t)shape.nx;
    for (size_t i = 0; i < shape.rows && !status; i++)
        for (int z = 0; z < shape.layers && !status; z++) {
            if (deep)
                view_move(view, box->low[2] + z);
            status = interrupt_check(error);
            if (!status)
                status = view_read(view, frames->rows[i], error);
            if (!status)
                write_values(output.file, view->values, cells, shape.single);
        }
    if (!status)
        status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}
