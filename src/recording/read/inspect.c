/* SPDX-License-Identifier: MIT */
/* HDF5 reads a file, which may come from an untrusted source, in a child
 * process. The child follows hard links only, and uses no external file, no
 * plug-in, and no filter except those of packed fields: anything else is
 * rejected before HDF5 would follow or load it. The parent trusts the output of
 * the child as little as the file. */
#include "recording/read/inspect.h"

#include "base/allocation.h"
#include "base/crc32c.h"
#include "base/memory.h"
#include "recording/format/hdf5.h"
#include "recording/read/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FOUND_MAX = 4096,
    ATTRIBUTES_MAX = 1 << 16,
    ATTRIBUTE_BYTES = 1 << 20,
    DATA_BYTES = 1 << 22, /* of a user's dataset that are read at once */
    PATH_BYTES = 1 << 12,
    WAIT_SECONDS = 20,
    /* of the child */
    MEMORY_BYTES = 160 << 20,
    MALLOC_STEP = 1 << 20, /* malloc takes this much at once for small blocks */
    CPU_SECONDS = 4,
    BYTES_A_SECOND = 1 << 22, /* of the file, at the least */
    SUPERBLOCK_BYTES = 48,
    OFFSET_BYTES = 8,
};

static const char not_readable[] = "not a readable recording";

/* Messages of the child, in pieces of one size. */
enum piece_kind {
    PIECE_FOUND = 1,
    PIECE_TITLE,
    PIECE_ATTRIBUTE,
    PIECE_FAULT,
    PIECE_NO_MEMORY,
    PIECE_UNWRITTEN,
    PIECE_END,
};
struct piece {
    int32_t kind, code; /* code: an errno */
    struct found found;
    struct found_attribute attribute;
    char text[RECORDING_TITLE_SIZE];
};

/* Used by no_memory; belongs to the child only. */
static struct {
    struct walk walk;
    rlim_t memory; /* its limit on address space */
} confined;

/* ---- the child: limits ---- */

/* The seconds that work takes because the file is long. */
static int64_t seconds_for(const struct confined_work *work)
{
    return (int64_t)(work->bytes / BYTES_A_SECOND);
}

/* Sanitizers reserve terabytes of address space: builds with them have no limit
 * on it. */
static void limit(int resource, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_cur < most)
        most = now.rlim_cur;
    struct rlimit set = { most, most };
    setrlimit(resource, &set);
}

/* The bytes of address space in use, found without an allocation. */
static rlim_t mapped_bytes(void)
{
    char text[32] = "";
    int sizes = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (sizes >= 0 && read(sizes, text, sizeof text - 1) < 0)
        text[0] = '\0';
    if (sizes >= 0)
        close(sizes);
    return strtoul(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit_all(const struct confined_work *work)
{
    limit(RLIMIT_CPU, CPU_SECONDS + (rlim_t)seconds_for(work));
    limit(RLIMIT_CORE, 0);
    if (!work->writes)
        limit(RLIMIT_FSIZE, 0);
    signal(SIGXFSZ, SIG_IGN); /* writing then fails with EFBIG */
#ifndef HAMON_SANITIZED
    /* In addition to what the parent had mapped when it forked. */
    confined.memory = mapped_bytes() + MEMORY_BYTES;
    limit(RLIMIT_AS, confined.memory);
#endif
}

/* `fd`, or a duplicate with a number above the standard streams. */
static int above_streams(int fd)
{
    return fd > STDERR_FILENO ? fd : fcntl(fd, F_DUPFD, STDERR_FILENO + 1);
}

/* The standard streams are redirected to /dev/null, and of all other
 * descriptors only the file, the pipe and the one to be kept stay open. Ends
 * the process if that fails. */
static void leave_the_parent(int *fd, int *out, int *kept)
{
    *fd = above_streams(*fd);
    *out = above_streams(*out);
    if (*kept >= 0)
        *kept = above_streams(*kept);
    if (*fd < 0 || *out < 0)
        _exit(1);
    for (int i = STDERR_FILENO + 1; i < 1024; i++)
        if (i != *fd && i != *out && i != *kept)
            close(i);
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        _exit(1);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(null, i);
    if (null > STDERR_FILENO)
        close(null);
}

/* ---- the child: the content of the file ---- */

static void send_piece(const struct walk *walk, const struct piece *piece)
{
    const char *at = (const char *)piece;
    for (size_t left = sizeof *piece; left > 0;) {
        ssize_t written = write(walk->out, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            _exit(1);
        at += written;
        left -= (size_t)written;
    }
}

_Noreturn void confined_no_memory(const struct walk *walk)
{
    struct piece piece = { .kind = PIECE_NO_MEMORY };
    send_piece(walk, &piece);
    _exit(0);
}

/* HDF5 gets NULL if the file requires more memory than the child may use. A
 * lack of memory for another reason is not caused by the file, and must not be
 * reported by HDF5 as damage. */
static void no_memory(size_t bytes)
{
    if (bytes <= MEMORY_BYTES &&
        mapped_bytes() + bytes + MALLOC_STEP <= confined.memory)
        confined_no_memory(&confined.walk);
}

_Noreturn void confined_refuse(const struct walk *walk, const char *object,
                               const char *fault)
{
    struct piece piece = { .kind = PIECE_FAULT };
    if (object)
        snprintf(piece.text, sizeof piece.text, "%.300s: %s", object, fault);
    else
        snprintf(piece.text, sizeof piece.text, "%s", fault);
    send_piece(walk, &piece);
    _exit(0);
}

_Noreturn void confined_unwritten(const struct walk *walk, const char *object)
{
    struct piece piece = { .kind = PIECE_UNWRITTEN, .code = errno };
    snprintf(piece.text, sizeof piece.text, "%s", object);
    send_piece(walk, &piece);
    _exit(0);
}

/* Is there an object with this path, reached by hard links only? */
static bool exists(const struct walk *walk, const char *name)
{
    char path[VARIABLE_NAME_SIZE];
    size_t end = 0;
    do {
        end += strcspn(name + end, "/");
        snprintf(path, sizeof path, "%.*s", (int)end, name);
        H5L_info_t link;
        htri_t there = H5Lexists(walk->file, path, H5P_DEFAULT);
        if (there == 0)
            return false;
        if (there < 0 || H5Lget_info(walk->file, path, &link, H5P_DEFAULT) < 0)
            confined_refuse(walk, path,
                            "cannot be looked up: the file is damaged");
        if (link.type != H5L_TYPE_HARD)
            confined_refuse(
                walk, path,
                "is a soft or external link: only hard links are followed");
    } while (name[end++] == '/');
    return true;
}

static hid_t open_dataset(const struct walk *walk, const char *name)
{
    hid_t object = H5Oopen(walk->file, name, H5P_DEFAULT);
    if (object < 0)
        confined_refuse(walk, name, "cannot be opened: the file is damaged");
    if (H5Iget_type(object) != H5I_DATASET)
        confined_refuse(walk, name, "is not a dataset");
    return object;
}

/* Is the filter pipeline shuffle (by the size of an element), then deflate, and
 * nothing else? */
static bool packs(hid_t list, hid_t dataset)
{
    unsigned flags, config, values[8];
    size_t count = 8;
    hid_t type = H5Dget_type(dataset);
    size_t element = type < 0 ? 0 : H5Tget_size(type);
    bool good = H5Pget_nfilters(list) == 2 &&
                H5Pget_filter2(list, 0, &flags, &count, values, 0, NULL,
                               &config) == H5Z_FILTER_SHUFFLE &&
                count >= 1 && values[0] == element;
    count = 8;
    good = good && H5Pget_filter2(list, 1, &flags, &count, values, 0, NULL,
                                  &config) == H5Z_FILTER_DEFLATE;
    if (type >= 0)
        H5Tclose(type);
    return good;
}

/* The chunk that begins at `at`. */
static struct chunk_place place_of(const struct walk *walk, const char *name,
                                   hid_t dataset, const hsize_t *at)
{
    haddr_t address;
    hsize_t bytes;
    unsigned skipped;
    if (H5Dget_chunk_info_by_coord(dataset, at, &skipped, &address, &bytes) < 0)
        confined_refuse(walk, name, "has chunks that cannot be found");
    if (address == HADDR_UNDEF)
        return (struct chunk_place){ 0, 0 };
    if (skipped != 0 || address > INT64_MAX || bytes > INT64_MAX)
        confined_refuse(walk, name, "has chunks that no recording has");
    return (struct chunk_place){ (int64_t)address, (int64_t)bytes };
}

/* HDF5 needs time proportional to the number of chunks to find one: only the
 * first and the last are queried, and the recording's own list has the
 * others. */
static void inspect_chunks(const struct walk *walk, hid_t dataset, hid_t list,
                           struct found *found)
{
    hsize_t chunk[VARIABLE_MAX_RANK], first[VARIABLE_MAX_RANK] = { 0 },
                                      last[VARIABLE_MAX_RANK];
    if (!packs(list, dataset))
        confined_refuse(
            walk, found->name,
            H5Pget_nfilters(list) > 0
                ? "has a filter that no recording has"
                : "is not contiguous: rewritten by another program? "
                  "Recordings are read as they were made, or as hamon-pack "
                  "packs them");
    if (found->rank < 2 ||
        H5Pget_chunk(list, VARIABLE_MAX_RANK, chunk) != found->rank)
        confined_refuse(walk, found->name, "has chunks that no recording has");
    for (int axis = 0; axis < found->rank; axis++) {
        hsize_t extent = (hsize_t)found->extent[axis];
        if (chunk[axis] < 1 || chunk[axis] > extent)
            confined_refuse(walk, found->name,
                            "has chunks that no recording has");
        found->chunk[axis] = (int64_t)chunk[axis];
        last[axis] = (extent - 1) / chunk[axis] * chunk[axis];
    }
    found->ends[0] = place_of(walk, found->name, dataset, first);
    found->ends[1] = place_of(walk, found->name, dataset, last);
}

static void inspect_storage(const struct walk *walk, hid_t dataset,
                            struct found *found)
{
    const char *name = found->name;
    hid_t list = H5Dget_create_plist(dataset);
    if (list < 0)
        confined_refuse(walk, name, "cannot be opened: the file is damaged");
    H5D_layout_t layout = H5Pget_layout(list);
    if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        confined_refuse(walk, name,
                        "is not contiguous: rewritten by another program? Only "
                        "recordings as they were made are read");
    if (H5Pget_external_count(list) != 0)
        confined_refuse(walk, name, "keeps its data in another file");
    if (layout == H5D_CHUNKED)
        inspect_chunks(walk, dataset, list, found);
    else if (H5Pget_nfilters(list) != 0)
        confined_refuse(walk, name, "has a filter");
    H5Pclose(list);
}

static enum element_type type_of(const struct walk *walk, const char *name,
                                 hid_t dataset)
{
    hid_t type = H5Dget_type(dataset);
    if (type < 0)
        confined_refuse(walk, name, "has no type: the file is damaged");
    enum element_type found = ELEMENT_TYPES;
    if (H5Tget_class(type) == H5T_STRING) {
        if (H5Tis_variable_str(type) == 0 && H5Tget_size(type) == 1)
            found = TYPE_CHAR;
    } else {
        for (int i = 0; i < TYPE_CHAR; i++)
            if (H5Tequal(type, layout_type((enum element_type)i)) > 0)
                found = (enum element_type)i;
    }
    if (found == ELEMENT_TYPES)
        confined_refuse(walk, name, "is of a type that no recording has");
    H5Tclose(type);
    return found;
}

static int extents_of(const struct walk *walk, const char *name, hid_t dataset,
                      int64_t *extent)
{
    hsize_t extents[H5S_MAX_RANK];
    hid_t space = H5Dget_space(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    if (rank < 0 || rank > VARIABLE_MAX_RANK ||
        H5Sget_simple_extent_type(space) == H5S_NULL)
        confined_refuse(walk, name, "is of a rank that no recording has");
    H5Sget_simple_extent_dims(space, extents, NULL);
    for (int axis = 0; axis < rank; axis++) {
        if (extents[axis] < 1 || extents[axis] > INT64_MAX)
            confined_refuse(walk, name,
                            "is of an extent that no recording has");
        extent[axis] = (int64_t)extents[axis];
    }
    H5Sclose(space);
    return rank;
}

static void inspect_item(const struct walk *walk, const char *name)
{
    if (!exists(walk, name))
        return;
    struct piece piece = { .kind = PIECE_FOUND };
    struct found *found = &piece.found;
    hid_t dataset = open_dataset(walk, name);
    snprintf(found->name, sizeof found->name, "%s", name);
    found->type = (int32_t)type_of(walk, name, dataset);
    found->rank = extents_of(walk, name, dataset, found->extent);
    inspect_storage(walk, dataset, found);
    haddr_t offset = H5Dget_offset(dataset);
    found->offset = offset == HADDR_UNDEF ? NO_OFFSET : offset;
    H5Dclose(dataset);
    send_piece(walk, &piece);
}

/* Opens an attribute of the file that is one value of a class: *type is its
 * type. Less than 0: it is not. */
static hid_t open_value(const struct walk *walk, const char *name,
                        H5T_class_t class, hid_t *type)
{
    hid_t attribute = H5Aopen(walk->file, name, H5P_DEFAULT);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    *type = attribute < 0 ? -1 : H5Aget_type(attribute);
    return *type >= 0 && space >= 0 && H5Tget_class(*type) == class &&
                   H5Sget_simple_extent_npoints(space) == 1
               ? attribute
               : -1;
}

/* A recording without a version was made before release 1.0. */
static void check_version(const struct walk *walk)
{
    int32_t version = 0;
    htri_t there = H5Aexists(walk->file, "format_version");
    if (there < 0)
        confined_refuse(walk, "format_version",
                        "cannot be read: the file is damaged");
    if (there == 0)
        return;
    hid_t type,
        attribute = open_value(walk, "format_version", H5T_INTEGER, &type);
    if (attribute < 0 || H5Aread(attribute, H5T_NATIVE_INT32, &version) < 0 ||
        version < 1)
        confined_refuse(walk, "format_version", "is not one positive integer");
    if (version > RECORDING_FORMAT_VERSION) {
        char text[128];
        snprintf(text, sizeof text,
                 "its format has version %d, this program reads up to %d: "
                 "install a newer release of Hamon",
                 (int)version, RECORDING_FORMAT_VERSION);
        confined_refuse(walk, NULL, text);
    }
}

static void send_title(const struct walk *walk)
{
    struct piece piece = { .kind = PIECE_TITLE };
    if (H5Aexists(walk->file, "title") <= 0)
        return;
    hid_t type, attribute = open_value(walk, "title", H5T_STRING, &type);
    if (attribute < 0 || H5Tis_variable_str(type) != 0 ||
        H5Tget_size(type) > sizeof piece.text ||
        H5Aread(attribute, type, piece.text) < 0)
        confined_refuse(walk, "title", "is not a text of at most 511 bytes");
    piece.text[sizeof piece.text - 1] = '\0';
    send_piece(walk, &piece);
}

/* Names of texts are chosen by the writer: letters and underscores. The names
 * of their lengths come with the layout. */
static herr_t add_text(hid_t group, const char *name, const H5L_info_t *link,
                       void *context)
{
    struct shape *shape = context;
    size_t length = strlen(name);
    if (length >= RECORDING_TEXT_NAME_SIZE ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz_") != length ||
        (length > 7 && strcmp(name + length - 7, "_length") == 0))
        return 0;
    if (shape->text_count == RECORDING_MAX_TEXTS)
        return 1;
    struct shape_text *text = &shape->texts[shape->text_count++];
    snprintf(text->name, sizeof text->name, "%s", name);
    text->length = 1;
    return 0;
}

/* One more than the number of consecutive waves from 0 on, so that a stray one
 * is found. Looking for the names of all waves that a recording may have would
 * take HDF5 most of its time. */
static int waves_to_look_for(const struct walk *walk)
{
    static const char *const tails[] = { "", "_grad_x", "_arrival" };
    int waves = 0;
    for (size_t i = 0; i < 3 && waves < RECORDING_MAX_WAVES - 1;) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "wave%d%s", waves, tails[i]);
        bool there = exists(walk, name);
        waves += there;
        i = there ? 0 : i + 1;
    }
    return waves + 1;
}

/* All names that a recording with these waves may have. */
static void expand_all(const struct walk *walk, struct layout *layout)
{
    static struct shape shape;
    shape = (struct shape){
        .parts = ~0U,
        .waves = waves_to_look_for(walk),
        .world = { 1, 1, 1 },
        .tile = { 1, 1, 1 },
        .world_tile = { 1, 1, 1 },
    };
    if (!exists(walk, "crc/crc_wall"))
        shape.parts &= ~(unsigned)PART_OWN_NAMES;
    for (int axis = 0; axis < AXES; axis++)
        shape.length[axis] = 1;
    if (exists(walk, "provenance") &&
        H5Literate_by_name(walk->file, "provenance", H5_INDEX_NAME, H5_ITER_INC,
                           NULL, add_text, &shape, H5P_DEFAULT) < 0)
        confined_refuse(walk, "provenance",
                        "cannot be listed: the file is damaged");
    if (layout_expand(&shape, layout, NULL))
        confined_no_memory(walk);
}

static hid_t open_file(int fd)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* Not with the default driver. With it, if the program that calls libhamon
     * has the file open by HDF5, HDF5 would use that file, which this process
     * has closed; and it would reject a file that its run has replaced
     * since. */
    H5Pset_fapl_stdio(access);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true);
#endif
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* The size that the complete file has according to its first bytes; 0 if it is
 * no HDF5 file with offsets of 8 bytes. HDF5 File Format Specification, II.A:
 * in versions 0 and 1 the size of offsets is in byte 13 and the end address at
 * byte 40 (version 1: four bytes later), in versions 2 and 3 in byte 9 and at
 * byte 28. */
static uint64_t superblock_end(int fd)
{
    static const unsigned char signature[] = "\x89HDF\r\n\x1a\n";
    static const struct {
        int size, end;
    } places[] = { { 13, 40 }, { 13, 44 }, { 9, 28 }, { 9, 28 } };
    unsigned char bytes[SUPERBLOCK_BYTES + 4] = { 0 };
    uint64_t end = 0;
    if (pread(fd, bytes, sizeof bytes, 0) < SUPERBLOCK_BYTES ||
        memcmp(bytes, signature, sizeof signature - 1) != 0)
        return 0;
    unsigned version = bytes[8];
    if (version >= sizeof places / sizeof *places ||
        bytes[places[version].size] != OFFSET_BYTES)
        return 0;
    for (int i = OFFSET_BYTES - 1; i >= 0; i--) /* little-endian */
        end = end << 8 | bytes[places[version].end + i];
    return end;
}

/* Reports why HDF5 cannot open the file: its end is missing, or something
 * else. */
static void refuse_unopened(struct walk *walk, int fd)
{
    struct stat about;
    char text[160];
    uint64_t end = superblock_end(fd);
    if (fstat(fd, &about) < 0 || end <= (uint64_t)about.st_size)
        confined_refuse(
            walk, NULL,
            "HDF5 cannot open it; a recording made by hamon-record is "
            "expected");
    snprintf(text, sizeof text,
             "it is cut short: %llu of its %llu bytes are here; copy it again",
             (unsigned long long)about.st_size, (unsigned long long)end);
    confined_refuse(walk, NULL, text);
}

/* ---- the child: attributes ---- */

static uint32_t add_number(uint32_t sum, int64_t number)
{
    return crc32c(sum, &number, sizeof number);
}

static uint32_t add_extents(uint32_t sum, hid_t space)
{
    hsize_t extents[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, extents, NULL);
    sum = add_number(sum, H5Sget_simple_extent_type(space));
    for (int axis = 0; axis < rank; axis++)
        sum = add_number(sum, (int64_t)extents[axis]);
    return sum;
}

/* A reference, as the name of its object. HDF5 has that of any link to it: the
 * root's is taken if there is one. */
static uint32_t add_reference(uint32_t sum, hid_t file, const void *reference)
{
    char name[VARIABLE_NAME_SIZE] = "";
    hid_t object = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, reference);
    if (object >= 0) {
        H5Iget_name(object, name, sizeof name);
        H5Oclose(object);
    }
    const char *last = strrchr(name, '/');
    hobj_ref_t root;
    if (last && H5Lexists(file, last, H5P_DEFAULT) > 0 &&
        H5Rcreate(&root, file, last, H5R_OBJECT, -1) >= 0 &&
        memcmp(&root, reference, sizeof root) == 0)
        return crc32c(sum, last, strlen(last));
    return crc32c(sum, name, strlen(name));
}

/* Of `count` values of a type in memory, which HDF5 has read. */
static uint32_t add_values(uint32_t sum, hid_t file, hid_t type,
                           const char *values, size_t count)
{
    const size_t size = H5Tget_size(type);
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER || class == H5T_FLOAT)
        return crc32c(sum, values, count * size);
    for (size_t i = 0; i < count; i++, values += size) {
        if (class == H5T_REFERENCE) {
            sum = add_reference(sum, file, values);
        } else if (class == H5T_VLEN) {
            const hvl_t *list = (const hvl_t *)values;
            hid_t base = H5Tget_super(type);
            sum = add_values(add_number(sum, (int64_t)list->len), file, base,
                             list->p, list->len);
            H5Tclose(base);
        } else if (class == H5T_ARRAY) {
            hid_t base = H5Tget_super(type);
            sum = add_values(sum, file, base, values, size / H5Tget_size(base));
            H5Tclose(base);
        } else if (class == H5T_COMPOUND) {
            for (unsigned m = 0; m < (unsigned)H5Tget_nmembers(type); m++) {
                hid_t member = H5Tget_member_type(type, m);
                sum = add_values(sum, file, member,
                                 values + H5Tget_member_offset(type, m), 1);
                H5Tclose(member);
            }
        } else if (class == H5T_STRING && H5Tis_variable_str(type) > 0) {
            const char *text = *(const char *const *)values;
            sum = crc32c(sum, text ? text : "", text ? strlen(text) : 0);
        } else {
            sum = crc32c(sum, values, size);
        }
    }
    return sum;
}

/* A list of references to a scale has no order that matters. */
static uint32_t sum_of_values(hid_t file, hid_t type, const char *values,
                              size_t count)
{
    uint32_t sum = 0;
    if (H5Tget_class(type) != H5T_COMPOUND)
        return add_values(0, file, type, values, count);
    for (size_t i = 0; i < count; i++)
        sum += add_values(0, file, type, values + i * H5Tget_size(type), 1);
    return sum;
}

/* What begins the sum of an object, or is it. */
enum { A_GROUP = 1, A_DATASET, A_TYPE, SECOND_NAME };

struct addresses {
    haddr_t *items;
    size_t count, room;
};

struct visit {
    const struct walk *walk;
    /* Values of datasets that it has not are summed, too; NULL: of none. */
    const struct layout *layout;
    char path[PATH_BYTES];   /* of the object */
    struct addresses groups; /* that were visited */
    struct addresses ours;   /* of the layout */
};

/* A name that does not fit ends with its checksum. */
static void cut_name(char *to, size_t size, const char *name)
{
    const size_t length = strlen(name);
    if (length < size)
        memcpy(to, name, length + 1);
    else
        snprintf(to, size, "%.*s~%08x", (int)size - 10, name,
                 (unsigned)crc32c(0, name, length));
}

static void send_attribute(const struct visit *visit, const char *name,
                           uint32_t sum)
{
    struct piece piece = { .kind = PIECE_ATTRIBUTE };
    struct found_attribute *found = &piece.attribute;
    cut_name(found->object, sizeof found->object, visit->path);
    cut_name(found->name, sizeof found->name, name);
    found->sum = sum;
    send_piece(visit->walk, &piece);
}

/* Numbers and texts of a fixed length are summed as they are stored. */
static hid_t type_to_sum(hid_t stored)
{
    const H5T_class_t class = H5Tget_class(stored);
    return class == H5T_INTEGER || class == H5T_FLOAT ||
                   (class == H5T_STRING && H5Tis_variable_str(stored) == 0)
               ? H5Tcopy(stored)
               : H5Tget_native_type(stored, H5T_DIR_ASCEND);
}

static uint32_t sum_of_type(hid_t stored, hid_t type)
{
    const H5T_class_t class = H5Tget_class(stored);
    uint32_t sum = add_number(0, class);
    sum = add_number(sum, (int64_t)H5Tget_size(type));
    if (class == H5T_STRING)
        sum = add_number(add_number(sum, H5Tget_cset(stored)),
                         H5Tget_strpad(stored));
    return sum;
}

uint32_t confined_attribute_sum(const struct walk *walk, const char *path,
                                hid_t object, const char *name)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t stored = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hid_t type = stored < 0 ? -1 : type_to_sum(stored);
    const hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (type < 0 || count < 0 ||
        (size_t)count > ATTRIBUTE_BYTES / (H5Tget_size(type) + 1))
        confined_refuse(walk, path, "has an attribute that cannot be read");
    char *values = memory_new((size_t)count + 1, H5Tget_size(type));
    if (!values)
        confined_no_memory(walk);
    if (count > 0 && H5Aread(attribute, type, values) < 0)
        confined_refuse(walk, path, "has an attribute that cannot be read");
    const uint32_t of_values =
        sum_of_values(walk->file, type, values, (size_t)count);
    const uint32_t sum = crc32c(add_extents(sum_of_type(stored, type), space),
                                &of_values, sizeof of_values);
    memory_release(values);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(attribute);
    return sum;
}

static herr_t visit_attribute(hid_t object, const char *name,
                              const H5A_info_t *info, void *context)
{
    const struct visit *visit = context;
    (void)info;
    send_attribute(
        visit, name,
        confined_attribute_sum(visit->walk, visit->path, object, name));
    return 0;
}

/* Of chunks as they are stored: their filters may be known to others only. */
static uint32_t sum_of_chunks(const struct visit *visit, hid_t dataset,
                              hid_t list)
{
    hsize_t extents[H5S_MAX_RANK] = { 0 }, chunk[H5S_MAX_RANK],
            at[H5S_MAX_RANK] = { 0 }, bytes;
    hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, extents, NULL);
    const bool empty = H5Sget_simple_extent_npoints(space) <= 0;
    uint32_t sum = 0, filters = 0;
    H5Sclose(space);
    if (empty || H5Pget_chunk(list, H5S_MAX_RANK, chunk) != rank)
        return sum;
    for (int axis = rank - 1; axis >= 0;) {
        if (H5Dget_chunk_storage_size(dataset, at, &bytes) >= 0 && bytes > 0) {
            char *values = memory_new((size_t)bytes, 1);
            if (!values)
                confined_no_memory(visit->walk);
            if (H5Dread_chunk(dataset, H5P_DEFAULT, at, &filters, values) < 0)
                confined_refuse(visit->walk, visit->path, "cannot be read");
            sum =
                crc32c(add_number(sum, filters), at, (size_t)rank * sizeof *at);
            sum = crc32c(sum, values, (size_t)bytes);
            memory_release(values);
        }
        for (axis = rank - 1;
             axis >= 0 && (at[axis] += chunk[axis]) >= extents[axis]; axis--)
            at[axis] = 0;
    }
    return sum;
}

/* The values of a user's dataset, in pieces along its first axis. */
static uint32_t sum_of_rows(const struct visit *visit, hid_t dataset)
{
    hsize_t extents[H5S_MAX_RANK] = { 1 }, count[H5S_MAX_RANK],
            first[H5S_MAX_RANK] = { 0 };
    hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hid_t type = type_to_sum(stored);
    const int rank = H5Sget_simple_extent_dims(space, extents, NULL);
    const hssize_t all = H5Sget_simple_extent_npoints(space);
    uint32_t sum = 0;
    if (type < 0 || rank < 0 || all < 0)
        confined_refuse(visit->walk, visit->path, "cannot be read");
    const size_t row = all == 0 ? 0 : (size_t)all / (size_t)extents[0];
    hsize_t step = row == 0 ? 1 : DATA_BYTES / (row * H5Tget_size(type));
    step = step < 1 ? 1 : step > extents[0] ? extents[0] : step;
    char *values = memory_new(row * (size_t)step + 1, H5Tget_size(type));
    if (!values)
        confined_no_memory(visit->walk);
    memcpy(count, extents, sizeof count);
    for (hsize_t at = 0; all > 0 && at < extents[0]; at += step) {
        first[0] = at;
        count[0] = extents[0] - at < step ? extents[0] - at : step;
        hsize_t now = count[0] * row;
        hid_t memory = H5Screate_simple(1, &now, NULL);
        if ((rank > 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL,
                                             count, NULL) < 0) ||
            H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) < 0)
            confined_refuse(visit->walk, visit->path, "cannot be read");
        sum = add_values(sum, visit->walk->file, type, values, (size_t)now);
        H5Dvlen_reclaim(type, memory, H5P_DEFAULT, values);
        H5Sclose(memory);
    }
    memory_release(values);
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    return sum;
}

static uint32_t sum_of_data(const struct visit *visit, hid_t dataset,
                            hid_t list, hid_t type)
{
    const bool plain = H5Tdetect_class(type, H5T_VLEN) == 0 &&
                       H5Tdetect_class(type, H5T_STRING) == 0 &&
                       H5Tdetect_class(type, H5T_REFERENCE) == 0;
    return plain && H5Pget_layout(list) == H5D_CHUNKED
               ? sum_of_chunks(visit, dataset, list)
               : sum_of_rows(visit, dataset);
}

/* The type, extents and fill value of a dataset; of a group, that it is one. */
static uint32_t sum_of_object(const struct visit *visit, hid_t object)
{
    if (H5Iget_type(object) != H5I_DATASET)
        return H5Iget_type(object) == H5I_GROUP ? A_GROUP : A_TYPE;
    hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    hid_t list = H5Dget_create_plist(object);
    char fill[64] = "";
    if (type < 0 || space < 0 || list < 0)
        confined_refuse(visit->walk, visit->path,
                        "cannot be opened: the file is damaged");
    const size_t size = H5Tget_size(type);
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    H5Pfill_value_defined(list, &defined);
    const bool filled = defined == H5D_FILL_VALUE_USER_DEFINED &&
                        size <= sizeof fill &&
                        H5Pget_fill_value(list, type, fill) >= 0;
    uint32_t sum = add_number(A_DATASET, H5Tget_class(type));
    sum = add_number(sum, (int64_t)size);
    sum = add_number(sum, H5Tget_order(type));
    sum = add_values(add_extents(sum, space), visit->walk->file, type, fill,
                     filled);
    if (visit->layout && !layout_find(visit->layout, visit->path))
        sum = add_number(sum, sum_of_data(visit, object, list, type));
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
    return sum;
}

static bool is_among(const struct addresses *addresses, haddr_t address)
{
    for (size_t i = 0; i < addresses->count; i++)
        if (addresses->items[i] == address)
            return true;
    return false;
}

static haddr_t address_of(const struct visit *visit, hid_t object)
{
    H5O_info_t about;
    if (H5Oget_info(object, &about) < 0)
        confined_refuse(visit->walk, visit->path,
                        "cannot be opened: the file is damaged");
    return about.addr;
}

static void add_address(const struct visit *visit, struct addresses *addresses,
                        haddr_t address)
{
    haddr_t *grown = memory_more(addresses->items, addresses->count,
                                 &addresses->room, sizeof *grown);
    if (!grown)
        confined_no_memory(visit->walk);
    addresses->items = grown;
    addresses->items[addresses->count++] = address;
}

/* Hard links may lead to a group by several paths, or around in a circle: its
 * members are visited once. */
static bool is_new_group(struct visit *visit, hid_t object)
{
    if (H5Iget_type(object) != H5I_GROUP)
        return false;
    const haddr_t address = address_of(visit, object);
    if (is_among(&visit->groups, address))
        return false;
    add_address(visit, &visit->groups, address);
    return true;
}

/* Is it a variable of the layout, or a group of one, under another name? */
static bool is_second_name(const struct visit *visit, hid_t object)
{
    return visit->layout && !layout_has(visit->layout, visit->path) &&
           is_among(&visit->ours, address_of(visit, object));
}

/* Notes the addresses of the layout's variables and their groups. */
static void find_ours(struct visit *visit)
{
    for (size_t i = 0; i < visit->layout->count; i++) {
        char path[VARIABLE_NAME_SIZE + 1];
        snprintf(path, sizeof path, "%s/",
                 visit->layout->items[i].derived
                     ? ""
                     : visit->layout->items[i].variable.name);
        for (char *slash = strchr(path, '/'); slash;
             slash = strchr(slash + 1, '/')) {
            *slash = '\0';
            hid_t object =
                H5Oopen(visit->walk->file, path[0] ? path : "/", H5P_DEFAULT);
            const haddr_t address = address_of(visit, object);
            if (!is_among(&visit->ours, address))
                add_address(visit, &visit->ours, address);
            H5Oclose(object);
            *slash = '/';
        }
    }
    hid_t root = H5Oopen(visit->walk->file, "/", H5P_DEFAULT);
    add_address(visit, &visit->ours, address_of(visit, root));
    H5Oclose(root);
}

static void visit_object(struct visit *visit);

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *link,
                         void *context)
{
    struct visit *visit = context;
    const size_t length = strlen(visit->path);
    (void)group;
    if (link->type != H5L_TYPE_HARD ||
        length + strlen(name) + 2 > sizeof visit->path)
        return 0;
    snprintf(visit->path + length, sizeof visit->path - length, "%s%s",
             length ? "/" : "", name);
    visit_object(visit);
    visit->path[length] = '\0';
    return 0;
}

static void visit_object(struct visit *visit)
{
    hid_t object = H5Oopen(visit->walk->file,
                           visit->path[0] ? visit->path : "/", H5P_DEFAULT);
    if (object < 0)
        confined_refuse(visit->walk, visit->path,
                        "cannot be opened: the file is damaged");
    if (is_second_name(visit, object)) {
        send_attribute(visit, "", SECOND_NAME);
        H5Oclose(object);
        return;
    }
    send_attribute(visit, "", sum_of_object(visit, object));
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute,
                    visit) < 0)
        confined_refuse(visit->walk, visit->path,
                        "has attributes that cannot be listed");
    if (is_new_group(visit, object) &&
        H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link,
                   visit) < 0)
        confined_refuse(visit->walk, visit->path, "cannot be listed: damaged");
    H5Oclose(object);
}

/* ---- the child: the start ---- */

static void list_attributes(const struct walk *walk, int kept, void *context)
{
    struct visit visit = { .walk = walk, .layout = context };
    (void)kept;
    if (visit.layout)
        find_ours(&visit);
    visit_object(&visit);
}

static void find_variables(const struct walk *walk, int kept, void *context)
{
    struct layout layout = { 0 };
    (void)kept;
    (void)context;
    check_version(walk);
    send_title(walk);
    expand_all(walk, &layout);
    for (size_t i = 0; i < layout.count; i++)
        inspect_item(walk, layout.items[i].variable.name);
}

_Noreturn static void start_work(int fd, int out,
                                 const struct confined_work *work)
{
    struct walk walk = { -1, out };
    int kept = work->kept;
    leave_the_parent(&fd, &walk.out, &kept);
    limit_all(work);
    confined.walk = walk;
    allocation_on_failure(no_memory);
    H5dont_atexit();
    H5PLset_loading_state(0);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    walk.file = open_file(fd);
    if (walk.file < 0)
        refuse_unopened(&walk, fd);
    if (!exists(&walk, "status") && exists(&walk, "run") &&
        exists(&walk, "folder"))
        confined_refuse(
            &walk, NULL,
            "it is the table of a hamon-sweep; the recordings are in the "
            "folders beside it: */run.h5");
    work->run(&walk, kept, work->context);
    send_piece(&walk, &(struct piece){ .kind = PIECE_END });
    _exit(0);
}

/* ---- the parent ---- */

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads one complete piece; false at the end, on an error, and after the
 * deadline. */
static bool receive(int in, int64_t deadline, struct piece *piece)
{
    char *at = (char *)piece;
    for (size_t left = sizeof *piece; left > 0;) {
        struct pollfd poll_in = { .fd = in, .events = POLLIN };
        int64_t wait = deadline - milliseconds();
        int ready = wait > 0 ? poll(&poll_in, 1, (int)wait) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t got = read(in, at, left);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        left -= (size_t)got;
    }
    return true;
}

/* Is the message of the child well formed? A hostile file may have taken
 * control of the child. */
static bool well_formed(const struct found *found)
{
    if (!memchr(found->name, '\0', sizeof found->name) || found->type < 0 ||
        found->type >= ELEMENT_TYPES || found->rank < 0 ||
        found->rank > VARIABLE_MAX_RANK)
        return false;
    for (int axis = 0; axis < found->rank; axis++)
        if (found->extent[axis] < 1 ||
            (found->chunk[0] && (found->chunk[axis] < 1 ||
                                 found->chunk[axis] > found->extent[axis])))
            return false;
    return true;
}

static enum status take_attribute(const struct found_attribute *found,
                                  struct inspection *inspection,
                                  struct error *error)
{
    const size_t count = inspection->attribute_count;
    if ((count & (count - 1)) == 0) { /* full: 0, 1, 2, 4, … */
        struct found_attribute *grown =
            memory_grow(inspection->attributes, count, count ? 2 * count : 1,
                        sizeof *grown);
        if (!grown)
            return error_memory(error);
        inspection->attributes = grown;
    }
    inspection->attributes[inspection->attribute_count++] = *found;
    return STATUS_OK;
}

static enum status take(const struct piece *piece, const char *path,
                        const char *fault, struct inspection *inspection,
                        struct error *error)
{
    switch (piece->kind) {
    case PIECE_FOUND:
        if (!inspection->items || inspection->count == FOUND_MAX ||
            !well_formed(&piece->found))
            break;
        inspection->items[inspection->count++] = piece->found;
        return STATUS_OK;
    case PIECE_ATTRIBUTE:
        if (inspection->attribute_count == ATTRIBUTES_MAX ||
            !memchr(piece->attribute.object, '\0',
                    sizeof piece->attribute.object) ||
            !memchr(piece->attribute.name, '\0', sizeof piece->attribute.name))
            break;
        return take_attribute(&piece->attribute, inspection, error);
    case PIECE_TITLE:
        memcpy(inspection->title, piece->text, sizeof inspection->title - 1);
        return STATUS_OK;
    case PIECE_FAULT:
        return error_at(error, STATUS_INPUT, path, 0, "%s: %.*s", fault,
                        (int)sizeof piece->text - 1, piece->text);
    case PIECE_NO_MEMORY:
        return error_memory(error);
    case PIECE_UNWRITTEN:
        errno = piece->code;
        return error_system(error, STATUS_DISK, "%s: %.*s cannot be written",
                            path, (int)sizeof piece->text - 1, piece->text);
    default:
        break;
    }
    return error_at(error, STATUS_INPUT, path, 0, "%s: damaged", fault);
}

static enum status receive_all(int in, const char *path,
                               const struct confined_work *work,
                               struct inspection *inspection,
                               struct error *error)
{
    struct piece piece;
    int64_t deadline =
        milliseconds() + (WAIT_SECONDS + seconds_for(work)) * 1000;
    enum status status = STATUS_OK;
    while (!status) {
        if (!receive(in, deadline, &piece))
            return error_at(error, STATUS_INPUT, path, 0,
                            "%s: HDF5 crashes on it, or takes too much memory "
                            "or time",
                            work->fault);
        if (piece.kind == PIECE_END)
            return STATUS_OK;
        status = take(&piece, path, work->fault, inspection, error);
    }
    return status;
}

static pid_t start_child(int fd, const struct confined_work *work,
                         int pipe_ends[2])
{
    if (pipe2(pipe_ends, O_CLOEXEC) < 0)
        return -1;
    pid_t child = fork();
    if (child == 0)
        start_work(fd, pipe_ends[1], work);
    close(pipe_ends[1]);
    if (child < 0)
        close(pipe_ends[0]);
    return child;
}

static enum status run_child(int fd, const char *path,
                             const struct confined_work *work,
                             struct inspection *inspection, struct error *error)
{
    int pipe_ends[2];
    pid_t child = start_child(fd, work, pipe_ends);
    if (child < 0)
        return error_system(error, STATUS_FAILED,
                            "%s: cannot start a process to read it", path);
    enum status status =
        receive_all(pipe_ends[0], path, work, inspection, error);
    close(pipe_ends[0]);
    /* else the child ends by itself, and its number may be reused */
    if (status)
        kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

enum status confined_run(int fd, const char *path,
                         const struct confined_work *work, struct error *error)
{
    struct inspection none = { 0 };
    enum status status = run_child(fd, path, work, &none, error);
    memory_release(none.attributes);
    return status;
}

enum status inspect_file(int fd, const char *path,
                         struct inspection *inspection, struct error *error)
{
    const struct confined_work work = { .run = find_variables,
                                        .fault = not_readable,
                                        .kept = -1 };
    *inspection = (struct inspection){ 0 };
    inspection->items = memory_new(FOUND_MAX, sizeof *inspection->items);
    if (!inspection->items)
        return error_memory(error);
    enum status status = run_child(fd, path, &work, inspection, error);
    if (status) {
        memory_release(inspection->items);
        inspection->items = NULL;
    }
    return status;
}

enum status inspect_attributes(int fd, const char *path, struct layout *layout,
                               struct found_attribute **items, size_t *count,
                               struct error *error)
{
    struct stat about;
    const struct confined_work work = {
        .run = list_attributes,
        .context = layout,
        .fault = not_readable,
        .kept = -1,
        .bytes = layout && fstat(fd, &about) == 0 ? (uint64_t)about.st_size : 0,
    };
    struct inspection inspection = { 0 };
    enum status status = run_child(fd, path, &work, &inspection, error);
    *items = NULL;
    *count = 0;
    if (status) {
        memory_release(inspection.attributes);
        return status;
    }
    *items = inspection.attributes;
    *count = inspection.attribute_count;
    return STATUS_OK;
}
