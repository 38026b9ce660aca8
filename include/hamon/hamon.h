/* SPDX-License-Identifier: MIT */
/* libhamon reads recordings that hamon-record has made: plain, packed, with
 * keyframes, in 2D and 3D, finished or still being written.
 * docs/reference/library.md explains how to use it; docs/reference/format.md
 * lists the variables.
 *
 * Frames. A frame is the recorded data of one step (one generation of the
 * waves). Frame k belongs to step hamon_steps()[k]. Frames that the run has not
 * committed yet do not exist; hamon_refresh looks for new ones.
 *
 * Shapes. Fields have the shape (nz, ny, nx), x fastest; nz is 1 in 2D. They
 * cover the recorded region, which is the whole map unless record.region cuts
 * it. Lengths are in cells, times in steps, gradients per cell; only the
 * variables time, x, y and z hold seconds and metres ("s", "m") if the scenario
 * has a scale, and places beside them have the unit "cell".
 *
 * Errors. A function that can fail returns HAMON_OK or another hamon_status,
 * and fills *error, which may be NULL: one line, `file: what is wrong, what to
 * do`. After a failure the content of the output arguments is undefined, except
 * where a comment says otherwise. NULL for another argument is HAMON_INPUT.
 *
 * Buffers. `count` is the number of elements (not bytes) that a buffer has. A
 * buffer that is too small is HAMON_INPUT, and the message says how many
 * elements are needed. Larger buffers are allowed; the rest is not touched.
 *
 * Threads. Different recordings may be used by different threads at the same
 * time. One recording may be used by one thread at a time.
 *
 * The process. No function prints, exits, or changes signal handlers, HDF5's
 * state in this process, the locale, the rounding mode or errno of the caller.
 * hamon_open and hamon_refresh fork a child process, which reads the structure
 * of the file by HDF5 under limits of memory and time, and wait for it.
 *
 * Versions. Functions, constants and members of structs stay as they are while
 * the library is libhamon.so.1; new members are added at the end of a struct
 * that begins with its size, and an older library sets those to 0. The size
 * must be right. hamon_error never changes. */
#ifndef HAMON_HAMON_H
#define HAMON_HAMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hamon_status {
    HAMON_OK = 0,
    HAMON_FAILED = 1, /* no memory, or no child process */
    HAMON_INPUT = 2,  /* an argument or the file is wrong */
    HAMON_DISK = 3,   /* the disk or device failed */
};

struct hamon_error {
    int status; /* the value that the function returned */
    char message[1024];
};

struct hamon_recording;

/* The version of the library, "1.0.0". */
const char *hamon_library_version(void);

/* Opens a recording. The file need not be trusted: a damaged file, or one that
 * is not a recording, is HAMON_INPUT. Release with hamon_close. After a failure
 * *recording is NULL. */
int hamon_open(const char *path, struct hamon_recording **recording,
               struct hamon_error *error);

/* Opens the same path again, and finds the frames that were committed since.
 * Pointers that were taken from the recording become invalid. After a failure
 * the recording stays as it was. */
int hamon_refresh(struct hamon_recording *recording, struct hamon_error *error);

/* NULL is allowed. */
void hamon_close(struct hamon_recording *recording);

/* ---- contents ---- */

enum hamon_state {
    HAMON_RUNNING = 0, /* being written, or left by a killed program */
    HAMON_DONE = 1,
    HAMON_STOPPED = 2,
    HAMON_DIVERGED = 3,
};

/* Axes of arrays are x, y, z. */
struct hamon_info {
    size_t size;           /* set by the caller: sizeof(struct hamon_info) */
    int32_t dims;          /* 2 or 3 */
    int32_t state;         /* enum hamon_state */
    int64_t map[3];        /* cells of the whole map */
    int64_t first_cell[3]; /* of the region that fields cover, in the map */
    int64_t region[3];     /* cells of the region */
    int64_t frames;
    int64_t every;        /* steps between frames; the last step also has one */
    int64_t planned;      /* steps of the scenario; -1: unknown */
    int64_t map_versions; /* versions of the map up to the last frame */
    int32_t waves;        /* waves of which something was recorded */
    int32_t agents;
    int32_t has_target; /* 0 or 1 */
    int32_t packed;     /* 0 or 1 */
    int64_t keyframes;  /* record.keyframes; 0: every frame is stored */
    int32_t keep_bits;  /* bits of the mantissa that packing kept; 0: all */
    int32_t precision;  /* bytes of a recorded amplitude: 4 or 8 */
    double cell_metres, step_seconds; /* scale.cell, scale.step; 0: none */
};
int hamon_describe(const struct hamon_recording *recording,
                   struct hamon_info *info, struct hamon_error *error);

/* The step of each frame, in increasing order. It has info.frames elements and
 * belongs to the recording. NULL if recording is NULL. */
const int64_t *hamon_steps(const struct hamon_recording *recording);

/* Finds the frame of a step. HAMON_INPUT if the step was not recorded. */
int hamon_frame_at(const struct hamon_recording *recording, int64_t step,
                   int64_t *frame, struct hamon_error *error);

/* "title", or a text of /provenance: "scenario", "resolved", "set",
 * "parameters", "command", "version", "commit", "date" and others. It belongs
 * to the recording. NULL if there is no such text. */
const char *hamon_text(const struct hamon_recording *recording,
                       const char *name);

/* The text of a setting of the run, e.g. of "wave.delta". It belongs to the
 * recording. NULL if there is no such setting. */
const char *hamon_setting(const struct hamon_recording *recording,
                          const char *key);

/* Copies the "name" or the "method" (argument `what`) of an agent into
 * text[size], with a NUL; a longer text is cut off. */
int hamon_agent_text(const struct hamon_recording *recording, const char *what,
                     int64_t agent, char *text, size_t size,
                     struct hamon_error *error);

/* ---- variables, as docs/reference/format.md lists them ---- */

enum hamon_type {
    HAMON_INT8 = 0,
    HAMON_INT32 = 1,
    HAMON_INT64 = 2,
    HAMON_UINT32 = 3,
    HAMON_FLOAT32 = 4,
    HAMON_FLOAT64 = 5,
    HAMON_CHAR = 6, /* UTF-8 */
};

struct hamon_variable {
    size_t size;   /* set by the caller: sizeof(struct hamon_variable) */
    char name[64]; /* "wave0", "agents/x", "arrivals/step" */
    int32_t type;  /* enum hamon_type */
    int32_t rank;
    /* The elements that can be read: along time the committed frames, of a
     * table the rows in use. 0 is possible. */
    int64_t extent[4];
    char axis[4][32]; /* "time", "z", "y", "x", "agent", ... */
    int32_t by_frame; /* 1: its first axis is time */
    char units[16], long_name[160];
    char flags[96]; /* names of the values 0, 1, ..., separated by blanks */
};

/* Describes variable number i ≥ 0; HAMON_INPUT past the last one. */
int hamon_variable(const struct hamon_recording *recording, size_t i,
                   struct hamon_variable *variable, struct hamon_error *error);
int hamon_find(const struct hamon_recording *recording, const char *name,
               struct hamon_variable *variable, struct hamon_error *error);

/* Reads a variable into `out`, whose element type is `type`: the type of the
 * variable or, for any variable of numbers, HAMON_FLOAT64 or HAMON_FLOAT32. If
 * the variable is by_frame, it reads frames first ... first + frames - 1, one
 * after another; frames between keyframes are computed, and each frame is
 * compared with its checksum. Other variables are read whole: `first` is 0 and
 * `frames` 1. */
int hamon_read(const struct hamon_recording *recording, const char *name,
               int64_t first, int64_t frames, int type, void *out, size_t count,
               struct hamon_error *error);

/* Reads one element of every frame of a variable that is by_frame: a coordinate
 * of an agent ("agents/x", element: the number of the agent), or a wave at a
 * cell (element: the index of the cell in the region). No checksum is
 * compared. */
int hamon_read_series(const struct hamon_recording *recording, const char *name,
                      size_t element, double *out, size_t count,
                      struct hamon_error *error);

/* ---- fields and maps ---- */

/* Reads "wall" (1: wall), "speed", "cost" or "one_way" of the whole map, (nz,
 * ny, nx), in the version that is valid at a step. */
int hamon_read_map(const struct hamon_recording *recording, const char *name,
                   int64_t step, double *out, size_t count,
                   struct hamon_error *error);

/* A field over the region, as hamon-slice draws it and hamon-export writes it:
 * "amplitude", "gradient" (its length), "gradient-direction", "flux" (its
 * length), "heading" (angle in the plane x, y, degrees), "error", "cause",
 * "arrival" (steps of first arrivals), "speed", "cost", "one-way" (degrees),
 * "density" (agents that walked through), "width", "height" or "walls". A field
 * that was not recorded is computed if the recording has the data for it. NaN
 * is no value. The field of the last call is kept, so calls for frame after
 * frame are cheap. */
int hamon_read_field(struct hamon_recording *recording, const char *field,
                     int wave, int64_t frame, double *out, size_t count,
                     struct hamon_error *error);

/* Describes the result of hamon_read_field as a variable without frames: its
 * shape, axes, units and names of values. HAMON_INPUT if the recording does not
 * have the data for it. */
int hamon_find_field(struct hamon_recording *recording, const char *field,
                     int wave, struct hamon_variable *variable,
                     struct hamon_error *error);

/* Reads the headings that an agent would follow at each cell of the region, as
 * (nz, ny, nx, 3): unit vectors x, y, z; 0, 0, 0 in walls and in cells that no
 * wave has reached. A later frame costs the time to compute the steps
 * between. */
int hamon_read_headings(struct hamon_recording *recording, int wave,
                        int64_t frame, double *out, size_t count,
                        struct hamon_error *error);

#ifdef __cplusplus
}
#endif
#endif
